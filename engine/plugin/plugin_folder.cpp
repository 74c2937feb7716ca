#include "engine/plugin/plugin_folder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

#include "engine/base/log.h"
#include "engine/base/opened_library.h"
#include "engine/base/short_memory.h"
#include "engine/plugin/node_view.h"
#include "engine/schema/added_schemas.h"

namespace cutaway {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEntry = "cutaway_plugin";
constexpr size_t kMostRows = 10'000;  // of a table; beyond, it is damage

struct Libraries {
  std::mutex mutex;
  std::vector<std::unique_ptr<const OpenedPlugin>> all;
};

// Never destroyed: kernels point into it until the program ends.
Libraries& libraries() {
  static Libraries& instance = *new Libraries;
  return instance;
}

class NodeInference final : public plugin::Inference {
 public:
  NodeInference(const Graph& graph, NodeId id) : m_graph(graph), m_node(graph.node(id)), m_view(graph, id) {
    outputs.resize(m_node.outputs.size());
  }

  const plugin::Node& node() const override { return m_view; }
  int32_t inputType(size_t slot) const override {
    const ValueType* type = typeOf(slot);
    return type == nullptr ? 0 : static_cast<int32_t>(type->element);
  }
  const int64_t* inputDims(size_t slot, size_t* rank) const override {
    const ValueType* type = typeOf(slot);
    if (type == nullptr || !type->shape) return nullptr;
    m_dims.assign(1, 0);  // not empty: a scalar has no dims, and yet is known
    m_dims.clear();
    for (const Dim& dim : type->shape->dims())
      m_dims.push_back(dim.value());
    *rank = m_dims.size();
    return m_dims.data();
  }
  void setOutputLike(size_t output, size_t input) override {
    const ValueType* type = typeOf(input);
    if (output < outputs.size() && type != nullptr) outputs[output] = *type;
  }
  void setOutput(size_t slot, int32_t elementType, const int64_t* dims, size_t rank) override {
    if (slot >= outputs.size() || !isKnown(static_cast<ElementType>(elementType))) return;
    std::vector<Dim> shape;
    for (size_t axis = 0; axis < rank; ++axis)
      shape.push_back(dims[axis] < 0 ? Dim() : Dim(dims[axis]));
    outputs[slot] = ValueType::tensor(static_cast<ElementType>(elementType), Shape(std::move(shape)));
  }

  std::vector<ValueType> outputs;

 private:
  const ValueType* typeOf(size_t slot) const {
    if (slot >= m_node.inputs.size() || !m_node.inputs[slot].valid()) return nullptr;
    const ValueType& type = m_graph.value(m_node.inputs[slot]).type;
    return type.isTensor() ? &type : nullptr;
  }

