#include "ui/canvas/render.h"

#include <QBuffer>
#include <QFile>
#include <QSvgGenerator>
#include <algorithm>

#include "ui/base/format.h"
#include "ui/canvas/legend_painter.h"
#include "ui/canvas/scene_painter.h"

namespace cutaway::ui {
namespace {

constexpr double kMostPixels = 500e6;
constexpr double kLegendGap = 16;

struct Picture {
  std::shared_ptr<const Scene> scene;
  Overlay overlay;
  SceneLook look;
  QSizeF size;
  QSizeF legend;
};

Result<std::unique_ptr<Picture>> compose(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel) {
  GraphVersion version = GraphVersion::kLoaded;
  SceneRequest request;
  request.graphs = walk.loadedGraphs;
  if (options.stage >= Stage::kOptimize && walk.optimizedGraphs) request.graphs = walk.optimizedGraphs, version = GraphVersion::kOptimized;
  if (options.stage >= Stage::kPartition && walk.partitionedGraphs) request.graphs = walk.partitionedGraphs, version = GraphVersion::kPartitioned;
  if (!request.graphs || options.graph < 0 || options.graph >= static_cast<int>(request.graphs->graphs.size()))
    return fail(ErrorCode::kInvalidArgument, "there is no graph {} to draw", options.graph);
  request.graph = options.graph;
  request.grouping = options.grouping;
  request.direction = options.direction;
  request.contents = options.contents;
  if (version == GraphVersion::kOptimized) request.asked = walk.partition;
  request.scopes = std::make_shared<const ScopeTree>(groupsOf(*request.graphs, options.graph, options.grouping, request.asked.get()));
  request.unfoldAll = !options.foldScopes;
  if (options.foldScopes) request.unfolded = initiallyUnfolded(*request.scopes);
  auto picture = std::make_unique<Picture>();
  picture->scene = buildScene(request, cancel);
  if (!picture->scene) return fail(cancelledError());
  picture->overlay = makeOverlay(options.overlay, walk, version, options.graph);
  const Theme& theme = options.dark ? Theme::darkTheme() : Theme::light();
  picture->look = lookOf(*picture->scene, picture->overlay, theme);
  picture->legend = legendSize(picture->overlay);
  const QRectF& bounds = picture->scene->bounds;
  picture->size = QSizeF(std::max(bounds.width(), picture->legend.width() + 2 * kLegendGap), bounds.height() + picture->legend.height() + kLegendGap);
  return picture;
}

void paint(QPainter& painter, const Picture& picture) {
  const Theme& theme = *picture.look.theme;
  painter.fillRect(QRectF(QPointF(0, 0), picture.size), theme.canvas);
  if (picture.legend.height() > 0) {
    painter.save();
    painter.translate(kLegendGap, kLegendGap);
    paintLegend(painter, picture.overlay, theme);
    painter.restore();
  }
  const QRectF& bounds = picture.scene->bounds;
  painter.translate((picture.size.width() - bounds.width()) / 2 - bounds.left(), picture.legend.height() + kLegendGap - bounds.top());
  paintScene(painter, *picture.scene, picture.look, bounds, 1.0);
}

}  // namespace

Result<QByteArray> renderSvg(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel) {
  CUTAWAY_TRY(const auto picture, compose(walk, options, cancel));
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(picture->size.toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), picture->size));
  generator.setTitle(QStringLiteral("Graph"));
  QPainter painter(&generator);
  paint(painter, *picture);
  painter.end();
  return bytes;
}

Result<QImage> renderImage(const WalkReport& walk, const RenderOptions& options, const CancelToken& cancel) {
  CUTAWAY_TRY(const auto picture, compose(walk, options, cancel));
  const QSizeF pixels = picture->size * options.scale;
  if (pixels.width() * pixels.height() > kMostPixels || pixels.width() > 32'000 || pixels.height() > 32'000)
    return fail(ErrorCode::kInvalidArgument, "a picture of {} x {} pixels is too large: write an .svg, or choose a smaller scale", static_cast<int64_t>(pixels.width()),
                static_cast<int64_t>(pixels.height()));
  QImage image(pixels.toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  painter.setRenderHint(QPainter::TextAntialiasing);
  painter.scale(options.scale, options.scale);
  paint(painter, *picture);
  painter.end();
  return image;
}

Result<void> renderToFile(const WalkReport& walk, const RenderOptions& options, const QString& path, const CancelToken& cancel) {
  if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
    CUTAWAY_TRY(const QByteArray bytes, renderSvg(walk, options, cancel));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) return fail(ErrorCode::kFail, "cannot write '{}': {}", path.toStdString(), file.errorString().toStdString());
    return {};
  }
  if (!path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) return fail(ErrorCode::kInvalidArgument, "'{}' ends neither in .svg nor in .png", path.toStdString());
  CUTAWAY_TRY(const QImage image, renderImage(walk, options, cancel));
  if (!image.save(path)) return fail(ErrorCode::kFail, "cannot write '{}'", path.toStdString());
  return {};
}

}  // namespace cutaway::ui
