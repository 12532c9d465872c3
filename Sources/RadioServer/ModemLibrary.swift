internal import CPtyModem
internal import Glibc
internal import MeshTransport
internal import RigBase

/// The small library that lets clients which insist on modem lines open a pseudo-terminal.
///
/// Its source travels inside the program and is compiled with `cc` once, next to the terminals.
enum ModemLibrary {
    enum Outcome: Sendable, Equatable {
        case ready(String)
        /// Not built; the text is what to do by hand.
        case missing(String)
    }

    static var source: [UInt8] {
        Array(UnsafeBufferPointer(start: rig_pty_modem_source(), count: Int(rig_pty_modem_source_length())))
    }

    /// Puts the source into `directory` and compiles it, unless that was done before for the same source.
    static func install(in directory: String) -> Outcome {
        let source = source
        let library = "\(directory)/pty-modem-lines-\(fingerprint(of: source)).so"
        if access(library, R_OK) == 0 { return .ready(library) }
        let text = directory + "/pty-modem-lines.c"
        guard writeFile(source, to: text) else { return .missing("cannot write \(text)") }
        let unfinished = library + ".new"
        let command = ["cc", "-shared", "-fPIC", "-O2", "-o", unfinished, text, "-ldl"]
        guard run(command), rename(unfinished, library) == 0 else {
            return .missing("cc -shared -fPIC -O2 -o \(library) \(text) -ldl")
        }
        return .ready(library)
    }

    private static func fingerprint(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return String(hash, radix: 16)
    }

    /// Runs a program found in PATH with its messages thrown away; true when it ends with 0.
    private static func run(_ command: [String]) -> Bool {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in [1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var arguments = command.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawnp(&process, command[0], &actions, nil, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { if errno != EINTR { return false } }
        return status == 0
    }
}

/// Writes a whole file; false when that did not work.
func writeFile(_ bytes: [UInt8], to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + offset, bytes.count - offset) }
        guard count > 0 else { return false }
        offset += count
    }
    return true
}
