"""Starts `meshrig serve`, drives it with public clients, and compares both sides. See ci/clients/run."""

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time

import commandline
import library
from report import Report, World

# A group that takes longer hangs.
GROUP_SECONDS = 240


def start(program, world, folder):
    """The server and the file it keeps; waits until that is there."""
    state = os.path.join(folder, "state.json")
    terminals = os.path.join(folder, "terminals")
    command = program.split() + ["serve"] + ([world] if world else [])
    command += ["--port", "0", "--pty-dir", terminals, "--print-state", state]
    log = open(os.path.join(folder, "serve.log"), "w", encoding="utf-8")
    server = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
    end = time.monotonic() + 30
    while not os.path.exists(state):
        if server.poll() is not None or time.monotonic() > end:
            stop(server)
            with open(log.name, encoding="utf-8") as text:
                sys.exit(f"the server did not start:\n{text.read()}")
        time.sleep(0.05)
    return server, World(state), terminals


def stop(server):
    """Ends our own server; its exit code, or None when it had to be killed."""
    if server.poll() is None:
        server.terminate()
        try:
            return server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
            return None
    return server.returncode


async def drive(report, world, folder, only):
    groups = [(name, run, ()) for name, run in library.GROUPS]
    groups += [(name, run, (folder,)) for name, run in commandline.GROUPS]
    for name, run, more in groups:
        if only and only not in name:
            continue
        report.group = name
        try:
            await asyncio.wait_for(run(report, world, *more), GROUP_SECONDS)
        except Exception as error:  # noqa: BLE001 - whatever ends a group is a failed check of it
            report.error(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=".build/debug/meshrig", help="how to call meshrig")
    parser.add_argument("--only", default="", help="run the groups with this in their name")
    parser.add_argument("world", nargs="?", help="a world file with alice, bob (echo) and carol")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="meshrig-clients-")
    report = Report()
    try:
        server, world, terminals = start(options.program, options.world, folder)
        try:
            asyncio.run(drive(report, world, folder, options.only))
            report.group = "server"
            report.check("is still running", server.poll() is None)
        finally:
            code = stop(server)
        report.equal("ends with 0 when told to", code, 0)
        # The library and the lock files beside the names stay for the next server.
        left = [
            name
            for name in os.listdir(terminals)
            if not name.startswith("pty-modem-lines") and not (name.startswith(".") and name.endswith(".lock"))
        ]
        report.equal("leaves no link behind", left, [])
        if report.failed:
            with open(os.path.join(folder, "serve.log"), encoding="utf-8") as log:
                print("--- the server said\n" + log.read(), file=sys.stderr)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return report.summary()


if __name__ == "__main__":
    sys.exit(main())
