"""The page that `check --html` writes: a failing German, a failing timed model, a lasso, a long run."""

import json
import os
import subprocess
import time

import checks
from driver import DOWN, END, HOME, PAGE_DOWN, PAGE_UP, UP

BURNSIDE = os.environ["BURNSIDE"]
MURPHI, UPPAAL = "models/murphi/", "models/uppaal/"


def changed(path, old, new):
    """A model with a mistake in it."""
    text = open(path).read()
    assert text.count(old) == 1, f"{path} has changed: {old}"
    return text.replace(old, new)


def failing_german():
    # The home forgets that somebody has a shared copy.
    return changed(MURPHI + "german.m", "    sharers[c] := true;\n    reply[c].kind := GrantShared;",
                   "    reply[c].kind := GrantShared;")


def failing_fischer():
    # Nobody waits until the others have written.
    return changed(UPPAAL + "fischer.xta", "guard x > K && id == pid", "guard id == pid")


def long_run(steps):
    return (f"var x : 0..{steps}; y : array [0..3] of 0..{steps};\nstartstate x := 0; for i : 0..3 do y[i] := 0; end; end;\n"
            f'ruleset i : 0..3 do rule "count" x < {steps} & x % 4 = i ==> x := x + 1; y[i] := x; end; end;\n'
            f'invariant "it ends" x < {steps};\n')


def written(folder, name, text):
    """Checks a model; the page's address and what `--json` has."""
    model, page, result = (os.path.join(folder, name + end) for end in ("", ".html", ".json"))
    if text is not None:
        with open(model, "w") as file:
            file.write(text)
    else:
        model = name
        page, result = (os.path.join(folder, os.path.basename(name) + end) for end in (".html", ".json"))
    more = ["--queries", UPPAAL + "fischer.q"] if name.endswith(".xta") else []
    done = subprocess.run([BURNSIDE, "check", model, "--html", page, "--json", result, "--quiet", *more],
                          capture_output=True, text=True)
    assert done.returncode == 1, f"{name} is not violated: {done.stdout}{done.stderr}"
    assert os.path.getsize(page) < 2_000_000, f"{name}: the page has {os.path.getsize(page)} bytes"
    return "file://" + page, json.load(open(result))


def opened(browser, folder, name, text=None):
    address, result = written(folder, name, text)
    browser.open(address)
    browser.wait("document.querySelector('.step.chosen')")
    return result


def run_of(result):
    """The run that the page shows first, and the number of its property."""
    return next((i, p["trace"], p["loop"]) for i, p in enumerate(result["properties"]) if p["trace"])


def at(browser, run):
    return browser.run("return Number(document.querySelector(arguments[0] + ' .step.chosen')?.dataset.step ?? -1)", run)


def highlighted(browser, run):
    """What is marked as changed, with the values shown."""
    return browser.run("""return Object.fromEntries([...document.querySelectorAll(arguments[0] + " .state .changed")]
        .map((e) => [e.dataset.name, e.textContent]));""", run)


def text_of(value):
    return "undefined" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def walks(browser, result):
    """Every step by the keyboard and by the mouse; what is marked is what the JSON says has changed."""
    number, trace, _ = run_of(result)
    run = f"#run-{number}"
    browser.run("document.querySelector(arguments[0] + ' .steps').focus()", run)
    browser.keys([HOME])
    for i, step in enumerate(trace):
        assert at(browser, run) == i, f"the keyboard led to {at(browser, run)}, not {i}"
        if step["state"] is not None:
            wanted = {name: text_of(value) for name, value in (step["changed"] or {}).items()}
            found = highlighted(browser, run)
            gone = [name for name in wanted if name not in step["state"]]
            assert {n: v for n, v in found.items() if n not in gone} == {n: v for n, v in wanted.items() if n not in gone}, (i, found, wanted)
            assert set(found) == set(wanted)
        browser.keys([DOWN])
    assert at(browser, run) == len(trace) - 1, "the last step is the end"
    for i in reversed(range(len(trace))):
        browser.run("document.querySelector(arguments[0] + ' .steps').scrollTop = arguments[1] * 28 - 60", run, i)
        browser.wait(f"document.querySelector('{run} .step[data-step=\"{i}\"]')")
        browser.click(f'{run} .step[data-step="{i}"]')
        assert at(browser, run) == i, f"the mouse led to {at(browser, run)}, not {i}"
    for key, wanted in ((END, len(trace) - 1), (UP, len(trace) - 2), (PAGE_UP, max(0, len(trace) - 12)), (HOME, 0), (PAGE_DOWN, min(10, len(trace) - 1))):
        browser.run("document.querySelector(arguments[0] + ' .steps').focus()", run)
        browser.keys([key])
        assert at(browser, run) == wanted


