#pragma once
// The equation of an Einsum, and what it means for operands of given shapes.
//
// Every distinct letter is a label, and so is every axis that an ellipsis stands for. For each label the shape gives
// one extent, and each operand one stride (0 where it broadcasts or does not have the label; the sum of strides where a
// letter repeats, which walks the diagonal).
//
// Source: the ONNX operator specification, Einsum-12, after numpy.einsum.
// Example: CUTAWAY_TRY(const EinsumEquation equation, EinsumEquation::read(node));
//          CUTAWAY_TRY(const EinsumLabels labels, equation.resolve(dims));

#include <array>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

struct EinsumLabels {
  static constexpr int kMaxLabels = 64;
  static constexpr int kMaxOperands = 16;

  int operands = 0;
  int outputLabels = 0;  // the first ones, in output order
  int labels = 0;        // the others are summed over
  std::array<int64_t, kMaxLabels> extents{};
  std::array<std::array<int64_t, kMaxLabels>, kMaxOperands> strides{};
  Dims outputDims;

  std::span<const int64_t> outputExtents() const { return {extents.data(), static_cast<size_t>(outputLabels)}; }
  bool summed(int label) const { return label >= outputLabels; }
};

class EinsumEquation {
 public:
  // INVALID_ARGUMENT for anything but letters, ellipses, commas, one arrow and spaces, for output letters that no
  // operand has, and for a wrong number of terms.
  static Result<EinsumEquation> parse(std::string_view equation, size_t operands);
  // The attribute `equation` for the node's inputs. INVALID_GRAPH where one of them is missing.
  static Result<EinsumEquation> read(const Node& node);
  // INVALID_ARGUMENT when ranks or extents do not fit.
  Result<EinsumLabels> resolve(std::span<const Dims* const> dims) const;
  // Of tensors, which must be of one type; one for each term.
  Result<EinsumLabels> resolve(std::span<const Tensor* const> operands) const;

 private:
  struct Term {
    std::vector<int> letters;  // 0..51; kEllipsis where the ellipsis stands
    bool hasEllipsis = false;
  };
  static constexpr int kLetters = 52;
  static constexpr int kEllipsis = -1;
  static Result<Term> parseTerm(std::string_view text);
  void deduceOutput();
  std::vector<Term> m_terms;
  Term m_output;
};

}  // namespace cutaway::operators
