// The layered layout as a pure function: layers follow lines, nothing overlaps, long lines bend around nodes, hostile
// graphs end. The layout by Graphviz keeps the same rules.
#include <algorithm>
#include <random>

#include <QTest>

#include "tests/checker/growth.h"
#include "ui/canvas/dot_layout.h"
#include "ui/canvas/dot_program.h"
#include "ui/canvas/layered_layout.h"
#include "ui/canvas/proper_graph.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

LayoutInput nodes(int count, double width = 100, double height = 40) {
  LayoutInput input;
  input.nodes.assign(count, {width, height, LayerPin::kFree});
  return input;
}

LayoutInput randomGraph(unsigned seed, int count, double density, bool cycles) {
  std::mt19937 random(seed);
  LayoutInput input;
  for (int i = 0; i < count; ++i)
    input.nodes.push_back(
        {60.0 + static_cast<double>(random() % 100), 20.0 + static_cast<double>(random() % 40), LayerPin::kFree});
  for (int i = 0; i < count; ++i) {
    std::vector<LayoutTarget> targets;
    for (int k = 0; k < static_cast<int>(density); ++k) {
      const int to = cycles ? static_cast<int>(random() % count) : i + 1 + static_cast<int>(random() % 12);
      if (to < count && to != i &&
          std::none_of(targets.begin(), targets.end(), [&](const LayoutTarget& t) { return t.node == to; }))
        targets.push_back({to});
    }
    if (!targets.empty()) input.addNet(i, targets);
  }
  return input;
}

bool overlap(const LayoutInput& input, const LayoutResult& result, int a, int b) {
  const auto& p = result.nodes[a];
  const auto& q = result.nodes[b];
  return std::abs(p.x - q.x) < (input.nodes[a].width + input.nodes[b].width) / 2 - 0.01 &&
         std::abs(p.y - q.y) < (input.nodes[a].height + input.nodes[b].height) / 2 - 0.01;
}

// Nothing overlaps, every piece of a line begins where one of its net ends, and what runs around columns crosses no
// node.
void checkColumns(const LayoutInput& input, const LayoutResult& result) {
  for (size_t a = 0; a < input.nodes.size(); ++a) {
    const double left = result.nodes[a].x - input.nodes[a].width / 2,
                 top = result.nodes[a].y - input.nodes[a].height / 2;
    QVERIFY(left >= -0.01 && left + input.nodes[a].width <= result.width + 0.01);
    QVERIFY(top >= -0.01 && top + input.nodes[a].height <= result.height + 0.01);
    for (size_t b = a + 1; b < input.nodes.size(); ++b)
      QVERIFY(!overlap(input, result, static_cast<int>(a), static_cast<int>(b)));
  }
  std::vector<int> reached(input.nets.size(), 0);
  for (size_t s = 0; s < result.segments.size(); ++s) {
    const LayoutSegment& segment = result.segments[s];
    reached[static_cast<size_t>(segment.net)] += segment.target >= 0;
    if (segment.loose) continue;
    const LayoutPlace& from = result.nodes[static_cast<size_t>(input.nets[static_cast<size_t>(segment.net)].source)];
    bool begins = std::abs(segment.y0 - from.y) <= 40;
    for (size_t other = 0; other < result.segments.size() && !begins; ++other)
      begins = result.segments[other].net == segment.net && std::abs(result.segments[other].x1 - segment.x0) < 0.01 &&
               std::abs(result.segments[other].y1 - segment.y0) < 0.01;
    QVERIFY2(begins, qPrintable(QStringLiteral("segment %1").arg(s)));
    if (segment.y1 >= segment.y0 && segment.y0 != segment.y1) continue;
    for (size_t n = 0; n < input.nodes.size(); ++n) {
      const double x = result.nodes[n].x, y = result.nodes[n].y;
      const double w = input.nodes[n].width / 2 - 0.01, h = input.nodes[n].height / 2 - 0.01;
      QVERIFY(std::max(segment.x0, segment.x1) <= x - w || std::min(segment.x0, segment.x1) >= x + w ||
              std::max(segment.y0, segment.y1) <= y - h || std::min(segment.y0, segment.y1) >= y + h);
    }
  }
  for (size_t n = 0; n < input.nets.size(); ++n)
    QCOMPARE(reached[n], input.nets[n].targetCount);
}

}  // namespace

class TestLayout : public QObject {
  Q_OBJECT

