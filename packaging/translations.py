#!/usr/bin/env python3
"""The window's translations: resources/translations/cutaway_<language>.ts.

  translations.py update                  takes new texts of the source into the .ts files, drops those that are gone
  translations.py check                   every text translated in every language, placeholders and letters kept; exit code 1 else
  translations.py export LANGUAGE FILE    texts without a translation, as JSON: [{"context", "source", "comment", "plural", "translation": ""}]
  translations.py import LANGUAGE FILE    fills in what such a file holds
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
LANGUAGES = {"de": "de_DE", "zh": "zh_CN"}
PLURAL_FORMS = {"de": 2, "zh": 1}
SOURCES = ["ui", "app/desktop"]
PLACEHOLDER = re.compile(r"%(?:L?[1-9][0-9]?|n)")


def path_of(language):
    return FOLDER / f"cutaway_{language}.ts"


def lupdate(language, out):
    tool = shutil.which("lupdate") or "/usr/lib/qt6/bin/lupdate"
    subprocess.run([tool, "-silent", "-no-obsolete", "-locations", "none", "-disable-heuristic", "similartext", "-disable-heuristic", "number", "-I", ".",
                    "-source-language", "en_US", "-target-language", LANGUAGES[language], *SOURCES, "-ts", str(out)],
                   cwd=ROOT, check=True, stderr=subprocess.DEVNULL)


def messages(path):
    """(context, source, comment) -> the message's element."""
    found = {}
    for context in ET.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            key = (context.findtext("name"), message.findtext("source") or "", message.findtext("comment") or "")
            found[key] = message
    return found


def forms_of(message):
    element = message.find("translation")
    if message.get("numerus") == "yes":
        return [form.text or "" for form in element.findall("numerusform")]
    return [element.text or ""]


def letters(text):
    """How many letters a text marks with & (&& is the sign itself)."""
    return len(re.findall(r"&\S", text.replace("&&", "")))


def faults(language, key, message):
    _, source, _ = key
    element = message.find("translation")
    forms = forms_of(message)
    if element.get("type") == "unfinished" or any(not form.strip() for form in forms):
        return ["not translated"]
    said = []
    if message.get("numerus") == "yes" and len(forms) != PLURAL_FORMS[language]:
        said.append(f"{len(forms)} plural forms instead of {PLURAL_FORMS[language]}")
    for form in forms:
        wanted, got = sorted(PLACEHOLDER.findall(source)), sorted(PLACEHOLDER.findall(form))
        if set(wanted) - {"%n"} != set(got) - {"%n"}:
            said.append(f"placeholders {' '.join(wanted) or 'none'} became {' '.join(got) or 'none'}: {form!r}")
        if letters(source) != letters(form) and "\n" not in source and "<" not in source:
            said.append(f"{letters(source)} letter(s) marked with & became {letters(form)}: {form!r}")
        if language != "zh" and (source != source.strip()) and (source[:1].isspace(), source[-1:].isspace()) != (form[:1].isspace(), form[-1:].isspace()):
            said.append(f"spaces at the ends differ: {form!r}")
    return said


def contexts_asked_for():
    """Contexts that the source asks for by name; those of classes carry their namespace, and tr() of QObject has its own."""
    asked = {"QObject"}
    for folder in SOURCES:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".cpp", ".h"):
                text = path.read_text(encoding="utf-8")
                asked.update(re.findall(r'translate\(\s*"(\w+)"', text), re.findall(r"Q_DECLARE_TR_FUNCTIONS\(([\w:]+)\)", text))
    return asked


def check():
    failed = 0
    asked = contexts_asked_for()
    for language in LANGUAGES:
        with tempfile.TemporaryDirectory() as folder:
            fresh = pathlib.Path(folder) / "fresh.ts"
            lupdate(language, fresh)
            wanted = messages(fresh)
        have = messages(path_of(language))
        said = [(key, ["not in the .ts file: run packaging/translations.py update"]) for key in wanted if key not in have]
        said += [(key, ["not in the source any more: run packaging/translations.py update"]) for key in have if key not in wanted]
        said += [(key, faults(language, key, message)) for key, message in have.items() if key in wanted]
        said += [(key, ["nothing asks for a text in this context, so it is never shown"]) for key in wanted
                 if not key[0].startswith("cutaway::") and key[0] not in asked]
        said = [(key, what) for key, what in said if what]
        for (context, source, _), what in said[:40]:
            print(f"{language}: {context}: {source[:70]!r}: {'; '.join(what)}")
        print(f"{language}: {len(wanted)} texts, {len(said)} with faults")
        failed += len(said)
    return 1 if failed else 0


def write(language, tree):
    ET.indent(tree, "    ")
    text = ET.tostring(tree.getroot(), encoding="unicode")
    path_of(language).write_text('<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n' + text + "\n", encoding="utf-8")
    lupdate(language, path_of(language))  # in the tool's own form, so that later runs change nothing


def export(language, file):
    rows = []
    for (context, source, comment), message in messages(path_of(language)).items():
        if faults(language, (context, source, comment), message):
            rows.append({"context": context, "source": source, "comment": comment, "plural": message.get("numerus") == "yes", "translation": ""})
    pathlib.Path(file).write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{language}: {len(rows)} texts")


def fill_in(language, file):
    """A translation is a text, or a list of plural forms. A row without a context stands for its text everywhere."""
    given, anywhere = {}, {}
    for row in json.loads(pathlib.Path(file).read_text(encoding="utf-8")):
        if row.get("translation"):
            anywhere[row["source"]] = row["translation"]
            if row.get("context"):
                given[(row["context"], row["source"], row.get("comment", ""))] = row["translation"]
    tree = ET.parse(path_of(language))
    count = 0
    for context in tree.getroot().iter("context"):
        for message in context.iter("message"):
            source = message.findtext("source") or ""
            key = (context.findtext("name"), source, message.findtext("comment") or "")
            element = message.find("translation")
            open_still = element.get("type") == "unfinished" or not any(form.strip() for form in forms_of(message))
            translation = given.get(key) or (anywhere.get(source) if open_still else None)
            if not translation:
                continue
            element.attrib.pop("type", None)
            if message.get("numerus") == "yes":
                forms = translation if isinstance(translation, list) else [translation] * PLURAL_FORMS[language]
                for old in element.findall("numerusform"):
                    element.remove(old)
                element.text = None
                for form in forms:
                    ET.SubElement(element, "numerusform").text = form
            else:
                element.text = translation if isinstance(translation, str) else translation[0]
            count += 1
    write(language, tree)
    print(f"{language}: {count} texts filled in")


def main():
    if sys.argv[1:] == ["update"]:
        for language in LANGUAGES:
            lupdate(language, path_of(language))
        return 0
    if sys.argv[1:] == ["check"]:
        return check()
    if len(sys.argv) == 4 and sys.argv[1] in ("export", "import") and sys.argv[2] in LANGUAGES:
        (export if sys.argv[1] == "export" else fill_in)(sys.argv[2], sys.argv[3])
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
