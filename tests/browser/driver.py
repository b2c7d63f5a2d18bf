"""A browser to drive: chromium through chromedriver's HTTP interface, with nothing but Python's own library."""

import base64
import json
import socket
import subprocess
import time
import urllib.error
import urllib.request


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Browser:
    """A window without a screen. What the page logs and asks for is remembered."""

    def __init__(self, chromium, chromedriver):
        port = free_port()
        self.driver = subprocess.Popen(
            [chromedriver, f"--port={port}", "--silent"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        self.base = f"http://127.0.0.1:{port}"
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--no-first-run", "--disable-background-networking", "--disable-component-update"]
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": chromium, "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        for _ in range(100):
            try:
                answer = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
                break
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        else:
            raise RuntimeError("chromedriver does not answer")
        self.base += "/session/" + answer["sessionId"]
        self.requests = []

    def _send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=180) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            told = json.load(error)["value"]
            raise RuntimeError(f"{told.get('error')}: {told.get('message', '')[:300]}") from None

    def close(self):
        try:
            self._send("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(10)

    def open(self, address):
        self._send("POST", "/url", {"url": address})

    def reload(self):
        self._send("POST", "/refresh", {})

    def run(self, script, *arguments):
        """The value of a script that returns one."""
        return self._send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """The value that an asynchronous script hands to its last argument."""
        return self._send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def wait(self, condition, seconds=20, why=None):
        """Waits until an expression is true."""
        end = time.time() + seconds
        while time.time() < end:
            if self.run(f"return !!({condition})"):
                return
            time.sleep(0.05)
        raise AssertionError(f"never came true: {why or condition}")

    def click(self, selector, number=0):
        """A click of the mouse on what a selector finds, scrolled into view."""
        found = self._send("POST", "/elements", {"using": "css selector", "value": selector})
        assert len(found) > number, f"there is no {selector} number {number}"
        element = list(found[number].values())[0]
        self._send("POST", f"/element/{element}/click", {})

    def type(self, selector, text):
        """Types into what a selector finds, in place of what is there."""
        self.run("const e = document.querySelector(arguments[0]); e.focus(); e.value = '';", selector)
        self.keys(text)

    def keys(self, text):
        """Presses keys, one after the other, wherever the focus is."""
        actions = [step for key in text for step in ({"type": "keyDown", "value": key}, {"type": "keyUp", "value": key})]
        self._send("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def devtools(self, command, **parameters):
        return self._send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height, scale=1):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                      mobile=width < 600)

    def theme(self, name, media="screen"):
        self.devtools("Emulation.setEmulatedMedia", media=media,
                      features=[{"name": "prefers-color-scheme", "value": name}])

    def picture(self, path, selector=None):
        """A picture of the window, or of one element."""
        clip = {}
        if selector:
            box = self.run("""const e = document.querySelector(arguments[0]); const b = e.getBoundingClientRect();
                return {x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height, scale: 1};""", selector)
            clip = {"clip": box, "captureBeyondViewport": True}
        data = self.devtools("Page.captureScreenshot", format="png", **clip)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """What the page logged as an error or warning since this was last asked."""
        log = self._send("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in log if entry["level"] in ("SEVERE", "WARNING")]

    def asked_for(self):
        """All addresses that were asked for since this was last asked."""
        log = self._send("POST", "/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in log]
        sent = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
        return sent


# WebDriver's numbers for keys that are no characters.
UP, DOWN, LEFT, RIGHT = "\ue013", "\ue015", "\ue012", "\ue014"
HOME, END, PAGE_UP, PAGE_DOWN, TAB, ENTER = "\ue011", "\ue010", "\ue00e", "\ue00f", "\ue004", "\ue007"
