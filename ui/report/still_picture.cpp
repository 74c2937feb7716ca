// Still pictures as SVG without a single address in them: inside HTML an <svg> needs no namespace.
#include "ui/report/still_picture.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>

#include <QRegularExpression>

#include "engine/base/format.h"
#include "ui/canvas/name_scopes.h"
#include "ui/canvas/render.h"
#include "ui/report/html_text.h"
#include "ui/report/report_tables.h"

namespace cutaway::ui {

namespace {

// Okabe and Ito's colours, which people with colour-blindness can tell apart; neighbours in time differ.
constexpr const char* kBlockColours[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442"};

constexpr double kWidth = 1120, kHeight = 360, kLeft = 76, kBottom = 34, kTop = 10;
// A browser stays smooth up to here; larger patterns show their largest blocks.
constexpr size_t kMostBlocks = 1500;
// Above the first, scopes are folded; above the second, a flat graph has no still picture: it would be larger than all
// else.
constexpr size_t kFoldAbove = 400, kMostDrawn = 1500;

struct Scale {
  double stepWidth;
  double byteHeight;
  double x(int32_t step) const { return kLeft + step * stepWidth; }
  double y(int64_t offset) const { return kTop + kHeight - static_cast<double>(offset) * byteHeight; }
};

std::string axes(const GraphPattern& pattern, const Scale& scale, int32_t steps) {
  std::string svg;
  for (int tick = 0; tick <= 4; ++tick) {
    const int64_t bytes = pattern.peakBytes * tick / 4;
    svg += fmt::format(
        "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/><text class=\"axis\" x=\"{3}\" "
        "y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
        kLeft, kLeft + kWidth, scale.y(bytes), kLeft - 8, scale.y(bytes) + 4, formatBytes(bytes));
  }
  for (int tick = 0; tick <= 8; ++tick) {
    const int32_t step = static_cast<int32_t>(int64_t{steps} * tick / 8);
    svg += fmt::format("<text class=\"axis\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", scale.x(step),
                       kTop + kHeight + 20, step);
  }
  return svg;
}

}  // namespace

std::string stillGraph(const WalkReport& walk, const CancelToken& cancel) {
  const std::shared_ptr<const ModelGraphs> graphs = walk.partitionedGraphs ? walk.partitionedGraphs
                                                    : walk.optimizedGraphs ? walk.optimizedGraphs
                                                                           : walk.loadedGraphs;
  if (!graphs || graphs->graphs.empty()) return {};
  RenderOptions options;
  const size_t nodes = graphs->graphs.front().nodes.size();
  options.foldScopes = nodes > kFoldAbove;
  if (nodes > kMostDrawn && scopesOf(graphs->graphs.front()).scopes.size() < 2) return {};
  const Result<QByteArray> picture = renderSvg(walk, options, cancel);
  if (!picture) return {};
  const qsizetype start = picture->indexOf("<svg");
  if (start < 0) return {};
  static const QRegularExpression namespaces(QStringLiteral("\\sxmlns(:\\w+)?=\"[^\"]*\""));
  return QString::fromUtf8(picture->mid(start)).remove(namespaces).toStdString();
}

std::string stillMemoryChart(const GraphReport& graph, const GraphPattern& pattern) {
  if (pattern.blocks.empty() || pattern.peakBytes <= 0) return {};
  int32_t steps = 1;
  for (const PatternBlock& block : pattern.blocks)
    steps = std::max(steps, block.lastStep + 1);
  const Scale scale{kWidth / steps, kHeight / static_cast<double>(pattern.peakBytes)};
  std::vector<PatternBlock> blocks = pattern.blocks;
  std::stable_sort(blocks.begin(), blocks.end(),
                   [](const PatternBlock& a, const PatternBlock& b) { return a.sizeBytes > b.sizeBytes; });
  if (blocks.size() > kMostBlocks) blocks.resize(kMostBlocks);

  std::string svg = fmt::format(
      "<svg class=\"chart\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"memory pattern: offset over steps\">\n",
      kLeft + kWidth + 10, kTop + kHeight + kBottom);
  svg += axes(pattern, scale, steps);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const PatternBlock& block = blocks[i];
    const double width = std::max(0.8, (block.lastStep - block.firstStep + 1) * scale.stepWidth - 0.5);
    svg += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"><title>{}: {} at offset {}, "
        "steps {} to {}</title></rect>\n",
        scale.x(block.firstStep), scale.y(block.offset + block.sizeBytes), width,
        std::max(0.8, static_cast<double>(block.sizeBytes) * scale.byteHeight - 0.5),
        kBlockColours[static_cast<size_t>(block.value != kNone ? block.value : block.node) % std::size(kBlockColours)],
        escapeHtml(block.value != kNone ? reportValueName(graph, block.value)
                                        : fmt::format("bodies of {}", reportNodeLabel(graph, block.node))),
        formatBytes(block.sizeBytes), block.offset, block.firstStep, block.lastStep);
  }
  svg += fmt::format(
      "<line class=\"bound\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.2f}\" y2=\"{2:.2f}\"><title>lower bound "
      "{3}</title></line>\n",
      kLeft, kLeft + kWidth, scale.y(pattern.lowerBoundBytes), formatBytes(pattern.lowerBoundBytes));
  return svg + "</svg>\n";
}

}  // namespace cutaway::ui
