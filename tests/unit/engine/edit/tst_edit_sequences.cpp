// Long and random lists of edits: the graph's tables stay consistent, leaving the last edit out gives the same bytes
// again, large models are edited in passing.
#include <random>

#include <QtTest/QtTest>

#include "engine/base/clock.h"
#include "engine/edit/model_edit.h"
#include "engine/graph/text.h"
#include "engine/stages/load/load.h"
#include "engine/stages/load/model_bytes.h"
#include "engine/stages/load/save.h"
#include "engine/stages/resolve/resolve.h"
#include "tests/unit/engine/graph/graph_consistency.h"

using namespace cutaway;

namespace {

QTemporaryDir& folder() {
  static QTemporaryDir dir;
  return dir;
}

QByteArray bytesOf(const Model& model) {
  QByteArray all;
  const auto written = load::writeModelBytes(model, [&](std::span<const std::byte> bytes) -> Result<void> {
    all.append(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    return {};
  });
  return written ? all : QByteArray();
}

// Blocks of MatMul, Relu and Add with skips, some in an If.
Model blocks(int count) {
  std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17]>\ng (float[n,2] x, bool c) => (float[n,2] y) <float[2,2] k = "
      "{1,0,0,1}, float[2] w = {1,2}> {\n";
  std::string last = "x";
  for (int i = 0; i < count; ++i) {
    text +=
        fmt::format("[m{0}] a{0} = MatMul ({1}, k) [r{0}] b{0} = Relu (a{0}) [s{0}] c{0} = Add (b{0}, {1})\n", i, last);
    last = fmt::format("c{}", i);
    if (i % 5 == 4) {
      text += fmt::format(
          "[i{0}] d{0} = If <then_branch = t{0} () => (e{0}) {{ [g{0}] f{0} = Abs ({1}) [h{0}] e{0} = Add (f{0}, w) "
          "}}, else_branch = u{0} () => (q{0}) {{ [o{0}] q{0} = Neg ({1}) }}> (c)\n",
          i, last);
      last = fmt::format("d{}", i);
    }
  }
  text += fmt::format("[end] y = Relu ({}) }}", last);
  auto model = parseModelText(text);
  if (!model) qFatal("%s", describe(model.error()).c_str());
  model->graph.loadedFromFile = true;
  return *std::move(model);
}

class RandomEdits {
 public:
  RandomEdits(const Model& model, unsigned seed) : m_model(model), m_random(seed) {}

  edit::ModelEdit next(const Model& now) {
    const auto graphs = resolve::graphsInReportOrder(now);
    edit::ModelEdit edit;
    edit.kind = static_cast<edit::EditKind>(pick(static_cast<int>(edit::EditKind::kSetDocumentation) + 1));
    if (edit.kind == edit::EditKind::kExtract && pick(8) != 0)
      edit.kind = edit::EditKind::kBypassNode;  // or hardly anything would be left
    edit.graph = pick(4) == 0 ? pick(static_cast<int>(graphs.size())) : 0;
    edit.origin = pick(static_cast<int>(m_model.origins.size()));
    const Graph& graph = *graphs[static_cast<size_t>(edit.graph)];
    const auto value = [&]() -> std::string {
      const auto ids = graph.valueIds();
      return ids.empty() ? SharedText()
                         : graph.value(ids[static_cast<size_t>(pick(static_cast<int>(ids.size())))]).name;
    };
    edit.name = edit.kind == edit::EditKind::kSetDim                                                          ? "n"
                : edit.kind == edit::EditKind::kSetAttribute || edit.kind == edit::EditKind::kRemoveAttribute ? "axis"
                                                                                                              : value();
    const char* texts[] = {"7", "n", "2,2", "float", "name", "", "[1]", "\xff\x01"};
    edit.text = pick(3) == 0 ? fmt::format("fresh{}", pick(1000)) : texts[pick(8)];
    if (edit.kind == edit::EditKind::kExtract) {
      edit.outputs = {value()};
      if (pick(2) == 0) edit.names = {value()};
    }
    return edit;
  }

 private:
  int pick(int count) { return static_cast<int>(m_random() % static_cast<unsigned>(count)); }
  const Model& m_model;
  std::mt19937 m_random;
};

}  // namespace

class TestEditSequences : public QObject {
  Q_OBJECT

