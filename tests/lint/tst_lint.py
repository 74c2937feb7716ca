"""Each rule against small trees: it must find what is wrong, and must be silent about what is right."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import assertions
import formatting
import layers
import names
import operators
import paths
import provider_names
import sizes
import streams
import text
import thread_locals
import tree
import window_words
from functions import functions
from source_files import Tree

WELL = "#pragma once\n"


class LintTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, path, content=WELL):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content)

    def messages(self, check):
        return [str(finding) for finding in check(Tree(self.root))]

    def assertFinds(self, check, *parts):
        """One finding, and it holds all `parts`."""
        found = self.messages(check)
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])


class Streams(LintTest):
    def test_standard_streams_are_found(self):
        for line in ("std::ostringstream out;", "  if (std::ifstream file(path); file) read(file);", "std::istringstream list(value);", "std::fstream both;"):
            with self.subTest(line=line):
                self.put("providers/cpu/a.cpp", f"{line}\n")
                self.assertFinds(streams.check, "providers/cpu/a.cpp:1", "TextStream")

    def test_others_are_right(self):
        self.put("engine/base/a.cpp", "TextStream out;  // std::ostringstream\nvoid write(std::ostream& out);\n")
        self.put("tests/unit/a/tst_a.cpp", "std::ostringstream out;\n")
        self.assertEqual(self.messages(streams.check), [])


class ThreadLocals(LintTest):
    def test_destructors_are_found(self):
        for declared in ("thread_local std::vector<int> kept;", "  thread_local const Stack stack;", "static thread_local constinit std::string t_name = \"\";",
                         "inline thread_local QHash<QString, double> widths;", "thread_local std::optional<Held> t_held{};"):
            with self.subTest(declared=declared):
                self.put("engine/base/a.cpp", f"{declared}\n")
                self.assertFinds(thread_locals.check, "engine/base/a.cpp:1", "may have a destructor")

    def test_plain_data_is_right(self):
        self.put("engine/base/a.cpp", "thread_local int t_share = 0;\nthread_local constinit const std::shared_ptr<Budget>* t_budget = nullptr;\n"
                 "thread_local constinit volatile sig_atomic_t t_phase = kOutside;\ninline thread_local bool t_inside = false;  // thread_local std::string\n"
                 "static_assert(std::is_trivially_destructible_v<Place>);\nthread_local constinit Place t_place;\n")
        self.assertEqual(self.messages(thread_locals.check), [])


class Names(LintTest):
    def test_two_types_of_one_name_are_found(self):
        self.put("engine/graph/a.h", "#pragma once\nnamespace cutaway {\nstruct Named { int a; };\n}\n")
        self.put("engine/schema/b.cpp", "namespace cutaway {\nclass Named : Base {\n  int b;\n};\n}\n")
        self.assertFinds(names.check, "engine/schema/b.cpp:2", "cutaway::Named", "engine/graph/a.h")

    def test_two_functions_of_one_signature_are_found(self):
        self.put("engine/graph/a.cpp", "namespace cutaway {\nstd::string label(const Graph& graph, NodeId id) { return {}; }\n}\n")
        self.put("engine/stages/b.cpp", "namespace cutaway {\nstd::string label(const Graph& g, NodeId node) {\n}\n}\n")
        self.assertFinds(names.check, "engine/stages/b.cpp:2", "cutaway::label(")

    def test_what_is_a_files_own_or_differs_is_right(self):
        self.put("engine/graph/a.cpp", "namespace cutaway {\nnamespace {\nstruct Own {};\nint f() { return 1; }\n}\n"
                 "int g(int x) { struct Inner {}; return x; }\nstatic int h() { return 1; }\n}\n")
        self.put("engine/graph/b.cpp", "namespace cutaway {\nnamespace {\nstruct Own {};\nint f() { return 2; }\n}\n"
                 "int g(double x) { struct Inner {}; return x; }\nstatic int h() { return 2; }\n}\n"
                 "namespace cutaway::plan { struct Own {}; }\n")
        self.put("tests/unit/a/tst_a.cpp", "class TestX {};\nint main() { return 0; }\n")
        self.put("tests/unit/b/tst_b.cpp", "class TestX {};\nint main() { return 0; }\n")
        self.assertEqual(self.messages(names.check), [])

    def test_inline_functions_of_headers_are_seen(self):
        for words in ("inline int", "constexpr int", "int", "CUTAWAY_SHARED int"):
            with self.subTest(words=words):
                self.put("engine/graph/a.h", f"#pragma once\nnamespace cutaway {{\nstruct A {{}};\n{words} at(const A& a, int step = 2) {{\n"
                         "  return 1;\n}\n}\n")
                for path in ("engine/schema/b.h", "engine/schema/b.cpp"):
                    self.put(path, f"namespace cutaway {{\n{words} at(const A& each, int by) {{ return 2; }}\n}}\n")
                    self.assertFinds(names.check, f"{path}:2", "cutaway::at(constA&,int)", "engine/graph/a.h")
                    (self.root / path).unlink()

    def test_defaults_in_braces_are_no_bodies(self):
        declared = "void f(const A& a, std::vector<int> sizes = {1, 2}, B b = {});\n"
        self.assertEqual(names.definitions(f"namespace c {{\n{declared}inline int g() {{ return 1; }}\n}}\n"), [("c::g()", 3)])
        self.assertEqual(names.definitions("void f(const A& a, std::vector<int> sizes = {1, 2}, B b = {}) {\n}\n"),
                         [("f(constA&,std::vector<int>,B)", 1)])
        self.put("engine/graph/a.h", f"#pragma once\nnamespace c {{\n{declared}}}\n")
        self.put("engine/graph/a.cpp", "namespace c {\nvoid f(const A& a, std::vector<int> sizes, B b) {}\n}\n")
        self.put("engine/graph/b.cpp", "namespace c {\nvoid f(const A& a, std::vector<int> sizes, D d) {}\n}\n")
        self.assertEqual(self.messages(names.check), [])
        self.put("engine/schema/b.h", "namespace c {\ninline void f(const A& a, std::vector<int> sizes = {1, 2}, B b = {}) {}\n}\n")
        self.assertFinds(names.check, "engine/schema/b.h:2", "engine/graph/a.cpp")

    def test_templates_and_static_functions_are_not_compared(self):
        for path in ("engine/graph/a.h", "engine/schema/b.h"):
            self.put(path, "namespace cutaway {\ntemplate <Whole T>\nint f(T value) { return 1; }\nstatic int g() { return 1; }\n}\n")
        self.assertEqual(self.messages(names.check), [])

    def test_a_folder_of_tests_is_one_program(self):
        self.put("tests/unit/a/tst_a.cpp", "class TestX {};\n")
        self.put("tests/unit/a/tst_b.cpp", "class TestX {};\n")
        self.assertFinds(names.check, "tests/unit/a/tst_b.cpp", "TestX")


class Paths(LintTest):
    def test_what_lies_there_is_right(self):
        self.put("engine/graph/graph.h")
        self.put("engine/graph/README.md", "See `engine/graph/graph.h`, `engine/graph`, engine/graph/graph and `engine/{graph,graph/graph.h}`,\n"
                 "engine/graph/*.h. To add one: providers/<name>/provider.h, ui/panels/NAME/x.cpp.\n")
        self.put("engine/graph/a.cpp", "#include \"engine/graph/gone.h\"\nint a;  // as in engine/graph/graph.h\n")
        self.assertEqual(self.messages(paths.check), [])

    def test_what_does_not_is_found(self):
        self.put("engine/graph/README.md", "Tests: `tests/unit/engine/graph`.\n")
        self.assertFinds(paths.check, "engine/graph/README.md:1", "tests/unit/engine/graph")

    def test_comments_are_read(self):
        self.put("engine/graph/a.cpp", "int a;\nint b;  // see engine/graph/gone.cpp\n")
        self.assertFinds(paths.check, "engine/graph/a.cpp:2", "engine/graph/gone.cpp")


class Assertions(LintTest):
    def put_test(self, body, before="", path="tests/unit/tst_x.cpp"):
        self.put(path, f"{before}\nclass TestX : public QObject {{\n  Q_OBJECT\n private slots:\n  void initTestCase() {{ prepare(); }}\n"
                       f"  void works_data() {{ QTest::newRow(\"a\") << 1; }}\n{body}\n}};\n\nQTEST_GUILESS_MAIN(TestX)\n")

    def test_a_slot_that_asserts_nothing_is_found(self):
        for body in ("run();", "const bool good = run();\n  qInfo() << good;", "QVERIFY(true);", "QVERIFY2(true, why);", "// QVERIFY(run());",
                     'say("QVERIFY(x)");', "if (!run()) qFatal();", "auto QCOMPARED = [] { run(); };"):
            with self.subTest(body=body):
                self.put_test(f"  void works() {{\n  {body}\n  }}")
                self.assertFinds(assertions.check, "tests/unit/tst_x.cpp:7", "works()")

    def test_every_macro_that_compares_will_do(self):
        for body in ("QVERIFY(run());", 'QVERIFY2(run(), "x");', "QCOMPARE(a, b);", "QCOMPARE_GT(a, b);", "QFAIL(why);", 'QTEST(a, "b");',
                     "QTRY_COMPARE_WITH_TIMEOUT(a, b, 5);", "QTRY_VERIFY2(a, why);", "QVERIFY_THROWS_NO_EXCEPTION(run());",
                     "for (int i : {1, 2}) {\n QVERIFY(i);\n }"):
            with self.subTest(body=body):
                self.put_test(f"  void works() {{\n  {body}\n  }}")
                self.assertEqual(self.messages(assertions.check), [])

    def test_called_functions_are_followed(self):
        self.put_test("  void works() { second<int>(1); }",
                      "template <typename T>\nvoid first(T t, std::vector<int> more = {}) { QVERIFY(t); }\n"
                      "template <typename T>\nvoid second(T t) { first(t); }")
        self.assertEqual(self.messages(assertions.check), [])
        self.put_test("  void works() { CHECK(1); }", "#define CHECK(x) \\\n  QVERIFY(x)")
        self.assertEqual(self.messages(assertions.check), [])

    def test_headers_and_the_sources_beside_them_are_read(self):
        include = '#include "tests/unit/bench.h"'
        self.put_test("  void works() { verify(1); }", include)
        self.put("tests/unit/bench.h", "#pragma once\nvoid verify(int x);\n")
        self.put("tests/unit/bench.cpp", "void verify(int x) { print(x); }\n")
        self.assertFinds(assertions.check, "works()")
        self.put("tests/unit/bench.cpp", "void verify(int x) { QCOMPARE(x, 1); }\n")
        self.assertEqual(self.messages(assertions.check), [])
        self.put_test("  void works() { verify(1); }")  # a function of that name elsewhere is another one
        self.assertFinds(assertions.check, "works()")

    def test_slots_defined_below_their_class(self):
        self.put_test("  void works();\n  void fails();\n\n private:\n  void assists() {}\n",
                      "#define AFTER")
        path = self.root / "tests/unit/tst_x.cpp"
        path.write_text(path.read_text() + "void TestX::works() { QVERIFY(run()); }\nvoid TestX::fails() { run(); }\n")
        self.assertFinds(assertions.check, "tests/unit/tst_x.cpp:8", "fails()")

    def test_slots_of_other_classes_are_no_tests(self):
        self.put_test("  void works() { QVERIFY(run()); }", "class Listener : public QObject {\n private slots:\n  void heard() {}\n};")
        self.assertEqual(self.messages(assertions.check), [])

    def test_programs_that_run_their_class_by_hand(self):
        self.put("tests/unit/tst_x.cpp", "class TestX : public QObject {\n private slots:\n  void works() {}\n};\n"
                                         "int main(int argc, char** argv) {\n  TestX test;\n  return QTest::qExec(&test, argc, argv);\n}\n")
        self.assertFinds(assertions.check, "tests/unit/tst_x.cpp:3", "works()")

    def test_python_methods(self):
        self.put("tests/x/tst_x.py", "import unittest\n\nclass X(unittest.TestCase):\n  def test_a(self):\n    run()\n"
                                     "  def test_b(self):\n    self.check(1)\n  def check(self, x):\n    self.assertTrue(x)\n")
        self.assertFinds(assertions.check, "tests/x/tst_x.py:4", "test_a()")


class Formatting(LintTest):
    def test_another_form_is_found(self):
        self.put(".clang-format", "BasedOnStyle: Google\n")
        self.put("engine/graph/a.cpp", "int a;\nint   b;\n")
        self.put("engine/graph/b.cpp", "int a;\nint b;\n")
        self.assertFinds(formatting.check, "engine/graph/a.cpp:2")


class Symbols(LintTest):
    def listed(self, second):
        """Compares two libraries, of `int f()` and of `second`."""
        for name, code in (("one", "int f() { return 1; } inline int g() { return 1; } int (*one)() = g;"), ("two", second)):
            (self.root / f"{name}.cpp").write_text(code)
            subprocess.run(["g++", "-c", f"{name}.cpp", "-o", f"{name}.o"], cwd=self.root, check=True)
            subprocess.run(["ar", "rc", f"libcutaway_{name}.a", f"{name}.o"], cwd=self.root, check=True)
        script = pathlib.Path(__file__).with_name("symbols.py")
        return subprocess.run([sys.executable, "-B", script, self.root], capture_output=True, text=True)

    def test_a_function_in_two_libraries_is_found(self):
        run = self.listed("int f() { return 2; }")
        self.assertEqual(run.returncode, 1)
        self.assertIn("f() is defined in libcutaway_one.a:one.o and libcutaway_two.a:two.o", run.stdout)

    def test_inline_functions_may_stand_twice(self):
        run = self.listed("inline int g() { return 1; } int (*two)() = g;")
        self.assertEqual((run.returncode, run.stdout.splitlines()[-1]), (0, "2 libraries, 3 names, 0 defined twice"))
class Operators(LintTest):
    def setUp(self):
        super().setUp()
        self.put("engine/operators/traits/activation.cpp",
                 'inPlace(activation("Celu", kCelu, 11)),\nelementwise("Erf", kErf, 8),\n{.opType = "Softmax"},\n')

    def test_rows_schemas_and_one_kernel_file_of_a_provider_are_right(self):
        self.put("engine/schema/own/activation.cpp", '{"Celu", kMicrosoft},')
        for provider in ("cpu", "cuda"):
            self.put(f"providers/{provider}/kernels/activation/activations.cpp", 'row("Celu", {12}), row("Celu", {1})')
        self.put("providers/cpu/kernels/softmax/softmax.cpp", '"Softmax"')
        self.put("engine/stages/partition/layout_rules.cpp", '"Softmax", "a sentence about Celu"  // "Celu"')
        self.put("engine/stages/optimize/gradient/rules.cpp", '"Celu"')
        self.assertEqual(self.messages(operators.check), [])

    def test_lists_of_the_engine_and_the_window_are_found(self):
        for path, content in (("engine/stages/partition/layout_rules.cpp", '"Celu"'), ("ui/base/operator_family.cpp", '"Softmax Celu Elu "')):
            with self.subTest(path=path):
                self.setUp()
                self.put(path, content)
                self.assertFinds(operators.check, f"{path}:1", "Celu")

    def test_a_second_file_of_a_provider_is_found(self):
        self.put("providers/cuda/kernels/activation/activations.cpp", 'row("Celu")')
        self.put("providers/cuda/chain/chain_builder.cpp", '{"Celu", ChainOp::kCelu}')
        self.assertFinds(operators.check, "providers/cuda/chain/chain_builder.cpp:1", "activations.cpp already")

    def test_exceptions_are_for_their_names_only(self):
        self.put("providers/cpu/kernels/elementwise/unary_math.cpp", '"Erf"')
        self.put("providers/cpu/kernels/elementwise/integer_erf.cpp", '"Erf"')
        self.assertEqual(self.messages(operators.check), [])

class ProviderNames(LintTest):
    def setUp(self):
        super().setUp()
        self.put("providers/chip/provider.h")

    def test_names_are_found(self):
        for literal in ("chip", "Chip", "chip(Two)", "chip{mode=1}", "ChipExecutionProvider", "TensorRT", "QNN"):
            self.put("engine/session/walk.cpp", f'bool isIt(const std::string& name) {{ return name == "{literal}"; }}\n')
            self.assertFinds(provider_names.check, "engine/session/walk.cpp:1", literal)

    def test_two_names_on_a_line(self):
        self.put("engine/session/walk.cpp", 'constexpr const char* kNames[] = {"chip", "qnn"};\n')
        self.assertEqual(len(self.messages(provider_names.check)), 2)

    def test_comments_sentences_and_includes_are_right(self):
        self.put("engine/session/walk.cpp", '#include "chip"\n// as in "chip"\n'
                 'const char* kText = "chip takes what it can";\nconst char* kKey = "session.chip_settings";\n')
        self.assertEqual(self.messages(provider_names.check), [])

    def test_app_and_providers_may_name_them(self):
        for path in ("app/cli/run.cpp", "providers/chip/provider.cpp"):
            self.put(path, 'constexpr const char* kName = "chip";\n')
        self.assertEqual(self.messages(provider_names.check), [])

    def test_words_that_mean_something_else(self):
        self.put("engine/base/cpu_quota.cpp", 'constexpr const char* kController = "cpu";\n')
        self.put("providers/cpu/provider.h")
        self.assertEqual(self.messages(provider_names.check), [])
        self.put("engine/base/clock.cpp", 'constexpr const char* kController = "cpu";\n')
        self.assertFinds(provider_names.check, "engine/base/clock.cpp:1")


class Layers(LintTest):
    def include(self, path, target, exists=True):
        if exists:
            self.put(target)
        self.put(path, f'#pragma once\n#include "{target}"\n')

    def test_downward_includes_are_right(self):
        self.include("engine/session/session.h", "engine/stages/load/load.h")
        self.include("engine/stages/allocate/allocate.cpp", "engine/stages/schedule/schedule.h")
        self.include("providers/cpu/kernels/math/add.cpp", "providers/cpu/provider.h")
        self.include("ui/panels/allocate/allocate_panel.cpp", "ui/panels/panel.h")
        self.include("app/cli/run.cpp", "engine/session/session.h")
        self.assertEqual(self.messages(layers.check), [])

    def test_upward_includes_are_found(self):
        for path, target in (("engine/base/result.h", "engine/graph/graph.h"),
                             ("engine/report/run_report.h", "engine/graph/graph.h"),
                             ("engine/stages/schedule/schedule.cpp", "engine/stages/allocate/allocate.h"),
                             ("engine/stages/load/load.cpp", "engine/session/session.h"),
                             ("engine/plan/plan_walk.h", "engine/execute/program/graph_program.h"),
                             ("engine/execute/frame/frame.h", "engine/session/session.h"),
                             ("engine/profile/profiles.h", "engine/session/session.h"),
                             ("engine/session/session.cpp", "engine/study/what_if/what_if.h"),
                             ("engine/session/session.cpp", "providers/cpu/provider.h"),
                             ("providers/cpu/provider.cpp", "providers/onednn/provider.h"),
                             ("providers/cpu/provider.cpp", "engine/session/session.h"),
                             ("ui/document/document.h", "engine/graph/graph.h"),
                             ("ui/canvas/canvas.h", "ui/panels/panel.h"),
                             ("ui/panels/run/run_panel.cpp", "ui/panels/load/load_panel.h"),
                             ("ui/shell/window.cpp", "ui/panels/load/load_panel.h"),
                             ("ui/shell/window.cpp", "providers/cpu/provider.h")):
            with self.subTest(path=path, target=target):
                self.setUp()
                self.include(path, target)
                self.assertFinds(layers.check, f"{path}:2", target)

    def test_includes_start_at_the_root_and_exist(self):
        self.include("engine/graph/graph.cpp", "graph.h", exists=False)
        self.assertFinds(layers.check, "from the repository root")
        self.include("engine/graph/graph.cpp", "engine/graph/nowhere.h", exists=False)
        self.assertFinds(layers.check, "does not exist")

    def test_generated_includes_are_right(self):
        self.put("tests/unit/tst_a.cpp", '#include "tst_a.moc"\n')
        self.put("engine/stages/optimize/pipeline.cpp", '#include "pass_table.inc"\n')
        self.assertEqual(self.messages(layers.check), [])

    def test_engine_and_providers_know_no_qt(self):
        for header in ("QString", "QtCore/QString", "QtWidgets/QWidget", "QtTest", "qglobal.h"):
            with self.subTest(header=header):
                self.put("engine/base/result.h", f"#include <{header}>\n")
                self.assertFinds(layers.check, header)
        self.put("engine/base/result.h", "#include <vector>\n#include <queue>\n")
        self.assertEqual(self.messages(layers.check), [])

    def test_models_and_geometry_know_no_widgets(self):
        for header in ("QtWidgets/QWidget", "QTableView", "QStyledItemDelegate", "QGraphicsScene"):
            with self.subTest(header=header):
                self.put("ui/panels/run/run_model.cpp", f"#include <{header}>\n")
                self.assertFinds(layers.check, header)
        self.put("ui/panels/run/run_model.cpp", "#include <QAbstractTableModel>\n#include <QColor>\n#include <QShortcut>\n")
        self.put("ui/panels/run/run_panel.cpp", "#include <QTableView>\n")
        self.assertEqual(self.messages(layers.check), [])

    def test_links_follow_the_walls(self):
        for path, link in (("engine/base/CMakeLists.txt", "Qt6::Core"), ("ui/base/CMakeLists.txt", "cutaway_provider_cpu"),
                           ("ui/base/CMakeLists.txt", "cutaway_stage_load"),
                           ("providers/cpu/CMakeLists.txt", "cutaway_provider_onednn")):
            with self.subTest(path=path, link=link):
                self.setUp()
                self.put(path, f"target_link_libraries(x PUBLIC {link})\n")
                self.assertFinds(layers.check, link)
        self.setUp()
        self.put("providers/cpu/CMakeLists.txt", "cutaway_library(cutaway_provider_cpu LINK_PUBLIC cutaway_provider)\n")
        self.put("ui/base/CMakeLists.txt", "cutaway_library(cutaway_ui_base LINK_PUBLIC Qt6::Gui cutaway_session)\n")
        self.assertEqual(self.messages(layers.check), [])


class Sizes(LintTest):
    def test_long_files_are_found(self):
        self.put("engine/a/fits.cpp", "int x;\n" * 600)
        self.put("engine/a/fits.h", "int x;\n" * 250)
        self.assertEqual(self.messages(sizes.check), [])
        self.put("engine/a/fits.cpp", "int x;\n" * 601)
        self.assertFinds(sizes.check, "engine/a/fits.cpp", "601 lines")
        self.put("engine/a/fits.cpp", "")
        self.put("engine/a/fits.h", "int x;\n" * 251)
        self.assertFinds(sizes.check, "engine/a/fits.h", "251 lines")

    def test_long_functions_are_found(self):
        body = "  step();\n" * 78
        self.put("engine/a/b.cpp", f"void fits() {{\n{body}}}\n")
        self.assertEqual(self.messages(sizes.check), [])
        self.put("engine/a/b.cpp", f"void tooLong() {{\n{body}  step();\n}}\n")
        self.assertFinds(sizes.check, "engine/a/b.cpp:1", "tooLong() has 81 lines")
        self.setUp()
        self.put("providers/cpu/kernels/math/b.cpp", f"void innerLoop() {{\n{body}  step();\n}}\n")
        self.put("tests/unit/tst_b.cpp", f"void rows_data() {{\n{body}  step();\n}}\n")
        self.assertEqual(self.messages(sizes.check), [])

    def test_a_readme_is_as_long_as_its_reader_needs(self):
        self.put("engine/a/README.md", "line\n" * 400)
        self.assertEqual(self.messages(sizes.check), [])


class Functions(unittest.TestCase):
    def names(self, code):
        return [(function.name, function.length) for function in functions(code)]

    def test_functions_in_scopes(self):
        self.assertEqual(self.names("namespace a {\nclass B final : public C {\n public:\n  int d() const override {\n"
                                    "    return 1;\n  }\n};\n}\nstatic void e(int f) {}\n"), [("d", 3), ("e", 1)])

    def test_constructor_lists(self):
        self.assertEqual(self.names("A::A(int b)\n    : m_b{b}, m_c(b),\n      m_d{1, 2} {\n  go();\n}\nint e() { return 1; }"),
                         [("A", 5), ("e", 1)])

    def test_templates_operators_and_results(self):
        self.assertEqual(self.names("template <class T, typename U>\nauto f(T t) -> decltype(t) {\n}\n"
                                    "bool operator==(A a, A b) { return true; }\n"
                                    "struct S { S& operator=(const S&) { return *this; } };"),
                         [("f", 3), ("operator==", 1), ("operator=", 1)])

    def test_macros_before_a_class(self):
        self.assertEqual(self.names("Q_DECLARE_METATYPE(a::B)\n\nclass C {\n  void d() {}\n};"), [("d", 1)])

    def test_data_and_lambdas(self):
        self.assertEqual(self.names("const int kTable[] = {\n1,\n2};\nstd::vector<int> v{f(1), 2};\n"
                                    "const auto l = [](int x) {\n return x;\n};\nenum class E { kA, kB };"),
                         [("lambda", 3)])

    def test_braces_of_default_arguments_do_not_begin_a_body(self):
        self.assertEqual(self.names("void f(int a, std::vector<int> b = {}) {\n  go();\n}\nint g() { return 1; }"), [("f", 3), ("g", 1)])

    def test_braces_in_text_do_not_count(self):
        self.assertEqual(self.names("void f() {\n  say(\"}\", '}', R\"(}})\");  // }\n  /* } */\n#define X }\n  int n = 1'000;\n}\n"),
                         [("f", 6)])


class TreeShape(LintTest):
    def test_a_good_tree(self):
        for path in ("README.md", "engine/base/README.md", "engine/base/result.h", "build/x"):
            self.put(path)
        self.assertEqual(self.messages(tree.check), [])

    def test_top_level_entries(self):
        self.put("stuff/a.txt")
        self.assertFinds(tree.check, "stuff", "top level")

    def test_missing_readme(self):
        self.put("engine/base/deep/result.h")
        self.assertFinds(tree.check, "engine/base", "README.md")

    def test_empty_names(self):
        self.put("engine/a/README.md")
        for name in ("string_utils.h", "helpers.cpp", "common/a.h", "misc.py"):
            with self.subTest(name=name):
                self.put(f"engine/a/{name}")
                self.assertFinds(tree.check, name.split(".")[0].split("/")[0])
                (self.root / "engine/a" / name).unlink()

    def test_snake_case(self):
        self.put("engine/a/README.md")
        self.put("engine/a/MyFile.cpp")
        self.assertFinds(tree.check, "snake_case")


class Text(LintTest):
    def test_good_text(self):
        self.put("engine/a/a.h", "#pragma once\n// network/work/flow ./tmp/x ${x}/root/y\n")
        self.assertEqual(self.messages(text.check), [])

    def test_bad_lines(self):
        for line in ("// TO" + "DO later", "// FIX" + "ME", 'auto p = "/wo' + 'rk/x";', 'open("/t' + 'mp/x")', "int x; ", "\tint x;",
                     "QSK" + "IP(why);", "int x;\r"):
            with self.subTest(line=line):
                self.put("engine/a/a.h", f"#pragma once\n{line}\n")
                self.assertFinds(text.check, "engine/a/a.h:2")

    def test_file_ends(self):
        self.put("engine/a/a.cpp", "int x;")
        self.assertFinds(text.check, "no line end")
        self.put("engine/a/a.cpp", "")
        self.put("engine/a/b.h", "int x;\n")
        self.assertFinds(text.check, "#pragma once")


class WindowWords(LintTest):
    TABLE = '    {"(--dim)", "(the bar Shapes)"},\n    {session::kNamed, "the bar Shapes gives them sizes"},\n'

    def setUp(self):
        super().setUp()
        self.put("ui/document/window_words.cpp", self.TABLE)
        self.put("engine/session/named.h", '#pragma once\ninline constexpr const char* kNamed = "--size N gives them sizes";\n')

    def test_what_goes_through_told_is_right(self):
        self.put("ui/panels/a.cpp", "page.text(told(answer.reason));\nlabel(text(node.name));\n")
        self.put("ui/report/a.cpp", "page.text(text(answer.reason));\n")
        self.put("engine/a.cpp", 'fail("give it a size (--dim)");  // and not --other\nserve("--serve");\n')
        self.assertEqual(self.messages(window_words.check), [])

    def test_sentences_without_told_are_found(self):
        for line in ("page.text(text(answer.reason));", "show(text(describe(*error)));", "m(text(view.error()->message));", "{.text = &Refusal::remedy},"):
            with self.subTest(line=line):
                self.put("ui/panels/a.cpp", line + "\n")
                self.assertFinds(window_words.check, "ui/panels/a.cpp:1", "told()")

    def test_options_without_a_row_are_found(self):
        self.put("providers/a/a.cpp", 'return "a size (--dim), or fewer threads (--threads)";\n')
        self.assertFinds(window_words.check, "providers/a/a.cpp:1", "--threads")


if __name__ == "__main__":
    unittest.main()
