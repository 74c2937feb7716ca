"""Who may include and link whom. The floors and walls are those of the project's design; the README here lists them."""

import re

from source_files import Finding

STAGES = ("load", "resolve", "optimize", "partition", "schedule", "allocate", "pattern")

BASE, TENSOR, GRAPH, SCHEMA = "engine/base", "engine/tensor", "engine/graph", "engine/schema"
PLUGIN = "engine/plugin"  # libraries with operators, passes and overlays, opened from a folder
OPERATORS = "engine/operators"  # what operators mean, for every provider
MATH = "engine/math"  # matrix products and convolutions for any provider
PROVIDER, REPORT = "engine/provider", "engine/report"
CONTEXT_BINARY = "engine/context_binary"  # what compiled groups are kept in
EDIT = "engine/edit"  # edits for inspection, applied to a model as loaded
PLAN, EXECUTE, PROFILE = "engine/plan", "engine/execute", "engine/profile"  # what a session stands on
SESSION, STUDY = "engine/session", "engine/study"  # the walk and its runs; what walks more than once
CONTEXT, COMPILE = "engine/context", "engine/compile"  # writing context models below the session; compiling, checking and verifying them above it
STAGE_FLOOR = [BASE, TENSOR, GRAPH, SCHEMA, PLUGIN, OPERATORS, REPORT, CONTEXT_BINARY, PROVIDER]
ALL_STAGES = [f"engine/stages/{stage}" for stage in STAGES]
SEEN_BY_UI = [BASE, PLUGIN, REPORT, PROFILE, SESSION, STUDY, COMPILE, EDIT]

# folder -> folders it may include from, beside itself. A file's folder is the longest entry that its path starts with.
MAY_INCLUDE = {
    BASE: [],
    TENSOR: [BASE],
    MATH: [BASE, TENSOR],
    GRAPH: [BASE, TENSOR],
    SCHEMA: [BASE, TENSOR, GRAPH],
    PLUGIN: [BASE, TENSOR, GRAPH, SCHEMA],
    OPERATORS: [BASE, TENSOR, GRAPH, SCHEMA],
    REPORT: [BASE],
    CONTEXT_BINARY: [BASE, TENSOR, GRAPH, SCHEMA, REPORT],
    EDIT: [BASE, TENSOR, GRAPH, SCHEMA],
    PROVIDER: [BASE, TENSOR, GRAPH, SCHEMA, OPERATORS, REPORT, CONTEXT_BINARY],
    **{stage: STAGE_FLOOR + ALL_STAGES[:index] for index, stage in enumerate(ALL_STAGES)},
    CONTEXT: STAGE_FLOOR + ALL_STAGES,
    PLAN: STAGE_FLOOR + ALL_STAGES,
    EXECUTE: STAGE_FLOOR + ALL_STAGES + [PLAN],
    PROFILE: STAGE_FLOOR + ALL_STAGES + [PLAN, EXECUTE],
    SESSION: STAGE_FLOOR + ALL_STAGES + [CONTEXT, EDIT, PLAN, EXECUTE, PROFILE],
    STUDY: STAGE_FLOOR + ALL_STAGES + [CONTEXT, EDIT, PLAN, EXECUTE, PROFILE, SESSION],
    COMPILE: STAGE_FLOOR + ALL_STAGES + [CONTEXT, SESSION, STUDY, EDIT],
    "sweep/plan": [BASE],
    "sweep/results": [BASE, "sweep/plan"],
    "sweep/runners": [BASE, "sweep/plan", "sweep/results"],
    "sweep/answers": [BASE, "sweep/plan", "sweep/results"],
    "providers/*": [BASE, TENSOR, MATH, GRAPH, SCHEMA, PLUGIN, OPERATORS, CONTEXT_BINARY, PROVIDER],
    "ui/base": SEEN_BY_UI,
    "ui/document": SEEN_BY_UI + ["ui/base"],
    "ui/canvas": SEEN_BY_UI + ["ui/base", "ui/document"],
    "ui/report": SEEN_BY_UI + ["ui/base", "ui/document", "ui/canvas"],
    "ui/panels": SEEN_BY_UI + ["ui/base", "ui/document", "ui/canvas"],
    "ui/panels/*": SEEN_BY_UI + ["ui/base", "ui/document", "ui/canvas", "ui/panels"],
    "ui/sweep": [BASE, "ui/base", "ui/document", "ui/panels", "sweep/plan", "sweep/results", "sweep/answers"],
    "ui/shell": SEEN_BY_UI + ["ui/base", "ui/document", "ui/canvas", "ui/report", "ui/panels", "ui/sweep"],
    "app": ["engine", "providers", "sweep", "ui"],
    "tests": ["engine", "providers", "sweep", "ui", "app"],
}
OWN_ROOTS = ("app", "engine", "providers", "resources", "sweep", "tests", "ui")

