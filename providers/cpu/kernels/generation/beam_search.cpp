// BeamSearch of com.microsoft, over GPT-2's decoder alone or an encoder with its decoder: the best continuations of
// every prompt, several kept in play.
//
// The bookkeeping of finished hypotheses follows the usual one: of the best 2 * beams candidates, those that end a
// sentence are kept aside with their score by length, the others go on.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/generation/decoder_loop.h"
#include "providers/cpu/kernels/generation/encoder_decoder_loop.h"
#include "providers/cpu/kernels/generation/score_rules.h"
#include "providers/cpu/kernels/generation/timestamp_rules.h"
#include "providers/cpu/kernels/softmax/softmax_row.h"

namespace cutaway::cpu::generation {
namespace {

enum Slot : size_t {
  kIds,
  kMaxLength,
  kMinLength,
  kBeams,
  kReturned,
  kLengthPenalty,
  kRepetition,
  kVocabularyMask,
  kPrefixMask,
  kMask,
  kStartIds,
  kProcessor
};
constexpr float kNotYet = -1e9f;  // the score of beams that start as copies of the first
constexpr int64_t kMostBeams = 4096;

struct Hypothesis {
  float score;
  std::vector<int32_t> tokens;
};

// The finished hypotheses of one prompt, best first.
class Finished {
 public:
  Finished(size_t room, float penalty) : m_room(room), m_penalty(penalty) {}
  void add(const std::vector<int32_t>& tokens, float sum) {
    const float score = byLength(sum, tokens.size());
    const auto place =
        std::find_if(m_all.begin(), m_all.end(), [&](const Hypothesis& other) { return other.score < score; });
    m_all.insert(place, {score, tokens});
    if (m_all.size() > m_room) m_all.pop_back();
  }
  bool full() const { return m_all.size() >= m_room; }
  bool canImprove(float best, size_t length) const { return m_all.back().score < byLength(best, length); }
  const std::vector<Hypothesis>& all() const { return m_all; }
  bool done = false;

