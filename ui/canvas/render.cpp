#include "ui/canvas/render.h"

#include <algorithm>
#include <map>

#include <QBuffer>

#include "ui/base/file_writing.h"
#include "ui/canvas/dot_file.h"
#include "ui/canvas/picture.h"
#include "ui/canvas/scene_graph.h"

namespace cutaway::ui {
namespace {

constexpr double kLongestThumbnail = 2;  // times its width
constexpr double kMostPixels = 500e6;    // of an image in memory

bool endsIn(const QString& path, const char* ending) {
  return path.endsWith(QLatin1String(ending), Qt::CaseInsensitive);
}

constexpr size_t kMostNodesWithBodies = 50'000;  // functions that call functions may hold any number

// Bodies of nodes that are shown, and of nodes in them, as deep as scenes go.
void unfoldBodies(SceneRequest& request, const CancelToken& cancel) {
  for (qsizetype before = -1; before != request.unfolded.size() && !cancel.cancelled();) {
    before = request.unfolded.size();
    QSet<QString> unfolded = request.unfolded;
    const SceneGraph shown = sceneGraph(*request.graphs, request.graph, request.scopes, unfolded);
    size_t nodes = shown.nodes.size();
    for (const SceneGraph::Node& each : shown.nodes) {
      const GraphReport& graph = request.graphs->graphs[each.graph];
      const NodeReport& node = graph.nodes[each.node];
      if (each.body >= 0 || !hasBody(node)) continue;
      unfolded.insert(bodyPath(shown.tree->scopes[each.scope].path, graph, each.node));
      for (const int32_t body : node.bodies)
        nodes += request.graphs->graphs[body].nodes.size();
      for (const int32_t body : {node.function, node.inside})
        nodes += body < 0 ? 0 : request.graphs->graphs[body].nodes.size();
    }
    if (nodes > kMostNodesWithBodies) return;
    request.unfolded = std::move(unfolded);
  }
}

struct Composed {
  SceneRequest request;
  PictureRequest picture;
  GraphVersion version = GraphVersion::kLoaded;
};

Result<Composed> compose(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel) {
  Composed composed;
  GraphVersion& version = composed.version;
  SceneRequest& request = composed.request;
  request.graphs = walk.loadedGraphs;
  if (options.stage >= Stage::kOptimize && walk.optimizedGraphs)
    request.graphs = walk.optimizedGraphs, version = GraphVersion::kOptimized;
  if (options.stage >= Stage::kPartition && walk.partitionedGraphs)
    request.graphs = walk.partitionedGraphs, version = GraphVersion::kPartitioned;
  if (!request.graphs || options.graph < 0 || options.graph >= static_cast<int>(request.graphs->graphs.size()))
    return fail(ErrorCode::kInvalidArgument, "there is no graph {} to draw", options.graph);
  request.graph = options.graph;
  request.grouping = options.grouping;
  request.direction = options.direction;
  request.contents = options.contents;
  request.layout = options.layout;
  if (version == GraphVersion::kOptimized) request.asked = walk.partition;
  request.scopes = std::make_shared<const ScopeTree>(
      groupsOf(*request.graphs, options.graph, options.grouping, request.asked.get()));
  request.unfoldAll = !options.foldScopes;
  if (options.foldScopes) request.unfolded = initiallyUnfolded(*request.scopes);
  if (options.unfoldBodies) unfoldBodies(request, cancel);
  PictureRequest& picture = composed.picture;
  picture = {
      .scene = buildScene(request, cancel), .dark = options.dark, .legend = options.legend, .scale = options.scale};
  if (!picture.scene) return fail(cancelledError());
  picture.overlay = makeOverlay(options.overlay, walk, version, options.graph);
  const auto& costs = version == GraphVersion::kPartitioned ? walk.partitionedCosts
                      : version == GraphVersion::kOptimized ? walk.optimizedCosts
                                                            : walk.loadedCosts;
  picture.figures =
      figuresOf(*picture.scene, costs.get(), version == GraphVersion::kPartitioned ? walk.run.get() : nullptr);
  return composed;
}

Result<Picture> pictureOf(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel,
                          QString* note = nullptr) {
  CUTAWAY_TRY(Composed composed, compose(walk, options, cancel));
  if (note != nullptr) *note = composed.picture.scene->layoutNote;
  return Picture(std::move(composed.picture));
}

}  // namespace

Result<QByteArray> renderDot(const WalkReport& walk, RenderOptions options, const CancelToken& cancel) {
  options.unfoldBodies = true;
  CUTAWAY_TRY(const Composed composed, compose(walk, options, cancel));
  const Scene& scene = *composed.picture.scene;
  std::map<int, Overlay> ofBodies;
  for (const int graph : scene.shownGraphs()) {
    if (graph != scene.graph) ofBodies.emplace(graph, makeOverlay(options.overlay, walk, composed.version, graph));
  }
  SceneLook look = lookOf(scene, composed.picture.overlay, options.dark ? Theme::darkTheme() : Theme::light(),
                          [&](int graph) { return &ofBodies.at(graph); });
  look.figures = composed.picture.figures;
  return dotText(composed.request, scene, look);
}

Result<QByteArray> renderSvg(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel) {
  CUTAWAY_TRY(const Picture picture, pictureOf(walk, options, cancel));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  CUTAWAY_CHECK(picture.writeSvg(buffer, cancel));
  return bytes;
}

Result<QImage> renderImage(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel) {
  CUTAWAY_TRY(const Picture picture, pictureOf(walk, options, cancel));
  const QSizeF pixels = picture.size() * options.scale;
  if (pixels.width() * pixels.height() > kMostPixels || pixels.width() > 32'000 || pixels.height() > 32'000)
    return fail(ErrorCode::kInvalidArgument,
                "an image of {} x {} pixels is too large for memory: write it to a file, or choose a smaller scale",
                static_cast<int64_t>(pixels.width()), static_cast<int64_t>(pixels.height()));
  return picture.image(QRect(QPoint(0, 0), picture.pixels()), cancel);
}

Result<QImage> renderThumbnail(const WalkReport& walk, int size, const CancelToken& cancel) {
  if (size < 1) return fail(ErrorCode::kInvalidArgument, "a thumbnail of {} pixels is none", size);
  RenderOptions options{.overlay = "operator", .stage = Stage::kLoad, .foldScopes = true, .legend = false};
  CUTAWAY_TRY(const Picture whole, pictureOf(walk, options, cancel));
  const QSizeF units = whole.size();
  const QSizeF shown(std::min(units.width(), kLongestThumbnail * units.height()),
                     std::min(units.height(), kLongestThumbnail * units.width()));
  options.scale = size / std::max({shown.width(), shown.height(), 1.0});
  CUTAWAY_TRY(const Picture picture, pictureOf(walk, options, cancel));
  const QSize all = picture.pixels();
  const auto pixels = [&](double length, int most) {
    return std::clamp(static_cast<int>(length * options.scale), 1, std::min(most, size));
  };
  const QSize tile(pixels(shown.width(), all.width()), pixels(shown.height(), all.height()));
  return picture.image(QRect(QPoint((all.width() - tile.width()) / 2, 0), tile), cancel);
}

Result<void> renderToFile(const WalkReport& walk, const RenderOptions& options, const QString& path,
                          const CancelToken& cancel, QString* note) {
  if (endsIn(path, ".dot") || endsIn(path, ".gv")) {
    CUTAWAY_TRY(const QByteArray text, renderDot(walk, options, cancel));
    return writeFileSafely(path, text);
  }
  const bool isSvg = endsIn(path, ".svg");
  if (!isSvg && !endsIn(path, ".png"))
    return fail(ErrorCode::kInvalidArgument, "'{}' ends in none of .svg, .png, .dot and .gv", path.toStdString());
  CUTAWAY_TRY(const Picture picture, pictureOf(walk, options, cancel, note));
  CUTAWAY_TRY(const std::unique_ptr<NewFileDevice> file, NewFileDevice::create(path));
  auto painted = isSvg ? picture.writeSvg(*file, cancel) : picture.writePng(*file, cancel, nullptr);
  if (!painted) return fail(file->problem() ? *file->problem() : std::move(painted).error());
  return file->publish();
}

}  // namespace cutaway::ui
