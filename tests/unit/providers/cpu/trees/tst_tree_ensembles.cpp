// Tree ensembles that are no trees are refused with a reason; the walks in step give what a plain walk over the lists
// gives.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

using Ints = std::vector<int64_t>;
using Strings = std::vector<std::string>;

// One tree of a test and two leaves: x[0] <= 0.5 ? 1 : 2.
struct Lists {
  Ints trees{0, 0, 0}, ids{0, 1, 2}, features{0, 0, 0}, whenTrue{1, 0, 0}, whenFalse{2, 0, 0}, missing;
  Strings modes{"BRANCH_LEQ", "LEAF", "LEAF"};
  std::vector<float> splits{0.5f, 0, 0};
  Ints targetTrees{0, 0}, targetNodes{1, 2}, targets{0, 0};
  std::vector<float> weights{1, 2}, base;
  int64_t targetCount = 1;
  std::string aggregate = "SUM", post = "NONE";

  OperatorCall call() const {
    OperatorCall result{.opType = "TreeEnsembleRegressor", .domain = "ai.onnx.ml", .version = 3};
    result.attributes = {{"nodes_treeids", trees},          {"nodes_nodeids", ids},
                         {"nodes_featureids", features},    {"nodes_truenodeids", whenTrue},
                         {"nodes_falsenodeids", whenFalse}, {"nodes_modes", modes},
                         {"nodes_values", splits},          {"target_treeids", targetTrees},
                         {"target_nodeids", targetNodes},   {"target_ids", targets},
                         {"target_weights", weights},       {"n_targets", targetCount},
                         {"aggregate_function", aggregate}, {"post_transform", post}};
    if (!missing.empty()) result.attributes.push_back({"nodes_missing_value_tracks_true", missing});
    if (!base.empty()) result.attributes.push_back({"base_values", base});
    return result;
  }
};

QString refusal(const Lists& lists, const Tensor& x) {
  const auto result = tryOperator(lists.call(), {x});
  return result
             ? QString("accepted")
             : QString::fromStdString(std::string(errorCodeName(result.error().code)) + ": " + result.error().message);
}

}  // namespace

class TestTreeEnsembles : public QObject {
  Q_OBJECT
 private slots:
  void badTrees();
  void shapes();
  void againstPlainWalk_data();
  void againstPlainWalk();
};

void TestTreeEnsembles::badTrees() {
  const Tensor x = tensorOf<float>({1, 1}, {0.0f});
  QCOMPARE(valuesOf<float>(callOperator(Lists{}.call(), {x})), std::vector<float>{1});
  const auto refused = [&](const char* words, auto&& change) {
    Lists lists;
    change(lists);
    const QString text = refusal(lists, x);
    if (!text.contains(words)) qWarning() << text << "does not say" << words;
    return text.contains(words);
  };
  QVERIFY(refused("no node 7", [](Lists& l) { l.whenTrue[0] = 7; }));
  QVERIFY(refused("cycle", [](Lists& l) {
    l.whenTrue[0] = 0;
    l.whenFalse[0] = 0;
  }));
  QVERIFY(refused("cycle", [](Lists& l) {
    // The root leads to a node that leads back to itself.
    l.modes = {"BRANCH_LEQ", "BRANCH_LT", "LEAF"};
    l.whenTrue = {1, 1, 0};
    l.whenFalse = {2, 2, 0};
    l.targetTrees = {0}, l.targetNodes = {2}, l.targets = {0}, l.weights = {1};
  }));
  QVERIFY(refused("two nodes 1", [](Lists& l) { l.ids[2] = 1; }));
  QVERIFY(refused("nodes_featureids", [](Lists& l) { l.features[0] = -1; }));
  QVERIFY(refused("feature 3", [](Lists& l) { l.features[0] = 3; }));
  QVERIFY(refused("BRANCH_XX", [](Lists& l) { l.modes[0] = "BRANCH_XX"; }));
  QVERIFY(refused("nodes_values", [](Lists& l) { l.splits.pop_back(); }));
  QVERIFY(refused("nodes_missing_value_tracks_true", [](Lists& l) { l.missing = {1}; }));
  QVERIFY(refused("target_ids[1] is 1", [](Lists& l) { l.targets[1] = 1; }));
  QVERIFY(refused("target_weights", [](Lists& l) { l.weights.pop_back(); }));
  QVERIFY(refused("no node 9", [](Lists& l) { l.targetNodes[0] = 9; }));
  QVERIFY(refused("targets", [](Lists& l) { l.targetCount = 0; }));
  QVERIFY(refused("targets", [](Lists& l) { l.targetCount = std::numeric_limits<int64_t>::max(); }));
  QVERIFY(refused("base_values", [](Lists& l) { l.base = {1, 2}; }));
  QVERIFY(refused("aggregate_function", [](Lists& l) { l.aggregate = "MEDIAN"; }));
  QVERIFY(refused("post_transform", [](Lists& l) { l.post = "SOFT"; }));
  QVERIFY(refused("there is no tree", [](Lists& l) {
    l = {.trees = {}, .ids = {}, .features = {}, .whenTrue = {}, .whenFalse = {}, .modes = {}, .splits = {}};
  }));
}