 private slots:
  void randomEdits_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 1; seed <= 40; ++seed)
      QTest::newRow(qPrintable(QString::number(seed))) << seed;
  }
  void randomEdits() {
    QFETCH(int, seed);
    const Model model = blocks(10);
    RandomEdits random(model, static_cast<unsigned>(seed));
    std::vector<edit::ModelEdit> edits;
    std::vector<QByteArray> steps = {bytesOf(*edit::applyEdits(model, {}))};
    Model now = model;
    int refused = 0;
    for (int tries = 0; tries < 60; ++tries) {
      edits.push_back(random.next(now));
      auto edited = edit::applyEdits(model, edits);
      if (!edited) {
        QCOMPARE(edited.error().code, ErrorCode::kInvalidArgument);
        QVERIFY(edited.error().message.size() > 20);
        edits.pop_back();
        ++refused;
        continue;
      }
      forEachGraph(edited->graph,
                   [](const Graph& graph) { QCOMPARE(QString::fromStdString(inconsistencyOf(graph)), QString()); });
      now = *std::move(edited);
      steps.push_back(bytesOf(now));
      QVERIFY(!steps.back().isEmpty());
      Model copy = now;
      Progress progress;
      const auto report = resolve::resolve(copy, {}, progress);
      if (!report) QVERIFY(!report.error().message.empty());
    }
    QVERIFY(!edits.empty() && refused > 0);
    while (!edits.empty()) {
      QCOMPARE(bytesOf(*edit::applyEdits(model, edits)), steps[edits.size()]);
      edits.pop_back();
    }
    QCOMPARE(bytesOf(*edit::applyEdits(model, edits)), steps[0]);
  }

  // As files give them: loaded, edited, saved, loaded again.
  void throughFiles() {
    const std::string path = folder().filePath("file.onnx").toStdString();
    QVERIFY(load::save(blocks(5), path, {}));
    Progress progress;
    const auto loaded = load::load(load::ModelSource::file(path), {}, progress);
    QVERIFY(loaded);
    // Nodes in a body, and what they capture, straight from a file whose scopes nobody has connected yet.
    const std::vector<edit::ModelEdit> edits = {
        {.kind = edit::EditKind::kRenameValue, .name = "c4", .text = "captured"},
        {.kind = edit::EditKind::kRenameValue, .graph = 1, .name = "f4", .text = "inner"},
        {.kind = edit::EditKind::kRenameValue, .name = "w", .text = "weight"}};
    const auto edited = edit::applyEdits(loaded->model, edits);
    QVERIFY2(edited.has_value(), edited ? "" : edited.error().message.c_str());
    QVERIFY(load::save(*edited, path, {}));
    auto again = load::load(load::ModelSource::file(path), {}, progress);
    QVERIFY(again);
    const auto report = resolve::resolve(again->model, {}, progress);
    QVERIFY2(report.has_value(), report ? "" : describe(report.error()).c_str());
    QVERIFY(again->model.graph.findValue("captured").valid());
  }

  void manyNodes() {
    Model model;
    model.irVersion = 8;
    model.opsets = {{"", 17}};
    const ValueType type = ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim(16)});
    ValueId last = model.graph.addInput("x", type);
    for (int i = 0; i < 50'000; ++i) {
      const NodeId node =
          model.graph.addNode({.name = fmt::format("n{}", i), .opType = "Relu"}, {last}, {fmt::format("v{}", i)});
      last = model.graph.node(node).outputs[0];
    }
    model.graph.addOutput(last);
    model.graph.loadedFromFile = true;
    assignOrigins(model);
    std::vector<edit::ModelEdit> edits;
    for (int i = 0; i < 5'000; ++i) {
      edits.push_back({.kind = edit::EditKind::kRenameNode, .origin = i, .text = fmt::format("renamed{}", i)});
      edits.push_back({.kind = edit::EditKind::kRenameValue,
                       .name = fmt::format("v{}", 20'000 + i),
                       .text = fmt::format("value{}", i)});
    }
    edits.push_back({.kind = edit::EditKind::kSetDim, .name = "n", .text = "4"});
    edits.push_back({.kind = edit::EditKind::kDeleteNode, .origin = 30'000});
    edits.push_back({.kind = edit::EditKind::kExtract, .names = {"v40000"}, .outputs = {"v45000"}});
    const Stopwatch watch;
    const auto edited = edit::applyEdits(model, edits);
    qInfo("10,003 edits of 50,000 nodes: %.0f ms", static_cast<double>(watch.elapsedNs()) / 1e6);
    QVERIFY2(edited.has_value(), edited ? "" : edited.error().message.c_str());
    QCOMPARE(edited->graph.nodeCount(), size_t(5'000));
  }
};

QTEST_APPLESS_MAIN(TestEditSequences)
#include "tst_edit_sequences.moc"
