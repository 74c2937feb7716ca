// Einsum of one or two operands. Every distinct letter is a label, and so is every axis that an ellipsis stands for; a
// label has one extent, and a stride in each operand (0 where it broadcasts or is not there; the sum of strides where a
// letter repeats, which walks the diagonal).

#include "providers/cuda/functors/einsum_functors.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/index_plan.h"

namespace cutaway::cuda {
namespace {

constexpr ElementType kTypes[] = {ElementType::kFloat,  ElementType::kFloat16, ElementType::kBfloat16,
                                  ElementType::kDouble, ElementType::kInt32,   ElementType::kInt64};
constexpr TypeRule kRules[] = {{TypeRule::kAllInputs, kTypes}};
constexpr size_t kMostLabels = 32;
constexpr char kEllipsis = '.';

// Letters in order, kEllipsis where the ellipsis stands.
struct Equation {
  std::vector<std::string> terms;
  std::string output;
};

Result<std::string> termOf(std::string_view text) {
  std::string term;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool ellipsis = text.substr(i, 3) == "...";
    if (!ellipsis && std::isalpha(static_cast<unsigned char>(text[i])) == 0)
      return fail(ErrorCode::kInvalidArgument, "Einsum: '{}' has no place in an equation", text[i]);
    if (ellipsis && term.find(kEllipsis) != std::string::npos)
      return fail(ErrorCode::kInvalidArgument, "Einsum: a term has two ellipses");
    term += ellipsis ? kEllipsis : text[i];
    if (ellipsis) i += 2;
  }
  return term;
}

// Without an arrow: the ellipsis, then the letters that stand once, in ASCII order.
std::string deducedOutput(const std::vector<std::string>& terms) {
  std::string all, output;
  for (const std::string& term : terms)
    all += term;
  if (all.find(kEllipsis) != std::string::npos) output += kEllipsis;
  for (int letter = 'A'; letter <= 'z'; ++letter) {
    if (std::ranges::count(all, static_cast<char>(letter)) == 1) output += static_cast<char>(letter);
  }
  return output;
}

Result<Equation> parse(std::string text, size_t operands) {
  const std::string given = text;
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  Equation equation;
  for (size_t begin = 0; begin != std::string::npos;) {
    const std::string left = text.substr(0, arrow);
    const size_t comma = left.find(',', begin);
    CUTAWAY_TRY(std::string term,
                termOf(std::string_view(left).substr(begin, comma == std::string::npos ? comma : comma - begin)));
    equation.terms.push_back(std::move(term));
    begin = comma == std::string::npos ? comma : comma + 1;
  }
  if (equation.terms.size() != operands)
    return fail(ErrorCode::kInvalidArgument, "Einsum: \"{}\" has {} terms for {} inputs", given, equation.terms.size(),
                operands);
  if (arrow == std::string::npos) {
    equation.output = deducedOutput(equation.terms);
    return equation;
  }
  CUTAWAY_TRY(equation.output, termOf(std::string_view(text).substr(arrow + 2)));
  for (const char letter : equation.output) {
    const bool known = std::ranges::any_of(
        equation.terms, [&](const std::string& term) { return term.find(letter) != std::string::npos; });
    if (!known || std::ranges::count(equation.output, letter) > 1)
      return fail(ErrorCode::kInvalidArgument, "Einsum: an output letter of \"{}\" repeats or stands in no input",
                  given);
  }
  return equation;
}

// Labels of a run: those of the output first.
struct Labels {
  size_t outputs = 0, count = 0;
  int64_t extents[kMostLabels];
  int64_t strides[2][kMostLabels] = {};
};

class EinsumKernel final : public GpuKernel {
 public:
  EinsumKernel(const KernelInfo& info, Equation equation)
      : m_functor(fmt::format("einsum.{}", functorType(info.inputElement(0)))), m_equation(std::move(equation)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_kernel, resources.find(m_functor));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &a = *call.input(0), *b = call.inputCount() > 1 ? call.input(1) : nullptr;
    if (b != nullptr && b->type() != a.type())
      return fail(ErrorCode::kInvalidArgument, "Einsum: the inputs differ in type");
    CUTAWAY_TRY(const Labels labels,
                resolve({a.dims(), b == nullptr ? std::span<const int64_t>() : std::span<const int64_t>(b->dims())}));
    CUTAWAY_TRY(Tensor * y, call.output(0, std::span<const int64_t>(labels.extents, labels.outputs)));
    EinsumParameters p{
        .a = a.data(), .b = b == nullptr ? nullptr : b->data(), .y = y->mutableData(), .outputs = y->elementCount()};
    if (p.outputs == 0) return {};
    const auto mapOf = [&](size_t first, size_t count) {
      return indexMap<2>({labels.extents + first, count}, {std::span<const int64_t>(labels.strides[0] + first, count),
                                                           std::span<const int64_t>(labels.strides[1] + first, count)});
    };
    for (size_t i = labels.outputs; i < labels.count; ++i)
      p.terms *= labels.extents[i];
    CUTAWAY_TRY(p.kept, mapOf(0, labels.outputs));
    if (p.terms > 0) {
      CUTAWAY_TRY(p.summed, mapOf(labels.outputs, labels.count - labels.outputs));
    }
    return call.launch(m_kernel, p);
  }
  std::string_view variant() const override { return m_functor; }

