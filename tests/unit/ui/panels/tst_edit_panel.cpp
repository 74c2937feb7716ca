// Edits: reasons said at once, bounds of a part, forms that make the right edit.
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>

#include "tests/unit/ui/panels/tool_bench.h"
#include "ui/panels/edit/edit_check.h"
#include "ui/panels/edit/edit_field.h"
#include "ui/panels/edit/edit_list.h"
#include "ui/panels/edit/extract_bounds.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// x -> a -> t1 -> b -> t2 -> c -> y, and t1 -> d -> z; b also reads weight w.
std::shared_ptr<const ModelGraphs> forked() {
  test::GraphBuilder build("main");
  build.input("x", "float[batch,3]");
  build.constant("w", "float[3]", 12);
  build.node("Relu", "a", {"x"}, {"t1"}, {0});
  build.node("Mul", "b", {"t1", "w"}, {"t2"}, {1});
  build.node("Relu", "c", {"t2"}, {"y"}, {2});
  build.node("Cast", "d", {"t1"}, {"z"}, {3});
  build.output("y");
  build.output("z");
  auto graphs = std::make_shared<ModelGraphs>();
  graphs->graphs.push_back(build.graph());
  for (ValueReport& value : graphs->graphs[0].values) {
    value.elementType = value.name == "z" ? "int64" : "float";
    if (value.name == "x") value.shape = "[batch,3]";
  }
  return graphs;
}

std::shared_ptr<const WalkReport> forkedWalk() {
  auto walk = std::make_shared<WalkReport>();
  auto load = std::make_shared<LoadReport>();
  load->origins = {{"a", "Relu", "main"}, {"b", "Mul", "main"}, {"c", "Relu", "main"}, {"d", "Cast", "main"}};
  load->producer = "somebody";
  load->metadata = {{"key", "value"}};
  walk->load = load;
  walk->loadedGraphs = forked();
  walk->stages[0].state = StageState::kDone;
  return walk;
}

using Names = std::vector<std::string>;

}  // namespace

class TestEditPanel : public QObject {
  Q_OBJECT