void TestTreeEnsembles::shapes() {
  const auto none = tryOperator(Lists{}.call(), {tensorOf<float>({0, 3}, {})});
  QVERIFY(none && none->at(0).dims() == Dims({0, 1}));
  QVERIFY(refusal(Lists{}, tensorOf<float>({1, 1, 1}, {0})) != "accepted");
  QVERIFY(refusal(Lists{}, tensorOf<float>({1, 0}, {})).contains("feature 0"));
}

void TestTreeEnsembles::againstPlainWalk_data() {
  QTest::addColumn<QString>("mode");
  QTest::addColumn<int>("rows");
  for (const char* mode : {"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "mixed"}) {
    for (const int rows : {1, 8, 9, 300})
      QTest::newRow(qPrintable(QString("%1 %2").arg(mode).arg(rows))) << QString(mode) << rows;
  }
}

// Chains of uneven depth, NaN among the inputs, infinities among inputs and splits.
void TestTreeEnsembles::againstPlainWalk() {
  QFETCH(QString, mode);
  QFETCH(int, rows);
  constexpr int kTrees = 11, kFeatures = 3;
  const Strings known{"BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ"};
  const float special[] = {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                           std::numeric_limits<float>::quiet_NaN(), 0.0f, 1.0f};
  std::mt19937 random(7);
  const auto number = [&] { return random() % 4 == 0 ? special[random() % 5] : static_cast<float>(random() % 5) - 2; };
  Lists lists{.trees = {},
              .ids = {},
              .features = {},
              .whenTrue = {},
              .whenFalse = {},
              .modes = {},
              .splits = {},
              .targetTrees = {},
              .targetNodes = {},
              .targets = {},
              .weights = {}};
  for (int64_t tree = 0; tree < kTrees; ++tree) {
    const int64_t links = 1 + static_cast<int64_t>(random() % 6);
    for (int64_t id = 0; id <= 2 * links; ++id) {
      // Even ids but the last go on to the next two; odd ids and the last are leaves.
      const bool leaf = id % 2 == 1 || id == 2 * links;
      const bool turned = random() % 2 == 0;
      lists.trees.push_back(tree);
      lists.ids.push_back(id);
      lists.features.push_back(static_cast<int64_t>(random() % kFeatures));
      lists.modes.push_back(leaf ? "LEAF" : mode == "mixed" ? known[random() % known.size()] : mode.toStdString());
      lists.splits.push_back(number());
      lists.missing.push_back(random() % 2);
      lists.whenTrue.push_back(leaf ? 0 : id + (turned ? 2 : 1));
      lists.whenFalse.push_back(leaf ? 0 : id + (turned ? 1 : 2));
      if (!leaf) continue;
      lists.targetTrees.push_back(tree);
      lists.targetNodes.push_back(id);
      lists.targets.push_back(0);
      lists.weights.push_back(static_cast<float>(random() % 1000));
    }
  }
  std::vector<float> x(static_cast<size_t>(rows * kFeatures));
  std::ranges::generate(x, number);
  std::vector<float> wanted;
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int64_t tree = 0; tree < kTrees; ++tree) {
      int64_t id = 0;
      const auto find = [&](int64_t node) {
        for (size_t i = 0; i < lists.ids.size(); ++i) {
          if (lists.trees[i] == tree && lists.ids[i] == node) return i;
        }
        return size_t{0};
      };
      while (lists.modes[find(id)] != "LEAF") {
        const size_t at = find(id);
        const float value = x[static_cast<size_t>(row * kFeatures + lists.features[at])], split = lists.splits[at];
        const bool tests[] = {value <= split, value<split, value >= split, value> split, value == split,
                              value != split};
        const bool holds = tests[std::ranges::find(known, lists.modes[at]) - known.begin()] ||
                           (lists.missing[at] != 0 && std::isnan(value));
        id = holds ? lists.whenTrue[at] : lists.whenFalse[at];
      }
      for (size_t i = 0; i < lists.targetNodes.size(); ++i) {
        if (lists.targetTrees[i] == tree && lists.targetNodes[i] == id) sum += lists.weights[i];
      }
    }
    wanted.push_back(sum);
  }
  QCOMPARE(valuesOf<float>(callOperator(lists.call(), {tensorOf<float>({rows, kFeatures}, x)})), wanted);
}

QTEST_APPLESS_MAIN(TestTreeEnsembles)
#include "tst_tree_ensembles.moc"
