#include "app/cli/compare_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <optional>
#include <vector>

#include <spdlog/fmt/fmt.h>

#include "engine/tensor/six_bit_float.h"

namespace cutaway::cli {

namespace {

// One element of a numeric tensor as double; nothing for types that are compared as bytes.
std::optional<double> numberAt(const Tensor& tensor, int64_t index) {
  const size_t at = static_cast<size_t>(index);
  if (isSixBit(tensor.type())) return narrowToFloat(tensor.type(), tensor.span<uint8_t>()[at]);
  switch (tensor.type()) {
    case ElementType::kFloat:
      return tensor.span<float>()[at];
    case ElementType::kDouble:
      return tensor.span<double>()[at];
    case ElementType::kFloat16:
      return tensor.span<Float16>()[at].toFloat();
    case ElementType::kBfloat16:
      return tensor.span<Bfloat16>()[at].toFloat();
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
    case ElementType::kFloat8E8M0:
      return narrowToFloat(tensor.type(), tensor.span<uint8_t>()[at]);
    default:
      return std::nullopt;
  }
}

bool close(double got, double expected, const Tolerance& tolerance) {
  if (std::isnan(got) || std::isnan(expected)) return std::isnan(got) && std::isnan(expected);
  if (std::isinf(got) || std::isinf(expected)) return got == expected;
  return std::abs(got - expected) <= tolerance.absolute + tolerance.relative * std::abs(expected);
}

// Two units in the last place of the storage type: intermediates of composite operators are rounded to it too, and two
// correct engines may round them apart.
double storageStep(ElementType type) {
  switch (type) {
    case ElementType::kBfloat16:
      return 0x1p-6;
    case ElementType::kFloat16:
      return 0x1p-9;
    default:
      return 0;
  }
}

std::string compareNumbers(const Tensor& got, const Tensor& expected, Tolerance tolerance) {
  tolerance.relative = std::max(tolerance.relative, storageStep(expected.type()));
  int64_t wrong = 0;
  int64_t first = -1;
  double largest = 0;
  const int64_t count = expected.elementCount();
  for (int64_t i = 0; i < count; ++i) {
    const double a = *numberAt(got, i);
    const double b = *numberAt(expected, i);
    if (close(a, b, tolerance)) continue;
    if (wrong++ == 0) first = i;
    if (std::isfinite(a - b)) largest = std::max(largest, std::abs(a - b));
  }
  if (wrong == 0) return {};
  return fmt::format("{} of {} elements differ; first at {}: {:g} instead of {:g}; largest difference {:g}", wrong,
                     count, first, *numberAt(got, first), *numberAt(expected, first), largest);
}

std::string compareExactly(const Tensor& got, const Tensor& expected) {
  if (expected.type() == ElementType::kString) {
    const auto a = got.span<std::string>();
    const auto b = expected.span<std::string>();
    for (size_t i = 0; i < b.size(); ++i) {
      if (a[i] != b[i]) return fmt::format("element {} is '{}' instead of '{}'", i, a[i], b[i]);
    }
    return {};
  }
  const auto* a = static_cast<const unsigned char*>(got.data());
  const auto* b = static_cast<const unsigned char*>(expected.data());
  const int64_t bytes = expected.sizeBytes();
  for (int64_t i = 0; i < bytes; ++i) {
    if (a[i] == b[i]) continue;
    const int64_t element = i * 8 / std::max(1, bitsOf(expected.type()));
    return fmt::format("element {} differs ({})", element, elementTypeName(expected.type()));
  }
  return {};
}

std::string compareTensors(const Tensor& got, const Tensor& expected, const Tolerance& tolerance) {
  if (got.type() != expected.type())
    return fmt::format("type {} instead of {}", elementTypeName(got.type()), elementTypeName(expected.type()));
  if (!(got.dims() == expected.dims()))
    return fmt::format("shape {} instead of {}", dimsToText(got.dims()), dimsToText(expected.dims()));
  if (expected.elementCount() == 0 || tolerance.shapeOnly) return {};
  if (numberAt(expected, 0)) return compareNumbers(got, expected, tolerance);
  if (expected.type() == ElementType::kComplex64 || expected.type() == ElementType::kComplex128) {
    // A complex tensor is compared as twice as many real numbers.
    const bool wide = expected.type() == ElementType::kComplex128;
    const int64_t doubled = expected.elementCount() * 2;
    const auto real = [&](const Tensor& tensor) {
      return Tensor::wrapConst(wide ? ElementType::kDouble : ElementType::kFloat, {&doubled, 1}, tensor.data());
    };
    return compareNumbers(real(got), real(expected), tolerance);
  }
  return compareExactly(got, expected);
}

std::string compareSequences(const SequenceValue& got, const SequenceValue& expected, const Tolerance& tolerance) {
  if (got.items.size() != expected.items.size())
    return fmt::format("a sequence of {} instead of {}", got.items.size(), expected.items.size());
  for (size_t i = 0; i < expected.items.size(); ++i) {
    if (std::string difference = compareValues(got.items[i], expected.items[i], tolerance); !difference.empty())
      return fmt::format("item {}: {}", i, difference);
  }
  return {};
}

// Values in the order of their keys.
template <typename Key>
Tensor valuesByKey(const MapValue& map, std::vector<Key>& keys) {
  const auto given = map.keys.span<Key>();
  std::vector<size_t> order(given.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return given[i]; });
  Result<Tensor> sorted = Tensor::create(map.values.type(), map.values.dims());
  if (!sorted) return {};
  const size_t each = given.empty() ? 0 : static_cast<size_t>(map.values.sizeBytes()) / given.size();
  for (size_t i = 0; i < order.size(); ++i) {
    keys.push_back(given[order[i]]);
    if (map.values.type() == ElementType::kString)
      sorted->span<std::string>()[i] = map.values.span<std::string>()[order[i]];
    else
      std::memcpy(sorted->mutableBytes().data() + i * each, map.values.bytes().data() + order[i] * each, each);
  }
  return *std::move(sorted);
}

template <typename Key>
std::string compareMapsBy(const MapValue& got, const MapValue& expected, const Tolerance& tolerance) {
  std::vector<Key> gotKeys, expectedKeys;
  const Tensor gotValues = valuesByKey(got, gotKeys), expectedValues = valuesByKey(expected, expectedKeys);
  if (gotKeys != expectedKeys)
    return fmt::format("keys [{}] instead of [{}]", fmt::join(gotKeys, ", "), fmt::join(expectedKeys, ", "));
  const std::string difference = compareTensors(gotValues, expectedValues, tolerance);
  return difference.empty() ? difference : "values: " + difference;
}

// Maps have no order.
std::string compareMaps(const MapValue& got, const MapValue& expected, const Tolerance& tolerance) {
  if (got.keys.type() != expected.keys.type())
    return fmt::format("keys of type {} instead of {}", elementTypeName(got.keys.type()),
                       elementTypeName(expected.keys.type()));
  if (got.keys.elementCount() != expected.keys.elementCount())
    return fmt::format("a map of {} instead of {}", got.keys.elementCount(), expected.keys.elementCount());
  // An empty map has values of no type.
  if (expected.keys.elementCount() == 0) return {};
  for (const MapValue* map : {&got, &expected}) {
    if (map->keys.elementCount() != map->values.elementCount() || isSubByte(map->values.type()))
      return "a map whose values cannot be compared";
  }
  return expected.keys.type() == ElementType::kString ? compareMapsBy<std::string>(got, expected, tolerance)
                                                      : compareMapsBy<int64_t>(got, expected, tolerance);
}

}  // namespace

std::string compareValues(const RuntimeValue& got, const RuntimeValue& expected, const Tolerance& tolerance) {
  if (got.empty() != expected.empty()) return got.empty() ? "nothing instead of a value" : "a value instead of nothing";
  if (expected.empty()) return {};
  if (expected.isTensor())
    return got.isTensor() ? compareTensors(got.tensor(), expected.tensor(), tolerance) : "not a tensor";
  if (expected.isSequence())
    return got.isSequence() ? compareSequences(got.sequence(), expected.sequence(), tolerance) : "not a sequence";
  return got.isMap() ? compareMaps(got.map(), expected.map(), tolerance) : "not a map";
}

}  // namespace cutaway::cli
