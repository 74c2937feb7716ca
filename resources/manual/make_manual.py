#!/usr/bin/env python3
"""Makes the manual of its Markdown pages: one HTML file with contents, full-text search and pictures in it, no network.

    make_manual.py -o manual.html            # light pictures; dark ones where the reader's system is dark
    make_manual.py --check                   # every link, picture and anchor leads somewhere

Only what the pages use of Markdown is understood: headings, paragraphs, lists, tables, code, pictures, links, bold, italics.
"""

import argparse
import base64
import html
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
# In reading order; a page that is not named here comes last.
ORDER = ["start", "how-node-on-cpu", "how-memory", "how-copies", "how-wrong-answer", "how-slow-start", "how-gate-ci", "graph", "stages", "search", "partition", "cuda", "plans", "run", "compare", "diff", "edit", "context", "npu", "reports", "sessions", "session-format", "keys", "matrix", "house", "operators"]


def pages():
    found = {path.stem: path for path in FOLDER.glob("*.md") if path.stem != "README"}
    return [found.pop(name) for name in ORDER if name in found] + [found[name] for name in sorted(found)]


def anchor(page, title=""):
    words = re.sub(r"[^\w]+", "-", re.sub(r"[`*]|<[^>]+>", "", title).lower()).strip("-")
    return f"{page}--{words}" if words else page


