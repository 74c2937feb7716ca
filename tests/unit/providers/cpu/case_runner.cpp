#include "tests/unit/providers/cpu/case_runner.h"

#include <cmath>
#include <complex>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/stages/load/load.h"
#include "engine/stages/load/tensor_file.h"
#include "engine/tensor/packed_bits.h"
#include "tests/unit/providers/cpu/graph_interpreter.h"

namespace cutaway::testing {
namespace {

struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-5;  // what `cutaway-cli check` allows too
};

// data.json holds {"atol": number, "rtol": number}; nothing else is read from it.
Tolerance readTolerance(const std::filesystem::path& folder) {
  Tolerance tolerance;
  std::ifstream file(folder / "data.json");
  std::stringstream text;
  text << file.rdbuf();
  const auto number = [&](const std::string& key, double otherwise) {
    const size_t at = text.str().find('"' + key + "\":");
    return at == std::string::npos ? otherwise : std::stod(text.str().substr(at + key.size() + 3));
  };
  return {std::max(tolerance.relative, number("rtol", 0)), std::max(tolerance.absolute, number("atol", 0))};
}

bool isPackedSigned(ElementType type) {
  return type == ElementType::kInt4 || type == ElementType::kInt2;
}

// Any numeric element as a complex double. 64-bit integers are compared as such before.
std::complex<double> numberAt(const Tensor& t, int64_t i) {
  const size_t at = static_cast<size_t>(i);
  switch (t.type()) {
    case ElementType::kFloat:
      return t.span<float>()[at];
    case ElementType::kDouble:
      return t.span<double>()[at];
    case ElementType::kFloat16:
      return t.span<Float16>()[at].toFloat();
    case ElementType::kBfloat16:
      return t.span<Bfloat16>()[at].toFloat();
    case ElementType::kUint8:
      return t.span<uint8_t>()[at];
    case ElementType::kInt8:
      return t.span<int8_t>()[at];
    case ElementType::kUint16:
      return t.span<uint16_t>()[at];
    case ElementType::kInt16:
      return t.span<int16_t>()[at];
    case ElementType::kInt32:
      return t.span<int32_t>()[at];
    case ElementType::kUint32:
      return t.span<uint32_t>()[at];
    case ElementType::kBool:
      return t.span<uint8_t>()[at] != 0 ? 1.0 : 0.0;
    case ElementType::kComplex64:
      return std::complex<double>(t.span<std::complex<float>>()[at]);
    case ElementType::kComplex128:
      return t.span<std::complex<double>>()[at];
    default:
      break;
  }
  const uint8_t* bytes = static_cast<const uint8_t*>(t.data());
  if (!isSubByte(t.type())) return narrowToFloat(t.type(), bytes[i]);
  const uint8_t raw = packedBits(bytes, i, bitsOf(t.type()));
  if (t.type() == ElementType::kFloat4E2M1) return narrowToFloat(t.type(), raw);
  return isPackedSigned(t.type()) ? static_cast<double>(signExtend(raw, bitsOf(t.type()))) : static_cast<double>(raw);
}

bool isNan(std::complex<double> value) {
  return std::isnan(value.real()) || std::isnan(value.imag());
}

bool close(std::complex<double> wanted, std::complex<double> given, double relative, double absolute) {
  if (isNan(wanted) || isNan(given)) return isNan(wanted) && isNan(given);
  if (wanted == given) return true;
  return std::abs(wanted - given) <= absolute + relative * std::abs(wanted);
}

// Two units in the last place of a narrow type: the order of a sum decides about one of them.
double relativeUnit(ElementType type) {
  if (type == ElementType::kBfloat16) return 0x1p-6;
  return type == ElementType::kFloat16 ? 0x1p-9 : 0.0;
}

// Results of chance: only their type and shape can be compared.
bool isRandom(const Model& model) {
  bool random = false;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const std::string& name = graph.node(id).opType;
      random = random || name == "Bernoulli" || name == "Multinomial" || name.starts_with("Random");
    }
  });
  return random;
}

std::string tensorDifference(const Tensor& wanted, const Tensor& given, double relative, double absolute) {
  if (wanted.type() != given.type())
    return fmt::format("type {} instead of {}", elementTypeName(given.type()), elementTypeName(wanted.type()));
  if (!(wanted.dims() == given.dims()))
    return fmt::format("shape {} instead of {}", dimsToText(given.dims()), dimsToText(wanted.dims()));
  relative = std::max(relative, relativeUnit(wanted.type()));
  const int64_t count = wanted.elementCount();
  for (int64_t i = 0; i < count; ++i) {
    const size_t at = static_cast<size_t>(i);
    if (wanted.type() == ElementType::kString) {
      if (wanted.span<std::string>()[at] != given.span<std::string>()[at])
        return fmt::format("element {} is '{}' instead of '{}'", i, given.span<std::string>()[at],
                           wanted.span<std::string>()[at]);
    } else if (wanted.type() == ElementType::kInt64 || wanted.type() == ElementType::kUint64) {
      if (wanted.span<int64_t>()[at] != given.span<int64_t>()[at])
        return fmt::format("element {} is {} instead of {}", i, given.span<int64_t>()[at], wanted.span<int64_t>()[at]);
    } else if (!close(numberAt(wanted, i), numberAt(given, i), relative, absolute)) {
      return fmt::format("element {} is {} instead of {}", i, numberAt(given, i).real(), numberAt(wanted, i).real());
    }
  }
  return {};
}