def explains(browser, result):
    """At the last step, what fails is said with its part and its values; before it, everything holds."""
    number, trace, _ = run_of(result)
    property = result["properties"][number]
    fails = {fail["property"]: fail["why"] for fail in trace[-1].get("fails", [])}
    assert property["name"] in fails and "fails" in fails[property["name"]] and "=" in fails[property["name"]], fails
    assert all("fails" not in step for step in trace[:-1])
    run = f"#run-{number}"
    browser.run("document.querySelector(arguments[0] + ' .steps').focus()", run)
    browser.keys([END])
    told = browser.run("return document.querySelector(arguments[0] + ' .standing .violated').textContent", run)
    assert fails[property["name"]] in told, told


def german(browser, folder):
    result = opened(browser, folder, "german.m", failing_german())
    walks(browser, result)
    explains(browser, result)
    assert browser.run("return document.querySelectorAll('.plot .bar').length") > 3, "there is no plot of levels"
    checks.is_readable(browser)
    checks.fits_a_phone(browser)
    browser.theme("light", media="print")
    hidden = browser.run("return getComputedStyle(document.querySelector('.tools')).display")
    assert hidden == "none", "buttons are printed"
    checks.is_quiet(browser)


def filters(browser, folder):
    opened(browser, folder, "german.m", failing_german())
    browser.run("document.querySelector('.run .steps').focus()")
    browser.keys([END])
    count = "return document.querySelectorAll('.run .state [data-name]').length"
    every = browser.run(count)
    browser.click(".run .only")
    changes = browser.run(count)
    assert 0 < changes < every and changes == browser.run("return document.querySelectorAll('.run .state .changed').length")
    browser.click(".run .only")
    browser.type(".run input[type=search]", "cache")
    names = browser.run("return [...document.querySelectorAll('.run .state [data-name]')].map((e) => e.dataset.name)")
    assert names and all("cache" in name for name in names) and len(names) < every, names


