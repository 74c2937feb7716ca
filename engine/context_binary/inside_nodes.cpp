#include "engine/context_binary/inside_nodes.h"

#include <limits>

#include <nlohmann/json.hpp>

#include "engine/graph/attribute_text.h"

namespace cutaway::context_binary {
namespace {

using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr size_t kMostBytes = size_t{64} << 20;
constexpr int kMostDepth = 8;  // of brackets; the deepest that is written has 6

// ---- writing

class Writer {
 public:
  explicit Writer(const Graph& graph) : m_graph(graph), m_numbers(graph.valueSlots(), kNone) {}

  Json write() {
    Json values = Json::array(), nodes = Json::array();
    int32_t next = 0;
    for (const ValueId id : m_graph.valueIds()) {
      m_numbers[id.index()] = next++;
      values.push_back(valueOf(m_graph.value(id)));
    }
    for (const NodeId id : m_graph.nodeIds())
      nodes.push_back(nodeOf(m_graph.node(id)));
    return {{"v", kVersion},
            {"name", m_graph.name()},
            {"values", std::move(values)},
            {"nodes", std::move(nodes)},
            {"inputs", numbers(m_graph.inputs())},
            {"outputs", numbers(m_graph.outputs())}};
  }

 private:
  static Json valueOf(const Value& value) {
    Json dims;
    if (value.initializer)
      dims = std::vector<int64_t>(value.initializer->dims().begin(), value.initializer->dims().end());
    return Json::array({value.name, value.type.known() ? toText(value.type) : std::string(), std::move(dims)});
  }
  Json nodeOf(const Node& node) const {
    Json attributes = Json::array();
    for (const Attribute& each : node.attributes)
      attributes.push_back(Json::array({each.name, attributeKindName(each.value), attributeText(each)}));
    return Json::array({node.name, node.opType, node.domain, numbers(node.inputs), numbers(node.outputs),
                        std::move(attributes), numbers(node.implicitInputs), node.rewrite});
  }
  Json numbers(std::span<const ValueId> ids) const {
    Json result = Json::array();
    for (const ValueId id : ids)
      result.push_back(id.valid() ? m_numbers[id.index()] : kNone);
    return result;
  }

