// Overlay: element type of what a node makes. Kinds of types have fixed colours, so that a mixed-precision model reads
// the same everywhere.
#include <array>
#include <set>
#include <string_view>

#include "ui/base/format.h"
#include "ui/canvas/overlay_fill.h"

namespace cutaway::ui {
namespace {

struct TypeKind {
  char letter;
  std::array<std::string_view, 8> names;
};
// Colours are laid out so that what usually meets (float with half, quantised with float) differs most.
constexpr std::array<TypeKind, 7> kKinds = {
    {{'F', {"float"}},
     {'Q', {"int8", "uint8", "int4", "uint4", "int2", "uint2"}},
     {'H', {"float16", "bfloat16"}},
     {'E', {"float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz", "float8e8m0", "float4e2m1"}},
     {'I', {"int64", "int32", "int16", "uint64", "uint32", "uint16"}},
     {'B', {"bool"}},
     {'D', {"double", "string", "complex64", "complex128"}}}};

int kindOf(std::string_view type) {
  for (size_t kind = 0; kind < kKinds.size(); ++kind)
    for (const std::string_view name : kKinds[kind].names)
      if (!name.empty() && name == type) return static_cast<int>(kind);
  return -1;
}

// Of the first output whose type is known, else of the first input.
const std::string* typeOf(const GraphReport& graph, const NodeReport& node) {
  for (const auto* values : {&node.outputs, &node.inputs})
    for (const int32_t value : *values)
      if (value >= 0 && !graph.values[static_cast<size_t>(value)].elementType.empty())
        return &graph.values[static_cast<size_t>(value)].elementType.string();
  return nullptr;
}

void fill(Overlay& overlay, const OverlaySource& source) {
  std::array<std::set<std::string>, kKinds.size()> met;
  for (size_t n = 0; n < source.report.nodes.size(); ++n) {
    const std::string* type = typeOf(source.report, source.report.nodes[n]);
    const int kind = type ? kindOf(*type) : -1;
    overlay.category[n] = static_cast<signed char>(kind);
    if (kind >= 0) met[static_cast<size_t>(kind)].insert(*type);
  }
  for (size_t kind = 0; kind < kKinds.size(); ++kind) {
    QStringList names;
    for (const std::string& name : met[kind])
      names << text(name);
    overlay.legend.push_back(
        {static_cast<int>(kind), QLatin1Char(kKinds[kind].letter), names.join(QStringLiteral(", ")), 0});
  }
  countLegend(overlay);
  addRest(overlay, OverlayWords::tr("type not known"));
}

}  // namespace

const OverlayDescriptor& overlay_dtype() {
  static const OverlayDescriptor descriptor{
      .id = "dtype", .title = QT_TRANSLATE_NOOP("Overlay", "Element type"), .ownInside = true, .fill = fill};
  return descriptor;
}

}  // namespace cutaway::ui
