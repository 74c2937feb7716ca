"""Every test can fail: no test slot of a Qt Test class, and no test method of a Python TestCase, without an assertion.

An assertion is a macro of Qt Test that compares (QVERIFY, QCOMPARE, QFAIL, QTRY_...), a macro of the tests
that holds one, or a call of a function of the tests that holds one; in Python self.assert...(), self.fail() and methods
that call them. Called functions are followed through the file, the headers of the tests that it includes, and the
sources beside those. What ends the program (qFatal) is for a test's own setting up, and what only prints asserts nothing.
"""

import ast
import functools
import pathlib
import re

from functions import SCOPE, blank, closing_brace, kind_of
from source_files import Finding

MACRO = re.compile(r"\b(?:QVERIFY2?|QVERIFY_THROWS_\w+|QVERIFY_EXCEPTION_THROWN|QCOMPARE(?:_\w+)?|QFAIL|QTEST|"
                   r"QTRY_(?:VERIFY|COMPARE)\w*)\s*\(")
ALWAYS_TRUE = re.compile(r"\bQVERIFY2?\s*\(\s*true\s*[,)]")
MAIN = re.compile(r"^\s*QTEST\w*_MAIN\s*\(\s*(\w+)", re.MULTILINE)
RUN_BY_HAND = re.compile(r"^\s*(\w+) test;.*?QTest::qExec\(&test", re.MULTILINE | re.DOTALL)
DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)\(((?:\\\n|[^\n])*)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*"(tests/[^"]+)"', re.MULTILINE)
SLOTS = re.compile(r"\b(public|protected|private)(\s+(?:slots|Q_SLOTS))?\s*:(?!:)")
NAME = re.compile(r"((?:\w+::)*~?\w+)\s*\(")
CALL = re.compile(r"\b(\w+)\s*(?:<[^;{}()]*>)?\s*\(")
NO_TESTS = {"initTestCase", "cleanupTestCase", "init", "cleanup"}


class Body:
    """A function: its name as written, qualified by the classes it stands in, the line of its brace, and its text."""

    def __init__(self, name, line, text):
        self.name, self.line, self.text = name, line, text


def bodies(code):
    """The functions that blanked C++ text defines, those inside classes as Class::name."""
    found = []

    def walk(begin, end, scope):
        start, index = begin, begin
        while index < end:
            if code[index] in ";}":
                start = index + 1
            elif code[index] == "{":
                head, close = code[start:index], closing_brace(code, index)
                kind = kind_of(head)
                if kind == "scope":
                    named = re.search(r"\b(?:class|struct)\s+(\w+)", SLOTS.sub(" ", head))
                    walk(index + 1, close, scope + [named[1]] if named else scope)
                elif kind == "function" and (name := NAME.search(SLOTS.sub(" ", head))):
                    text = head[name.end():] + code[index:close + 1]
                    found.append(Body("::".join(scope + [name[1]]), code.count("\n", 0, index) + 1, text))
                index = close
                if kind != "member":
                    start = close + 1
            index += 1

    walk(0, len(code), [])
    return found


def slots_of(code, test_class):
    """(name, line) of the private slots that the class declares or defines."""
    opening = re.search(rf"\bclass\s+{test_class}\b[^;{{]*{{", code)
    if opening is None:
        return []
    begin, end = opening.end(), closing_brace(code, opening.end() - 1)
    found, is_slot, index, start = [], False, begin, begin
    while index < end:
        if access := SLOTS.match(code, index):
            is_slot = bool(access[2])
            index = start = access.end()
            continue
        if code[index] in "{;":
            head = code[start:index]
            name = NAME.search(head)
            if is_slot and name and re.match(r"\s*void\b", head):
                found.append((name[1], code.count("\n", 0, start + name.start()) + 1))
            if code[index] == "{":
                index = closing_brace(code, index)
            start = index + 1
        index += 1
    return found


class Sources:
    """The C++ files of the tests, read once, and what of each asserts."""

    def __init__(self, tree):
        self.tree = tree
        self.known = set(tree.files)

    @functools.cache
    def bodies(self, path):
        return bodies(blank(self.tree.text(path)))

    @functools.cache
    def reach(self, path):
        """`path`, the headers of the tests it includes, those they include, and the sources beside them."""
        seen, waiting = set(), [path]
        while waiting:
            each = waiting.pop()
            if each in seen or each not in self.known:
                continue
            seen.add(each)
            waiting += INCLUDE.findall(self.tree.text(each))
            if each.endswith(".h"):
                waiting.append(each[:-2] + ".cpp")
        return frozenset(seen)

    @functools.cache
    def asserting(self, path):
        """Names of functions and macros within reach of `path` that assert."""
        files = sorted(self.reach(path))
        macros = [definition for each in files for definition in DEFINE.findall(self.tree.text(each))]
        functions = [(body.name.split("::")[-1], body.text) for each in files for body in self.bodies(each)]
        names, before = set(), -1
        while len(names) != before:
            before = len(names)
            names |= {name for name, text in macros + functions if asserts(text, names)}
        return frozenset(names)


def asserts(text, names):
    if MACRO.search(ALWAYS_TRUE.sub("", text)):
        return True
    return any(call[1] in names for call in CALL.finditer(text))


def of_qt_test(sources, path):
    text = sources.tree.text(path)
    code = blank(text)
    for test_class in sorted(set(MAIN.findall(text)) | set(RUN_BY_HAND.findall(text))):
        defined = {body.name: body for body in sources.bodies(path)}
        for name, line in slots_of(code, test_class):
            if name in NO_TESTS or name.endswith("_data"):
                continue
            body = defined.get(f"{test_class}::{name}")
            if body is None:
                yield Finding(path, line, f"{name}() is defined elsewhere: a test stands where its class does")
            elif not asserts(body.text, sources.asserting(path)):
                yield Finding(path, line, f"{name}() has no assertion: it cannot fail")


def python_calls(function):
    """Names of the methods of self that it calls, and of its plain functions."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) and node.func.value.id == "self":
                yield node.func.attr
            elif isinstance(node.func, ast.Name):
                yield node.func.id


def of_python(path, text):
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    names, before = set(), -1
    while len(names) != before:
        before = len(names)
        names |= {each.name for each in functions
                  if any(call.startswith("assert") or call == "fail" or call in names for call in python_calls(each))}
    for function in functions:
        if function.name.startswith("test_") and function.name not in names:
            yield Finding(path, function.lineno, f"{function.name}() has no assertion: it cannot fail")


def check(tree):
    sources, found = Sources(tree), []
    for path in tree.files:
        if not path.startswith("tests/"):
            continue
        if pathlib.PurePath(path).suffix == ".cpp":
            found += of_qt_test(sources, path)
        elif path.endswith(".py") and "unittest" in (text := tree.text(path)):
            found += of_python(path, text)
    return found
