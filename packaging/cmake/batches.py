#!/usr/bin/env python3
"""Puts sources that may share a translation unit into batches.

    batches.py ROOT REQUEST        # prints a line a target: TARGET|FILE|BATCH|FILE|BATCH...

A line of REQUEST is TARGET;FILE;FILE... with absolute paths. Two files share a batch only where compiling them one after
the other means the same as compiling them apart: no name that is local to one file is a name of the other or of a header,
no header of one brings a name to a namespace where it would hide the name that the other uses from a namespace outside,
neither leaves a macro defined, and both open the same namespaces with `using namespace`. The sources are formatted by
clang-format, so what stands at a line's start is at namespace scope; no more of C++ is read here. Files that fit nowhere are
not printed and are compiled alone.
"""
import collections
import pathlib
import re
import sys

FILES = 8     # files in a batch, at most
LINES = 1500  # lines in a batch, at most, while it is filled
QUICK = 1200  # lines that compile in ten seconds: one file touched, all of its batch is compiled again

TYPE = re.compile(r"(?:struct|class|union|enum(?:\s+(?:class|struct))?|concept)\s+(?:\[\[\w+\]\]\s*)?(\w+)")
WORD = re.compile(r"[A-Za-z_]\w*")
# Read again and again with other macros (Highway), or read as data.
ALONE = re.compile(r"foreach_target|HWY_ONCE|Q_INIT_RESOURCE|QTEST_APPLESS|int main\(")


def without_template(line):
    """`template <...>` and attributes at the start of a declaration taken away."""
    while True:
        line = re.sub(r"^\[\[[^\]]*\]\]\s*", "", line)
        if not line.startswith("template"):
            return line
        depth, at = 0, line.find("<")
        if at < 0:
            return ""
        for at in range(at, len(line)):
            depth += (line[at] == "<") - (line[at] == ">")
            if depth == 0:
                break
        line = line[at + 1:].lstrip()
        line = re.sub(r"^requires\b.*?(?=\b(?:struct|class|auto|void|bool|int)\b)", "", line)


def declared_name(line):
    """The name that a declaration at a line's start introduces, or None."""
    line = without_template(line)
    if not line or line.startswith(("namespace", "friend", "extern \"C\"", "case ", "default:")):
        return None
    using = re.match(r"using\s+(?:[\w:]+::)?(\w+)\s*[;=]", line)
    if using:
        return using[1]
    named = TYPE.match(line)
    if named and not re.match(r"[^{;=]*\w\s*\(", line):
        return named[1]
    head = re.split(r"[({=;\[]", line, maxsplit=1)[0].rstrip()
    if "operator" in head:
        return None
    head = re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", head)))
    words = WORD.findall(head)
    if len(words) < 1 or head.endswith(">"):
        return None
    if re.search(r"::\s*~?" + words[-1] + r"$", head):
        return None  # a member defined out of its class
    return words[-1]


def enumerators(lines):
    """The names that an unscoped enumeration at the start of `lines` brings to its namespace."""
    text = ""
    for line in lines:
        text += re.sub(r"//.*", "", line) + " "
        if "}" in text or ";" in text:
            break
    _, _, body = text.partition("{")
    return re.findall(r"(?:^|,)\s*([A-Za-z_]\w*)", body.partition("}")[0])