  const Graph& m_graph;
  std::vector<int32_t> m_numbers;
};

// ---- reading

template <typename... Args>
tl::unexpected<Error> refuse(fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::kInvalidGraph, "the metadata {} cannot be read: {}", kInsideKey,
              fmt::format(format, std::forward<Args>(args)...));
}

// Before parsing: what is nested deeper than anything that is written here is not parsed at all.
bool isTooDeep(std::string_view text) {
  int depth = 0;
  bool isText = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (isText) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        isText = false;
    } else if (c == '"') {
      isText = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

const Json* listIn(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || !found->is_array() ? nullptr : &*found;
}

bool isText(const Json& list, size_t index) {
  return index < list.size() && list[index].is_string();
}

class Reader {
 public:
  Result<GraphReport> read(const Json& whole) {
    const auto version = whole.is_object() ? whole.find("v") : whole.end();
    if (!whole.is_object() || version == whole.end() || !version->is_number_integer())
      return refuse("it is no object with a version");
    if (*version != kVersion)
      return refuse("it has version {}, and this program reads version {}", version->dump(), kVersion);
    const Json* const values = listIn(whole, "values");
    const Json* const nodes = listIn(whole, "nodes");
    const Json* const inputs = listIn(whole, "inputs");
    const Json* const outputs = listIn(whole, "outputs");
    if (values == nullptr || nodes == nullptr || inputs == nullptr || outputs == nullptr)
      return refuse("it lacks one of values, nodes, inputs, outputs");
    if (const auto name = whole.find("name"); name != whole.end() && name->is_string()) m_report.name = *name;
    for (const Json& each : *values)
      CUTAWAY_CHECK(addValue(each));
    for (const Json& each : *nodes)
      CUTAWAY_CHECK(addNode(each));
    CUTAWAY_TRY(m_report.inputs, numbers(*inputs, false));
    CUTAWAY_TRY(m_report.outputs, numbers(*outputs, false));
    CUTAWAY_CHECK(giveRoles());
    return std::move(m_report);
  }

 private:
  Result<void> addValue(const Json& value) {
    if (!value.is_array() || !isText(value, 0) || !isText(value, 1))
      return refuse("value {} is not [name, type, dims]", m_report.values.size());
    ValueReport& report = m_report.values.emplace_back();
    report.name = value[0].get_ref<const std::string&>();
    const std::string& type = value[1].get_ref<const std::string&>();
    report.type = type;
    const size_t bracket = type.find_first_of("[(@");
    if (bracket == std::string::npos || type[bracket] == '[') {
      report.elementType = type.substr(0, bracket);
      if (bracket != std::string::npos) report.shape = type.substr(bracket, type.find('@') - bracket);
    }
    report.isInitializer = value.size() > 2 && value[2].is_array();
    if (report.isInitializer) CUTAWAY_CHECK(setDims(value[2], report));
    return {};
  }

  // Of constants, whose types may not say them.
  static Result<void> setDims(const Json& dims, ValueReport& report) {
    std::vector<int64_t> numbers;
    for (const Json& dim : dims) {
      if (!dim.is_number_unsigned() || dim.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
        return refuse("a dimension of '{}' is no size", report.name);
      numbers.push_back(dim);
    }
    const auto element = elementTypeFromName(report.elementType);
    report.role = ValueRole::kConstant;
    report.shape = dimsToText(numbers);
    if (!element || *element == ElementType::kString) return {};
    if (const auto size = byteSize(*element, numbers)) report.sizeBytes = *size;
    return {};
  }

  Result<void> addNode(const Json& node) {
    const auto index = static_cast<int32_t>(m_report.nodes.size());
    if (!node.is_array() || node.size() < 6 || !isText(node, 0) || !isText(node, 1) || !isText(node, 2) ||
        !node[5].is_array())
      return refuse("node {} is not [name, operator, domain, inputs, outputs, attributes]", index);
    NodeReport& report = m_report.nodes.emplace_back();
    report.name = node[0].get_ref<const std::string&>();
    report.opType = node[1].get_ref<const std::string&>();
    report.domain = node[2].get_ref<const std::string&>();
    CUTAWAY_TRY(report.inputs, numbers(node[3], true));
    CUTAWAY_TRY(report.outputs, numbers(node[4], true));
    for (const Json& each : node[5]) {
      if (!each.is_array() || !isText(each, 0) || !isText(each, 1) || !isText(each, 2))
        return refuse("an attribute of node {} is not [name, kind, text]", index);
      report.attributes.push_back({each[0].get<std::string>(), each[1].get<std::string>(), each[2].get<std::string>()});
    }
    if (node.size() > 6) {
      CUTAWAY_TRY(report.implicitInputs, numbers(node[6], true));
    }
    if (isText(node, 7)) report.rewrite = node[7].get_ref<const std::string&>();
    for (const auto* const used : {&report.inputs, &report.implicitInputs}) {
      for (const int32_t value : *used)
        noteUse(value, index);
    }
    for (const int32_t value : report.outputs) {
      if (value == kNone) continue;
      ValueReport& made = m_report.values[static_cast<size_t>(value)];
      if (made.producer != kNone) return refuse("value '{}' has two producers", made.name);
      made.producer = index;
    }
    return {};
  }

  void noteUse(int32_t value, int32_t node) {
    if (value == kNone) return;
    IndexList& consumers = m_report.values[static_cast<size_t>(value)].consumers;
    if (consumers.empty() || consumers.back() != node) consumers.push_back(node);
  }

  Result<std::vector<int32_t>> numbers(const Json& list, bool mayBeAbsent) const {
    if (!list.is_array()) return refuse("a list of values is none");
    std::vector<int32_t> result;
    result.reserve(list.size());
    const auto count = static_cast<int64_t>(m_report.values.size());
    for (const Json& each : list) {
      const bool fits = each.is_number_integer() &&
                        !(each.is_number_unsigned() &&
                          each.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int32_t>::max()));
      const int64_t number = fits ? each.get<int64_t>() : -2;
      if (number < (mayBeAbsent ? -1 : 0) || number >= count)
        return refuse("{} is no number of one of its {} values",
                      each.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 40), count);
      result.push_back(static_cast<int32_t>(number));
    }
    return result;
  }

  Result<void> giveRoles() {
    for (const int32_t value : m_report.inputs) {
      ValueReport& report = m_report.values[static_cast<size_t>(value)];
      if (report.producer != kNone) return refuse("the input '{}' has a producer", report.name);
      report.role = ValueRole::kInput;
    }
    for (const int32_t value : m_report.outputs) {
      ValueReport& report = m_report.values[static_cast<size_t>(value)];
      report.isOutput = true;
      if (report.producer != kNone) report.role = ValueRole::kOutput;
    }
    for (ValueReport& report : m_report.values) {
      const bool isIdle = report.producer == kNone && report.consumers.empty() && !report.isOutput;
      if (report.role == ValueRole::kIntermediate && isIdle) report.role = ValueRole::kUnused;
    }
    return {};
  }

  GraphReport m_report;
};

}  // namespace

std::string writeInside(const Graph& group) {
  return Writer(group).write().dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<GraphReport> readInside(std::string_view text) {
  if (text.size() > kMostBytes) return refuse("it has {} bytes, more than {}", text.size(), kMostBytes);
  if (isTooDeep(text)) return refuse("it is nested deeper than {}", kMostDepth);
  const Json whole = Json::parse(text, nullptr, false);
  if (whole.is_discarded()) return refuse("it is no JSON");
  return Reader().read(whole);
}

}  // namespace cutaway::context_binary
