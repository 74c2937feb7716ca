// The ways to fold a graph: names, repeated blocks found by structure, providers; and bodies unfolded in their place.
#include <algorithm>

#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/grouping.h"
#include "ui/canvas/repeated_blocks.h"
#include "ui/canvas/scene.h"
#include "ui/canvas/scene_cache.h"
#include "ui/canvas/scene_graph.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

// A transformer without scoped names: embedding, `layers` blocks of eleven nodes, head. Every block reads one mask.
std::shared_ptr<const ModelGraphs> transformer(int layers) {
  test::GraphBuilder g("bert");
  g.input("ids", "int64[1,128]");
  g.input("mask", "float[1,1,1,128]");
  g.node("Gather", "n0", {"table", "ids"}, {"x"});
  g.node("Cast", "n1", {"mask"}, {"m"});
  std::string x = "x";
  int n = 2;
  const auto node = [&](const char* op, const std::vector<std::string>& inputs) {
    const std::string out = "v" + std::to_string(n);
    g.node(op, "n" + std::to_string(n++), inputs, {out});
    return out;
  };
  for (int layer = 0; layer < layers; ++layer) {
    const std::string w = "w" + std::to_string(layer);
    const std::string q = node("MatMul", {x, w + "q"}), k = node("MatMul", {x, w + "k"}),
                      v = node("MatMul", {x, w + "v"});
    const std::string s = node("MatMul", {q, k}), masked = node("Add", {s, "m"}), p = node("Softmax", {masked});
    const std::string o = node("MatMul", {p, v}), r = node("Add", {o, x}), norm = node("LayerNormalization", {r});
    const std::string f = node("Gelu", {norm});
    x = node("Add", {f, norm});
  }
  g.node("MatMul", "head", {x, "wh"}, {"logits"});
  g.node("Softmax", "probabilities", {"logits"}, {"y"});
  g.output("y");
  auto graphs = std::make_shared<ModelGraphs>();
  graphs->graphs.push_back(g.graph());
  return graphs;
}

int scopesOfKind(const ScopeTree& tree, ScopeKind kind) {
  return static_cast<int>(std::count_if(tree.scopes.begin() + 1, tree.scopes.end(),
                                        [kind](const Scope& scope) { return scope.kind == kind; }));
}

std::shared_ptr<const Scene> build(SceneRequest request) {
  return buildScene(request, CancelToken());
}

}  // namespace

class TestGroupings : public QObject {
  Q_OBJECT

 private slots:
  void idsGoBothWays() {
    for (int i = 0; i < kGroupingCount; ++i) {
      QCOMPARE(groupingFromId(groupingId(static_cast<Grouping>(i))), std::optional(static_cast<Grouping>(i)));
      QVERIFY(!groupingTitle(static_cast<Grouping>(i)).isEmpty());
    }
    QVERIFY(!groupingFromId("nonsense"));
  }

  void layersAreFoundByStructure() {
    const auto graphs = transformer(12);
    const std::vector<BlockRun> runs = repeatedBlocks(graphs->graphs[0]);
    QCOMPARE(runs.size(), size_t{1});
    QCOMPARE(runs[0].period, 11);
    QCOMPARE(runs[0].count, 12);
    QCOMPARE(runs[0].first, 2);  // cut where a block begins: there only the running value crosses
    const ScopeTree tree = groupsOf(*graphs, 0, Grouping::kAutomatic);
    QCOMPARE(scopesOfKind(tree, ScopeKind::kRun), 1);
    QCOMPARE(scopesOfKind(tree, ScopeKind::kBlock), 12);
    QCOMPARE(tree.scopes[1].repeats, 12);
    QCOMPARE(tree.scopes[1].nodeCount, 132);
    QCOMPARE(tree.scopes[1].title, QStringLiteral("layers: attention"));
    QCOMPARE(tree.scopes[2 + 2].title, QStringLiteral("layer 3: attention"));
    QCOMPARE(tree.scopes[0].nodeCount, 136);
    QCOMPARE(tree.scopeOfNode.front(), 0);
    QCOMPARE(tree.scopeOfNode.back(), 0);
  }

