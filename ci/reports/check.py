"""Reads reports of `meshrig run` with independent programs and compares them with the lines of JSON of the same run."""

import html.parser
import json
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

PROGRAM = str(Path(sys.argv[1]).resolve())
CASES = ["client", "examples"]
DEFECT = "confirmations-ignored"
passed, failed = 0, 0


def check(name, holds, seen=""):
    global passed, failed
    if holds:
        passed += 1
    else:
        failed += 1
        print(f"failed: {name} {seen}")


def meshrig(*words):
    return subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, check=False)


def tshark(*words):
    done = subprocess.run(["tshark", *map(str, words)], capture_output=True, text=True, check=False)
    # Run by root it says so, which is no fault.
    complaints = [line for line in done.stderr.splitlines() if line and not line.startswith("Running as user")]
    return done.returncode, done.stdout, complaints


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def junit(folder):
    report, record = folder / "junit.xml", folder / "junit.jsonl"
    meshrig("run", *CASES, "--defect", DEFECT, "--junit", report, "--jsonl", record)
    root = ElementTree.parse(report).getroot()
    cases = [line for line in lines_of(record) if line["kind"] == "case"]
    elements = root.findall("./testsuite/testcase")
    check("JUnit has each case", len(elements) == len(cases) > 0, f"{len(elements)} of {len(cases)}")
    check("JUnit's names are unique", len({(e.get("classname"), e.get("name")) for e in elements}) == len(elements))
    for verdicts, tag in ((("failed", "dead"), "failure"), (("blocked",), "skipped")):
        wanted = sum(case["verdict"] in verdicts for case in cases)
        check(f"JUnit's {tag} elements", len(root.findall(f"./testsuite/testcase/{tag}")) == wanted, wanted)
    check("some case fails, so that a failure is looked at", any(case["verdict"] == "failed" for case in cases))
    for suite in root.findall("testsuite"):
        found = {
            "tests": len(suite.findall("testcase")),
            "failures": len(suite.findall("testcase/failure")),
            "errors": len(suite.findall("testcase/error")),
            "skipped": len(suite.findall("testcase/skipped")),
        }
        said = {name: int(suite.get(name)) for name in found}
        check(f"JUnit's counts of {suite.get('name')}", found == said, f"{said}, found {found}")


class Page(html.parser.HTMLParser):
    """Notes tags that do not match, and addresses of anything else."""
    VOID = {"meta", "br", "hr", "link", "img", "input"}

    def __init__(self):
        super().__init__()
        self.open, self.problems, self.ids, self.links = [], [], [], []

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src"):
                self.links.append(value)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> at {self.getpos()}")


def pages(folder):
    path = folder / "run.html"
    meshrig("run", *CASES, "--html", path)
    page = Page()
    page.feed(path.read_text())
    check("tags of the page match", not page.problems and not page.open, page.problems[:3] + page.open[:3])
    check("its ids are unique", len(page.ids) == len(set(page.ids)))
    check("its links lead to places in it", page.links and all(link[0] == "#" and link[1:] in page.ids for link in page.links))


def captures(folder):
    capture, record, script = folder / "run.pcapng", folder / "run.jsonl", folder / "meshcore.lua"
    meshrig("run", *CASES, "--pcap", capture, "--jsonl", record)
    script.write_text(meshrig("dissector").stdout)
    load = ("-X", f"lua_script:{script}", "-r", capture)
    events = [line["event"] for line in lines_of(record) if line["kind"] == "event"]

    code, output, complaints = tshark(
        *load, "-T", "fields", "-e", "frame.packet_id", "-e", "meshcore_companion.name", "-e", "meshcore.type",
        "-e", "loratap.channel.frequency", "-e", "frame.p2p_dir")
    check("tshark reads the capture without a word", code == 0 and not complaints, complaints)
    rows = [line.split("\t") for line in output.splitlines()]
    frames = [e for e in events if e["kind"] in ("frame-to-radio", "frame-from-radio") and e["data"].get("frame")]
    names = [row[1] for row in rows if row[1]]
    check("every frame of the host link, under its name", names == [e["data"]["name"] for e in frames], len(names))
    ways = [row[4] for row in rows if row[1]]
    check("its direction", ways == [str(int(e["kind"] == "frame-from-radio")) for e in frames])
    air = [e for e in events if e["kind"] in ("packet-sent", "packet-received") and "bytes" in e["data"]]
    types = [row[2] for row in rows if row[2]]
    check("every packet of the air, by its type",
          types == [str(int(e["data"]["bytes"][:2], 16) >> 2 & 15) for e in air], len(types))
    check("nothing else", len(rows) == len(frames) + len(air) > 1000, len(rows))
    sent = {row[3] for row in rows if row[2]}
    check("the frequency is known of all but injected frames", sent - {"0"} and len(sent) > 1, sent)

    bad = "_ws.malformed || _ws.lua.error || meshcore.too_short || meshcore_companion.cut_short"
    _, output, _ = tshark(*load, "-Y", bad)
    check("nothing is malformed", output == "", output[:300])
    _, output, _ = tshark(*load, "-Y", "meshcore.type == 4", "-T", "fields", "-e", "meshcore.advert.name")
    check("names of adverts", "hill" in output.split(), output[:100])
    _, output, _ = tshark(*load, "-V", "-Y", 'meshcore_companion.name == "private-key"')
    check("no private key is shown", "private-key: <secret>" in output, output[-200:])
    _, output, _ = tshark(*load, "-x", "-Y", 'meshcore_companion.name == "private-key"')
    digits = "".join("".join(line[6:53].split()) for line in output.splitlines() if line[:4].strip())
    check("its bytes are zero", digits and not digits.replace("0e", "").strip("0"), digits[:80])


def cut_captures(folder):
    """A file that ends at the end of any block is whole."""
    capture = folder / "small.pcapng"
    meshrig("run", "client/direct-messages/flood-with-ack", "--pcap", capture)
    contents = capture.read_bytes()
    ends, at = [], 0
    while at < len(contents):
        at += int.from_bytes(contents[at + 4:at + 8], "little")
        ends.append(at)
    check("blocks end with the file", ends[-1] == len(contents))
    for end in ends[:4] + ends[-2:]:
        (folder / "cut.pcapng").write_bytes(contents[:end])
        code, _, complaints = tshark("-r", folder / "cut.pcapng")
        check(f"a capture cut at {end}", code == 0 and not complaints, complaints)


with tempfile.TemporaryDirectory() as name:
    junit(Path(name))
    pages(Path(name))
    if shutil.which("tshark"):
        captures(Path(name))
        cut_captures(Path(name))
    else:
        print("captures were skipped: tshark is not there and could not be installed")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
