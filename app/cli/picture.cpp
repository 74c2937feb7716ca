#include "app/cli/picture.h"

#include <QGuiApplication>

#include "ui/canvas/render.h"

namespace cutaway::cli {

namespace {

char g_programName[] = "cutaway-cli";
char* g_arguments[] = {g_programName, nullptr};

}  // namespace

PictureApplication::PictureApplication() {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  m_application = std::make_unique<QGuiApplication>(m_argumentCount, g_arguments);
}

PictureApplication::~PictureApplication() = default;

Result<std::string> graphSvg(const WalkReport& walk, size_t foldAbove, const CancelToken& cancel) {
  ui::RenderOptions options;
  const std::shared_ptr<const ModelGraphs> graphs = walk.partitionedGraphs ? walk.partitionedGraphs : walk.optimizedGraphs ? walk.optimizedGraphs : walk.loadedGraphs;
  options.foldScopes = graphs && !graphs->graphs.empty() && graphs->graphs.front().nodes.size() > foldAbove;
  CUTAWAY_TRY(const QByteArray svg, ui::renderSvg(walk, options, cancel));
  // Inside a page the XML declaration and the document type are in the way.
  const qsizetype start = svg.indexOf("<svg");
  return start < 0 ? std::string() : svg.mid(start).toStdString();
}

}  // namespace cutaway::cli
