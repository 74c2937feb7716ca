#!/usr/bin/env python3
"""Makes the manual of its Markdown pages as a site: one static page each, with contents, pictures and a search that needs no server.

    make_site.py -o FOLDER             # FOLDER/index.html is where it begins; it works from a disk, too
    make_site.py --check               # makes it in a folder of its own: every link, picture and found place is there, and no address
"""

import argparse
import html
import json
import pathlib
import re
import shutil
import sys
import tempfile

from make_manual import FOLDER, Converter, anchor, pages

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"
HOW_TOS = "how-"


class SiteConverter(Converter):
    """Links lead to pages, and pictures are files."""

    def picture(self, match):
        words, target = html.escape(match[1]), match[2]
        if not (FOLDER / target).is_file():
            self.problems.append(f"{self.page}.md: no picture {target}")
        dark = pathlib.PurePath(target).parent / "dark" / pathlib.PurePath(target).name
        source = f'<source srcset="{dark}" media="(prefers-color-scheme: dark)">' if (FOLDER / dark).is_file() else ""
        return f'<figure><picture>{source}<img alt="{words}" src="{target}" loading="lazy"></picture><figcaption>{words}</figcaption></figure>'

    def link(self, match):
        linked = super().link(match)
        return re.sub(r'href="#([^"]+)"', lambda place: f'href="{page_of(place[1])}#{place[1]}"', linked)


def page_of(place):
    return place.partition("--")[0] + ".html"


def plain(words):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", words))).strip()


def contents(titles, current):
    def row(stem):
        mark = ' aria-current="page"' if stem == current else ""
        return f'<li><a href="{stem}.html"{mark}>{titles[stem]}</a></li>'

    how_tos = "".join(row(stem) for stem in titles if stem.startswith(HOW_TOS))
    others = "".join(row(stem) for stem in titles if not stem.startswith(HOW_TOS))
    return f'<a class="home" href="index.html">Cutaway</a><input id="search" type="search" placeholder="Search (/)" aria-label="Search the manual"><ul id="found"></ul>' \
           f"<div id=\"contents\"><h2>Questions</h2><ul>{how_tos}</ul><h2>Manual</h2><ul>{others}</ul></div>"


def whole_page(title, body, navigation):
    return f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{POLICY}">' \
           f'<meta name="viewport" content="width=device-width"><title>{title} - Cutaway</title><link rel="stylesheet" href="site.css"></head>\n' \
           f'<body><nav>{navigation}</nav><main>\n{body}</main><script src="places.js"></script><script src="site.js"></script></body></html>\n'


def front(titles):
    questions = "".join(f'<li><a href="{stem}.html">{title}</a></li>' for stem, title in titles.items() if stem.startswith(HOW_TOS))
    return f"<h1>Cutaway</h1><p>What an inference engine does to an ONNX model, stage by stage. Begin with <a href=\"start.html\">{titles['start']}</a>, " \
           f"or with a question:</p><ul class=\"questions\">{questions}</ul>"


def make(folder):
    """Writes the site. Gives what is wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    problems, places, titles, bodies = [], [], {}, {}
    for path in pages():
        converter = SiteConverter(path.stem)
        sections = converter.convert(path.read_text(encoding="utf-8"))
        titles[path.stem] = plain(sections[0][2])
        bodies[path.stem] = "".join(f'<section id="{place}"><h{min(level, 4)}>{title}</h{min(level, 4)}>\n' + "\n".join(parts) + "</section>\n" for place, level, title, parts in sections)
        places += [{"place": place, "page": page_of(place), "title": plain(title), "text": plain(" ".join(parts))} for place, _, title, parts in sections]
        problems += converter.problems
    for stem, body in bodies.items():
        (folder / f"{stem}.html").write_text(whole_page(titles[stem], body, contents(titles, stem)), encoding="utf-8")
    (folder / "index.html").write_text(whole_page("Manual", front(titles), contents(titles, "")), encoding="utf-8")
    (folder / "places.js").write_text("const places = " + json.dumps(places, ensure_ascii=False) + ";\n", encoding="utf-8")
    for name in ("site.css", "site.js"):
        shutil.copy(FOLDER / "page" / name, folder)
    shutil.copytree(FOLDER / "pictures", folder / "pictures", dirs_exist_ok=True)
    return problems


def check(folder):
    """What the pages of a site name and does not exist."""
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.html")}
    ids = {name: set(re.findall(r'\bid="([^"]+)"', text)) for name, text in files.items()}
    for name, text in files.items():
        for target in re.findall(r'\b(?:href|src|srcset)="([^"]*)"', text):
            file, _, place = target.partition("#")
            if re.match(r"(\w+:)?//|\w+:", target):
                yield f"{name} has the address {target}"
            elif not (folder / file).is_file():
                yield f"{name} leads to {file}, which is not there"
            elif place and place not in ids[file]:
                yield f"{name} leads to {target}, where no such place is"
    places = json.loads((folder / "places.js").read_text(encoding="utf-8").removeprefix("const places = ").rstrip(";\n"))
    yield from (f"the search finds {each['page']}#{each['place']}, which is not there" for each in places if each["place"] not in ids.get(each["page"], set()))
    yield from (f"the search knows nothing of {name}" for name in files.keys() - {each["page"] for each in places} - {"index.html"})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.output or pathlib.Path(scratch)
        problems = make(folder)
        problems += check(folder)
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        print(f"{len(list(folder.glob('*.html')))} pages, {size / 1e6:.1f} MB, {len(problems)} problems")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
