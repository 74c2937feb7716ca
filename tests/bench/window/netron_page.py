#!/usr/bin/env python3
"""Netron on the same files: from asking for the page to the drawn graph, in headless Chromium; a Markdown table.

    build/env/bin/python tests/bench/window/netron_page.py MODEL... [--limit 300]

Needs Netron in that environment: build/env/bin/pip install netron==9.3.3.

Netron's "large graph" question is answered with yes, as a person who wants to see the graph would.
"""

import argparse
import pathlib
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from browser import Browser, program  # noqa: E402

DRAWN = "(() => { const e = document.querySelector('#target #canvas, #canvas'); return e && document.querySelectorAll('g.node').length || 0 })()"
ASKED = "(() => { for (const b of document.querySelectorAll('.message-button, #message-button, #cancel-button')) if (b.offsetParent && /yes|ok|continue|accept/i.test(b.innerText)) { b.click(); return true } return false })()"


def measure(model, limit):
    import netron
    host, port = netron.start(str(model), address=("127.0.0.1", 0), browse=False)
    try:
        with Browser(1440, 900) as browser:
            start = time.monotonic()
            browser.open(f"http://{host}:{port}/")
            count = 0
            while time.monotonic() - start < limit:
                try:
                    browser.evaluate(ASKED)
                    if browser.evaluate("document.body.className") == "default" and (count := browser.evaluate(DRAWN)):
                        break
                except RuntimeError as problem:
                    return None, 0, 0, str(problem)[:80]
                time.sleep(0.05)
            return time.monotonic() - start, count, browser.renderer_megabytes(), "" if count else "not drawn in time"
    finally:
        netron.stop((host, port))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--limit", type=float, default=300)
    options = parser.parse_args()
    if not program():
        print("no Chromium here")
        return
    import netron
    print(f"Netron {netron.__version__} in headless Chromium, seconds to the drawn graph.\n\n| model | drawn nodes | seconds | MB of the page |\n|---|--:|--:|--:|")
    for model in options.models:
        seconds, count, memory, problem = measure(model, options.limit)
        print(f"| {model.parent.name}/{model.name} | {count} | {problem or format(seconds, '.1f')} | {memory:.0f} |", flush=True)


if __name__ == "__main__":
    main()