QUOTED = re.compile(r'^\s*#\s*include\s*"([^"]+)"')
ANGLED = re.compile(r"^\s*#\s*include\s*<([^>]+)>")
QT_HEADER = re.compile(r"^(Q[A-Z]\w*|Qt[A-Z]?\w*(/.*)?|q[a-z]+\.h)$")
WIDGET = re.compile(
    r"^(QtWidgets(/.*)?|Q(Widget\w*|Application|MainWindow|Dialog\w*|\w+Dialog|MessageBox|Label|LineEdit|\w*TextEdit|TextBrowser"
    r"|\w*Button|CheckBox|\w*ComboBox|\w*SpinBox|\w*Slider|ProgressBar|\w+View|\w+Delegate|Style|Style[OP]\w+|\w+Style"
    r"|Graphics(Scene|View|Item\w*|\w+Item)|DockWidget|Menu|MenuBar|ToolBar|ToolTip|ToolBox|StatusBar|\w*ScrollArea"
    r"|ScrollBar|Splitter\w*|Tab(Widget|Bar)|StackedWidget|\w*Layout|Completer|Frame|GroupBox|RubberBand|Shortcut"
    r"|(Table|Tree|List)Widget\w*))$")
SHORTCUT_IS_GUI = {"QShortcut", "QAbstractTextDocumentLayout", "QTextLayout", "QGlyphLayout"}
WIDGET_FREE = re.compile(r"_(model|geometry|layout)\.(h|cpp)$")


def folder_of(path):
    """The entry of MAY_INCLUDE that `path` belongs to, with its star filled in; None outside of all."""
    parts = path.split("/")
    for length in range(len(parts) - 1, 0, -1):
        folder = "/".join(parts[:length])
        starred = "/".join(parts[:length - 1] + ["*"])
        if folder in MAY_INCLUDE or starred in MAY_INCLUDE:
            return folder
    return None


def rule_of(folder):
    return MAY_INCLUDE.get(folder) if folder in MAY_INCLUDE else MAY_INCLUDE[folder.rsplit("/", 1)[0] + "/*"]


def lies_in(path, folder):
    """Whether `path` is in `folder` itself: what lies in a deeper entry of the table (a panel) is somewhere else."""
    owner = folder_of(path)
    return path.startswith(folder + "/") and (owner is None or owner == folder or folder not in MAY_INCLUDE)


def check_own_include(tree, path, number, target):
    generated = target.endswith((".moc", "_table.inc")) or target.startswith("ui_")
    if generated:
        return []
    if target.split("/")[0] not in OWN_ROOTS or ".." in target.split("/"):
        return [Finding(path, number, f'include "{target}" by its path from the repository root')]
    if not (tree.root / target).is_file():
        return [Finding(path, number, f'"{target}" does not exist')]
    folder = folder_of(path)
    if folder is None or lies_in(target, folder) or any(lies_in(target, allowed) for allowed in rule_of(folder)):
        return []
    return [Finding(path, number, f'{folder} may not include "{target}"')]


def check_qt_include(path, number, target):
    if path.startswith(("engine/", "providers/", "sweep/")) and QT_HEADER.match(target):
        return [Finding(path, number, f"<{target}>: engine, providers and sweeps know no Qt")]
    is_widget = WIDGET.match(target) and target not in SHORTCUT_IS_GUI
    if path.startswith("ui/") and WIDGET_FREE.search(path) and is_widget:
        return [Finding(path, number, f"<{target}>: models and geometry know no widgets")]
    return []


def check_includes(tree):
    found = []
    for path in tree.cpp():
        for number, line in enumerate(tree.lines(path), 1):
            if match := QUOTED.match(line):
                found += check_own_include(tree, path, number, match[1])
            elif match := ANGLED.match(line):
                found += check_qt_include(path, number, match[1])
    return found


def forbidden_links(path):
    """What the CMakeLists.txt at `path` may not name: a pattern, and why."""
    parts = path.split("/")
    if parts[0] == "engine":
        return r"Qt6::\w+|cutaway_ui_\w+|cutaway_provider_\w+", "the engine knows no Qt, window or built provider"
    if parts[0] == "sweep":
        return r"Qt6::\w+|cutaway_(?!base\b|sweep\b|library\b|precompile\b)\w+", "a sweep knows the engine's programs, not its floors"
    if parts[0] == "providers" and len(parts) > 2:
        return rf"Qt6::\w+|cutaway_ui_\w+|cutaway_provider_(?!{parts[1]}\b)\w+", "a provider knows no Qt, window or other one"
    if parts[0] == "ui":
        return (r"cutaway_provider\w*|cutaway_stage_\w+|cutaway_context|cutaway_(graph|schema|tensor)\b",
                "the window reads reports and the session, nothing below")
    return None, None


def check_links(tree):
    found = []
    for path in tree.files:
        pattern, reason = forbidden_links(path)
        if pattern is None or not path.endswith("CMakeLists.txt"):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            if match := re.search(pattern, line.split("#")[0]):
                found.append(Finding(path, number, f"{match[0]}: {reason}"))
    return found


def check(tree):
    return check_includes(tree) + check_links(tree)
