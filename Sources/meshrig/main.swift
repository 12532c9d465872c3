internal import Glibc

Host.prepare()
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
