#include "engine/operators/einsum.h"

#include <algorithm>
#include <string>

namespace cutaway::operators {

namespace {

// In ASCII order: capitals first.
int letterIndex(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  return -1;
}

}  // namespace

Result<EinsumEquation::Term> EinsumEquation::parseTerm(std::string_view text) {
  Term term;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "...") {
      if (term.hasEllipsis) return fail(ErrorCode::kInvalidArgument, "Einsum: a term has two ellipses");
      term.hasEllipsis = true;
      term.letters.push_back(kEllipsis);
      i += 2;
      continue;
    }
    const int letter = letterIndex(text[i]);
    if (letter < 0) return fail(ErrorCode::kInvalidArgument, "Einsum: '{}' has no place in an equation", text[i]);
    term.letters.push_back(letter);
  }
  return term;
}

// Without an arrow: the ellipsis, then the letters that stand once, in ASCII order.
void EinsumEquation::deduceOutput() {
  std::array<int, kLetters> uses{};
  for (const Term& term : m_terms) {
    m_output.hasEllipsis |= term.hasEllipsis;
    for (const int letter : term.letters) {
      if (letter != kEllipsis) ++uses[static_cast<size_t>(letter)];
    }
  }
  if (m_output.hasEllipsis) m_output.letters.push_back(kEllipsis);
  for (int letter = 0; letter < kLetters; ++letter) {
    if (uses[static_cast<size_t>(letter)] == 1) m_output.letters.push_back(letter);
  }
}

Result<EinsumEquation> EinsumEquation::parse(std::string_view equation, size_t operands) {
  std::string text(equation);
  std::erase(text, ' ');
  EinsumEquation result;
  const size_t arrow = text.find("->");
  std::string_view left = std::string_view(text).substr(0, arrow);
  while (true) {
    const size_t comma = left.find(',');
    CUTAWAY_TRY(Term term, parseTerm(left.substr(0, comma)));
    result.m_terms.push_back(std::move(term));
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  if (result.m_terms.size() != operands)
    return fail(ErrorCode::kInvalidArgument, "Einsum: \"{}\" has {} terms for {} inputs", equation,
                result.m_terms.size(), operands);
  if (operands > static_cast<size_t>(EinsumLabels::kMaxOperands))
    return fail(ErrorCode::kNotImplemented, "Einsum of more than {} inputs", EinsumLabels::kMaxOperands);
  if (arrow == std::string::npos) {
    result.deduceOutput();
    return result;
  }
  CUTAWAY_TRY(result.m_output, parseTerm(std::string_view(text).substr(arrow + 2)));
  for (size_t i = 0; i < result.m_output.letters.size(); ++i) {
    const int letter = result.m_output.letters[i];
    const bool known = letter == kEllipsis || std::ranges::any_of(result.m_terms, [&](const Term& term) {
                         return std::ranges::count(term.letters, letter) > 0;
                       });
    if (!known || std::count(result.m_output.letters.begin(), result.m_output.letters.end(), letter) > 1) {
      return fail(ErrorCode::kInvalidArgument, "Einsum: an output letter of \"{}\" repeats or stands in no input",
                  equation);
    }
  }
  return result;
}

Result<EinsumEquation> EinsumEquation::read(const Node& node) {
  for (size_t slot = 0; slot < node.inputs.size(); ++slot) {
    if (!node.inputs[slot].valid()) return fail(ErrorCode::kInvalidGraph, "Einsum: input {} is missing", slot);
  }
  return parse(node.attributeOr<std::string>("equation", ""), node.inputs.size());
}

Result<EinsumLabels> EinsumEquation::resolve(std::span<const Tensor* const> operands) const {
  std::array<const Dims*, EinsumLabels::kMaxOperands> dims{};
  for (size_t k = 0; k < operands.size(); ++k) {
    if (operands[k]->type() != operands[0]->type())
      return fail(ErrorCode::kInvalidArgument, "Einsum: the inputs differ in type");
    dims[k] = &operands[k]->dims();
  }
  return resolve(std::span<const Dims* const>(dims.data(), operands.size()));
}

Result<EinsumLabels> EinsumEquation::resolve(std::span<const Dims* const> dims) const {
  EinsumLabels labels;
  labels.operands = static_cast<int>(m_terms.size());
  // How many axes the ellipsis stands for: the most of any operand; shorter ones broadcast from the left.
  int64_t ellipsisRank = 0;
  for (size_t k = 0; k < m_terms.size(); ++k) {
    const auto letters = static_cast<int64_t>(m_terms[k].letters.size()) - (m_terms[k].hasEllipsis ? 1 : 0);
    const int64_t rest = static_cast<int64_t>(dims[k]->size()) - letters;
    if (rest < 0 || (rest > 0 && !m_terms[k].hasEllipsis))
      return fail(ErrorCode::kInvalidArgument, "Einsum: input {} {} does not fit its term", k, dimsToText(*dims[k]));
    ellipsisRank = std::max(ellipsisRank, rest);
  }
  // Number the labels: output first.
  std::array<int, kLetters> number;
  number.fill(-1);
  int ellipsisStart = -1;
  const auto count = [&](const Term& term) {
    for (const int letter : term.letters) {
      if (letter == kEllipsis && ellipsisStart < 0) {
        ellipsisStart = labels.labels;
        labels.labels += static_cast<int>(ellipsisRank);
      } else if (letter != kEllipsis && number[static_cast<size_t>(letter)] < 0) {
        number[static_cast<size_t>(letter)] = labels.labels++;
      }
    }
  };
  if (ellipsisRank > EinsumLabels::kMaxLabels)
    return fail(ErrorCode::kNotImplemented, "Einsum over more than {} axes", EinsumLabels::kMaxLabels);
  count(m_output);
  labels.outputLabels = labels.labels;
  for (const Term& term : m_terms)
    count(term);
  if (labels.labels > EinsumLabels::kMaxLabels)
    return fail(ErrorCode::kNotImplemented, "Einsum over more than {} axes", EinsumLabels::kMaxLabels);

  labels.extents.fill(1);
  for (int pass = 0; pass < 2; ++pass) {  // extents first, strides when they are known
    for (size_t k = 0; k < m_terms.size(); ++k) {
      const Term& term = m_terms[k];
      int64_t stride = 1;
      size_t axis = dims[k]->size();
      const auto take = [&](int label) -> Result<void> {
        const int64_t extent = (*dims[k])[--axis];
        int64_t& known = labels.extents[static_cast<size_t>(label)];
        if (pass == 0 && extent != 1) {
          if (known != 1 && known != extent)
            return fail(ErrorCode::kInvalidArgument, "Einsum: input {} has extent {} where another has {}", k, extent,
                        known);
          known = extent;
        } else if (pass == 1 && extent != 1) {
          labels.strides[k][static_cast<size_t>(label)] += stride;
        }
        stride *= extent;
        return {};
      };
      const int64_t covered = static_cast<int64_t>(dims[k]->size()) -
                              (static_cast<int64_t>(term.letters.size()) - (term.hasEllipsis ? 1 : 0));
      for (size_t i = term.letters.size(); i-- > 0;) {
        if (term.letters[i] != kEllipsis) {
          CUTAWAY_CHECK(take(number[static_cast<size_t>(term.letters[i])]));
          continue;
        }
        for (int64_t e = 0; e < covered; ++e)
          CUTAWAY_CHECK(take(ellipsisStart + static_cast<int>(ellipsisRank - 1 - e)));
      }
    }
  }
  labels.outputDims = Dims(labels.outputExtents());
  return labels;
}

}  // namespace cutaway::operators
