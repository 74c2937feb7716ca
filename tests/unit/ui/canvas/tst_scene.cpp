// Scenes: scopes fold, boxes hold what belongs to them, clicks hit, overlays and finding agree with the reports,
// pictures are not empty.
#include <algorithm>

#include <sys/resource.h>

#include <QBuffer>
#include <QFile>
#include <QPainter>
#include <QTest>

#include "engine/base/sanitized.h"
#include "tests/unit/ui/walk_fixture.h"
#include "ui/base/format.h"
#include "ui/canvas/find_index.h"
#include "ui/canvas/line_labels.h"
#include "ui/canvas/name_scopes.h"
#include "ui/canvas/opened_groups.h"
#include "ui/canvas/picture.h"
#include "ui/canvas/render.h"
#include "ui/canvas/scene.h"
#include "ui/canvas/scene_cache.h"
#include "ui/canvas/scene_look.h"
#include "ui/canvas/scene_painter.h"
#include "ui/canvas/view_transform.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

std::shared_ptr<const Scene> sceneOf(const std::shared_ptr<const ModelGraphs>& graphs, bool unfoldAll,
                                     const QSet<QString>& unfolded = {}, int graph = 0) {
  SceneRequest request;
  request.graphs = graphs;
  request.graph = graph;
  request.unfoldAll = unfoldAll;
  request.unfolded = unfolded;
  return buildScene(request, CancelToken());
}

int itemsOf(const Scene& scene, ItemKind kind) {
  return static_cast<int>(std::count_if(scene.items.begin(), scene.items.end(),
                                        [kind](const SceneItem& item) { return item.kind == kind; }));
}

void checkNothingOverlaps(const Scene& scene) {
  for (size_t a = 0; a < scene.items.size(); ++a) {
    QVERIFY(scene.bounds.contains(scene.items[a].rect));
    for (size_t b = a + 1; b < scene.items.size(); ++b)
      QVERIFY2(!scene.items[a].rect.adjusted(1, 1, -1, -1).intersects(scene.items[b].rect),
               qPrintable(QStringLiteral("%1 and %2").arg(a).arg(b)));
  }
  for (const SceneBox& box : scene.boxes)
    for (const SceneItem& item : scene.items) {
      bool inside = false;
      for (int scope = item.scope; scope > 0; scope = scene.scopes->scopes[scope].parent)
        inside = inside || scope == box.scope;
      QCOMPARE(box.rect.contains(item.rect), inside);
    }
}

}  // namespace

namespace {
std::shared_ptr<const Scene> sceneOf(const WalkReport& walk) {
  SceneRequest request;
  request.graphs = walk.loadedGraphs;
  request.unfoldAll = true;
  return buildScene(request, CancelToken());
}
}  // namespace

class TestScene : public QObject {
  Q_OBJECT

 private slots:
  // Every open scope is placed by dot, its own way; both layouts of a graph live side by side in a cache.
  void dotPlacesWhereItIsAsked() {
    const auto walk = test::flatWalk(60, true);
    SceneRequest request{.graphs = walk->loadedGraphs, .unfoldAll = true, .cache = std::make_shared<SceneCache>()};
    const auto own = buildScene(request, CancelToken());
    request.layout = LayoutEngine::kDot;
    const auto dot = buildScene(request, CancelToken());
    QVERIFY(own && dot);
    QCOMPARE(dot->layoutNote, QString());
    QVERIFY(request.cache->laidOut() > 0);
    QCOMPARE(dot->items.size(), own->items.size());
    const auto placesOf = [](const Scene& scene) {
      QList<QRectF> places;
      for (const SceneItem& item : scene.items)
        places << item.rect;
      return places;
    };
    QVERIFY(placesOf(*dot) != placesOf(*own));
    for (size_t a = 0; a < dot->items.size(); ++a)
      for (size_t b = a + 1; b < dot->items.size(); ++b)
        QVERIFY(!dot->items[a].rect.adjusted(1, 1, -1, -1).intersects(dot->items[b].rect));
    request.layout = LayoutEngine::kOwn;
    QCOMPARE(placesOf(*buildScene(request, CancelToken())), placesOf(*own));
    QCOMPARE(request.cache->laidOut(), 0);
  }

