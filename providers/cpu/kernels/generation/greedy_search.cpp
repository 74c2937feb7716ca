// GreedySearch and Sampling of com.microsoft over a GPT-2 decoder: one continuation of every prompt, by the best score
// or by a draw among the likely.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "providers/cpu/kernels/generation/decoder_loop.h"
#include "providers/cpu/kernels/generation/score_rules.h"
#include "providers/cpu/kernels/softmax/softmax_row.h"

namespace cutaway::cpu::generation {
namespace {

enum Slot : size_t {
  kIds,
  kMaxLength,
  kMinLength,
  kRepetition,
  kVocabularyMask,
  kPrefixMask,
  kMask,
  kPresenceMask,
  kSeed
};

struct Drawing {
  bool draws = false;
  float temperature = 1.0f, topShare = 0.0f, filter = -1e20f, presence = 0.0f;
  int64_t keepAtLeast = 0;
};

class GreedySearch final : public Kernel {
 public:
  GreedySearch(DecoderPlan plan, const Drawing& drawing) : m_plan(std::move(plan)), m_drawing(drawing) {}

  Result<void> run(KernelContext& context) const override {
    const Tensor& ids = *context.input(kIds);
    if (ids.rank() != 2)
      return fail(ErrorCode::kInvalidArgument, "input_ids is {}, not a matrix", dimsToText(ids.dims()));
    CUTAWAY_TRY(const int64_t longest, readCount(context, kMaxLength, 0, "max_length"));
    CUTAWAY_TRY(const int64_t seed, readCount(context, m_drawing.draws ? size_t{kSeed} : kAbsent, 0, "seed"));
    const int64_t length = ids.dims()[1], batch = ids.dims()[0];
    if (longest <= length)
      return fail(ErrorCode::kInvalidArgument, "max_length {} is not above the {} tokens given", longest, length);
    DecoderLoop loop(m_plan, context);
    CUTAWAY_CHECK(loop.begin(ids, kMask < context.inputCount() ? context.input(kMask) : nullptr, 1));
    ScoreRules rules{.ngram = m_plan.ngram,
                     .endToken = m_plan.endToken,
                     .temperature = m_drawing.temperature,
                     .presence = m_drawing.presence};
    std::mt19937 generator(static_cast<uint32_t>(seed));
    std::vector<bool> ended(static_cast<size_t>(batch), false);
    std::vector<int64_t> origins(static_cast<size_t>(batch));
    std::iota(origins.begin(), origins.end(), int64_t{0});
    std::vector<int32_t> tokens(static_cast<size_t>(batch));
    for (int64_t step = 1; step <= longest - length; ++step) {
      CUTAWAY_TRY(const std::span<float> scores, loop.step());
      if (step == 1) {
        const RuleSlots slots{kMinLength, kRepetition, kVocabularyMask, kPrefixMask,
                              m_drawing.draws ? size_t{kPresenceMask} : kAbsent};
        CUTAWAY_CHECK(rules.read(context, slots, batch, loop.vocabulary()));
      }
      for (int64_t row = 0; row < batch; ++row) {
        const std::span<float> own =
            scores.subspan(static_cast<size_t>(row * loop.vocabulary()), static_cast<size_t>(loop.vocabulary()));
        rules.apply(loop.sequence(row), row, step, own);
        const size_t at = static_cast<size_t>(row);
        tokens[at] = m_drawing.draws ? draw(own, generator)
                                     : static_cast<int32_t>(std::max_element(own.begin(), own.end()) - own.begin());
        ended[at] = ended[at] || tokens[at] == m_plan.endToken;
        if (ended[at]) tokens[at] = m_plan.padToken;
      }
      if (m_drawing.draws) CUTAWAY_CHECK(showFiltered(context, scores, batch, loop.vocabulary()));
      CUTAWAY_CHECK(loop.advance(tokens, origins));
      if (std::ranges::all_of(ended, [](bool each) { return each; })) break;
    }
    CUTAWAY_TRY(Tensor * sequences, context.output(0, ElementType::kInt32, std::array{batch, longest}));
    std::ranges::fill(sequences->span<int32_t>(), m_plan.padToken);
    for (int64_t row = 0; row < batch; ++row)
      std::ranges::copy(loop.sequence(row), sequences->span<int32_t>().begin() + row * longest);
    return {};
  }

