#include "engine/study/accuracy/value_error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "engine/tensor/element_numbers.h"

namespace cutaway::study {
namespace {

// Below this, relative errors say nothing, whatever the tolerance.
constexpr double kTiny = 1e-12;

// Numbers below it are judged by the absolute tolerance, so that is what their errors are relative to.
double smallestScale(const ErrorTolerance& tolerance) {
  return std::max(kTiny, tolerance.relative > 0 ? tolerance.absolute / tolerance.relative : 0);
}

class ErrorSums {
 public:
  ErrorSums(const ErrorTolerance& tolerance, ValueAccuracy& result) : m_tolerance(tolerance), m_result(result) {}

  void add(double a, double b) {
    if (!std::isfinite(a) || !std::isfinite(b)) {
      const bool same = (std::isnan(a) && std::isnan(b)) || a == b;
      if (same) return;
      ++m_result.nonFiniteMismatches;
      ++m_result.outsideTolerance;
      return;
    }
    const double difference = std::abs(a - b);
    m_result.maxAbsolute = std::max(m_result.maxAbsolute, difference);
    m_result.maxRelative = std::max(m_result.maxRelative, difference / std::max(std::abs(b), m_smallest));
    m_result.outsideTolerance += difference > m_tolerance.absolute + m_tolerance.relative * std::abs(b) ? 1 : 0;
    m_squares += difference * difference;
    m_ab += a * b;
    m_aa += a * a;
    m_bb += b * b;
    ++m_count;
  }

  void finish() {
    if (m_count == 0) return;
    m_result.rootMeanSquare = std::sqrt(m_squares / static_cast<double>(m_count));
    const double lengths = std::sqrt(m_aa) * std::sqrt(m_bb);
    m_result.cosine = lengths > 0 ? std::clamp(m_ab / lengths, -1.0, 1.0) : (m_aa == m_bb ? 1.0 : 0.0);
  }

 private:
  const ErrorTolerance& m_tolerance;
  ValueAccuracy& m_result;
  double m_smallest = smallestScale(m_tolerance);
  double m_squares = 0, m_ab = 0, m_aa = 0, m_bb = 0;
  int64_t m_count = 0;
};

void compareExactly(const Tensor& a, const Tensor& b, ValueAccuracy& result) {
  if (a.type() != b.type()) {
    result.problem = fmt::format("{} in A, {} in B", elementTypeName(a.type()), elementTypeName(b.type()));
  } else if (a.type() == ElementType::kString) {
    const auto left = a.span<std::string>(), right = b.span<std::string>();
    for (size_t i = 0; i < left.size(); ++i)
      result.outsideTolerance += left[i] != right[i] ? 1 : 0;
  } else {
    result.outsideTolerance =
        a.sizeBytes() > 0 && std::memcmp(a.data(), b.data(), static_cast<size_t>(a.sizeBytes())) != 0 ? 1 : 0;
  }
}

// Complex numbers are compared as twice as many real ones.
Tensor realParts(const Tensor& tensor) {
  const bool wide = tensor.type() == ElementType::kComplex128;
  if (!wide && tensor.type() != ElementType::kComplex64) return tensor;
  const int64_t doubled = tensor.elementCount() * 2;
  return Tensor::wrapConst(wide ? ElementType::kDouble : ElementType::kFloat, {&doubled, 1}, tensor.data());
}

void measureTensors(const Tensor& a, const Tensor& b, const ErrorTolerance& tolerance, ValueAccuracy& result) {
  result.elementType = elementTypeName(a.type());
  result.shape = dimsToText(a.dims());
  result.elements = a.elementCount();
  if (!(a.dims() == b.dims())) {
    result.problem = fmt::format("shape {} in A, {} in B", dimsToText(a.dims()), dimsToText(b.dims()));
    return;
  }
  const Tensor left = realParts(a), right = realParts(b);
  std::vector<double> reference(static_cast<size_t>(right.elementCount()));
  ErrorSums sums(tolerance, result);
  size_t at = 0;
  bool numbers = forEachNumber(right, [&](double number) { reference[at++] = number; });
  at = 0;
  numbers = numbers && left.elementCount() == right.elementCount() &&
            forEachNumber(left, [&](double number) { sums.add(number, reference[at++]); });
  if (numbers) {
    sums.finish();
  } else {
    compareExactly(a, b, result);
  }
}

}  // namespace

void measureError(const RuntimeValue& a, const RuntimeValue& b, const ErrorTolerance& tolerance,
                  ValueAccuracy& result) {
  if (a.empty() || b.empty()) {
    if (a.empty() != b.empty()) result.problem = a.empty() ? "nothing in A" : "nothing in B";
    return;
  }
  if (a.isTensor() && b.isTensor()) return measureTensors(a.tensor(), b.tensor(), tolerance, result);
  if (!a.isSequence() || !b.isSequence()) {
    result.problem = "neither tensors nor sequences: not compared";
    return;
  }
  if (a.sequence().items.size() != b.sequence().items.size()) {
    result.problem =
        fmt::format("a sequence of {} in A, of {} in B", a.sequence().items.size(), b.sequence().items.size());
    return;
  }
  // Of a sequence, the worst item counts.
  for (size_t i = 0; i < a.sequence().items.size() && result.problem.empty(); ++i) {
    ValueAccuracy item;
    measureError(a.sequence().items[i], b.sequence().items[i], tolerance, item);
    result.elements += item.elements;
    result.outsideTolerance += item.outsideTolerance;
    result.nonFiniteMismatches += item.nonFiniteMismatches;
    result.maxAbsolute = std::max(result.maxAbsolute, item.maxAbsolute);
    result.maxRelative = std::max(result.maxRelative, item.maxRelative);
    result.rootMeanSquare = std::max(result.rootMeanSquare, item.rootMeanSquare);
    result.cosine = std::min(result.cosine, item.cosine);
    if (!item.problem.empty()) result.problem = fmt::format("item {}: {}", i, item.problem);
  }
}

}  // namespace cutaway::study
