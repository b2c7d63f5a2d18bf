"""Runs the tests of the report and of the explorer, one after the other, and says what failed."""

import argparse
import os
import sys
import tempfile
import time
import traceback

import explorer
import report
from driver import Browser


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pictures", metavar="FOLDER", help="write the pictures of the book")
    parser.add_argument("only", nargs="*", help="only tests whose names contain one of these words")
    given = parser.parse_args()
    tests = report.TESTS + explorer.TESTS + ([report.pictures, explorer.pictures] if given.pictures else [])
    tests = [t for t in tests if not given.only or any(word in f"{t.__module__}.{t.__name__}" for word in given.only)]
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(os.environ["CHROMIUM"], os.environ["CHROMEDRIVER"])
        try:
            for test in tests:
                begun = time.time()
                browser.size(1280, 900)
                browser.theme("light")
                try:
                    test(browser, given.pictures if test.__name__ == "pictures" else folder)
                    outcome = "ok"
                except Exception:  # Whatever it is: the other tests run all the same.
                    traceback.print_exc()
                    outcome = "FAILED"
                    failed.append(f"{test.__module__}.{test.__name__}")
                print(f"{outcome:6} {test.__module__}.{test.__name__} ({time.time() - begun:.1f} s)", flush=True)
        finally:
            browser.close()
    print(f"{len(tests) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