 private:
  // Leaves the filtered scores in `scores`.
  int32_t draw(std::span<float> scores, std::mt19937& generator) const {
    std::vector<size_t> order(scores.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, [&](size_t left, size_t right) { return scores[left] > scores[right]; });
    std::vector<float> shares(scores.size());
    softmaxRow(scores.data(), shares.data(), static_cast<int64_t>(scores.size()), SoftmaxKind::kSoftmax);
    if (m_drawing.topShare > 0.0f && m_drawing.topShare < 1.0f) {
      // The smallest set of the likeliest tokens whose shares reach top_p, and never fewer than asked for.
      float before = 0.0f;
      for (size_t rank = 0; rank < order.size(); ++rank) {
        const bool kept = rank == 0 || before <= m_drawing.topShare ||
                          rank < static_cast<size_t>(std::max<int64_t>(0, m_drawing.keepAtLeast));
        before += shares[order[rank]];
        if (!kept) scores[order[rank]] = m_drawing.filter;
      }
      softmaxRow(scores.data(), shares.data(), static_cast<int64_t>(scores.size()), SoftmaxKind::kSoftmax);
    }
    const double target = static_cast<double>(generator()) / 4294967296.0;
    double sum = 0.0;
    for (const size_t token : order) {
      sum += static_cast<double>(shares[token]);
      if (target < sum) return static_cast<int32_t>(token);
    }
    return static_cast<int32_t>(order[0]);
  }

  static Result<void> showFiltered(KernelContext& context, std::span<const float> scores, int64_t batch,
                                   int64_t vocabulary) {
    if (context.outputCount() <= 1 || !context.hasOutput(1)) return {};
    CUTAWAY_TRY(Tensor * filtered, context.output(1, ElementType::kFloat, std::array{batch, vocabulary}));
    std::ranges::copy(scores, filtered->span<float>().begin());
    return {};
  }

  DecoderPlan m_plan;
  Drawing m_drawing;
};

Result<std::unique_ptr<Kernel>> createGreedy(const KernelInfo& info) {
  CUTAWAY_TRY(DecoderPlan plan, DecoderPlan::create(info));
  return std::unique_ptr<Kernel>(std::make_unique<GreedySearch>(std::move(plan), Drawing{}));
}

Result<std::unique_ptr<Kernel>> createSampling(const KernelInfo& info) {
  CUTAWAY_TRY(DecoderPlan plan, DecoderPlan::create(info));
  const Drawing drawing{.draws = true,
                        .temperature = info.attribute<float>("temperature", 1.0f),
                        .topShare = info.attribute<float>("top_p", 0.0f),
                        .filter = info.attribute<float>("filter_value", -1e20f),
                        .presence = info.attribute<float>("presence_penalty", 0.0f),
                        .keepAtLeast = info.attribute<int64_t>("min_tokens_to_keep", 0)};
  if (!(drawing.temperature > 0.0f))
    return fail(ErrorCode::kInvalidArgument, "Sampling: temperature {} is not above 0", drawing.temperature);
  return std::unique_ptr<Kernel>(std::make_unique<GreedySearch>(std::move(plan), drawing));
}

constexpr ElementType kInteger[] = {ElementType::kInt32};
constexpr TypeRule kTypes[] = {{kIds, kInteger}, {kMaxLength, kInteger}};
constexpr int kHostInputs[] = {kIds, kMaxLength, kMinLength, kRepetition};

constexpr KernelRow kRows[] = {
    {.opType = "GreedySearch",
     .domain = "com.microsoft",
     .types = kTypes,
     .hostInputs = kHostInputs,
     .create = createGreedy},
    {.opType = "Sampling",
     .domain = "com.microsoft",
     .types = kTypes,
     .hostInputs = kHostInputs,
     .create = createSampling},
};

}  // namespace
}  // namespace cutaway::cpu::generation

namespace cutaway::cpu {
KernelRows kernel_greedy_search() {
  return generation::kRows;
}
}  // namespace cutaway::cpu