def lanes(browser, folder):
    """What a process tells another one is an arrow between their lanes; an event leads to its step."""
    opened(browser, folder, MURPHI + "needham_schroeder.m")
    assert browser.run("return document.querySelectorAll('.lanes .arrow').length") > 0, "no lane tells another one anything"
    browser.run("document.querySelector('.lanes .event[data-step=\"1\"]').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert at(browser, "") == 1


def timed(browser, folder):
    result = opened(browser, folder, "fischer.xta", failing_fischer())
    walks(browser, result)
    number, trace, _ = run_of(result)
    times = browser.run("return [...document.querySelectorAll(arguments[0] + ' .plot.time .moment')].map((e) => Number(e.getAttribute('cx')))", f"#run-{number}")
    assert len(times) == len(trace) and times == sorted(times), "the time axis goes on"
    clocks = browser.run("return document.querySelectorAll(arguments[0] + ' .plot.time .curve').length", f"#run-{number}")
    assert clocks == len(trace[0]["clocks"]), "each clock has its curve"
    browser.click(f"#run-{number} .plot.time .moment", len(trace) - 1)
    checks.is_readable(browser)
    checks.fits_a_phone(browser)
    checks.is_quiet(browser)


def lasso(browser, folder):
    result = opened(browser, folder, MURPHI + "broadcast.m")
    number, trace, back = next((i, p["trace"], p["loop"]) for i, p in enumerate(result["properties"]) if p["loop"] is not None)
    run = f"#run-{number}"
    assert browser.run("return !!document.querySelector(arguments[0] + ' .lanes .loop .bow')", run), "the loop is not drawn"
    marked = browser.run("return [...document.querySelectorAll(arguments[0] + ' .step.looping')].map((e) => Number(e.dataset.step))", run)
    assert marked == list(range(back + 1, len(trace))), (marked, back)
    walks(browser, result)
    checks.is_readable(browser)
    checks.fits_a_phone(browser)
    checks.is_quiet(browser)


def long(browser, folder):
    """2,000 steps: only the rows in view exist, and scrolling through all of them takes little time for each frame."""
    result = opened(browser, folder, "long.m", long_run(2000))
    _, trace, _ = run_of(result)
    assert len(trace) == 2001
    script = """
        const list = document.querySelector(".steps"), lanes = document.querySelector(".lanes"), took = []; let rows = 0;
        for (let top = 0; top < 2001 * 28; top += 140) {
          const begun = performance.now();
          list.scrollTop = top; list.dispatchEvent(new Event("scroll"));
          lanes.scrollTop = top; lanes.dispatchEvent(new Event("scroll"));
          list.getBoundingClientRect();
          took.push(performance.now() - begun);
          rows = Math.max(rows, document.querySelectorAll(".step").length, document.querySelectorAll(".lanes .event").length);
        }
        took.sort((a, b) => a - b);
        return { median: took[took.length >> 1], most: took[Math.floor(took.length * 0.95)], rows };"""
    found = browser.run(script)
    assert found["rows"] < 120, f"{found['rows']} rows exist at once"
    assert found["median"] < 16, f"a frame takes {found['median']} ms"
    browser.run("document.querySelector('.steps').focus()")
    for key, wanted in ((HOME, 0), (PAGE_DOWN, 10), (END, 2000), (UP, 1999)):
        browser.keys([key])
        assert at(browser, "") == wanted
    browser.run("document.querySelector('.steps').scrollTop = 1000 * 28")
    browser.wait("document.querySelector('.step[data-step=\"1001\"]')")
    browser.click('.step[data-step="1001"]')
    assert at(browser, "") == 1001
    checks.is_quiet(browser)


def symmetry(browser, folder):
    """The page of `symmetry --html`: the group, orbits, and what breaks symmetry, in the source."""
    # One client is served before the others, which a loop with a break of order finds out.
    text = changed(MURPHI + "german.m", "      toInvalidate[i] := sharers[i] & (command = GetExclusive | exclusive);",
                   "      toInvalidate[i] := sharers[i] & (command = GetExclusive | exclusive);\n      requester := i;")
    model, page = os.path.join(folder, "group.m"), os.path.join(folder, "group.html")
    with open(model, "w") as file:
        file.write(text)
    done = subprocess.run([BURNSIDE, "symmetry", model, "--html", page], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    browser.open("file://" + page)
    browser.wait("document.querySelector('.orbit')")
    assert "S2(Data)" in browser.run("return document.querySelector('h1').textContent")
    line = text[:text.index("      requester := i;")].count("\n") + 1
    marked = browser.run("return document.querySelector('.source .chosen').id")
    assert marked == f"line-{line}", f"{marked} is marked, not line {line}"
    assert browser.run("return document.querySelectorAll('.break').length") == 1
    checks.is_readable(browser)
    checks.fits_a_phone(browser)
    checks.is_quiet(browser)


def pictures(browser, folder):
    """The pictures of the book."""
    work = os.path.abspath(os.path.join(folder, ".work"))
    os.makedirs(work, exist_ok=True)
    for name, model, text, theme in (("report", MURPHI + "needham_schroeder.m", None, "light"), ("report-timed", "fischer.xta", failing_fischer(), "dark")):
        opened(browser, work, model, text)
        browser.theme(theme)
        browser.size(1100, 900)
        time.sleep(0.3)
        number = browser.run("return document.querySelector('[id^=run-]').id")
        browser.run("document.querySelector('.run .steps').focus()")
        browser.picture(os.path.join(folder, name + ".png"), "#" + number)
    for file in os.listdir(work):
        os.remove(os.path.join(work, file))
    os.rmdir(work)


TESTS = [german, filters, lanes, timed, lasso, long, symmetry]
