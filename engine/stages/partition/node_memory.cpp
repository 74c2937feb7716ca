#include "engine/stages/partition/node_memory.h"

#include <charconv>
#include <set>

#include "engine/base/checked_math.h"
#include "engine/base/read_text_file.h"
#include "engine/base/text_stream.h"
#include "engine/base/write_file.h"

namespace cutaway::partition {

namespace {

constexpr std::string_view kColumns = "name,input_sizes,initializers_sizes,total_dynamic_sizes,total_temp_allocations";
constexpr const char* kOverrideKey = "session.max_shape_override";

std::optional<int64_t> readCount(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\r'))
    text.remove_suffix(1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// One "input:[1,3]" of the key.
Result<void> readOverride(std::string_view text, const Graph& graph, ShapeOverrides& sizes) {
  const size_t colon = text.rfind(":[");
  if (colon == std::string_view::npos || !text.ends_with(']'))
    return fail(ErrorCode::kInvalidArgument, "{}: '{}' is not written as input:[size,size]", kOverrideKey, text);
  const std::string_view name = text.substr(0, colon);
  const ValueId id = graph.findValue(name);
  if (!id.valid() || !graph.value(id).isInput)
    return fail(ErrorCode::kInvalidArgument, "{}: '{}' is no input of the model", kOverrideKey, name);
  const std::optional<Shape>& shape = graph.value(id).type.shape;
  std::string_view list = text.substr(colon + 2, text.size() - colon - 3);
  for (size_t axis = 0; !list.empty() || axis == 0; ++axis) {
    const size_t comma = std::min(list.find(','), list.size());
    const std::optional<int64_t> size = readCount(list.substr(0, comma));
    if (!size)
      return fail(ErrorCode::kInvalidArgument, "{}: '{}' of input '{}' is no size", kOverrideKey, list.substr(0, comma),
                  name);
    list.remove_prefix(std::min(comma + 1, list.size()));
    const bool last = list.empty();
    if (!shape) continue;
    if (axis >= shape->rank() || (last && axis + 1 != shape->rank()))
      return fail(ErrorCode::kInvalidArgument, "{}: input '{}' has {} dimensions", kOverrideKey, name, shape->rank());
    const Dim& dim = (*shape)[axis];
    if (dim.isKnown() && dim.value() != *size)
      return fail(ErrorCode::kInvalidArgument, "{}: dimension {} of input '{}' is {}, not {}", kOverrideKey, axis, name,
                  dim.value(), *size);
    if (dim.isSymbol()) sizes[dim.symbol()] = *size;
  }
  return {};
}

// A field of a line; names may be quoted.
std::string_view takeField(std::string_view& line) {
  if (line.starts_with('"')) {
    const size_t close = line.find("\",", 1);
    const size_t end = close == std::string_view::npos ? line.size() : close;
    const std::string_view field = line.substr(1, end - 1);
    line.remove_prefix(std::min(end + 2, line.size()));
    return field;
  }
  const size_t comma = std::min(line.find(','), line.size());
  const std::string_view field = line.substr(0, comma);
  line.remove_prefix(std::min(comma + 1, line.size()));
  return field;
}

}  // namespace

Result<ShapeOverrides> readShapeOverrides(const std::string& text, const Graph& graph) {
  ShapeOverrides sizes;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    std::string_view each = rest.substr(0, end);
    while (each.starts_with(' '))
      each.remove_prefix(1);
    while (each.ends_with(' '))
      each.remove_suffix(1);
    if (!each.empty()) CUTAWAY_CHECK(readOverride(each, graph, sizes));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return sizes;
}

int64_t estimatedBytes(const ValueType& type, const ShapeOverrides& sizes) {
  if (sizes.empty() || !type.shape) return staticByteSize(type).value_or(0);
  ValueType bound = type;
  for (Dim& dim : bound.shape->mutableDims()) {
    if (!dim.isSymbol()) continue;
    if (const auto found = sizes.find(dim.symbol()); found != sizes.end()) dim = Dim(found->second);
  }
  return staticByteSize(bound).value_or(0);
}

NodeMemory nodeMemory(const Graph& graph, NodeId id, const ShapeOverrides& sizes) {
  NodeMemory memory;
  std::set<ValueId> seen;
  for (const ValueId input : graph.node(id).inputs) {
    if (!input.valid() || !seen.insert(input).second) continue;
    const Value& value = graph.value(input);
    (value.initializer ? memory.initializers : memory.inputs) +=
        value.initializer ? value.initializer->sizeBytes() : estimatedBytes(value.type, sizes);
  }
  for (const ValueId output : graph.node(id).outputs) {
    if (output.valid()) memory.outputs += estimatedBytes(graph.value(output).type, sizes);
  }
  return memory;
}

std::string statisticsName(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (!node.name.empty()) return node.name;
  for (const ValueId output : node.outputs) {
    if (output.valid()) return graph.value(output).name;
  }
  return node.opType;
}

Result<NodeStatistics> readNodeStatistics(const std::filesystem::path& file) {
  CUTAWAY_TRY(const std::string content, readTextFile(file, {.what = "the file of node statistics"}));
  NodeStatistics statistics;
  std::string_view lines = content;
  for (int line = 1; !lines.empty(); ++line) {
    std::string_view rest = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(rest.size() + 1, lines.size()));
    while (rest.ends_with('\r'))
      rest.remove_suffix(1);
    if (rest.empty() || rest.front() == '#' || rest == kColumns) continue;
    const std::string name(takeField(rest));
    NodeMemory memory;
    for (int64_t* field : {&memory.inputs, &memory.initializers, &memory.outputs, &memory.scratch}) {
      const std::string_view each = takeField(rest);
      const std::optional<int64_t> count = readCount(each);
      if (!count)
        return fail(
            atFile({ErrorCode::kInvalidArgument,
                    fmt::format("line {}: '{}' is no number of bytes; the columns are {}", line, each, kColumns),
                    {}},
                   file.string()));
      *field = *count;
    }
    if (!rest.empty())
      return fail(
          atFile({ErrorCode::kInvalidArgument, fmt::format("line {}: more columns than {}", line, kColumns), {}},
                 file.string()));
    statistics[name] = memory;
  }
  return statistics;
}

Result<void> writeNodeStatistics(const std::filesystem::path& file, const Model& model, const ShapeOverrides& sizes) {
  TextStream stream;
  stream << kColumns << '\n';
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const NodeMemory memory = nodeMemory(graph, id, sizes);
      std::string name = statisticsName(graph, id);
      if (name.find(',') != std::string::npos) name = '"' + name + '"';
      stream << fmt::format("{},{},{},{},{}\n", name, memory.inputs, memory.initializers, memory.outputs,
                            memory.scratch);
    }
  });
  return writeFile(file, stream.str());
}

}  // namespace cutaway::partition
