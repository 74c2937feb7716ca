#!/usr/bin/env python3
"""The report page in a real browser: it draws, follows clicks and keys, sorts, filters, and asks the network for nothing.

    check_report.py CLI MODEL [--pictures DIR]

Where there is no Chromium, it says so and passes: the page's text is tested without one in tst_report.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench" / "window"))
from browser import Browser, program  # noqa: E402

failures = []


def expect(name, condition, seen=None):
    if not condition:
        failures.append(name)
    print(f"{'ok' if condition else 'FAILED'}: {name}" + ("" if condition or seen is None else f" (seen: {seen})"))


def look_at_graph(browser):
    browser.wait_for("page.view.frameMs > 0", 60)
    colours = browser.evaluate("(() => { const c = page.view.context.getImageData(0, 0, page.view.canvas.width, page.view.canvas.height).data, s = new Set();"
                               " for (let i = 0; i < c.length; i += 4) s.add(c[i] * 65536 + c[i + 1] * 256 + c[i + 2]); return s.size })()")
    expect("the graph is painted", colours > 10, colours)
    place = browser.evaluate("(() => { const v = page.view, i = v.layout.cards.findIndex(c => c.node >= 0), c = v.layout.cards[i], b = v.canvas.getBoundingClientRect();"
                             " return [b.left + (c.x + c.w / 2 - v.x) * v.scale, b.top + (c.y + c.h / 2 - v.y) * v.scale, c.node] })()")
    browser.click(place[0], place[1])
    expect("a click selects", browser.evaluate("page.view.selected") == place[2])
    expect("the side panel tells about it", browser.evaluate(f"document.querySelector('#side h2').textContent === page.view.graph.op({place[2]})"))
    expect("its story has the stages", browser.evaluate("document.querySelectorAll('.story > li').length") >= 4)
    browser.press("ArrowDown", number=40)
    expect("arrow down goes to a consumer", browser.evaluate("page.view.selected") != place[2])
    scale = browser.evaluate("page.view.scale")
    browser.wheel(place[0], place[1], -200)
    expect("the wheel zooms", browser.evaluate("page.view.scale") > scale)


def look_at_search(browser):
    browser.press("Escape", number=27)
    browser.press("/", code="Slash", number=191)
    browser.type("op:conv")
    browser.press("Enter", number=13)
    expect("search selects a hit", browser.evaluate("page.view.selected >= 0 && page.view.graph.op(page.view.selected).toLowerCase().includes('conv')"))
    browser.evaluate("page.search.blur()")


def look_at_groups(browser):
    browser.evaluate("page.show('loaded', 0)")
    unfolded = browser.evaluate("page.view.layout.cards.length")
    browser.evaluate("page.view.setAll(false)")
    folded = browser.evaluate("page.view.layout.cards.length")
    expect("folding shows fewer cards", folded < unfolded, (folded, unfolded))
    before = browser.evaluate("(() => { const v = page.view, c = v.layout.cards.find(c => c.scope >= 0); window.opened = c.scope; return [(c.x + c.w / 2 - v.x) * v.scale, (c.y - v.y) * v.scale] })()")
    after = browser.evaluate("(() => { const v = page.view; v.toggle(window.opened); const b = v.layout.boxes.find(b => b.scope === window.opened); return [(b.x + b.w / 2 - v.x) * v.scale, (b.y - v.y) * v.scale] })()")
    expect("an unfolded group stays where it was", max(abs(a - b) for a, b in zip(before, after)) < 1, (before, after))
    overlaps = browser.evaluate("(() => { page.view.setAll(true); const c = page.view.layout.cards; let n = 0; for (let i = 0; i < c.length; ++i) for (let j = i + 1; j < c.length; ++j)"
                                " n += c[i].x < c[j].x + c[j].w - 0.5 && c[j].x < c[i].x + c[i].w - 0.5 && c[i].y < c[j].y + c[j].h - 0.5 && c[j].y < c[i].y + c[i].h - 0.5; return n })()")
    expect("no card lies on another", overlaps == 0, overlaps)


def look_at_tables(browser):
    rows = "[...document.querySelectorAll('#schedule tbody tr:not([aria-hidden]) td:nth-child(2)')].map(e => e.textContent)"
    first = browser.evaluate(rows)
    browser.evaluate("document.querySelectorAll('#schedule th button')[1].click()")
    sorted_rows = browser.evaluate(rows)
    expect("a table sorts", sorted_rows != first and len(sorted_rows) == len(first), sorted_rows)
    browser.evaluate("(() => { const i = document.querySelector('#schedule input'); i.value = 'conv'; i.dispatchEvent(new Event('input')) })()")
    expect("a table filters", 0 < browser.evaluate(rows + ".length") < len(first))
    browser.evaluate("document.querySelector('#schedule tr.leads').click()")
    expect("a row leads to its node", browser.evaluate("page.view.selected >= 0 && page.view.graph.version === 'partitioned'"))


def look_at_charts(browser):
    kinds = browser.evaluate("page.charts.map(c => c.constructor.name)")
    expect("memory chart and timeline are there", {"MemoryChart", "Timeline"} <= set(kinds), kinds)
    browser.evaluate("window.chart = page.charts.find(c => c.constructor.name === 'MemoryChart'); chart.zoomAxis('y', 8, chart.pattern.peak / 2); chart.draw()")
    expect("the memory chart zooms", browser.evaluate("chart.ranges.y[1] - chart.ranges.y[0] < chart.pattern.peak / 4"))
    browser.evaluate("chart.all(); chart.draw()")
    tip = browser.evaluate("(() => { const b = chart.pattern.blocks[0]; return chart.hit(chart.px(b[4] + 0.5), chart.py(b[2] + b[3] / 2)) })()")
    expect("a block tells its size", "at offset" in tip, tip)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("cli")
    parser.add_argument("model")
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "report.html"
        subprocess.run([options.cli, "report", options.model, "--dim", "batch=1", "--opt-level", "1", "--runs", "2", "-o", str(page)], check=True, capture_output=True)
        if not program():
            print("no Chromium here: the page was written but not looked at")
            return 0
        for dark in (False, True):
            with Browser(1500, 1000, dark=dark) as browser:
                browser.open(page.as_uri())
                if not dark:
                    for look in (look_at_graph, look_at_search, look_at_groups, look_at_tables, look_at_charts):
                        look(browser)
                background = browser.evaluate("getComputedStyle(document.body).backgroundColor").strip("rgb()").split(",")
                expect("dark where the reader's system is dark" if dark else "light else", (int(background[0]) < 100) == dark, background)
                requests = browser.evaluate("performance.getEntriesByType('resource').length")
                expect("nothing is fetched", requests == 0, requests)
                expect("no complaint", not browser.problems(), browser.problems())
                if options.pictures:
                    options.pictures.mkdir(parents=True, exist_ok=True)
                    browser.screenshot(options.pictures / f"report-{'dark' if dark else 'light'}.png")
    print(f"{'FAILED: ' + ', '.join(failures) if failures else 'all fine'}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