 private:
  Result<Labels> resolve(const std::array<std::span<const int64_t>, 2>& dims) const {
    // How many axes the ellipsis stands for: the most of any operand; shorter ones broadcast from the left.
    size_t hidden = 0;
    for (size_t k = 0; k < m_equation.terms.size(); ++k) {
      const std::string& term = m_equation.terms[k];
      const bool ellipsis = term.find(kEllipsis) != std::string::npos;
      const size_t letters = term.size() - (ellipsis ? 1 : 0);
      if (dims[k].size() < letters || (dims[k].size() > letters && !ellipsis))
        return fail(ErrorCode::kInvalidArgument, "Einsum: input {} {} does not fit its term", k, dimsToText(dims[k]));
      hidden = std::max(hidden, dims[k].size() - letters);
    }
    int numbers[128];
    std::fill_n(numbers, 128, -1);
    Labels labels;
    size_t count = 0;
    const auto number = [&](const std::string& term) {
      for (const char letter : term) {
        int& at = numbers[static_cast<size_t>(letter)];
        if (at >= 0) continue;
        at = static_cast<int>(count);
        count += letter == kEllipsis ? hidden : 1;
      }
    };
    number(m_equation.output);
    labels.outputs = count;
    for (const std::string& term : m_equation.terms)
      number(term);
    if (count > kMostLabels)
      return fail(ErrorCode::kNotImplemented, "Einsum over {} axes, at most {} are taken", count, kMostLabels);
    labels.count = count;
    std::fill_n(labels.extents, kMostLabels, 1);
    for (size_t k = 0; k < m_equation.terms.size(); ++k)
      CUTAWAY_CHECK(take(m_equation.terms[k], dims[k], hidden, k, numbers, labels));
    return labels;
  }

  static Result<void> take(const std::string& term, std::span<const int64_t> dims, size_t hidden, size_t k,
                           const int* numbers, Labels& labels) {
    int64_t stride = 1;
    size_t axis = dims.size();
    const size_t covered = dims.size() + 1 - term.size();  // axes of the ellipsis, where there is one
    for (size_t i = term.size(); i-- > 0;) {
      const size_t first = static_cast<size_t>(numbers[static_cast<size_t>(term[i])]);
      const size_t many = term[i] == kEllipsis ? covered : 1;
      for (size_t e = 0; e < many; ++e) {
        const size_t label = term[i] == kEllipsis ? first + hidden - 1 - e : first;
        const int64_t extent = dims[--axis];
        if (extent != 1) {
          if (labels.extents[label] != 1 && labels.extents[label] != extent)
            return fail(ErrorCode::kInvalidArgument, "Einsum: input {} has extent {} where another has {}", k, extent,
                        labels.extents[label]);
          labels.extents[label] = extent;
          labels.strides[k][label] += stride;
        }
        stride *= extent;
      }
    }
    return {};
  }

  std::string m_functor;
  Equation m_equation;
  DeviceKernel m_kernel;
};

Result<std::unique_ptr<GpuKernel>> makeEinsum(const KernelInfo& info) {
  if (info.inputCount() > 2)
    return fail(ErrorCode::kNotImplemented, "Einsum of {} inputs: one and two are taken", info.inputCount());
  for (size_t slot = 0; slot < info.inputCount(); ++slot) {
    if (!info.hasInput(slot)) return fail(ErrorCode::kInvalidGraph, "Einsum: input {} is missing", slot);
  }
  CUTAWAY_TRY(Equation equation, parse(info.attribute<std::string>("equation", ""), info.inputCount()));
  return std::make_unique<EinsumKernel>(info, std::move(equation));
}

}  // namespace

KernelRows kernel_einsum() {
  static constexpr KernelRow rows[] = {
      {.opType = "Einsum", .versions = {12}, .types = kRules, .fastPath = "cuda", .create = gpuKernel<makeEinsum>}};
  return rows;
}

}  // namespace cutaway::cuda