  const Graph& m_graph;
  const Node& m_node;
  NodeView m_view;
  mutable std::vector<int64_t> m_dims;
};

std::vector<FormalParameter> formals(const char* what, int32_t least, int32_t most) {
  std::vector<FormalParameter> all;
  const bool variadic = most == plugin::kAnyNumber;
  const int32_t count = variadic ? std::max(least, 1) : most;
  for (int32_t i = 0; i < count; ++i) {
    FormalParameter& each = all.emplace_back();
    each.name = fmt::format("{}{}", what, i);
    each.typeText = fmt::format("{}T{}", what[0] == 'i' ? "I" : "O", i);
    each.homogeneous = false;
    if (i >= least) each.arity = FormalParameter::Arity::kOptional;
    if (variadic && i + 1 == count) each.arity = FormalParameter::Arity::kVariadic;
  }
  return all;
}

std::vector<std::string> everyType() {
  std::vector<std::string> names;
  for (int32_t element = 1; element < kElementTypeCount; ++element)
    names.push_back(fmt::format("tensor({})", elementTypeName(static_cast<ElementType>(element))));
  return names;
}

AddedSchema schemaOf(const plugin::Operator& from, const fs::path& library) {
  AddedSchema added;
  added.source = library.filename().string();
  OperatorSchema& schema = added.schema;
  schema.opType = from.name;
  schema.domain = from.domain;
  schema.sinceVersion = from.sinceVersion;
  schema.minInputs = from.leastInputs;
  schema.maxInputs = from.mostInputs;
  schema.minOutputs = from.leastOutputs;
  schema.maxOutputs = from.mostOutputs;
  schema.inputs = formals("input", from.leastInputs, from.mostInputs);
  schema.outputs = formals("output", from.leastOutputs, from.mostOutputs);
  for (const std::vector<FormalParameter>* side : {&schema.inputs, &schema.outputs}) {
    for (const FormalParameter& each : *side)
      schema.typeConstraints.push_back({each.typeText, everyType()});
  }
  schema.deterministic = false;  // nobody says that it gives the same twice
  schema.documentation = from.documentation;
  if (from.infer == nullptr) return added;
  added.outputTypes = [infer = from.infer](const Model&, const Graph& graph, NodeId id) -> std::vector<ValueType> {
    NodeInference inference(graph, id);
    const char* const wrong = infer(inference);
    if (wrong == nullptr) return std::move(inference.outputs);
    log::warn(log::Category::kStages, "node '{}': {}", graph.node(id).name, wrong);
    return {};
  };
  return added;
}

bool isNamed(const char* text) {
  return text != nullptr && *text != '\0';
}

bool rightSide(int32_t least, int32_t most) {
  return least >= 0 && most >= least && (most == plugin::kAnyNumber || most <= 1'000);
}

// What is wrong with its tables; empty: nothing.
std::string faultOf(const plugin::Library& library) {
  if (!isNamed(library.name) || library.version == nullptr) return "it has no name or no version";
  if (std::max({library.operatorCount, library.passCount, library.overlayCount}) > kMostRows)
    return "a table has more than 10,000 rows";
  for (size_t i = 0; i < library.operatorCount; ++i) {
    const plugin::Operator& each = library.operators[i];
    if (!isNamed(each.name) || !isNamed(each.domain) || each.documentation == nullptr || each.run == nullptr)
      return fmt::format("operator {} has no name, no domain, no documentation or no kernel", i);
    if (each.sinceVersion < 1 || !rightSide(each.leastInputs, each.mostInputs) ||
        !rightSide(each.leastOutputs, each.mostOutputs))
      return fmt::format("operator {} has no version, or numbers of inputs or outputs that cannot be", each.name);
  }
  for (size_t i = 0; i < library.passCount; ++i) {
    const plugin::Pass& each = library.passes[i];
    if (!isNamed(each.name) || !isNamed(each.purpose) || each.match == nullptr || each.level < 0 || each.level > 3)
      return fmt::format("pass {} has no name, no purpose, no function or a level that is none of 0 to 3", i);
  }
  for (size_t i = 0; i < library.overlayCount; ++i) {
    const plugin::Overlay& each = library.overlays[i];
    if (!isNamed(each.id) || !isNamed(each.title) || each.amount == nullptr)
      return fmt::format("overlay {} has no id, no title or no function", i);
  }
  return {};
}

Result<void> openPlugin(const fs::path& path) {
  const OpenedLibrary opened = openLibraryFile(path);
  if (!opened) return fail(ErrorCode::kEpFail, "{} cannot be opened: {}", path.string(), opened.reason);
  const auto entry = opened.symbol<const plugin::Library*(int)>(kEntry);
  if (entry == nullptr)
    return fail(ErrorCode::kEpFail, "{} is no plug-in: it does not export {}", path.string(), kEntry);
  const plugin::Library* const tables = entry(plugin::kInterface);
  if (tables == nullptr)
    return fail(ErrorCode::kEpFail,
                "{} does not serve version {} of the interface of plug-ins: build it with this program's header",
                path.string(), plugin::kInterface);
  if (const std::string fault = faultOf(*tables); !fault.empty())
    return fail(ErrorCode::kEpFail, "{}: {}", path.string(), fault);
  auto library = std::make_unique<OpenedPlugin>();
  library->path = path;
  library->tables = tables;
  for (size_t i = 0; i < tables->operatorCount; ++i) {
    if (const Result<void> added = addSchema(schemaOf(tables->operators[i], path)); !added)
      library->notes.push_back(added.error().message);
  }
  log::event(log::kInfo, log::Category::kProviders, "plug-in opened",
             {{"file", log::path(path)},
              {"name", tables->name},
              {"version", tables->version},
              {"operators", tables->operatorCount},
              {"passes", tables->passCount},
              {"overlays", tables->overlayCount}});
  libraries().all.push_back(std::move(library));
  return {};
}

}  // namespace

Result<void> openPluginFolder(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> files;
  for (fs::directory_iterator each(folder, problem), end; !problem && each != end; each.increment(problem)) {
    if (each->path().extension() == ".so" && each->is_regular_file(problem)) files.push_back(each->path());
  }
  throwIfShort(problem);
  if (problem) return fail(ErrorCode::kInvalidArgument, "{}: {}", folder.string(), problem.message());
  if (files.empty())
    return fail(ErrorCode::kInvalidArgument, "{} has no plug-in: no file there ends in .so", folder.string());
  std::ranges::sort(files);
  const std::lock_guard lock(libraries().mutex);
  for (const fs::path& file : files) {
    const fs::path path = fs::canonical(file, problem);
    throwIfShort(problem);
    if (problem) return fail(ErrorCode::kEpFail, "{}: {}", file.string(), problem.message());
    const bool known = std::ranges::any_of(libraries().all, [&](const auto& each) { return each->path == path; });
    if (!known) CUTAWAY_CHECK(openPlugin(path));
  }
  return {};
}

std::vector<const OpenedPlugin*> openedPlugins() {
  Libraries& all = libraries();
  const std::lock_guard lock(all.mutex);
  std::vector<const OpenedPlugin*> found;
  for (const auto& each : all.all)
    found.push_back(each.get());
  return found;
}

}  // namespace cutaway
