"""Counts checks and prints one line for each."""

import asyncio
import json
import time


class Report:
    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.group = ""

    def check(self, name, holds, detail=""):
        """One fact. `detail` says what was seen when it does not hold."""
        if holds:
            self.passed += 1
            print(f"ok      {self.group}: {name}", flush=True)
        else:
            self.failed += 1
            print(f"FAILED  {self.group}: {name}" + (f" ({detail})" if detail else ""), flush=True)
        return holds

    def equal(self, name, got, expected):
        return self.check(name, got == expected, f"expected {expected!r}, got {got!r}")

    def error(self, error):
        """A group that could not be finished counts as one failure."""
        self.check("runs to its end", False, f"{type(error).__name__}: {error}")

    def summary(self):
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed or not self.passed else 0


class World:
    """What the server says its world knows, read anew each time from the file it keeps."""

    def __init__(self, path):
        self.path = path

    def node(self, name):
        with open(self.path, encoding="utf-8") as file:
            nodes = json.load(file)["nodes"]
        return next(node for node in nodes if node["node"] == name)

    async def until(self, name, condition, seconds=10):
        """The node once `condition` holds for it, or as it is when the time is up."""
        end = time.monotonic() + seconds
        while True:
            node = self.node(name)
            if condition(node) or time.monotonic() > end:
                return node
            await asyncio.sleep(0.1)
