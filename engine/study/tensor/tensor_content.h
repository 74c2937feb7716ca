#pragma once
// What is in a tensor, for people: numbers, statistics, a histogram; and the way out as .npy.
//
// Nothing is copied: numbers are read from the tensor's own bytes when asked for. Quantised and half types read as
// numbers; strings as text only. Thread rule: immutable once made; make() and statistics() may run on any thread.
// Example:
//   CUTAWAY_TRY(const auto content, TensorContent::make("w", value, cancel));
//   content->number(17);  content->statistics().mean;  content->saveNpy("w.npy");

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/tensor/runtime_value.h"

namespace cutaway::study {

struct TensorStatistics {
  int64_t count = 0;
  int64_t zeros = 0, infinite = 0, notNumbers = 0;
  double smallest = 0, largest = 0;   // of the finite ones
  double mean = 0, deviation = 0;     // of the finite ones; deviation of the population
  double absoluteMean = 0, norm = 0;  // norm: Euclidean
  double medianEstimate = 0;          // from the histogram's finer bins
  std::vector<int64_t> histogram;     // equal bins from smallest to largest
};

class TensorContent {
 public:
  // Tensors only: INVALID_ARGUMENT says what else the value is. MODEL_LOAD_CANCELED. Statistics are taken here, in
  // pieces that ask the token.
  static Result<std::shared_ptr<const TensorContent>> make(std::string name, RuntimeValue value,
                                                           const CancelToken& cancel);

  const std::string& name() const { return m_name; }
  const std::string& elementType() const { return m_elementType; }  // "float"
  const std::vector<int64_t>& dims() const { return m_dims; }
  int64_t count() const { return m_count; }
  int64_t sizeBytes() const { return m_sizeBytes; }
  bool isNumeric() const { return m_numeric; }  // complex and strings are not
  double number(int64_t index) const;           // row-major; 0 where not numeric
  std::string text(int64_t index) const;        // as exact as the type is
  const TensorStatistics& statistics() const { return m_statistics; }
  // FAIL with the path when it cannot be written (nothing is left then); NOT_IMPLEMENTED for types that .npy lacks.
  // bfloat16 and 8-bit floats are written as float32.
  Result<void> saveNpy(const std::filesystem::path& path) const;

 private:
  std::string m_name, m_elementType;
  std::vector<int64_t> m_dims;
  int64_t m_count = 0, m_sizeBytes = 0;
  bool m_numeric = false;
  RuntimeValue m_value;
  TensorStatistics m_statistics;
};

// The bytes of an initializer (or of a Constant node's output) of a model as loaded. INVALID_ARGUMENT: it is none.
Result<RuntimeValue> constantValue(const Model& model, int32_t graph, const std::string& name);

}  // namespace cutaway::study
