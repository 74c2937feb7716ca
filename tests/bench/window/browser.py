"""A headless Chromium, driven over its debugging pipe (Chrome DevTools Protocol) with nothing but Python's own library.

    with Browser(width=1400, height=900) as browser:
        browser.open("file:///tmp/report.html")
        browser.evaluate("document.title")
        browser.click(300, 200)
        browser.screenshot("page.png")
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def program():
    """The browser's path, or None where there is none."""
    named = os.environ.get("CUTAWAY_BROWSER")
    return named or next((path for name in PROGRAMS if (path := shutil.which(name))), None)


class Browser:
    def __init__(self, width=1400, height=900, dark=False, scale=1):
        self.size, self.dark, self.scale = (width, height), dark, scale
        self.messages, self.next_id, self.session = b"", 0, None
        self.events = []

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="cutaway-browser-", ignore_cleanup_errors=True)
        to_child, from_parent = os.pipe()
        to_parent, from_child = os.pipe()

        def place_pipes():  # the browser reads commands on 3 and answers on 4
            for source, target in ((to_child, 103), (from_child, 104)):
                os.dup2(source, target)
            os.dup2(103, 3)
            os.dup2(104, 4)
            for descriptor in (3, 4):
                os.set_inheritable(descriptor, True)

        command = [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars", "--no-first-run", "--disable-dev-shm-usage",
                   f"--window-size={self.size[0]},{self.size[1]}", f"--user-data-dir={self.profile.name}", "about:blank"]
        self.process = subprocess.Popen(command, preexec_fn=place_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.writer, self.reader = from_parent, to_parent
        page = next(target for target in self.call("Target.getTargets")["targetInfos"] if target["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Performance"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=self.size[0], height=self.size[1], deviceScaleFactor=self.scale, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if self.dark else "light"}])
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.writer)
        os.close(self.reader)
        self.profile.cleanup()

    def receive(self):
        while b"\0" not in self.messages:
            piece = os.read(self.reader, 1 << 20)
            if not piece:
                raise RuntimeError("the browser is gone")
            self.messages += piece
        message, self.messages = self.messages.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.next_id += 1
        request = {"id": self.next_id, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.writer, json.dumps(request).encode() + b"\0")
        while True:
            message = self.receive()
            if message.get("id") == self.next_id:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.events.append(message)

    def open(self, address):
        self.events.clear()
        self.call("Page.navigate", url=address)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", str(answer["exceptionDetails"])))
        return answer["result"].get("value")

    def wait_for(self, script, seconds=300):
        end = time.monotonic() + seconds
        while not self.evaluate(script):
            if time.monotonic() > end:
                raise TimeoutError(script)
            time.sleep(0.02)

    def problems(self):
        """What the page complained about: exceptions, refused requests, console errors."""
        self.evaluate("0")
        found = [event["params"]["exceptionDetails"].get("exception", {}).get("description", "exception") for event in self.events if event.get("method") == "Runtime.exceptionThrown"]
        return found + [event["params"]["entry"]["text"] for event in self.events if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error"]

    def click(self, x, y, count=1):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=count)

    def move(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def wheel(self, x, y, by):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def press(self, key, code=None, number=0):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, windowsVirtualKeyCode=number)

    def screenshot(self, file):
        picture = self.call("Page.captureScreenshot", format="png")["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(picture))

    def renderer_megabytes(self):
        """Resident memory of the browser's renderers, which hold the page."""
        total = 0
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                words = (status.parent / "cmdline").read_bytes()
                if self.profile.name.encode() not in words and b"--type=renderer" not in words or b"--type=renderer" not in words:
                    continue
                if not descends(int(status.parent.name), self.process.pid):
                    continue
                total += next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM"))
            except (OSError, StopIteration):
                continue
        return total / 1000


def descends(process, ancestor):
    while process > 1:
        if process == ancestor:
            return True
        try:
            process = int(pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            return False
    return False