 private slots:
  void emptyGraph() {
    const auto result = layoutLayered({}, {}, CancelToken());
    QVERIFY(result.has_value());
    QCOMPARE(result->nodes.size(), size_t{0});
  }

  void chainIsStraight() {
    LayoutInput input = nodes(5);
    for (int i = 0; i < 4; ++i)
      input.addNet(i, {i + 1});
    const auto result = layoutLayered(input, {}, CancelToken());
    for (int i = 0; i < 4; ++i) {
      QCOMPARE(result->nodes[i].x, result->nodes[i + 1].x);
      QVERIFY(result->nodes[i].y < result->nodes[i + 1].y);
      QCOMPARE(result->segments[i].x0, result->segments[i].x1);
    }
    QCOMPARE(result->layerCount, 5);
  }

  void skipRunsBesideTheChain() {
    LayoutInput input = nodes(4);
    input.addNet(0, {1, 3});
    input.addNet(1, {2});
    input.addNet(2, {3});
    const auto result = layoutLayered(input, {}, CancelToken());
    for (const LayoutSegment& segment : result->segments) {
      if (segment.net != 0) continue;
      for (const int node : {1, 2}) {
        const bool beside = std::abs(segment.x1 - result->nodes[node].x) > 50 ||
                            segment.y1 <= result->nodes[node].y - 19 || segment.y0 >= result->nodes[node].y + 19;
        QVERIFY(beside);
      }
    }
  }

  void randomGraphsKeepTheRules_data() {
    QTest::addColumn<unsigned>("seed");
    QTest::addColumn<bool>("cycles");
    QTest::addColumn<bool>("byDot");
    for (unsigned seed = 1; seed <= 12; ++seed)
      for (const bool byDot : {false, true})
        QTest::addRow("seed %u%s%s", seed, seed % 3 ? "" : " cyclic", byDot ? " by dot" : "")
            << seed << (seed % 3 == 0) << byDot;
  }
  void randomGraphsKeepTheRules() {
    QFETCH(unsigned, seed);
    QFETCH(bool, cycles);
    QFETCH(bool, byDot);
    const LayoutInput input = randomGraph(seed, 120, 1 + seed % 3, cycles);
    std::optional<LayoutResult> result;
    if (byDot) {
      Result<LayoutResult> placed = layoutWithDot(input, {}, CancelToken());
      QVERIFY2(placed, placed ? "" : placed.error().message.c_str());
      result = *std::move(placed);
    } else {
      result = layoutLayered(input, {}, CancelToken());
    }
    QVERIFY(result.has_value());
    for (size_t a = 0; a < input.nodes.size(); ++a) {
      QVERIFY(result->nodes[a].x - input.nodes[a].width / 2 >= -0.01);
      QVERIFY(result->nodes[a].x + input.nodes[a].width / 2 <= result->width + 0.01);
      for (size_t b = a + 1; b < input.nodes.size(); ++b)
        QVERIFY(!overlap(input, *result, static_cast<int>(a), static_cast<int>(b)));
    }
    if (!cycles)
      for (const LayoutNet& net : input.nets)
        for (int t = net.firstTarget; t < net.firstTarget + net.targetCount; ++t)
          QVERIFY(result->nodes[input.targets[t].node].layer > result->nodes[net.source].layer);
    // Every target is reached by exactly one segment of its net.
    std::vector<int> reached(input.nets.size(), 0);
    for (const LayoutSegment& segment : result->segments)
      reached[segment.net] += segment.target >= 0;
    for (size_t n = 0; n < input.nets.size(); ++n)
      QCOMPARE(reached[n], input.nets[n].targetCount);
  }

  // Borders of boxes stand first and last; lines touch a box where it says.
  void dotKeepsPinsAndPorts() {
    LayoutInput input = nodes(3);
    input.nodes[1] = {400, 200, LayerPin::kFree};
    input.nodes.push_back({1, 0, LayerPin::kFirst});
    input.nodes.push_back({1, 0, LayerPin::kLast});
    input.addNet(3, {{1, -150}, {0}}, 0);
    input.addNet(0, {{1, 120}});
    input.addNet(1, {{4, 0}}, -90);
    input.addNet(1, {{2}}, 170);
    const Result<LayoutResult> result = layoutWithDot(input, {}, CancelToken());
    QVERIFY2(result, result ? "" : result.error().message.c_str());
    for (int node = 0; node < 3; ++node) {
      QVERIFY(result->nodes[node].layer > result->nodes[3].layer);
      QVERIFY(result->nodes[node].layer < result->nodes[4].layer);
    }
    const double box = result->nodes[1].x;
    int arrivals = 0;
    for (const LayoutSegment& segment : result->segments) {
      if (segment.target != 1) continue;
      QCOMPARE(segment.x1, segment.net == 0 ? box - 150 : box + 120);
      ++arrivals;
    }
    QCOMPARE(arrivals, 2);
    // dot knows of the ports: what enters on the left stands left of what enters on the right.
    QVERIFY(result->nodes[2].x > result->nodes[4].x);
  }

