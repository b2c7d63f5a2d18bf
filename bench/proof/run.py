"""Questions to the solver with and without symmetry. See README.md."""

import json
import os
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "../../models/murphi")
TARGET = os.environ.get("CARGO_TARGET_DIR", os.path.join(HERE, "../../target"))
BURNSIDE = os.environ.get("BURNSIDE", os.path.join(TARGET, "release/burnside"))
LIMIT = os.environ.get("LIMIT", "60s")

# A model, the constant that is its size, and the sizes.
GROWTH = [
    ("german_nodata.m", "N", range(2, 9)),
    ("flash_nodata.m", "N", range(2, 9)),
    ("token_mutex.m", "N", range(2, 9)),
    ("arbiter.m", "N", range(2, 9)),
]

# Models of the corpus in which something goes wrong within a few steps.
FAILING = ["others/arbiter.m", "others/dpnew.m", "secur/ns-old.m", "secur/ns.m", "sci/scierr.m", "sym/adashbug.m"]
STEPS = 12


def check(model, *options):
    """What a check found, and the CPU seconds of the whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [BURNSIDE, "check", model, "--engine", "sat", "--quiet", "--json", "-", "--time", LIMIT, *options]
    said = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (json.loads(said.stdout) if said.stdout else None), seconds


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |")


def figures(found, seconds):
    if found is None:
        return "refused"
    if found["limit"]:
        return f"{found['limit']} after {seconds:.1f} s"
    sat = found["sat"]
    return f"{sat['queries']} in {seconds:.2f} s, {sat['clauses']} clauses"


def growth():
    row("model", "size", "orbit clauses: questions", "plain IC3: questions", "ratio")
    row("---", "---", "---", "---", "---")
    for name, constant, sizes in GROWTH:
        for size in sizes:
            options = ["-D", f"{constant}={size}", "--deadlock", "off"]
            orbits, fast = check(os.path.join(MODELS, name), *options)
            plain, slow = check(os.path.join(MODELS, name), *options, "--reduce", "none")
            ended = all(found and not found["limit"] for found in (orbits, plain))
            ratio = f"{plain['sat']['queries'] / orbits['sat']['queries']:.1f}" if ended else "-"
            row(name, size, figures(orbits, fast), figures(plain, slow), ratio)


def bounded(corpus):
    row("model", "verdict", "s, any end", "s, representatives")
    row("---", "---", "---", "---")
    sums = [0.0, 0.0]
    for name in FAILING:
        model = os.path.join(corpus, "cmurphi", name)
        plain, slow = check(model, "--bound", str(STEPS), "--reduce", "none")
        ends, fast = check(model, "--bound", str(STEPS), "--reduce", "representatives")
        if plain is None or ends is None:
            row(name, "refused", "-", "-")
            continue
        sums = [sums[0] + slow, sums[1] + fast]
        row(name, f"{plain['verdict']} / {ends['verdict']}", f"{slow:.2f}", f"{fast:.2f}")
    row("sum", "", f"{sums[0]:.2f}", f"{sums[1]:.2f}")


if __name__ == "__main__":
    growth()
    if len(sys.argv) > 1:
        print()
        bounded(sys.argv[1])