  void chainsOfPairsAreNoBlocks() {
    test::GraphBuilder g("chain");
    g.input("v0", "float[1]");
    for (int i = 0; i < 40; ++i)
      g.node(i % 2 ? "Relu" : "Conv", "n" + std::to_string(i), {"v" + std::to_string(i)},
             {"v" + std::to_string(i + 1)});
    QVERIFY(repeatedBlocks(g.graph()).empty());
  }

  void otherWiringIsNoRepeat() {
    // The same operators over and over, joined another way each time.
    test::GraphBuilder g("random");
    g.input("v0", "float[1]");
    const char* ops[] = {"Conv", "Relu", "Add", "Mul", "Concat", "Sigmoid"};
    for (int i = 0; i < 60; ++i)
      g.node(ops[i % 6], "n" + std::to_string(i),
             {"v" + std::to_string((i * i * 7 + 3) % (i + 1)), "v" + std::to_string((i * 13) % (i + 1))},
             {"v" + std::to_string(i + 1)});
    QVERIFY(repeatedBlocks(g.graph()).empty());
  }

  void largeFlatGraphsAreGroupedInTime() {
    const auto walk = test::flatWalk(20'000);
    const ScopeTree tree = groupsOf(*walk->loadedGraphs, 0, Grouping::kBlocks);
    // Its operators come again after eight blocks of ten, its long skips after five.
    const auto inside =
        std::count_if(tree.scopeOfNode.begin(), tree.scopeOfNode.end(), [](int scope) { return scope > 0; });
    QVERIFY2(inside > 19'000, qPrintable(QString::number(inside)));
    QVERIFY(tree.scopes.size() > 40);
    QCOMPARE(tree.scopeOfNode.size(), walk->loadedGraphs->graphs[0].nodes.size());
    for (size_t s = 1; s < tree.scopes.size(); ++s)
      QVERIFY(tree.scopes[s].parent < static_cast<int>(s));
    QSet<QString> paths;
    for (const Scope& scope : tree.scopes)
      paths.insert(scope.path);
    QCOMPARE(paths.size(), static_cast<qsizetype>(tree.scopes.size()));
  }

  void providersTakeRuns() {
    const auto walk = test::sampleWalk();
    const ScopeTree tree = groupsOf(*walk->partitionedGraphs, 0, Grouping::kProviders);
    QVERIFY(tree.scopes.size() > 1);
    const GraphReport& graph = walk->partitionedGraphs->graphs[0];
    for (size_t n = 0; n < graph.nodes.size(); ++n) {
      const int scope = tree.scopeOfNode[n];
      if (scope > 0)
        QVERIFY2(tree.scopes[scope].title.startsWith(QString::fromStdString(graph.nodes[n].provider)),
                 qPrintable(tree.scopes[scope].title));
    }
    QCOMPARE(groupsOf(*walk->loadedGraphs, 0, Grouping::kFlat).scopes.size(), size_t{1});
  }

  void askedProvidersShowCompiledGroups() {
    const auto walk = test::sampleWalk();
    const ScopeTree tree = groupsOf(*walk->optimizedGraphs, 0, Grouping::kProviders, walk->partition.get());
    for (const NodePlacement& placement : walk->partition->nodes) {
      if (placement.graph != 0 || placement.provider.empty()) continue;
      QVERIFY(tree.scopeOfNode[placement.node] > 0);
    }
  }

  void bodiesUnfoldInPlace() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    const GraphReport& main = graphs->graphs[0];
    const auto call =
        std::find_if(main.nodes.begin(), main.nodes.end(), [](const NodeReport& node) { return !node.bodies.empty(); });
    QVERIFY(call != main.nodes.end());
    const int node = static_cast<int>(call - main.nodes.begin());
    SceneRequest request{.graphs = graphs};
    request.grouping = Grouping::kFlat;
    const QString path = bodyPath(QString(), main, node);
    request.unfolded = {path};
    const auto scene = build(request);
    QCOMPARE(scene->items[scene->itemOfNode[node]].kind, ItemKind::kHeader);
    size_t inside = 0;
    for (const int body : call->bodies)
      inside += graphs->graphs[body].nodes.size();
    QCOMPARE(scene->bodyNodes.size(), inside);
    const auto box = std::find_if(scene->boxes.begin(), scene->boxes.end(),
                                  [&](const SceneBox& b) { return scene->scopes->scopes[b.scope].path == path; });
    QVERIFY(box != scene->boxes.end());
    for (const Scene::BodyNode& shown : scene->bodyNodes) {
      QVERIFY(box->rect.contains(scene->items[shown.item].rect));
      QCOMPARE(scene->items[shown.item].graph, shown.graph);
      QCOMPARE(scene->itemsOf(shown.graph, shown.node), (std::vector<int>{shown.item}));
    }
    QCOMPARE(scene->shownGraphs().size(), 1 + call->bodies.size());
    // Everything else stands where it can be seen, and nothing lies on anything.
    for (size_t a = 0; a < scene->items.size(); ++a)
      for (size_t b = a + 1; b < scene->items.size(); ++b)
        QVERIFY(!scene->items[a].rect.adjusted(1, 1, -1, -1).intersects(scene->items[b].rect));
    request.unfolded = {};
    QCOMPARE(build(request)->items[static_cast<size_t>(build(request)->itemOfNode[node])].kind, ItemKind::kNode);
  }

  void functionsJoinTheLinesOutside() {
    // y = f(x) with f = Relu then Exp: unfolded, x goes to Relu and Exp makes y.
    test::GraphBuilder main("main"), body("f");
    main.input("x", "float[2]");
    main.node("f", "call", {"x"}, {"y"});
    main.node("Neg", "after", {"y"}, {"z"});
    main.output("z");
    body.input("a", "float[2]");
    body.node("Relu", "r", {"a"}, {"b"});
    body.node("Exp", "e", {"b"}, {"c"});
    body.output("c");
    main.graph().nodes[0].function = 1;
    auto graphs = std::make_shared<ModelGraphs>();
    graphs->graphs = {main.graph(), body.graph()};
    SceneRequest request{.graphs = graphs};
    request.unfolded = {bodyPath(QString(), graphs->graphs[0], 0)};
    const auto scene = build(request);
    const int relu = scene->itemsOf(1, 0).at(0), exp = scene->itemsOf(1, 1).at(0), neg = scene->itemOfNode[1];
    const auto reaches = [&](int value, int graph, int item) {
      for (const int net : scene->netsOf(graph, value))
        for (int s = scene->nets[net].firstSegment; s < scene->nets[net].firstSegment + scene->nets[net].segmentCount;
             ++s)
          if (scene->segments[s].target == item) return true;
      return false;
    };
    const int x = 0, y = graphs->graphs[0].nodes[0].outputs[0];
    QVERIFY(reaches(x, 0, relu));
    QVERIFY(reaches(y, 0, neg));
    const std::vector<int> ofY = scene->netsOf(0, y);
    QVERIFY(std::any_of(ofY.begin(), ofY.end(), [&](int net) { return scene->nets[net].source == exp; }));
    QVERIFY(std::none_of(scene->items.begin(), scene->items.end(), [](const SceneItem& item) {
      return item.graph == 1 && (item.kind == ItemKind::kInput || item.kind == ItemKind::kOutput);
    }));
  }

  void functionsThatCallThemselvesEnd() {
    test::GraphBuilder main("main");
    main.input("x", "float[2]");
    main.node("f", "call", {"x"}, {"y"});
    main.output("y");
    main.graph().nodes[0].function = 0;
    auto graphs = std::make_shared<ModelGraphs>();
    graphs->graphs = {main.graph()};
    SceneRequest request{.graphs = graphs};
    QString path;
    for (int i = 0; i < 40; ++i)
      request.unfolded.insert(path = bodyPath(path, graphs->graphs[0], 0));
    const auto scene = build(request);
    QVERIFY(scene && scene->items.size() < 40);
  }

  void layoutsAreKept() {
    const auto graphs = transformer(12);
    SceneRequest request{.graphs = graphs};
    request.grouping = Grouping::kBlocks;
    request.unfoldAll = true;
    request.cache = std::make_shared<SceneCache>();
    const auto first = build(request);
    // Blocks that are alike share a layout: root, run, and one block or two (the first reads from elsewhere).
    QVERIFY2(request.cache->laidOut() <= 5, qPrintable(QString::number(request.cache->laidOut())));
    QVERIFY(request.cache->reused() >= 9);
    const auto again = build(request);
    QCOMPARE(request.cache->laidOut(), 0);
    QCOMPARE(again->items.size(), first->items.size());
    for (size_t i = 0; i < again->items.size(); ++i)
      QCOMPARE(again->items[i].rect, first->items[i].rect);
    // One block folded: only what holds it is laid out again.
    request.unfoldAll = false;
    for (const Scope& scope : first->groups->scopes)
      request.unfolded.insert(scope.path);
    request.unfolded.remove(first->groups->scopes.back().path);
    build(request);
    QVERIFY2(request.cache->laidOut() <= 2, qPrintable(QString::number(request.cache->laidOut())));
    // Without a cache the same picture.
    request.cache = nullptr;
    const auto plain = build(request);
    request.cache = std::make_shared<SceneCache>();
    const auto cached = build(request);
    for (size_t i = 0; i < plain->items.size(); ++i)
      QCOMPARE(plain->items[i].rect, cached->items[i].rect);
  }

  void linesBetweenTwoBoxesAreBundled() {
    // Three values from one scope to another.
    test::GraphBuilder g("g");
    g.input("x", "float[2]");
    for (const char* name : {"a/1", "a/2", "a/3"})
      g.node("Relu", name, {"x"}, {std::string("v") + name});
    for (const char* name : {"b/1", "b/2", "b/3"})
      g.node("Exp", name, {std::string("va") + (name + 1)}, {std::string("w") + name});
    auto graphs = std::make_shared<ModelGraphs>();
    graphs->graphs = {g.graph()};
    SceneRequest request{.graphs = graphs};
    request.grouping = Grouping::kNames;
    for (const bool open : {false, true}) {
      request.unfoldAll = open;
      const auto scene = build(request);
      QCOMPARE(scene->bundles.size(), size_t{1});
      QCOMPARE(scene->bundles[0].size(), size_t{3});
      // Every bundled value still knows its line, and the readers' cards the lines.
      for (const int value : scene->bundles[0])
        QVERIFY(!scene->netsOf(0, value).empty());
      const int reader = scene->itemOfNode[4];
      QVERIFY(!scene->netsOfItem[static_cast<size_t>(reader)].empty());
    }
  }

  void flowGoesToTheRight() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    SceneRequest request{.graphs = graphs, .unfoldAll = true};
    request.direction = FlowDirection::kRight;
    const auto scene = build(request);
    for (const SceneNet& net : scene->nets) {
      if (net.source < 0 || net.segmentCount == 0) continue;
      const QPointF start = scene->segments[net.firstSegment].start();
      QVERIFY(std::abs(start.x() - scene->items[net.source].rect.right()) < 1);
      QVERIFY(start.y() >= scene->items[net.source].rect.top() && start.y() <= scene->items[net.source].rect.bottom());
    }
    for (const SceneSegment& segment : scene->segments) {
      if (!segment.arrow()) continue;
      QVERIFY(std::abs(segment.end().x() - scene->items[segment.target].rect.left()) < 1);
    }
    for (const SceneBox& box : scene->boxes)
      for (const SceneItem& item : scene->items) {
        bool inside = false;
        for (int scope = item.scope; scope > 0; scope = scene->scopes->scopes[scope].parent)
          inside = inside || scope == box.scope;
        QCOMPARE(box.rect.contains(item.rect), inside);
      }
    QVERIFY(scene->bounds.width() > scene->bounds.height());
  }

  void cardsGrowWithTheirContents() {
    const auto graphs = test::sampleWalk()->loadedGraphs;
    const auto conv = std::find_if(graphs->graphs[0].nodes.begin(), graphs->graphs[0].nodes.end(),
                                   [](const NodeReport& node) { return !node.attributes.empty(); });
    QVERIFY(conv != graphs->graphs[0].nodes.end());
    const auto node = static_cast<size_t>(conv - graphs->graphs[0].nodes.begin());
    SceneRequest request{.graphs = graphs, .unfoldAll = true};
    request.cache = std::make_shared<SceneCache>();
    const auto plain = build(request);
    request.contents = {.attributes = true, .weights = true};
    const auto full = build(request);
    const auto heightOf = [&](const Scene& scene) {
      return scene.items[static_cast<size_t>(scene.itemOfNode[node])].rect.height();
    };
    QVERIFY(heightOf(*full) >= heightOf(*plain) + kCardRowHeight);
    request.contents = {.names = false};
    QVERIFY(heightOf(*build(request)) <= heightOf(*plain));
  }
};

QTEST_MAIN(TestGroupings)
#include "tst_groupings.moc"
