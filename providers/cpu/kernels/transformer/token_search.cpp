// com.microsoft NGramRepeatBlock (tokens that would repeat a run of ngram_size tokens get the score -inf) and
// DynamicTimeWarping (the cheapest path through a matrix of costs).

#include <limits>

#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

class NGramRepeatBlock final : public Kernel {
 public:
  explicit NGramRepeatBlock(int64_t size) : m_size(size) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor &ids = *context.input(0), &scores = *context.input(1);
    if (ids.rank() != 2 || scores.rank() != 2 || ids.dims()[0] != scores.dims()[0] ||
        scores.type() != ElementType::kFloat) {
      return fail(ErrorCode::kInvalidArgument, "NGramRepeatBlock: input_ids are {}, scores {} {}",
                  dimsToText(ids.dims()), elementTypeName(scores.type()), dimsToText(scores.dims()));
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, scores.dims()));
    if (y->data() != scores.data()) std::ranges::copy(scores.span<float>(), y->span<float>().begin());
    const int64_t batch = ids.dims()[0], length = ids.dims()[1], words = scores.dims()[1];
    for (int64_t b = 0; b < batch && m_size <= length; ++b) {
      const int64_t* tokens = ids.span<int64_t>().data() + b * length;
      const int64_t* tail = tokens + length - (m_size - 1);
      for (int64_t i = 0; i + m_size <= length; ++i) {
        if (!std::equal(tokens + i, tokens + i + m_size - 1, tail)) continue;
        const int64_t banned = tokens[i + m_size - 1];
        if (banned < 0 || banned >= words)
          return fail(ErrorCode::kInvalidArgument, "NGramRepeatBlock: token {} of {}", banned, words);
        y->span<float>()[static_cast<size_t>(b * words + banned)] = -std::numeric_limits<float>::infinity();
      }
    }
    return {};
  }

 private:
  int64_t m_size;
};

// The classic recurrence: a cell costs its own number and the least of its three neighbours before it. Ties go left, as
// in Whisper's alignment, where this operator comes from.
class DynamicTimeWarping final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor& costs = *context.input(0);
    const size_t rank = costs.rank();
    if (rank < 2 || rank > 3 || (rank == 3 && costs.dims()[0] != 1))
      return fail(ErrorCode::kInvalidArgument, "DynamicTimeWarping needs [M,N] or [1,M,N], not {}",
                  dimsToText(costs.dims()));
    const int64_t rows = costs.dims()[rank - 2], columns = costs.dims()[rank - 1];
    if (rows < 1 || columns < 1)
      return fail(ErrorCode::kInvalidArgument, "DynamicTimeWarping of {}", dimsToText(costs.dims()));
    const int64_t cells = rows * columns;
    CUTAWAY_TRY(std::span<std::byte> scratch,
                context.scratch(static_cast<size_t>(cells) + static_cast<size_t>(2 * (columns + 1)) * sizeof(float)));
    float* before = reinterpret_cast<float*>(scratch.data());
    float* now = before + columns + 1;
    auto* steps = reinterpret_cast<uint8_t*>(now + columns + 1);
    trace(costs.span<float>().data(), rows, columns, before, now, steps);
    int64_t length = 0;
    walk(steps, rows, columns, [&](int64_t, int64_t) { ++length; });
    CUTAWAY_TRY(Tensor * y, context.output(0, {2, length}));
    int32_t* path = y->span<int32_t>().data();
    int64_t at = length;
    walk(steps, rows, columns, [&](int64_t row, int64_t column) {
      --at;
      path[at] = static_cast<int32_t>(row);
      path[length + at] = static_cast<int32_t>(column);
    });
    return {};
  }

 private:
  enum Step : uint8_t { kDiagonal, kUp, kLeft };

  static void trace(const float* costs, int64_t rows, int64_t columns, float* before, float* now, uint8_t* steps) {
    constexpr float kFar = std::numeric_limits<float>::infinity();
    std::fill_n(before, columns + 1, kFar);
    before[0] = 0.0f;
    for (int64_t r = 0; r < rows; ++r) {
      now[0] = kFar;
      for (int64_t c = 0; c < columns; ++c) {
        const float diagonal = before[c], up = before[c + 1], left = now[c];
        const Step step = diagonal < up && diagonal < left ? kDiagonal : up < diagonal && up < left ? kUp : kLeft;
        const float least = step == kDiagonal ? diagonal : step == kUp ? up : left;
        steps[r * columns + c] = step;
        now[c + 1] = costs[r * columns + c] + least;
      }
      std::swap(before, now);
    }
  }

  // From the last cell to the first; visit(row, column) on the way. The first row and column lead along themselves.
  template <typename Visit>
  static void walk(const uint8_t* steps, int64_t rows, int64_t columns, Visit&& visit) {
    int64_t row = rows - 1, column = columns - 1;
    while (true) {
      visit(row, column);
      if (row == 0 && column == 0) return;
      const Step step = row == 0 ? kLeft : column == 0 ? kUp : static_cast<Step>(steps[row * columns + column]);
      if (step != kLeft) --row;
      if (step != kUp) --column;
    }
  }
};

Result<std::unique_ptr<Kernel>> createNGram(const KernelInfo& info) {
  const int64_t size = info.attribute<int64_t>("ngram_size", 0);
  if (size < 1) return fail(ErrorCode::kInvalidArgument, "NGramRepeatBlock: ngram_size is {}", size);
  if (!info.hasInput(1)) return fail(ErrorCode::kInvalidArgument, "NGramRepeatBlock has no scores");
  return std::make_unique<NGramRepeatBlock>(size);
}
Result<std::unique_ptr<Kernel>> createWarping(const KernelInfo&) {
  return std::make_unique<DynamicTimeWarping>();
}

constexpr ElementType kLong[] = {ElementType::kInt64};
constexpr TypeRule kTokens[] = {{0, kLong}, {1, kFloatList}};
constexpr InplaceHint kScores[] = {{.input = 1, .output = 0, .kind = AliasKind::kMayInplace}};

constexpr KernelRow kRows[] = {
    {.opType = "NGramRepeatBlock",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kTokens,
     .inplace = kScores,
     .create = createNGram},
    {.opType = "DynamicTimeWarping",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .create = createWarping},
};

}  // namespace

KernelRows kernel_token_search() {
  return kRows;
}

}  // namespace cutaway::cpu