class Source:
    """Names of a file at namespace scope: local ones, and ones that other files see."""

    def __init__(self, path):
        text = path.read_text(encoding="utf-8", errors="replace")
        text = re.sub(r'R"(\w*)\(.*?\)\1"', '""', text, flags=re.S)
        lines = text.split("\n")
        self.lines = len(lines)
        self.words = set(WORD.findall(text))
        self.namespaces = frozenset(re.findall(r"^(?:inline )?namespace ([\w:]+) {", text, re.M))
        self.includes = re.findall(r'^#include "([^"]+)"', text, re.M)
        self.local, self.public, self.opens = set(), set(), set()
        self.macros = set(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M)) - set(re.findall(r"^\s*#\s*undef\s+(\w+)", text, re.M))
        self.alone = bool(ALONE.search(text))
        hidden = 0
        for at, line in enumerate(lines):
            if line.startswith("namespace {"):
                hidden += not line.rstrip().endswith("}")
            elif re.match(r"}  // namespace\s*$", line):
                hidden = max(0, hidden - 1)
            elif re.match(r"using namespace\b", line):
                self.opens.add(line)
            elif line and (line[0].isalpha() or line[0] in "_["):
                name = declared_name(line)
                if name and not name.isupper() and name not in ("const", "public", "private", "protected", "static"):
                    local = hidden or line.startswith(("static ", "constexpr ", "const ", "using ", "template <> constexpr"))
                    (self.local if local else self.public).add(name)
                if re.match(r"(static |inline )*(constexpr|const)\b", line):  # constexpr int kFirst = 1, kSecond = 2;
                    statement = " ".join(lines[at:at + 8]).split(";")[0]
                    self.local.update(re.findall(r",\s*(\w+)\s*[={]", statement))
                if re.match(r"enum\b(?!\s+(?:class|struct)\b)", line):  # enum Column { kName, kValue = 3 };
                    (self.local if hidden else self.public).update(enumerators(lines[at:]))


class Headers:
    """What the headers of the repository declare, with all that they include."""

    def __init__(self, root):
        self.root = root
        self.read = {}     # include -> Source, or None where it is no file of the repository
        self.reached = {}  # include -> includes that it brings, itself among them

    def source(self, include):
        if include not in self.read:
            path = self.root / include
            self.read[include] = Source(path) if path.is_file() else None
        return self.read[include]

    def reach(self, include):
        if include not in self.reached:
            self.reached[include] = set()  # for headers that include each other
            header = self.source(include)
            if header:
                self.reached[include] = {include}.union(*(self.reach(other) for other in header.includes))
        return self.reached[include]

    def add_to(self, source):
        """Sets what `source` sees: `headers` by name, `included` the names in them, and `seen_in` name -> namespaces of those it uses."""
        source.headers = set().union(*(self.reach(include) for include in source.includes))
        source.included, source.seen_in = set(), {}
        for include in source.headers:
            header = self.source(include)
            names = header.local | header.public
            source.included |= names
            for name in names & source.words:
                source.seen_in.setdefault(name, set()).update(header.namespaces)

    def hides(self, one, other):
        """Whether a header of `one` alone declares, in another namespace, a name that `other` uses."""
        for include in one.headers - other.headers:
            header = self.source(include)
            for name in (header.local | header.public) & other.seen_in.keys():
                if not header.namespaces <= other.seen_in[name]:
                    return True
        return False


def may_share(one, other, headers):
    return (one.opens == other.opens and not one.local & (other.local | other.public | other.included)
            and not other.local & (one.public | one.included) and not headers.hides(one, other) and not headers.hides(other, one))


def batches_of(files, sources, headers):
    """Batches, filled in the order of the list so that neighbours stay together: lists of files."""
    batches = []
    for file in files:
        source = sources[file]
        if source.alone or source.macros or source.local & source.included:
            continue
        for batch in batches:
            members = [sources[other] for other in batch]
            if len(batch) == FILES or sum(member.lines for member in members) + source.lines > LINES:
                continue
            if all(may_share(source, member, headers) for member in members):
                batch.append(file)
                break
        else:
            batches.append([file])
    return [part for batch in batches for part in cut(batch, sources) if len(part) > 1]


def cut(batch, sources):
    """A batch that takes too long for whoever touches one of its files, in two of about the same length; any other as it is."""
    lines = [sources[file].lines for file in batch]
    if sum(lines) <= QUICK:
        return [batch]
    half = min(range(len(batch)), key=lambda at: abs(2 * sum(lines[:at]) - sum(lines)))
    return [batch[:half], batch[half:]]


def main():
    root, request = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    headers = Headers(root)
    rows = [line.split(";") for line in request.read_text().splitlines()]
    users = collections.Counter(file for _, *files in rows for file in files)
    for target, *files in rows:
        files = [file for file in files if users[file] == 1]  # a file has one batch, whichever target compiles it
        sources = {file: Source(pathlib.Path(file)) for file in files}
        for source in sources.values():
            headers.add_to(source)
        row = [target]
        for number, batch in enumerate(batches_of(files, sources, headers)):
            for file in batch:
                row += [file, str(number)]
        print("|".join(row))


if __name__ == "__main__":
    main()