 private slots:
  void reasonsAreSaidAtOnce_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("origin");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("reason");  // a part of it; empty: may be done
    const auto row = [](const char* title, edit::EditKind kind, int origin, const char* name, const char* text,
                        const char* reason) {
      QTest::newRow(title) << static_cast<int>(kind) << origin << QString(name) << QString(text) << QString(reason);
    };
    row("rename", edit::EditKind::kRenameValue, -1, "x", "input", "");
    row("rename to one that is there", edit::EditKind::kRenameValue, -1, "x", "t1", "already");
    row("rename to nothing", edit::EditKind::kRenameValue, -1, "x", "", "needs a name");
    row("rename nothing", edit::EditKind::kRenameValue, -1, "nobody", "x2", "no value called nobody");
    row("type", edit::EditKind::kSetElementType, -1, "x", "float16", "");
    row("no type", edit::EditKind::kSetElementType, -1, "x", "flot", "not an element type");
    row("shape", edit::EditKind::kSetShape, -1, "x", "1,3,,n", "");
    row("no shape", edit::EditKind::kSetShape, -1, "x", "1,-3", "-3 is not a dimension");
    row("dim", edit::EditKind::kSetDim, -1, "batch", "4", "");
    row("dim of nobody", edit::EditKind::kSetDim, -1, "seq", "4", "No input");
    row("dim zero", edit::EditKind::kSetDim, -1, "batch", "0", "leaves nothing");
    row("dim nothing", edit::EditKind::kSetDim, -1, "batch", "", "number");
    row("node name taken", edit::EditKind::kRenameNode, 0, "", "b", "already");
    row("node name", edit::EditKind::kRenameNode, 0, "", "first", "");
    row("bypass", edit::EditKind::kBypassNode, 0, "", "", "");
    row("bypass changes the type", edit::EditKind::kBypassNode, 3, "", "", "int64");
    row("gone", edit::EditKind::kDeleteNode, 77, "", "", "no longer in the model");
    row("delete", edit::EditKind::kDeleteNode, 1, "", "", "");
    row("output twice", edit::EditKind::kAddOutput, -1, "y", "", "already");
    row("output", edit::EditKind::kAddOutput, -1, "t1", "", "");
    row("weight as output", edit::EditKind::kAddOutput, -1, "w", "", "No node makes it");
    row("output off", edit::EditKind::kRemoveOutput, -1, "z", "", "");
    row("no output", edit::EditKind::kRemoveOutput, -1, "t1", "", "not an output");
    row("key without a name", edit::EditKind::kSetMetadata, -1, "", "v", "needs a name");
    row("part without an end", edit::EditKind::kExtract, -1, "", "", "ends with");
  }
  void reasonsAreSaidAtOnce() {
    QFETCH(int, kind);
    QFETCH(int, origin);
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QString, reason);
    const QString said = whyNot({.kind = static_cast<edit::EditKind>(kind),
                                 .origin = origin,
                                 .name = name.toStdString(),
                                 .text = text.toStdString()},
                                *forked());
    QVERIFY2(reason.isEmpty() ? said.isEmpty() : said.contains(reason), qPrintable(said));
  }

  void partsBeginAndEndAtTheirEdges() {
    const auto graphs = forked();
    const ExtractBounds between = extractBounds(graphs->graphs[0], {0, 2});
    QCOMPARE(between.nodes, 3);
    QCOMPARE(between.names, (Names{"x"}));
    QCOMPARE(between.outputs, (Names{"t1", "y"}));
    const ExtractBounds one = extractBounds(graphs->graphs[0], {1});
    QCOMPARE(one.names, (Names{"t1"}));
    QCOMPARE(one.outputs, (Names{"t2"}));
    QVERIFY(extractBounds(graphs->graphs[0], {}).outputs.empty());
  }

  void fieldChecksWhileItIsTyped() {
    test::ToolBench bench("edit");
    bench.document.setWalk(forkedWalk());
    EditField field(&bench.document, "Name", "x", [](const QString& words) {
      return edit::ModelEdit{.kind = edit::EditKind::kRenameValue, .name = "x", .text = words.toStdString()};
    });
    field.show();
    auto* apply = field.findChild<QPushButton*>();
    QVERIFY(!apply->isEnabled());
    field.line()->selectAll();
    QTest::keyClicks(field.line(), "t1");
    QVERIFY(!apply->isEnabled());
    QTest::keyClicks(field.line(), "_new");
    QVERIFY(apply->isEnabled() && apply->isVisible());
  }

  void formsFollowTheSelection() {
    test::ToolBench bench("edit");
    bench.document.setWalk(forkedWalk());
    bench.document.selection().selectNode({GraphVersion::kLoaded, 0, 1});
    const auto titles = [&] {
      QStringList list;
      for (auto* field : bench.panel->findChildren<EditField*>())
        if (field->isVisible()) list << field->words();
      return list;
    };
    QTRY_COMPARE(titles(), QStringList{"b"});
    bench.picture("edit-node");
    bench.document.selection().selectValue({0, "x"});
    QTRY_COMPARE(titles(), (QStringList{"x", "float", "batch,3"}));
    bench.picture("edit-value");
    auto* tabs = bench.find<QTabWidget>();
    tabs->setCurrentIndex(2);
    QTRY_COMPARE(titles(), QStringList{"batch"});
    for (int tab = 1; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      bench.picture(QStringLiteral("edit-%1").arg(tab));
    }
  }

  void editsAreToldInWords() {
    const auto walk = forkedWalk();
    QCOMPARE(editText({.kind = edit::EditKind::kBypassNode, .origin = 2}, walk->load.get()), "bypass Relu c");
    QCOMPARE(editText({.kind = edit::EditKind::kSetShape, .name = "x", .text = "1,3"}, walk->load.get()),
             "shape of x = [1,3]");
    for (int kind = 0; kind <= static_cast<int>(edit::EditKind::kSetDocumentation); ++kind)
      QVERIFY(!editText({.kind = static_cast<edit::EditKind>(kind)}, nullptr).isEmpty());
  }
};

QTEST_MAIN(TestEditPanel)
#include "tst_edit_panel.moc"