  void largeGraphsAreNotGivenToDot() {
    const auto walk = test::flatWalk(2'100);
    SceneRequest request{.graphs = walk->loadedGraphs, .grouping = Grouping::kFlat, .layout = LayoutEngine::kDot};
    const auto scene = buildScene(request, CancelToken());
    QVERIFY(scene && !scene->items.empty());
    QVERIFY2(scene->layoutNote.contains(QStringLiteral("fewer than 2000")), qPrintable(scene->layoutNote));
  }

  void scopesComeFromNames() {
    test::GraphBuilder g("g");
    for (const char* name : {"/enc/layer.0/conv/Conv", "/enc/layer.0/act/Relu", "/enc/layer.1/conv/Conv",
                             "/enc/layer.1/act/Relu", "/head/MatMul", "/head/Add", "tail"})
      g.node("Relu", name, {}, {});
    const ScopeTree tree = scopesOf(g.graph());
    QStringList paths;
    for (const Scope& scope : tree.scopes)
      paths << scope.path;
    QCOMPARE(paths, (QStringList{"", "enc/layer", "enc/layer/0", "enc/layer/1", "head"}));
    QCOMPARE(tree.scopes[2].title, QStringLiteral("layer.0"));
    QCOMPARE(tree.scopeOfNode, (std::vector<int>{2, 2, 3, 3, 4, 4, 0}));
  }

  void hostileNamesHaveAFloor() {
    test::GraphBuilder g("g");
    const std::string deep = [] {
      std::string name;
      for (int i = 0; i < 100'000; ++i)
        name += "a/";
      return name;
    }();
    g.node("Relu", deep + "x", {}, {});
    g.node("Relu", deep + "y", {}, {});
    g.node("Relu", "/..//./", {}, {});
    QVERIFY(scopesOf(g.graph()).scopes.size() < 40);
  }

  void everythingStandsInItsBox() {
    const auto walk = test::sampleWalk();
    const auto scene = sceneOf(walk->loadedGraphs, true);
    QCOMPARE(itemsOf(*scene, ItemKind::kNode), 11);
    QCOMPARE(itemsOf(*scene, ItemKind::kInput), 1);
    QCOMPARE(itemsOf(*scene, ItemKind::kOutput), 1);
    QCOMPARE(scene->boxes.size(), size_t{4});
    checkNothingOverlaps(*scene);
  }

  // A line that has to pass a group's title goes on behind its words.
  void titlesAreReadWhereLinesPass() {
    const auto walk = test::sampleWalk();
    const auto scene = sceneOf(walk->loadedGraphs, true);
    const Overlay overlay = makeOverlay("operator", *walk, GraphVersion::kLoaded, 0);
    const SceneLook look = lookOf(*scene, overlay, Theme::light());
    const QRectF box = scene->boxes.front().rect;
    const auto painted = [&](float dy) {
      Scene crossed = *scene;
      SceneSegment& line = crossed.segments.front();
      line.x = box.left() + 16;
      line.y = box.top() + 1;
      line.dx = 0;
      line.dy = dy;
      line.target = -1;
      QImage image(box.size().toSize() + QSize(40, 40), QImage::Format_RGB32);
      image.fill(Qt::white);
      QPainter painter(&image);
      painter.translate(QPointF(20, 20) - box.topLeft());
      paintScene(painter, crossed, look, scene->bounds.adjusted(-40, -40, 40, 40), 1);
      painter.end();
      return image;
    };
    const QImage crossed = painted(static_cast<float>(kBoxHeader)), open = painted(0);
    // The words, and what lies over and under them, where the line is seen.
    const auto strip = [](const QImage& image, int top, int height) {
      return image.copy(20 + 12, 20 + top, 8, height);
    };
    QVERIFY(crossed != open);
    QCOMPARE(strip(crossed, 10, 8), strip(open, 10, 8));
  }

  // At the scale that shows all of a long model cards are too small for their words; a title as large as the card is
  // read. Further away colour is left alone.
  void titlesAreReadFromAfar() {
    const auto walk = test::sampleWalk();
    const auto scene = sceneOf(walk->loadedGraphs, true);
    const SceneLook look = lookOf(*scene, makeOverlay("operator", *walk, GraphVersion::kLoaded, 0), Theme::light());
    const auto item = std::ranges::find(scene->items, ItemKind::kNode, &SceneItem::kind);
    QVERIFY(item != scene->items.end());
    const int ground = qGray(look.strong(static_cast<int>(item - scene->items.begin())).rgb());
    const auto letters = [&](double scale) {
      QImage image((item->rect.size() * scale).toSize(), QImage::Format_RGB32);
      QPainter painter(&image);
      painter.scale(scale, scale);
      painter.translate(-item->rect.topLeft());
      paintScene(painter, *scene, look, item->rect, scale);
      painter.end();
      int pixels = 0;
      for (int y = 2; y < image.height() - 2; ++y)  // the corners are round
        for (int x = 2; x < image.width() - 2; ++x)
          pixels += std::abs(qGray(image.pixel(x, y)) - ground) > 40;
      return pixels;
    };
    QVERIFY(letters(0.25) > 12);
    QVERIFY(letters(0.4) > 12);
    QCOMPARE(letters(0.15), 0);
  }

  void foldedScopesHideTheirNodes() {
    const auto walk = test::sampleWalk();
    const auto folded = sceneOf(walk->loadedGraphs, false);
    QCOMPARE(itemsOf(*folded, ItemKind::kFolded), 4);
    QCOMPARE(itemsOf(*folded, ItemKind::kNode), 0);
    const auto half = sceneOf(walk->loadedGraphs, false, {QStringLiteral("stem")});
    QCOMPARE(itemsOf(*half, ItemKind::kFolded), 3);
    QCOMPARE(itemsOf(*half, ItemKind::kNode), 3);
    checkNothingOverlaps(*half);
    QCOMPARE(half->nodesOf(half->itemOfNode[3]), (std::vector<int>{3, 4, 5}));
  }

  void bodiesShowWhatTheyReadFromOutside() {
    const auto scene = sceneOf(test::sampleWalk()->loadedGraphs, true, {}, 1);
    QCOMPARE(itemsOf(*scene, ItemKind::kInput), 1);
    QCOMPARE(itemsOf(*scene, ItemKind::kNode), 1);
  }

  void linesJoinWhatTheyShould() {
    const auto walk = test::sampleWalk();
    const auto scene = sceneOf(walk->loadedGraphs, true);
    for (size_t n = 0; n < scene->nets.size(); ++n) {
      const SceneNet& net = scene->nets[n];
      QVERIFY(net.segmentCount > 0);
      if (net.source < 0) continue;
      const QPointF start = scene->segments[net.firstSegment].start();
      const QRectF& rect = scene->items[net.source].rect;
      QVERIFY(start.x() >= rect.left() && start.x() <= rect.right());
      QVERIFY(std::abs(start.y() - rect.bottom()) < 1);
    }
    for (const SceneSegment& segment : scene->segments)
      if (segment.arrow()) QVERIFY(scene->itemAt(segment.end() + QPointF(0, 2)) >= 0);
  }

  void compiledGroupsOpenAsHulls() {
    auto walk = std::make_shared<WalkReport>(*test::sampleWalk());
    // Without the values at its border a group stays closed.
    QCOMPARE(openedGroups(*walk).graphs, walk->partitionedGraphs);
    auto partition = std::make_shared<PartitionReport>(*walk->partition);
    partition->groups[0].inputs = {"image"};
    partition->groups[0].outputs = {"sum"};
    walk->partition = partition;
    const OpenedGroups opened = openedGroups(*walk);
    QCOMPARE(opened.graphs->graphs.size(), walk->partitionedGraphs->graphs.size() + 1);
    const GraphReport& main = opened.graphs->graphs[0];
    QVERIFY(opensAsHull(main.nodes[0]) && !opensAsHull(main.nodes[2]));
    QCOMPARE(main.nodes[0].origins.size(), size_t{6});
    QCOMPARE(hullTitle(*opened.graphs, main.nodes[0]), QStringLiteral("Group of 5 nodes"));  // as the legend counts
    const int inside = main.nodes[0].inside;
    QCOMPARE(opened.of(inside)->nodes, (std::vector<int>{0, 1, 2, 3, 4}));
    QVERIFY(!opened.of(0));
    QCOMPARE(opened.placesOf(0, 3), (std::vector<std::pair<int, int>>{{inside, 3}}));
    QVERIFY(opened.placesOf(0, 5).empty());

    const ScopeTree tree = groupsOf(*opened.graphs, 0, Grouping::kFlat);
    const QSet<QString> paths = hullPaths(*opened.graphs, 0, tree);
    QCOMPARE(paths.size(), 1);
    const auto closed = sceneOf(opened.graphs, true), open = sceneOf(opened.graphs, true, paths);
    QCOMPARE(closed->items[closed->itemOfNode[0]].kind, ItemKind::kNode);
    QCOMPARE(open->items[open->itemOfNode[0]].kind, ItemKind::kHeader);
    QCOMPARE(open->bodyNodes.size(), size_t{5});
    const auto hull = std::ranges::find(open->boxes, open->items[open->itemOfNode[0]].scope, &SceneBox::scope);
    QVERIFY(hull != open->boxes.end());
    for (const Scene::BodyNode& node : open->bodyNodes)
      QVERIFY(hull->rect.contains(open->items[node.item].rect));
    // Lines come in and go out at the border as they do at the closed group.
    const int sum = main.nodes[0].outputs[0];
    QVERIFY(!open->netsOf(0, sum).empty() && !open->netsOf(0, main.inputs[0]).empty());
    QVERIFY(std::ranges::any_of(open->segments, [&](const SceneSegment& segment) {
      return segment.target == open->bodyNodes.front().item && open->nets[segment.net].value == main.inputs[0];
    }));

    // A ramp spreads over the parts of what is open, and says how they got their shares.
    Overlay asked = makeOverlay("time", *walk, GraphVersion::kOptimized, 0),
            whole = makeOverlay("time", *walk, GraphVersion::kPartitioned, 0);
    const Overlay parts = insideGroup(*opened.of(inside), asked);
    QCOMPARE(parts.amount.size(), size_t{5});
    double sumOfParts = 0, largestPart = 0;
    for (const double amount : parts.amount)
      sumOfParts += amount, largestPart = std::max(largestPart, amount);
    QVERIFY(std::abs(sumOfParts - whole.amount[0]) < 2);
    QVERIFY(whole.largest >= whole.amount[0] && whole.legend.empty());
    spreadRamp(whole, {0}, {&parts});
    QVERIFY(whole.largest < whole.amount[0] && whole.largest >= largestPart && !whole.legend.empty());
  }

  void clicksHitWhatIsThere() {
    const auto scene = sceneOf(test::sampleWalk()->loadedGraphs, true);
    for (size_t i = 0; i < scene->items.size(); ++i) {
      QCOMPARE(scene->itemAt(scene->items[i].rect.center()), static_cast<int>(i));
      QCOMPARE(scene->itemAt(scene->items[i].rect.topRight() + QPointF(3, -3)), -1);
    }
    for (size_t i = 0; i < scene->boxes.size(); ++i)
      QCOMPARE(scene->boxAt(scene->boxes[i].rect.topLeft() + QPointF(20, 8)), static_cast<int>(i));
    const SceneSegment& segment = scene->segments[scene->nets[0].firstSegment];
    QCOMPARE(scene->netAt(segment.start() + QPointF(1, 1), 5), 0);
  }

  void gridFindsTheSameAsLooking() {
    const auto scene = sceneOf(test::flatWalk(2000)->loadedGraphs, true);
    for (const QRectF window : {QRectF(0, 0, 300, 900), QRectF(50, 40'000, 40, 5'000), QRectF(-100, -100, 10, 10)}) {
      std::vector<int> found, looked;
      scene->itemGrid.visit(window, [&](int i) { found.push_back(i); });
      for (size_t i = 0; i < scene->items.size(); ++i) {
        const QRectF& r = scene->items[i].rect;
        if (r.right() >= window.left() && r.left() <= window.right() && r.bottom() >= window.top() &&
            r.top() <= window.bottom())
          looked.push_back(static_cast<int>(i));
      }
      std::sort(found.begin(), found.end());
      QCOMPARE(found, looked);
      QVERIFY(scene->itemGrid.countEstimate(window) >= static_cast<int>(looked.size()));
    }
  }

  void overlaysReadTheReports() {
    const auto walk = test::sampleWalk();
    const Overlay provider = makeOverlay("provider", *walk, GraphVersion::kPartitioned, 0);
    QCOMPARE(provider.legend.size(), size_t{2});
    QCOMPARE(provider.legend[0].letter, QChar('S'));
    QCOMPARE(provider.legend[1].count, 5);  // nodes, as Partition's table counts them: no copies
    const Overlay time = makeOverlay("time", *walk, GraphVersion::kPartitioned, 0);
    QCOMPARE(time.largest, 820'000.0);
    const Overlay order = makeOverlay("order", *walk, GraphVersion::kPartitioned, 0);
    QCOMPARE(order.amount[3], 3.0);
    QVERIFY(!makeOverlay("time", *test::failedWalk(), GraphVersion::kLoaded, 0).available);
    QCOMPARE(distinctLetters({"cpu", "cuda", "coreml", "ccc"}), (std::vector<QChar>{'C', 'U', 'O', '1'}));
  }

  void neighboursAreMarked() {
    const auto walk = test::sampleWalk();
    const auto scene = sceneOf(walk->loadedGraphs, true);
    const Overlay overlay = makeOverlay("operator", *walk, GraphVersion::kLoaded, 0);
    SceneLook look = lookOf(*scene, overlay, Theme::light());
    look.selected = {scene->itemOfNode[5]};  // Add
    highlightNeighbours(*scene, look, -1);
    for (const int node : {2, 4, 6})
      QVERIFY(std::binary_search(look.neighbours.begin(), look.neighbours.end(), scene->itemOfNode[node]));
    QVERIFY(!std::binary_search(look.neighbours.begin(), look.neighbours.end(), scene->itemOfNode[0]));
  }

  void findWantsAllWords() {
    const FindIndex index(test::sampleWalk()->loadedGraphs);
    QCOMPARE(index.search(FindQuery::parse("conv")).size(), size_t{2});
    QCOMPARE(index.search(FindQuery::parse("conv kernel_shape")).size(), size_t{1});
    QCOMPARE(index.search(FindQuery::parse("softmax")), (std::vector<FindHit>{{1, 0}}));
    QVERIFY(index.search(FindQuery()).empty());
  }

  void zoomKeepsThePointUnderThePointer() {
    ViewTransform t{0.5, {100, 40}};
    const QPointF pointer(333, 222), before = t.toScene(pointer);
    t.zoomAt(pointer, 1.7, 0.01);
    QVERIFY((t.toScene(pointer) - before).manhattanLength() < 1e-9);
    t.zoomAt(pointer, 1e9, 0.01);
    QCOMPARE(t.scale, ViewTransform::kLargest);
    t.keepInSight({0, 0, 100, 100}, {800, 600});
    QVERIFY(QRectF(0, 0, 800, 600).intersects(t.toScreen(QRectF(0, 0, 100, 100))));
    const ViewTransform fit = ViewTransform::fit({0, 0, 4000, 100}, {800, 600});
    QCOMPARE(fit.toScreen(QRectF(0, 0, 4000, 100)).width(), 800.0);
  }

  void picturesShowTheGraph() {
    const auto walk = test::sampleWalk();
    for (const bool dark : {false, true}) {
      const auto image = renderImage(*walk, {.overlay = "time", .stage = Stage::kRun, .dark = dark}, CancelToken());
      QVERIFY(image.has_value());
      QSet<QRgb> colours;
      for (int y = 0; y < image->height(); y += 3)
        for (int x = 0; x < image->width(); x += 3)
          colours.insert(image->pixel(x, y));
      QVERIFY(colours.size() > 20);
    }
    const auto svg = renderSvg(*walk, {}, CancelToken());
    QVERIFY(svg.has_value() && svg->contains("skeleton_0"));
    QVERIFY(!renderSvg(*walk, {.graph = 9}, CancelToken()).has_value());
    const auto huge = renderImage(*test::flatWalk(3000), {.stage = Stage::kLoad, .scale = 20}, CancelToken());
    QVERIFY(!huge.has_value());
  }

  void thumbnailsShowTheOutlineOrItsBeginning() {
    const auto wide = [](const QImage& image) { return image.width() > image.height(); };
    for (const int size : {16, 128, 256}) {
      const auto sample = renderThumbnail(*test::sampleWalk(), size, CancelToken());
      QVERIFY(sample.has_value() && std::max(sample->width(), sample->height()) <= size);
      QVERIFY(std::max(sample->width(), sample->height()) >= size - 1);
      // 3000 nodes one below another: the beginning, in a picture of one to two and not a line of one pixel.
      const auto tall = renderThumbnail(*test::flatWalk(3000), size, CancelToken());
      QVERIFY(tall.has_value() && std::max(tall->width(), tall->height()) <= size);
      QVERIFY(wide(*tall) || 2 * tall->width() >= tall->height() - 1);
      QSet<QRgb> colours;
      for (int y = 0; y < tall->height(); ++y)
        for (int x = 0; x < tall->width(); ++x)
          colours.insert(tall->pixel(x, y));
      QVERIFY(colours.size() > 2);
    }
    QVERIFY(!renderThumbnail(*test::sampleWalk(), 0, CancelToken()).has_value());
  }

  void longNamesOfDimensionsAreShortOnLines() {
    ValueReport value;
    value.elementType = "float";
    value.shape = "[\"p2o.DynamicDimension.0\",120,?,batch]";
    QCOMPARE(lineWords(value), QStringLiteral("p2o.Dyn\u2026on.0\u00d7120\u00d7?\u00d7batch"));
    value.elementType = "int64";
    value.shape = "[2,3]";
    QCOMPARE(lineWords(value), QStringLiteral("2\u00d73 int64"));
    value.elementType = "float";
    value.shape = "[N,8,\"floor(floor(DynamicDimension.1/2 - 1/2)/2) + 1\",\"max(0, height - width)\"]";
    QCOMPARE(lineWords(value), QStringLiteral("N\u00d78\u00d7f(Dyna\u2026n.1)\u00d7f(height,width)"));
    QCOMPARE(
        shapeText(value.shape),
        QStringLiteral("N\u00d78\u00d7\"floor(floor(DynamicDimension.1/2-1/2)/2)+1\"\u00d7\"max(0,height-width)\""));
    value.shape = "[\"2*h\",\"h + 1\"]";
    QCOMPARE(lineWords(value), QStringLiteral("2*h\u00d7h + 1"));
    value.shape = "[]";
    QCOMPARE(lineWords(value), QStringLiteral("scalar"));
    value.shape = "";
    QCOMPARE(lineWords(value), QString());
  }

  // A line against the flow swings out beyond its ends: it is looked for, and painted, there too.
  void linesAreFoundWhereTheyGo() {
    // Many values are read far below their nodes: more bends than the layout pays for, so that their lines go straight
    // there, to columns whose reader may stand higher.
    test::GraphBuilder builder("main graph");
    builder.input("v0", "float[1,8]");
    std::vector<std::string> kept;
    std::string last = "v0";
    for (int n = 1; n <= 560; ++n) {
      std::vector<std::string> inputs = {last};
      const bool reader = n > 330 && n <= 358 && n % 7 == 1;
      if (reader) inputs.insert(inputs.end(), kept.begin(), kept.end());
      last = "v" + std::to_string(n);
      builder.node(reader ? "Concat" : "Relu", "", inputs, {last});
      if (n % 5 == 0 && n <= 330) kept.push_back(last);
    }
    builder.output(last);
    auto graphs = std::make_shared<ModelGraphs>();
    graphs->graphs.push_back(builder.graph());
    const auto scene = buildScene({.graphs = graphs, .grouping = Grouping::kFlat}, CancelToken());
    int against = 0;
    for (size_t i = 0; i < scene->segments.size(); ++i) {
      const SceneSegment& segment = scene->segments[i];
      if (segment.loose && segment.dy < -1) ++against;
      const SegmentCurve curve = curveOf(segment, scene->direction);
      for (const double t : {0.0, 0.1, 0.3, 0.5, 0.8, 0.95, 1.0}) {
        bool found = false;
        scene->segmentGrid.visit(QRectF(curve.at(t), QSizeF(0, 0)).adjusted(-1, -1, 1, 1),
                                 [&](int other) { found = found || other == static_cast<int>(i); });
        QVERIFY2(found, qPrintable(QStringLiteral("segment %1 at %2").arg(i).arg(t)));
      }
    }
    QVERIFY2(against > 0, "no line goes against the flow: this test tells nothing");
  }

  // A file may be larger than an image in memory: tiles and rows must meet without a seam.
  void pngsAreWrittenInTiles() {
    const auto walk = test::flatWalk(60);
    Picture picture({.scene = sceneOf(*walk),
                     .overlay = makeOverlay("operator", *walk, GraphVersion::kLoaded, 0),
                     .legend = false,
                     .scale = 3});
    QBuffer file;
    file.open(QIODevice::ReadWrite);
    std::atomic<int> permille = 0;
    QVERIFY(picture.writePng(file, CancelToken(), &permille).has_value());
    QCOMPARE(permille.load(), 1000);
    QImage read = QImage::fromData(file.data(), "PNG");
    QCOMPARE(read.size(), picture.pixels());
    // Across the first border between bands, which is painted twice, once for each side.
    const QRect seam(0, 200, std::min(read.width(), 2000), 112);
    const QImage whole = picture.image(seam, CancelToken());
    int different = 0;
    for (int y = 0; y < seam.height(); ++y)
      for (int x = 0; x < seam.width(); ++x)
        different += std::abs(qGray(read.pixel(seam.x() + x, seam.y() + y)) - qGray(whole.pixel(x, y))) >
                     48;  // letters may be hinted a little differently
    QVERIFY2(different < seam.width() * seam.height() / 2000, qPrintable(QString::number(different)));
  }

  void fullDisksAndCancelAreAnswers() {
    const auto walk = test::sampleWalk();
    const Picture picture(
        {.scene = sceneOf(*walk), .overlay = makeOverlay("operator", *walk, GraphVersion::kLoaded, 0)});
    QFile full(QStringLiteral("/dev/full"));
    if (full.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) {
      const auto written = picture.writePng(full, CancelToken(), nullptr);
      QVERIFY(!written.has_value());
      QVERIFY(!written.error().message.empty());
    }
    CancelToken cancel;
    cancel.cancel();
    QBuffer file;
    file.open(QIODevice::WriteOnly);
    QCOMPARE(picture.writePng(file, cancel, nullptr).error().code, ErrorCode::kModelLoadCanceled);
    QCOMPARE(picture.writeSvg(file, cancel).error().code, ErrorCode::kModelLoadCanceled);
  }

  void pngsWiderThanMemorySaySo() {
    if (kSanitized) return;  // sanitizers end programs that ask for too much memory
    const auto walk = test::sampleWalk();
    const QSize atOne =
        Picture({.scene = sceneOf(*walk), .overlay = makeOverlay("operator", *walk, GraphVersion::kLoaded, 0)})
            .pixels();
    const Picture picture({.scene = sceneOf(*walk),
                           .overlay = makeOverlay("operator", *walk, GraphVersion::kLoaded, 0),
                           .scale = 1'500'000'000.0 / std::max(atOne.width(), atOne.height())});
    // Systems that give any address space would let it paint for days.
    rlimit before{};
    QCOMPARE(::getrlimit(RLIMIT_AS, &before), 0);
    const rlimit little{std::min<rlim_t>(before.rlim_max, rlim_t{1} << 34U), before.rlim_max};
    QCOMPARE(::setrlimit(RLIMIT_AS, &little), 0);
    QBuffer file;
    file.open(QIODevice::WriteOnly);
    const Result<void> written = picture.writePng(file, CancelToken(), nullptr);
    QCOMPARE(::setrlimit(RLIMIT_AS, &before), 0);
    QVERIFY(!written.has_value());
    QCOMPARE(QString::fromStdString(written.error().message),
             QStringLiteral("no memory for a PNG of %1 x %2 pixels: choose a smaller scale, or SVG")
                 .arg(picture.pixels().width())
                 .arg(picture.pixels().height()));
  }
};

QTEST_MAIN(TestScene)
#include "tst_scene.moc"