class Converter:
    def __init__(self, page):
        self.page, self.sections, self.problems = page, [], []

    def picture(self, match):
        words, target = match[1], match[2]
        path = FOLDER / target
        if not path.is_file():
            self.problems.append(f"{self.page}.md: no picture {target}")
            return ""

        def data(file):
            kind = {".svg": "svg+xml"}.get(file.suffix, "png")
            return f"data:image/{kind};base64," + base64.b64encode(file.read_bytes()).decode()

        return f'<figure><img alt="{html.escape(words)}" src="{data(path)}"><figcaption>{html.escape(words)}</figcaption></figure>'

    def link(self, match):
        words, target = match[1], match[2]
        if re.match(r"[a-z]+:", target):
            return words  # the manual names no address
        file, _, place = target.partition("#")
        stem = pathlib.Path(file).stem if file else self.page
        if file and not (FOLDER / file).exists():
            self.problems.append(f"{self.page}.md: no page {file}")
        if stem not in {path.stem for path in pages()}:
            return words  # a file of the repository, not of the manual
        return f'<a href="#{anchor(stem, place)}">{words}</a>'

    def inline(self, words):
        kept = []

        def keep(match):
            kept.append(f"<code>{html.escape(match[1])}</code>")
            return f"\0{len(kept) - 1}\0"

        words = re.sub(r"`([^`]+)`", keep, words)
        words = html.escape(words, quote=False)
        words = re.sub(r"!\[([^\]]*)\]\(([^)]+)\)", self.picture, words)
        words = re.sub(r"\[([^\]]*)\]\(([^)]+)\)", self.link, words)
        words = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", words)
        words = re.sub(r"(?<!\w)\*([^*\s][^*]*)\*(?!\w)", r"<i>\1</i>", words)
        return re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], words)

    def table(self, lines):
        rows = [[cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
        head = "".join(f"<th>{self.inline(cell)}</th>" for cell in rows[0])
        body = "".join("<tr>" + "".join(f"<td>{self.inline(cell)}</td>" for cell in row) + "</tr>\n" for row in rows[2:])
        return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'

    def convert(self, text):
        """The page as sections: (anchor, level, title, html)."""
        lines, at = text.split("\n"), 0
        current = None
        while at < len(lines):
            line = lines[at]
            if not current and not line.startswith("# "):  # words before the title
                current = (anchor(self.page), 1, self.page, [])
            if match := re.match(r"(#{1,4}) (.*)", line):
                level, title = len(match[1]), self.inline(match[2])
                if current:
                    self.sections.append(current)
                current = (anchor(self.page) if level == 1 else anchor(self.page, match[2]), level, title, [])
                at += 1
            elif line.startswith("```") or line.startswith("    ") and line.strip():
                fenced, block = line.startswith("```"), []
                at += 1 if fenced else 0
                while at < len(lines) and (not lines[at].startswith("```") if fenced else lines[at].startswith("    ") or not lines[at].strip() and at + 1 < len(lines) and lines[at + 1].startswith("    ")):
                    block.append(lines[at] if fenced else lines[at][4:])
                    at += 1
                at += 1 if fenced else 0
                current[3].append(f"<pre>{html.escape(chr(10).join(block))}</pre>")
            elif line.startswith("|"):
                end = at
                while end < len(lines) and lines[end].startswith("|"):
                    end += 1
                current[3].append(self.table(lines[at:end]))
                at = end
            elif re.match(r"([-*]|\d+\.) ", line):
                kind = "ol" if line[0].isdigit() else "ul"
                items = []
                while at < len(lines) and (re.match(r"([-*]|\d+\.) ", lines[at]) or lines[at].startswith("  ") and lines[at].strip()):
                    if match := re.match(r"(?:[-*]|\d+\.) (.*)", lines[at]):
                        items.append(match[1])
                    else:
                        items[-1] += " " + lines[at].strip()
                    at += 1
                current[3].append(f"<{kind}>" + "".join(f"<li>{self.inline(item)}</li>" for item in items) + f"</{kind}>")
            elif line.strip():
                block = []
                while at < len(lines) and lines[at].strip() and not re.match(r"#{1,4} |\||```|([-*]|\d+\.) ", lines[at]):
                    block.append(lines[at])
                    at += 1
                words = self.inline(" ".join(block))
                current[3].append(words if words.startswith("<figure") else f"<p>{words}</p>")
            else:
                at += 1
        self.sections.append(current)
        return self.sections


def make():
    contents, body, problems, anchors = [], [], [], set()
    for path in pages():
        converter = Converter(path.stem)
        for place, level, title, parts in converter.convert(path.read_text(encoding="utf-8")):
            anchors.add(place)
            if level <= 2:
                contents.append(f'<li class="level{level}"><a href="#{place}">{title}</a></li>')
            level = min(level, 4)
            body.append(f'<section id="{place}" data-level="{level}"><h{level}>{title}</h{level}>\n' + "\n".join(parts) + "</section>\n")
        problems += converter.problems
    page = (FOLDER / "page" / "manual.html").read_text(encoding="utf-8")
    whole = page.replace("@contents@", "\n".join(contents)).replace("@body@", "".join(body))
    problems += [f"no place '{target}'" for target in sorted(set(re.findall(r'href="#([^"$]+)"', whole)) - anchors)]
    return whole, problems


def missing_evidence():
    """Tests and pictures that the matrix names and that are not there; rows whose mark nothing shows."""
    matrix = FOLDER / "matrix.md"
    for line in matrix.read_text(encoding="utf-8").splitlines() if matrix.is_file() else []:
        if not (row := re.match(r"\| (\d+) \|", line)):
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        named = re.findall(r"`([^`]+)`", cells[-1])
        if cells[2] == "**\u2713**" and not named:
            yield f"matrix.md: row {row[1]} has a mark that nothing shows"
        yield from (f"matrix.md: row {row[1]} names {path}, which is not there" for path in named if not (FOLDER.parents[1] / path).exists())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-o", "--output", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    whole, problems = make()
    problems += missing_evidence()
    for problem in problems:
        print(problem, file=sys.stderr)
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(whole, encoding="utf-8")
    if options.check:
        print(f"{len(pages())} pages, {len(whole) / 1e6:.1f} MB, {len(problems)} problems")
        if re.search(r'(src|href)="(https?:)?//', whole):
            problems.append("an address")
    return 1 if problems and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