Result<std::vector<RuntimeValue>> readValues(const std::filesystem::path& data, const std::string& prefix,
                                             const Graph& graph, std::span<const ValueId> ids, bool skipInitializers) {
  std::vector<RuntimeValue> values;
  for (const ValueId id : ids) {
    if (skipInitializers && graph.value(id).initializer) continue;
    const std::filesystem::path path = data / fmt::format("{}_{}.pb", prefix, values.size());
    CUTAWAY_TRY(load::NamedValue named, load::readTensorFile(path, graph.value(id).type));
    values.push_back(std::move(named.value));
  }
  return values;
}

bool allHaveKernels(const Model& model, const KernelRegistry& kernels, std::string& reason) {
  bool all = true;
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const KernelRegistry::Match match = kernels.find(graph, id);
      if (match.row != nullptr) continue;
      all = false;
      reason = match.reason;
    }
  });
  return all;
}

CaseOutcome failed(std::string message) {
  return {CaseOutcome::Verdict::kFailed, std::move(message)};
}

// Entries in the same order: what the kernels make keeps the order of its labels, and the cases are written so.
std::string mapDifference(const MapValue& wanted, const MapValue& given, double relative, double absolute) {
  const std::string keys = tensorDifference(wanted.keys, given.keys, relative, absolute);
  return keys.empty() ? tensorDifference(wanted.values, given.values, relative, absolute) : "keys: " + keys;
}

}  // namespace

std::string difference(const RuntimeValue& wanted, const RuntimeValue& given, double relative, double absolute) {
  if (wanted.isTensor() && given.isTensor())
    return tensorDifference(wanted.tensor(), given.tensor(), relative, absolute);
  if (wanted.empty() != given.empty())
    return given.empty() ? "nothing instead of a value" : "a value instead of nothing";
  if (wanted.empty()) return {};
  if (wanted.isMap() && given.isMap()) return mapDifference(wanted.map(), given.map(), relative, absolute);
  if (!wanted.isSequence() || !given.isSequence()) return "another kind of value";
  const SequenceValue& a = wanted.sequence();
  const SequenceValue& b = given.sequence();
  if (a.items.size() != b.items.size()) return fmt::format("{} items instead of {}", b.items.size(), a.items.size());
  for (size_t i = 0; i < a.items.size(); ++i) {
    const std::string found = difference(a.items[i], b.items[i], relative, absolute);
    if (!found.empty()) return fmt::format("item {}: {}", i, found);
  }
  return {};
}

std::vector<std::string> operatorsOf(const std::filesystem::path& folder) {
  Progress progress;
  Result<load::LoadResult> loaded = load::load(load::ModelSource::file(folder / "model.onnx"), {}, progress);
  if (!loaded) return {""};
  std::set<std::string> names;
  forEachGraph(loaded->model.graph, [&](Graph& graph) {
    for (const NodeId id : graph.nodeIds())
      names.insert(graph.node(id).opType);
  });
  return {names.begin(), names.end()};
}

CaseOutcome runCase(const std::filesystem::path& folder, const KernelRegistry& kernels,
                    const std::function<void(GraphInterpreter&)>& set) {
  Progress progress;
  Result<load::LoadResult> loaded = load::load(load::ModelSource::file(folder / "model.onnx"), {}, progress);
  if (!loaded) return failed(describe(loaded.error()));
  Model& model = loaded->model;
  if (Result<void> prepared = prepareForKernels(model); !prepared)
    return {CaseOutcome::Verdict::kNoKernel, describe(prepared.error())};
  std::string reason;
  if (!allHaveKernels(model, kernels, reason)) return {CaseOutcome::Verdict::kNoKernel, reason};
  Tolerance tolerance = readTolerance(folder);
  if (isRandom(model)) tolerance.absolute = std::numeric_limits<double>::infinity();
  for (int number = 0;; ++number) {
    const std::filesystem::path data = folder / fmt::format("test_data_set_{}", number);
    if (!std::filesystem::exists(data)) return number == 0 ? failed("there is no data set") : CaseOutcome{};
    Result<std::vector<RuntimeValue>> inputs = readValues(data, "input", model.graph, model.graph.inputs(), true);
    if (!inputs) return failed(describe(inputs.error()));
    Result<std::vector<RuntimeValue>> wanted = readValues(data, "output", model.graph, model.graph.outputs(), false);
    if (!wanted) return failed(describe(wanted.error()));
    GraphInterpreter interpreter(kernels);
    if (set) set(interpreter);
    Result<std::vector<RuntimeValue>> given = interpreter.run(model.graph, *inputs);
    if (!given)
      return {given.error().code == ErrorCode::kNotImplemented ? CaseOutcome::Verdict::kNoKernel
                                                               : CaseOutcome::Verdict::kFailed,
              describe(given.error())};
    for (size_t i = 0; i < wanted->size(); ++i) {
      const std::string found = difference((*wanted)[i], (*given)[i], tolerance.relative, tolerance.absolute);
      if (!found.empty()) return failed(fmt::format("output {}: {}", i, found));
    }
  }
}

}  // namespace cutaway::testing
