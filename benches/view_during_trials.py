"""How long a match lets `view` wait while hostile rules are tried on it.

    python3 benches/view_during_trials.py target/release/boardwright

Copies the content of the project, changes a rule file of Sixteen Soldiers so that a hook never ends or grows without end, and asks the running
match for `reload` and, until that is answered, for `view` again and again. Figures stand in docs/performance.md.
"""

import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HOOKS = ["fn pattern_move(options) {", "fn panel(view) {", "fn look_piece(view, piece) {", "fn value(view) {"]
ATTACKS = {
    "a loop without end": "let n = 0; loop { n += 1; }",
    "a list without end": "let a = []; loop { a.push([1, 2, 3]); }",
    "a text without end": "let a = \"x\"; loop { a += a; }",
    "calls without end": "deep(0);",
    "sets without end": "let c = view.cells; loop { c = c + view.cells.dilate(3); }",
}
DEEP = "\nfn deep(n) { deep(n + 1) + 1 }\n"


class Engine:
    """A match over a pipe."""

    def __init__(self, program, content):
        command = [program, "engine", "--content", content, "sixteen-soldiers", "--no-autosave"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.number = 0

    def send(self, **request):
        self.number += 1
        print(json.dumps({"id": self.number, **request}), file=self.process.stdin, flush=True)
        return self.number

    def read(self):
        return json.loads(self.process.stdout.readline())


def waits(engine):
    """How long each `view` waits, in milliseconds, until a reload is answered; and the answer."""
    reload, answer, found = engine.send(do="reload"), None, []
    while answer is None:
        view, begun = engine.send(do="view"), time.perf_counter()
        while True:
            message = engine.read()
            if message.get("id") == reload:
                answer = message
            if message.get("id") == view:
                break
        found.append((time.perf_counter() - begun) * 1000)
        time.sleep(0.002)
    return found, answer["reply"]


def main():
    project = pathlib.Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        for name in ["rulesets", "maps", "scripts"]:
            if (project / name).is_dir():
                shutil.copytree(project / name, pathlib.Path(folder) / name)
        rules = pathlib.Path(folder) / "rulesets/sixteen-soldiers/rules.rhai"
        sound = rules.read_text(encoding="utf-8")
        engine = Engine(sys.argv[1], folder)
        # Only when the match has begun may its rules change.
        engine.send(do="hello", protocol=1)
        engine.read()
        every = []
        for hook in HOOKS:
            for name, attack in ATTACKS.items():
                if "view" in attack and "view" not in hook:
                    continue
                assert hook in sound, hook
                rules.write_text(sound.replace(hook, f"{hook} {attack}") + DEEP, encoding="utf-8")
                found, reply = waits(engine)
                every += found
                print(f"{hook[3:-2]}, {name}: {len(found)} views, at most {max(found):.2f} ms; reload: {reply}")
        print(f"{len(every)} views: p50 {statistics.median(every):.2f} ms, at most {max(every):.2f} ms")
        engine.send(do="quit")


main()