 private:
  float byLength(float sum, size_t length) const { return sum / std::pow(static_cast<float>(length), m_penalty); }
  size_t m_room;
  float m_penalty;
  std::vector<Hypothesis> m_all;
};

struct Request {
  int64_t batch = 0, length = 0, longest = 0, beams = 0, returned = 0;
  float lengthPenalty = 1.0f;
  bool timestamps = false;
};

using SearchPlan = std::variant<DecoderPlan, EncoderDecoderPlan>;

class BeamSearch final : public Kernel {
 public:
  BeamSearch(const KernelInfo& info, SearchPlan plan)
      : m_plan(std::move(plan)), m_early(info.attribute<int64_t>("early_stopping", 0) != 0) {}

  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    if (EncoderDecoderPlan::isFor(info)) {
      CUTAWAY_TRY(EncoderDecoderPlan plan, EncoderDecoderPlan::create(info));
      return std::unique_ptr<Kernel>(std::make_unique<BeamSearch>(info, std::move(plan)));
    }
    CUTAWAY_TRY(DecoderPlan plan, DecoderPlan::create(info));
    return std::unique_ptr<Kernel>(std::make_unique<BeamSearch>(info, std::move(plan)));
  }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Request request, readRequest(context));
    CUTAWAY_TRY(const std::unique_ptr<TokenLoop> loopOwner, begin(context, request.beams));
    TokenLoop& loop = *loopOwner;
    std::vector<Finished> finished(static_cast<size_t>(request.batch),
                                   Finished(static_cast<size_t>(request.beams), request.lengthPenalty));
    std::vector<float> sums(static_cast<size_t>(request.batch * request.beams), kNotYet);
    for (int64_t b = 0; b < request.batch; ++b)
      sums[static_cast<size_t>(b * request.beams)] = 0.0f;
    ScoreRules rules{.ngram = settings().ngram, .endToken = settings().endToken, .timestamps = request.timestamps};
    float* shown = nullptr;
    int64_t step = 1;
    for (int64_t length = request.length; length < request.longest; ++length, ++step) {
      CUTAWAY_TRY(const std::span<float> scores, loop.step());
      if (step == 1) {
        CUTAWAY_CHECK(rules.read(context, {kMinLength, kRepetition, kVocabularyMask, kPrefixMask, kAbsent},
                                 request.batch, loop.vocabulary()));
        if (request.timestamps && loop.vocabulary() <= firstTimestamp(rules.endToken))
          return fail(ErrorCode::kInvalidArgument,
                      "BeamSearch: logits_processor 1, but a vocabulary of {} tokens with the end token {} has no "
                      "timestamps, which begin at {}",
                      loop.vocabulary(), rules.endToken, firstTimestamp(rules.endToken));
        CUTAWAY_TRY(shown, scoresOutput(context, request, loop.vocabulary()));
      }
      rateAll(loop, request, rules, step, sums, scores);
      if (shown != nullptr) shown = std::copy(scores.begin(), scores.end(), shown);
      const Choice choice = choose(loop, request, scores, finished, sums);
      CUTAWAY_CHECK(loop.advance(choice.tokens, choice.origins));
      if (std::ranges::all_of(finished, [](const Finished& each) { return each.done; })) break;
    }
    return giveAll(context, request, loop, finished, sums);
  }

 private:
  struct Choice {
    std::vector<int32_t> tokens;
    std::vector<int64_t> origins;
  };

  const SearchSettings& settings() const {
    return std::visit([](const SearchSettings& each) -> const SearchSettings& { return each; }, m_plan);
  }

  Result<std::unique_ptr<TokenLoop>> begin(KernelContext& context, int64_t beams) const {
    const Tensor& ids = *context.input(kIds);
    const Tensor* const mask = optionalInput(context, kMask);
    if (const auto* plan = std::get_if<EncoderDecoderPlan>(&m_plan)) {
      auto loop = std::make_unique<EncoderDecoderLoop>(*plan, context);
      CUTAWAY_CHECK(loop->begin({.ids = ids, .mask = mask, .start = optionalInput(context, kStartIds)}, beams));
      return loop;
    }
    auto loop = std::make_unique<DecoderLoop>(std::get<DecoderPlan>(m_plan), context);
    CUTAWAY_CHECK(loop->begin(ids, mask, beams));
    return loop;
  }

  Result<Request> readRequest(const KernelContext& context) const {
    const Tensor& ids = *context.input(kIds);
    const auto* const pair = std::get_if<EncoderDecoderPlan>(&m_plan);
    if (ids.rank() != (pair != nullptr && pair->features ? 3U : 2U))
      return fail(ErrorCode::kInvalidArgument, "BeamSearch: the first input is {}, not of rank {}",
                  dimsToText(ids.dims()), pair != nullptr && pair->features ? 3 : 2);
    Request request{.batch = ids.dims()[0], .length = ids.dims()[1]};
    if (pair != nullptr) {
      const Tensor* const start = optionalInput(context, kStartIds);
      request.length = start != nullptr && start->rank() == 2 ? start->dims()[1] : 1;
    }
    CUTAWAY_TRY(const int64_t processor, readCount(context, kProcessor, 0, "logits_processor"));
    if (processor != 0 && processor != 1)
      return fail(ErrorCode::kNotImplemented,
                  "BeamSearch: logits_processor {}; known are 0 (none) and 1 (Whisper's "
                  "timestamps)",
                  processor);
    request.timestamps = processor == 1 && pair != nullptr && pair->features;
    CUTAWAY_TRY(request.longest, readCount(context, kMaxLength, 0, "max_length"));
    CUTAWAY_TRY(request.beams, readCount(context, kBeams, 1, "num_beams"));
    CUTAWAY_TRY(request.returned, readCount(context, kReturned, 1, "num_return_sequences"));
    CUTAWAY_TRY(request.lengthPenalty, readFactor(context, kLengthPenalty, 1.0f, "length_penalty"));
    if (request.longest <= request.length)
      return fail(ErrorCode::kInvalidArgument, "BeamSearch: max_length {} is not above the {} tokens given",
                  request.longest, request.length);
    if (request.beams < 1 || request.beams > kMostBeams || request.returned < 1 || request.returned > request.beams) {
      return fail(ErrorCode::kInvalidArgument, "BeamSearch: {} sequences of {} beams cannot be returned",
                  request.returned, request.beams);
    }
    return request;
  }

  static Result<float*> scoresOutput(KernelContext& context, const Request& request, int64_t vocabulary) {
    if (context.outputCount() <= 2 || !context.hasOutput(2)) return nullptr;
    CUTAWAY_TRY(Tensor * scores,
                context.output(2, ElementType::kFloat,
                               std::array{request.longest - request.length, request.batch, request.beams, vocabulary}));
    std::ranges::fill(scores->span<float>(), 0.0f);
    return scores->span<float>().data();
  }

  // Logits to the sum of log-probabilities of every continuation.
  static void rateAll(const TokenLoop& loop, const Request& request, const ScoreRules& rules, int64_t step,
                      std::span<const float> sums, std::span<float> scores) {
    const int64_t vocabulary = loop.vocabulary();
    for (int64_t row = 0; row < loop.rows(); ++row) {
      const std::span<float> each =
          scores.subspan(static_cast<size_t>(row * vocabulary), static_cast<size_t>(vocabulary));
      softmaxRow(each.data(), each.data(), vocabulary, SoftmaxKind::kLogSoftmax);
      rules.apply(loop.sequence(row), row / request.beams, step, each);
      for (float& score : each)
        score += sums[static_cast<size_t>(row)];
    }
  }

  Choice choose(const TokenLoop& loop, const Request& request, std::span<const float> scores,
                std::vector<Finished>& finished, std::vector<float>& sums) const {
    Choice choice;
    const int64_t width = request.beams * loop.vocabulary(), wanted = std::min(2 * request.beams, width);
    std::vector<int64_t> candidates(static_cast<size_t>(width));
    for (int64_t b = 0; b < request.batch; ++b) {
      Finished& mine = finished[static_cast<size_t>(b)];
      const float* own = scores.data() + b * width;
      const size_t filled = static_cast<size_t>(b * request.beams + request.beams);
      if (!mine.done) {
        std::iota(candidates.begin(), candidates.end(), int64_t{0});
        const auto better = [&](int64_t left, int64_t right) {
          return own[left] > own[right] || (own[left] == own[right] && left < right);
        };
        std::partial_sort(candidates.begin(), candidates.begin() + wanted, candidates.end(), better);
        for (int64_t rank = 0; rank < wanted && choice.tokens.size() < filled; ++rank) {
          const int64_t candidate = candidates[static_cast<size_t>(rank)],
                        origin = b * request.beams + candidate / loop.vocabulary();
          const int32_t token = static_cast<int32_t>(candidate % loop.vocabulary());
          if (token == settings().endToken) {
            if (rank < request.beams) mine.add(loop.sequence(origin), own[candidate]);
            continue;
          }
          sums[choice.tokens.size()] = own[candidate];
          choice.tokens.push_back(token);
          choice.origins.push_back(origin);
        }
        const size_t length = loop.sequence(b * request.beams).size();
        mine.done = mine.full() && (m_early || !mine.canImprove(own[candidates[0]], length));
      }
      while (choice.tokens.size() < filled) {  // a finished prompt only pads on
        sums[choice.tokens.size()] = 0.0f;
        choice.origins.push_back(b * request.beams);
        choice.tokens.push_back(settings().padToken);
      }
    }
    return choice;
  }

  Result<void> giveAll(KernelContext& context, const Request& request, const TokenLoop& loop,
                       std::vector<Finished>& finished, std::span<const float> sums) const {
    CUTAWAY_TRY(Tensor * sequences,
                context.output(0, ElementType::kInt32, std::array{request.batch, request.returned, request.longest}));
    std::ranges::fill(sequences->span<int32_t>(), settings().padToken);
    float* scores = nullptr;
    if (context.outputCount() > 1 && context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * tensor, context.output(1, ElementType::kFloat, std::array{request.batch, request.returned}));
      scores = tensor->span<float>().data();
    }
    for (int64_t b = 0; b < request.batch; ++b) {
      Finished& mine = finished[static_cast<size_t>(b)];
      for (int64_t beam = b * request.beams; !mine.done && beam < (b + 1) * request.beams; ++beam)
        mine.add(loop.sequence(beam), sums[static_cast<size_t>(beam)]);
      for (int64_t r = 0; r < request.returned; ++r) {
        const Hypothesis& hypothesis = mine.all()[static_cast<size_t>(r)];
        const int64_t at = b * request.returned + r;
        std::copy_n(hypothesis.tokens.begin(),
                    std::min<int64_t>(request.longest, static_cast<int64_t>(hypothesis.tokens.size())),
                    sequences->span<int32_t>().data() + at * request.longest);
        if (scores != nullptr) scores[at] = hypothesis.score;
      }
    }
    return {};
  }

  SearchPlan m_plan;
  bool m_early;
};

constexpr ElementType kInteger[] = {ElementType::kInt32};
// Tokens, or Whisper's features.
constexpr ElementType kFirst[] = {ElementType::kInt32, ElementType::kFloat};
constexpr TypeRule kTypes[] = {{kIds, kFirst}, {kMaxLength, kInteger}};
constexpr int kHostInputs[] = {kIds, kMaxLength, kMinLength, kBeams, kReturned, kLengthPenalty, kRepetition};

constexpr KernelRow kRows[] = {
    {.opType = "BeamSearch",
     .domain = "com.microsoft",
     .types = kTypes,
     .hostInputs = kHostInputs,
     .create = BeamSearch::create},
};

}  // namespace
}  // namespace cutaway::cpu::generation

namespace cutaway::cpu {
KernelRows kernel_beam_search() {
  return generation::kRows;
}
}  // namespace cutaway::cpu
