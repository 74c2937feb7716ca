#include "tests/unit/providers/cuda/cuda_case.h"

#include <algorithm>
#include <random>

#include <QTemporaryDir>

#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "engine/stages/load/save.h"
#include "engine/tensor/element_type.h"
#include "providers/cpu/provider.h"
#include "providers/cuda/provider.h"
#include "tests/unit/providers/cpu/case_runner.h"

namespace cutaway::testing {
namespace {

struct Tolerance {
  double relative = 0, absolute = 0;
};

Tolerance toleranceOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return {1e-4, 1e-5};
    case ElementType::kDouble:
      return {1e-9, 1e-10};
    case ElementType::kFloat16:
      return {4e-3, 4e-3};
    case ElementType::kBfloat16:
      return {3e-2, 3e-2};
    default:
      return {};
  }
}

// NAME[dims]
std::string typed(const std::string& name, const Tensor& tensor) {
  std::string dims;
  for (const int64_t dim : tensor.dims())
    dims += fmt::format("{}{}", dims.empty() ? "" : ",", dim);
  return fmt::format("{}[{}] {}", elementTypeName(tensor.type()), dims, name);
}

std::string textOf(const CudaCase& each) {
  std::string imports = fmt::format("\"\" : {}", each.opset), inputs;
  for (const auto& [domain, version] : each.domains)
    imports += fmt::format(", \"{}\" : {}", domain, version);
  for (const auto& [name, tensor] : each.inputs)
    inputs += fmt::format("{}{}", inputs.empty() ? "" : ", ", typed(name, tensor));
  // A weight stands as an input here and becomes an initializer once it is parsed.
  for (const auto& [name, tensor] : each.weights)
    inputs += fmt::format("{}{}", inputs.empty() ? "" : ", ", typed(name, tensor));
  const std::string constants = each.constants.empty() ? "" : fmt::format(" <{}>", each.constants);
  return fmt::format("<ir_version: 10, opset_import: [{}]>\nmain ({}) => ({}){} {{\n{}\n}}", imports, inputs,
                     each.outputs, constants, each.nodes);
}

Result<Model> modelOf(const CudaCase& each) {
  CUTAWAY_TRY(Model model, parseModelText(textOf(each)));
  for (const auto& [name, tensor] : each.weights) {
    const ValueId id = model.graph.findValue(name);
    std::vector<ValueId> inputs(model.graph.inputs().begin(), model.graph.inputs().end());
    std::erase(inputs, id);
    model.graph.setInputs(inputs);
    model.graph.addInitializer(name, tensor);
  }
  return model;
}

Result<std::unique_ptr<session::Session>> sessionOf(const CudaCase& each, const std::string& providers, int level) {
  const QTemporaryDir folder;
  const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "model.onnx";
  CUTAWAY_TRY(const Model model, modelOf(each));
  CUTAWAY_CHECK(load::save(model, path, {}));
  session::SessionOptions options;
  options.providers = {providers};
  options.threads = 1;
  options.optimizationLevel = level;
  Progress progress;
  return session::Session::create(load::ModelSource::file(path), options, {cudaProvider(), cpuProvider()}, progress);
}

Result<std::vector<execute::Feed>> outputsOf(session::Session& session, const CudaCase& each) {
  std::vector<execute::Feed> feeds;
  for (const auto& [name, tensor] : each.inputs)
    feeds.push_back({name, RuntimeValue(tensor)});
  for (int again = 0; again < 2; ++again) {
    CUTAWAY_TRY(execute::RunResult result, session.run(feeds, {}));
    if (again == 1) return std::move(result.outputs);
  }
  return std::vector<execute::Feed>{};
}

std::string cudaName(const CudaCase& each) {
  return fmt::format("cuda{{backend=emulator{}{}}}", each.options.empty() ? "" : ",", each.options);
}

// Empty when every node is where the case wants it.
std::string placesOf(const session::Session& session, const CudaCase& each) {
  const Graph& graph = session.model().graph;
  std::vector<std::string> missing = each.fused;
  std::string wrong;
  for (const NodeId id : graph.nodeIds()) {
    const Node& node = graph.node(id);
    std::erase(missing, node.opType);
    if (node.opType.starts_with("Memcpy")) continue;
    if (!each.onProvider.empty() && node.provider != each.onProvider)
      wrong += fmt::format("{} is on {}; ", node.opType, node.provider);
  }
  for (const std::string& operatorName : missing)
    wrong += fmt::format("there is no {} after the edits; ", operatorName);
  return wrong;
}

