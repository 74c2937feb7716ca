// cutaway.FusedAttention: softmax(scale * q k^T + summands) v, what MatMul, Div or Mul, Add, Softmax and MatMul spell
// out with the Transposes around them, over blocks of keys, so that scores are never held whole.
//
//   q, k, v: [batch, heads, rows, size], or [batch, rows, heads, size] where q_rows_first, k_rows_first or
//            v_rows_first is 1; or all without the batch. y lies alike (y_rows_first).
//   summands (up to two): at most as many axes, broadcast to [batch, heads, queries, keys]
// Sizes of 1 broadcast as those operators have it. A query whose scores are all minus infinity gives NaN, as Softmax
// does. The rewrite fuse_attention puts it where a model spells it out. Sizes that do not fit are INVALID_ARGUMENT.

#include <algorithm>

#include "providers/cpu/kernels/attention/attention_call.h"

namespace cutaway::cpu::attention {
namespace {

constexpr size_t kQ = 0, kK = 1, kV = 2, kFirstSummand = 3;

// The axes that broadcast; and where the rows lie.
struct Operand {
  std::array<int64_t, 3> dims{};  // batch, heads, rows
  int64_t size = 0;
  operators::HeadSteps steps;
};

Result<Operand> operandOf(const Tensor& tensor, bool rowsFirst) {
  const Dims& dims = tensor.dims();
  if (dims.size() != 3 && dims.size() != 4)
    return fail(ErrorCode::kInvalidArgument, "FusedAttention of {}", dimsToText(dims));
  std::array<int64_t, 4> whole{1, 0, 0, 0};
  std::copy(dims.begin(), dims.end(), whole.end() - static_cast<std::ptrdiff_t>(dims.size()));
  const auto [batch, first, second, size] = whole;
  if (!rowsFirst) return Operand{{batch, first, second}, size, operators::headsOutside(whole)};
  return Operand{{batch, second, first}, size, operators::headsInside(std::array{batch, first, second * size}, size)};
}

// `size` takes the other's place where it is 1; false: they do not broadcast.
bool broadcast(int64_t& size, int64_t other) {
  if (size == 1) size = other;
  return other == 1 || other == size;
}

// Steps of axes that broadcast become 0. axes: how many of the operand's do.
Rows spread(const Tensor& tensor, Operand operand, const std::array<int64_t, 3>& to) {
  if (operand.dims[0] != to[0]) operand.steps.batchStep = 0;
  if (operand.dims[1] != to[1]) operand.steps.headStep = 0;
  if (operand.dims[2] != to[2]) operand.steps.rowStep = 0;
  return rowsOf(tensor, operand.steps);
}

class FusedAttention final : public Kernel {
 public:
  explicit FusedAttention(const KernelInfo& info)
      : m_scale(info.node().attributeOr<float>("scale", 1.0f)),
        m_qRowsFirst(isSet(info, "q_rows_first")),
        m_kRowsFirst(isSet(info, "k_rows_first")),
        m_vRowsFirst(isSet(info, "v_rows_first")),
        m_yRowsFirst(isSet(info, "y_rows_first")) {}

  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    return std::unique_ptr<Kernel>(std::make_unique<FusedAttention>(info));
  }

  std::string_view variant() const override { return "highway"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &q = *context.input(kQ), &k = *context.input(kK), &v = *context.input(kV);
    CUTAWAY_TRY(const Operand query, operandOf(q, m_qRowsFirst));
    CUTAWAY_TRY(const Operand key, operandOf(k, m_kRowsFirst));
    CUTAWAY_TRY(const Operand value, operandOf(v, m_vRowsFirst));
    Problem problem{.scale = m_scale};
    CUTAWAY_CHECK(setSizes(context, query, key, value, problem));
    for (size_t slot = kFirstSummand; slot < context.inputCount(); ++slot) {
      CUTAWAY_TRY(const operators::ScorePlane plane,
                  operators::scorePlane(scoresOf(problem), context.input(slot)->dims(), "FusedAttention: the summand"));
      problem.planes[slot - kFirstSummand] = planeOf(plane, *context.input(slot));
    }
    problem.q = spread(q, query, {problem.batch, problem.heads, problem.queries});
    problem.k = spread(k, key, {problem.batch, problem.heads, problem.keys});
    problem.v = spread(v, value, {problem.batch, problem.heads, problem.keys});
    return attendInto(context, problem, q.dims().size());
  }

 private:
  static bool isSet(const KernelInfo& info, const char* attribute) {
    return info.node().attributeOr<int64_t>(attribute, 0) != 0;
  }

  static Result<void> setSizes(const KernelContext& context, const Operand& query, const Operand& key,
                               const Operand& value, Problem& problem) {
    std::array<int64_t, 4> scores{query.dims[0], query.dims[1], query.dims[2], key.dims[2]};
    bool fits = query.size == key.size;
    for (const Operand* operand : {&key, &value}) {
      fits = fits && broadcast(scores[0], operand->dims[0]) && broadcast(scores[1], operand->dims[1]);
    }
    for (size_t slot = kFirstSummand; slot < context.inputCount(); ++slot) {
      const Dims& dims = context.input(slot)->dims();
      fits = fits && dims.size() <= 4;
      for (size_t back = 1; fits && back <= dims.size(); ++back)
        fits = broadcast(scores[4 - back], dims[dims.size() - back]);
    }
    if (!fits || value.dims[2] != scores[3])
      return fail(ErrorCode::kInvalidArgument, "FusedAttention of {}, {} and {}", dimsToText(context.input(kQ)->dims()),
                  dimsToText(context.input(kK)->dims()), dimsToText(context.input(kV)->dims()));
    problem.batch = scores[0], problem.heads = problem.keyHeads = scores[1];
    problem.queries = scores[2], problem.keys = scores[3];
    problem.headSize = query.size, problem.valueSize = value.size;
    problem.unseenIsNan = problem.keys > 0;  // a sum over no values is 0
    return {};
  }

  Result<void> attendInto(KernelContext& context, Problem& problem, size_t rank) const {
    const int64_t batch = problem.batch, heads = problem.heads, queries = problem.queries, size = problem.valueSize;
    const std::array<int64_t, 4> whole =
        m_yRowsFirst ? std::array{batch, queries, heads, size} : std::array{batch, heads, queries, size};
    CUTAWAY_TRY(Tensor * y, context.output(0, std::span<const int64_t>(whole).last(rank)));
    CUTAWAY_TRY(const Operand result, operandOf(*y, m_yRowsFirst));
    problem.out = targetOf(*y, result.steps);
    return attend(context, problem);
  }

  float m_scale;
  bool m_qRowsFirst, m_kRowsFirst, m_vRowsFirst, m_yRowsFirst;
};

constexpr ElementType kFloatOnly[] = {ElementType::kFloat};
constexpr TypeRule kTypes[] = {{kQ, kFloatOnly}, {kK, kFloatOnly}, {kV, kFloatOnly}};

constexpr KernelRow kRows[] = {
    {.opType = "FusedAttention",
     .domain = "cutaway",
     .versions = {1},
     .types = kTypes,
     .create = FusedAttention::create},
};

}  // namespace
}  // namespace cutaway::cpu::attention

namespace cutaway::cpu {
KernelRows kernel_fused_attention() {
  return attention::kRows;
}
}  // namespace cutaway::cpu
