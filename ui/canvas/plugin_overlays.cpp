#include "ui/canvas/plugin_overlays.h"

#include <algorithm>
#include <string_view>

#include "engine/plugin/plugin_folder.h"
#include "ui/canvas/overlay.h"

namespace cutaway::ui {
namespace {

// -1 where one is not known.
int64_t bytesOf(const GraphReport& graph, std::span<const int32_t> values) {
  int64_t bytes = 0;
  for (const int32_t value : values) {
    if (value < 0) continue;
    const int64_t its = graph.values[static_cast<size_t>(value)].sizeBytes;
    if (its < 0) return -1;
    bytes += its;
  }
  return bytes;
}

void fill(Overlay& overlay, const OverlaySource& source, const plugin::Overlay& its) {
  for (size_t n = 0; n < overlay.amount.size(); ++n) {
    const NodeReport& node = source.report.nodes[n];
    overlay.amount[n] = its.amount({.name = node.name.c_str(),
                                    .opType = node.opType.c_str(),
                                    .domain = node.domain.c_str(),
                                    .provider = node.provider.c_str(),
                                    .inputs = static_cast<int64_t>(node.inputs.size()),
                                    .outputs = static_cast<int64_t>(node.outputs.size()),
                                    .inputBytes = bytesOf(source.report, node.inputs),
                                    .outputBytes = bytesOf(source.report, node.outputs)});
  }
}

}  // namespace

void addPluginOverlays(std::vector<const OverlayDescriptor*>& table) {
  for (const OpenedPlugin* library : openedPlugins()) {
    for (size_t i = 0; i < library->tables->overlayCount; ++i) {
      const plugin::Overlay& its = library->tables->overlays[i];
      const auto taken = [&](const OverlayDescriptor* each) { return std::string_view(each->id) == its.id; };
      if (std::ranges::any_of(table, taken)) continue;
      // Never destroyed: menus and pictures point to it.
      table.push_back(new OverlayDescriptor{
          .id = its.id,
          .title = its.title,
          .shape = OverlayShape::kRamp,
          .ownInside = true,
          .fill = [&its](Overlay& overlay, const OverlaySource& source) { fill(overlay, source, its); },
          .amountText = [](double amount) { return QString::number(amount, 'g', 4); }});
    }
  }
}

}  // namespace cutaway::ui
