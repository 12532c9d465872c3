"""Validates scenarios against the schema the program prints. Usage: check.py PROGRAM"""

import copy
import json
import pathlib
import re
import subprocess
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """Reads scalars as YAML 1.2 does: `on`, `no` and `0777` are no booleans and no octal numbers."""


Loader.yaml_implicit_resolvers = {}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(true|false)$"), list("tf"))
Loader.add_implicit_resolver("tag:yaml.org,2002:int", re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789"))
Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"^[-+]?[0-9]+\.[0-9]+$"), list("-+0123456789"))
Loader.add_implicit_resolver("tag:yaml.org,2002:null", re.compile(r"^(~|null|)$"), ["~", "n", ""])


def integer(loader, node):
    return int(loader.construct_scalar(node))


Loader.add_constructor("tag:yaml.org,2002:int", integer)

passed = failed = 0


def check(holds, what):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print("failed: " + what)


def breakages(document):
    """Copies of a document, each with one thing wrong, and what that is."""

    def change(what, action):
        broken = copy.deepcopy(document)
        action(broken)
        return what, broken

    yield change("an unknown key", lambda d: d.update(stps=[]))
    yield change("an unknown step", lambda d: d["steps"].append("conect"))
    yield change("an unknown step with a value", lambda d: d["steps"].append({"sned": {"to": "bob", "text": "x"}}))
    yield change("a duration without a unit", lambda d: d["steps"].append({"wait": 3}))
    yield change("an unknown key of a step", lambda d: d["steps"].append({"connect": None, "expct": []}))
    yield change("an unknown expectation", lambda d: d.update(expect=[{"contcts": 1}]))
    yield change("a wrong tier", lambda d: d.update(tier="quick"))
    yield change("steps that are no list", lambda d: d.update(steps={"connect": None}))
    if "extends" not in document:
        yield change("no title", lambda d: d.pop("title"))


schema = json.loads(subprocess.run([sys.argv[1], "schema"], check=True, capture_output=True, text=True).stdout)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
root = pathlib.Path("Scenarios")
files = [
    path
    for path in sorted(root.rglob("*.yaml"))
    if path.relative_to(root).parts[0] not in ("testbeds", "worlds", "sweeps")
]
for path in files:
    document = yaml.load(path.read_text(encoding="utf-8"), Loader)
    errors = sorted(validator.iter_errors(document), key=lambda error: list(map(str, error.path)))
    reason = errors[0].message[:300] if errors else ""
    check(not errors, f"{path}: {reason}")
    if path.parts[1] == "client":
        for what, broken in breakages(document):
            if "steps" not in broken and "extends" in broken:
                continue
            check(not validator.is_valid(broken), f"{path} with {what} is taken for valid")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
