#include "engine/stages/optimize/constant_values.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "engine/base/parallel.h"
#include "engine/tensor/element_numbers.h"

namespace cutaway::optimize {

namespace {

template <typename T>
std::vector<int64_t> copyIntegers(const Tensor& tensor) {
  const auto values = tensor.span<T>();
  return {values.begin(), values.end()};
}

template <typename T>
double toDouble(const T& value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return value.toFloat();
}

template <typename T>
T fromDouble(double value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<T>(value);
  else
    return T::fromFloat(static_cast<float>(value));
}

template <typename T>
std::vector<double> copyNumbers(const Tensor& tensor) {
  std::vector<double> values;
  values.reserve(static_cast<size_t>(tensor.elementCount()));
  for (const T& each : tensor.span<T>())
    values.push_back(toDouble(each));
  return values;
}

template <typename T>
void fill(Tensor& tensor, std::span<const double> values) {
  std::ranges::transform(values, tensor.span<T>().begin(), fromDouble<T>);
}

double largestOf(ElementType type) {
  return type == ElementType::kFloat16  ? 65504.0
         : type == ElementType::kDouble ? std::numeric_limits<double>::max()
                                        : static_cast<double>(std::numeric_limits<float>::max());
}

// Whether all numbers stayed finite.
template <typename T>
bool scale(const Tensor& from, std::span<const double> factors, Tensor& to) {
  constexpr int64_t kGrainElements = 1 << 16;
  const auto slices = static_cast<int64_t>(factors.size());
  const int64_t each = from.elementCount() / slices;
  const double largest = largestOf(from.type());
  const T* const source = from.span<T>().data();
  T* const target = to.span<T>().data();
  std::atomic<bool> finite = true;
  parallelFor(slices, std::max<int64_t>(1, kGrainElements / std::max<int64_t>(1, each)),
              [&](int64_t begin, int64_t end) {
                bool fits = true;
                for (int64_t slice = begin; slice < end; ++slice) {
                  const double factor = factors[static_cast<size_t>(slice)];
                  for (int64_t i = slice * each; i < (slice + 1) * each; ++i) {
                    const double value = toDouble(source[i]) * factor;
                    fits = fits & (std::abs(value) <= largest);  // false for NaN, too
                    target[i] = fromDouble<T>(value);
                  }
                }
                if (!fits) finite.store(false, std::memory_order_relaxed);
              });
  return finite.load(std::memory_order_relaxed);
}

bool scaleAny(const Tensor& from, std::span<const double> factors, Tensor& to) {
  switch (from.type()) {
    case ElementType::kFloat:
      return scale<float>(from, factors, to);
    case ElementType::kDouble:
      return scale<double>(from, factors, to);
    case ElementType::kFloat16:
      return scale<Float16>(from, factors, to);
    case ElementType::kBfloat16:
      return scale<Bfloat16>(from, factors, to);
    default:
      return false;
  }
}

}  // namespace

std::vector<int64_t> integers(const Tensor& tensor) {
  if (tensor.type() == ElementType::kInt64) return copyIntegers<int64_t>(tensor);
  if (tensor.type() == ElementType::kInt32) return copyIntegers<int32_t>(tensor);
  return {};
}

bool isFilledWith(const Tensor& tensor, double value) {
  constexpr int64_t kMaxLookedAt = 4096;
  if (tensor.elementCount() == 0 || tensor.elementCount() > kMaxLookedAt) return false;
  if (tensor.elementCount() == 1) return singleNumber(tensor) == value;
  if (const auto values = numbers(tensor))
    return std::ranges::all_of(*values, [&](double each) { return each == value; });
  const std::vector<int64_t> whole = integers(tensor);
  return !whole.empty() && std::ranges::all_of(whole, [&](int64_t each) { return static_cast<double>(each) == value; });
}

std::optional<std::vector<double>> numbers(const Tensor& tensor) {
  switch (tensor.type()) {
    case ElementType::kFloat:
      return copyNumbers<float>(tensor);
    case ElementType::kDouble:
      return copyNumbers<double>(tensor);
    case ElementType::kFloat16:
      return copyNumbers<Float16>(tensor);
    case ElementType::kBfloat16:
      return copyNumbers<Bfloat16>(tensor);
    default:
      return std::nullopt;
  }
}

Tensor tensorOf(ElementType type, std::span<const int64_t> dims, std::span<const double> values) {
  auto tensor = Tensor::create(type, dims);
  if (!tensor || tensor->elementCount() != static_cast<int64_t>(values.size())) return {};
  switch (type) {
    case ElementType::kFloat:
      fill<float>(*tensor, values);
      break;
    case ElementType::kDouble:
      fill<double>(*tensor, values);
      break;
    case ElementType::kFloat16:
      fill<Float16>(*tensor, values);
      break;
    case ElementType::kBfloat16:
      fill<Bfloat16>(*tensor, values);
      break;
    default:
      return {};
  }
  return *std::move(tensor);
}

Tensor scaledSlices(const Tensor& tensor, std::span<const double> factors) {
  if (factors.empty() || tensor.rank() == 0 || tensor.dims()[0] != static_cast<int64_t>(factors.size())) return {};
  auto scaled = Tensor::create(tensor.type(), tensor.dims());
  return scaled && scaleAny(tensor, factors, *scaled) ? *std::move(scaled) : Tensor();
}

bool staysFinite(double value, ElementType type) {
  return std::abs(value) <= largestOf(type);
}

}  // namespace cutaway::optimize