std::string reasonsOf(const session::Session& session) {
  std::string reasons;
  if (session.report()->partition == nullptr) return reasons;
  for (const NodePlacement& node : session.report()->partition->nodes) {
    for (const ProviderAnswer& answer : node.answers) {
      if (answer.provider == "cuda" && !answer.reason.empty()) reasons += answer.reason + "; ";
    }
  }
  return reasons;
}

std::string compared(const std::vector<execute::Feed>& wanted, const std::vector<execute::Feed>& given,
                     const CudaCase& each) {
  if (wanted.size() != given.size()) return fmt::format("{} outputs instead of {}", given.size(), wanted.size());
  for (size_t i = 0; i < wanted.size(); ++i) {
    const ElementType type = wanted[i].value.isTensor() ? wanted[i].value.tensor().type() : ElementType::kUndefined;
    const Tolerance usual = toleranceOf(type);
    const std::string differs =
        difference(wanted[i].value, given[i].value, each.relative < 0 ? usual.relative : each.relative,
                   each.absolute < 0 ? usual.absolute : each.absolute);
    if (!differs.empty()) return fmt::format("{}: {}", wanted[i].name, differs);
  }
  return {};
}

Result<std::string> differenceOrError(const CudaCase& each) {
  CUTAWAY_TRY(const auto plain, sessionOf(each, "cpu", 0));
  CUTAWAY_TRY(const std::vector<execute::Feed> wanted, outputsOf(*plain, each));
  CUTAWAY_TRY(const auto session, sessionOf(each, cudaName(each), each.level));
  if (std::string wrong = placesOf(*session, each); !wrong.empty()) return wrong + reasonsOf(*session);
  CUTAWAY_TRY(const std::vector<execute::Feed> given, outputsOf(*session, each));
  return compared(wanted, given, each);
}

}  // namespace

Tensor randomOf(ElementType type, const std::vector<int64_t>& dims, uint32_t seed, double low, double high) {
  std::mt19937 generator(seed);
  std::vector<double> values(static_cast<size_t>(elementCount(dims)));
  for (double& value : values)
    value = low + (high - low) * (static_cast<double>(generator()) / 4294967296.0);
  if (type == ElementType::kBool) {
    for (double& value : values)
      value = value < (low + high) / 2 ? 0 : 1;
  }
  return tensorOf(type, dims, values);
}

Tensor tensorOf(ElementType type, const std::vector<int64_t>& dims, const std::vector<double>& values) {
  Tensor tensor = *Tensor::create(type, dims);
  const auto put = [&]<typename T>() {
    std::ranges::transform(values, tensor.span<T>().begin(), [](double value) { return static_cast<T>(value); });
  };
  switch (type) {
    case ElementType::kFloat:
      put.operator()<float>();
      break;
    case ElementType::kDouble:
      put.operator()<double>();
      break;
    case ElementType::kFloat16:
      std::ranges::transform(values, tensor.span<Float16>().begin(),
                             [](double value) { return Float16::fromFloat(static_cast<float>(value)); });
      break;
    case ElementType::kBfloat16:
      std::ranges::transform(values, tensor.span<Bfloat16>().begin(),
                             [](double value) { return Bfloat16::fromFloat(static_cast<float>(value)); });
      break;
    case ElementType::kInt8:
      put.operator()<int8_t>();
      break;
    case ElementType::kUint8:
      put.operator()<uint8_t>();
      break;
    case ElementType::kInt16:
      put.operator()<int16_t>();
      break;
    case ElementType::kUint16:
      put.operator()<uint16_t>();
      break;
    case ElementType::kInt32:
      put.operator()<int32_t>();
      break;
    case ElementType::kUint32:
      put.operator()<uint32_t>();
      break;
    case ElementType::kInt64:
      put.operator()<int64_t>();
      break;
    case ElementType::kUint64:
      put.operator()<uint64_t>();
      break;
    case ElementType::kBool:
      std::ranges::transform(values, tensor.span<bool>().begin(), [](double value) { return value != 0; });
      break;
    default:
      return {};
  }
  return tensor;
}

std::string differenceOf(const CudaCase& each) {
  const auto result = differenceOrError(each);
  return result ? *result : describe(result.error());
}

std::string errorOf(const CudaCase& each) {
  const auto session = sessionOf(each, cudaName(each), each.level);
  if (!session) return describe(session.error());
  const auto given = outputsOf(**session, each);
  return given ? std::string() : describe(given.error());
}

}  // namespace cutaway::testing