  void dotCanBeCancelled() {
    const CancelToken cancel;
    cancel.cancel();
    const Result<LayoutResult> result = layoutWithDot(randomGraph(3, 1'900, 3, false), {}, cancel);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::kModelLoadCanceled);
  }

  void answersThatMakeNoSenseAreErrors_data() {
    QTest::addColumn<QByteArray>("answer");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("digraph {");
    QTest::newRow("one node of two") << QByteArray(R"({"objects": [{"name": "n0", "pos": "1,2"}]})");
    QTest::newRow("a node that is not") << QByteArray(
        R"({"objects": [{"name": "n0", "pos": "1,2"}, {"name": "n7", "pos": "1,2"}]})");
    QTest::newRow("no place") << QByteArray(R"({"objects": [{"name": "n0", "pos": "1,2"}, {"name": "n1"}]})");
  }
  void answersThatMakeNoSenseAreErrors() {
    QFETCH(QByteArray, answer);
    LayoutInput input = nodes(2);
    input.addNet(0, {1});
    const Result<LayoutResult> read = readDotAnswer(answer, input, {});
    QVERIFY(!read);
    QVERIFY2(read.error().message.starts_with("Graphviz"), read.error().message.c_str());
  }

  // Without splines lines run straight from node to node.
  void splinesMayBeMissing() {
    LayoutInput input = nodes(3);
    input.addNet(0, {1, 2});
    input.addNet(1, {2});
    const auto read = readDotAnswer(R"({"objects": [{"name": "n0", "pos": "50,200"}, {"name": "n1", "pos": "300,100"},
                                       {"name": "n2", "pos": "50,0"}]})",
                                    input, {});
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(read->layerCount, 3);
    QVERIFY(std::ranges::any_of(read->segments, [](const LayoutSegment& each) { return each.target == 2; }));
  }

  void sameInputSamePlaces() {
    const LayoutInput input = randomGraph(7, 300, 2, false);
    const auto first = layoutLayered(input, {}, CancelToken()), second = layoutLayered(input, {}, CancelToken());
    for (size_t i = 0; i < input.nodes.size(); ++i) {
      QCOMPARE(first->nodes[i].x, second->nodes[i].x);
      QCOMPARE(first->nodes[i].y, second->nodes[i].y);
    }
  }

  void crossingsAreCountedRight() {
    LayoutInput input = nodes(6);
    input.addNet(0, {3, 4, 5});
    input.addNet(1, {3, 4});
    input.addNet(2, {3});
    std::vector<bool> backward;
    std::vector<int> layers = assignLayers(input, backward);
    ProperGraph graph = addBends(input, {}, layers, backward);
    graph.layers = {{0, 1, 2}, {3, 4, 5}};
    setPositions(graph);
    long long slow = 0;
    for (size_t a = 0; a < graph.lines.size(); ++a)
      for (size_t b = a + 1; b < graph.lines.size(); ++b) {
        const auto& l = graph.lines[a];
        const auto& m = graph.lines[b];
        slow += (graph.position[l.from] - graph.position[m.from]) * (graph.position[l.to] - graph.position[m.to]) < 0;
      }
    QCOMPARE(countCrossings(graph), slow);
    QVERIFY(slow > 0);
  }

  void crossedPairIsUncrossed() {
    LayoutInput input = nodes(4);
    input.addNet(0, {3});
    input.addNet(1, {2});
    const auto result = layoutLayered(input, {}, CancelToken());
    QCOMPARE(result->nodes[0].x < result->nodes[1].x, result->nodes[3].x < result->nodes[2].x);
  }

  void selfLoopAndCycleEnd() {
    LayoutInput input = nodes(3);
    input.addNet(0, {0, 1});
    input.addNet(1, {2});
    input.addNet(2, {0});
    const auto result = layoutLayered(input, {}, CancelToken());
    QVERIFY(result.has_value());
    QCOMPARE(
        std::count_if(result->segments.begin(), result->segments.end(), [](const LayoutSegment& s) { return s.loose; }),
        2);
  }

  void pinsHoldTopAndBottom() {
    LayoutInput input = nodes(5);
    input.nodes[3].pin = LayerPin::kFirst;
    input.nodes[4].pin = LayerPin::kLast;
    input.addNet(0, {1});
    input.addNet(1, {2});
    input.addNet(3, {2});
    input.addNet(0, {4});
    const auto result = layoutLayered(input, {}, CancelToken());
    QCOMPARE(result->nodes[3].layer, 0);
    QCOMPARE(result->nodes[4].layer, result->layerCount - 1);
    QVERIFY(result->nodes[0].layer > 0);
  }

  void longLinesStayWithinBudget() {
    // Every node feeds the last one: bends would be quadratic.
    LayoutInput input = nodes(3000);
    for (int i = 0; i < 2999; ++i)
      input.addNet(i, {i + 1, 2999});
    const auto result = layoutLayered(input, {}, CancelToken());
    QVERIFY(result->segments.size() < 3000u * 30);
  }

  // 300 nodes one below another fit a window at a scale at which cards can be told apart.
  void longChainsStandInColumns() {
    LayoutInput input = nodes(300);
    for (int i = 0; i + 1 < 300; ++i)
      i % 10 == 0 && i + 10 < 300 ? input.addNet(i, {i + 1, i + 10}) : input.addNet(i, {i + 1});
    const LayoutOptions options{.windowAcross = 1440, .windowAlong = 850};
    const auto tall = layoutLayered(input, {}, CancelToken()), wrapped = layoutLayered(input, options, CancelToken());
    const auto scale = [](const LayoutResult& result) { return std::min(1440 / result.width, 850 / result.height); };
    QVERIFY2(scale(*wrapped) > 5 * scale(*tall), qPrintable(QString::number(scale(*wrapped))));
    checkColumns(input, *wrapped);
    // Short chains stay as they are.
    LayoutInput few = nodes(12);
    for (int i = 0; i + 1 < 12; ++i)
      few.addNet(i, {i + 1});
    QCOMPARE(layoutLayered(few, options, CancelToken())->height, layoutLayered(few, {}, CancelToken())->height);
  }

  void randomGraphsKeepTheRulesInColumns_data() { randomGraphsKeepTheRules_data(); }
  void randomGraphsKeepTheRulesInColumns() {
    QFETCH(unsigned, seed);
    QFETCH(bool, cycles);
    LayoutInput input = randomGraph(seed, 150, 1 + seed % 2, cycles);
    input.nodes.push_back({1, 0, LayerPin::kFirst});
    input.nodes.push_back({1, 0, LayerPin::kLast});
    input.addNet(150, {0, 3});
    input.addNet(140, {151});
    const auto result = layoutLayered(input, {.windowAcross = 600, .windowAlong = 300}, CancelToken());
    checkColumns(input, *result);
    QCOMPARE(result->nodes[150].y, 0.0);  // borders of a box are where the box expects them
    QCOMPARE(result->nodes[151].y, result->height);
  }

  void constantsOfConstantsStandAtTheirReader() {
    LayoutInput input = nodes(13);
    input.nodes[0].input = true;
    for (int i = 0; i < 9; ++i)
      input.addNet(i, {i + 1});
    input.addNet(10, {11});
    input.addNet(11, {9});
    const auto result = layoutLayered(input, {}, CancelToken());
    QCOMPARE(result->nodes[11].layer, result->nodes[9].layer - 1);
    QCOMPARE(result->nodes[10].layer, result->nodes[9].layer - 2);
    QCOMPARE(result->nodes[1].layer, 1);
  }

  void cancelledGivesNothing() {
    CancelToken cancel;
    cancel.cancel();
    QVERIFY(!layoutLayered(randomGraph(1, 500, 2, false), {}, cancel).has_value());
  }

  void deepChainNeedsNoDeepStack() {
    const auto ticksFor = [](int length) {
      LayoutInput input = nodes(length);
      for (int i = 0; i + 1 < length; ++i)
        input.addNet(i, {i + 1});
      return ticksOf([&] {
        if (!layoutLayered(input, {}, CancelToken())) qFatal("%d nodes have no layout", length);
      });
    };
    const Growth growth = growthOf(ticksFor, 20'000, 200'000, 40);
    QVERIFY2(growth.ratio < 40, growth.words().c_str());
  }
};

QTEST_GUILESS_MAIN(TestLayout)
#include "tst_layout.moc"
