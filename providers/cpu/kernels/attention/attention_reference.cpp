// The definition of attention, row by row: one score for every key, the softmax over them, the weighted sum of the
// values.

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/checked_math.h"
#include "engine/base/loop_part.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/attention/attention_core.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::attention {
namespace {

template <typename Number>
struct Buffers {
  Number *query, *channel, *scores, *sum;
};

int64_t rowNumbers(const Problem& problem) {
  return problem.headSize + std::max(problem.headSize, problem.valueSize) + problem.keys + problem.valueSize;
}

template <typename Number>
Buffers<Number> buffersAt(const Problem& problem, std::byte* memory) {
  Number* at = reinterpret_cast<Number*>(memory);
  Number* channel = at + problem.headSize;
  Number* scores = channel + std::max(problem.headSize, problem.valueSize);
  return {at, channel, scores, scores + problem.keys};
}

template <typename Number>
void addPlane(const Plane& plane, int64_t batch, int64_t head, int64_t query, int64_t keys, Number* scores) {
  constexpr Number kUnseen = -std::numeric_limits<Number>::infinity();
  const int64_t start = batch * plane.step[0] + head * plane.step[1] + query * plane.step[2];
  const int64_t columns = std::min(keys, plane.columns);
  if (plane.type == ElementType::kBool) {
    const bool* seen = static_cast<const bool*>(plane.data) + start;
    for (int64_t j = 0; j < columns; ++j)
      scores[j] = seen[j * plane.step[3]] ? scores[j] : kUnseen;
  } else {
    cpu::dispatchType(cpu::FloatTypes{}, plane.type, [&]<typename T>(cpu::TypeTag<T>) {
      const T* summand = static_cast<const T*>(plane.data) + start;
      for (int64_t j = 0; j < columns; ++j) {
        const Number each = static_cast<Number>(cpu::widen(summand[j * plane.step[3]]));
        scores[j] = each == kUnseen ? kUnseen : scores[j] + each;
      }
    });
  }
  std::fill(scores + columns, scores + keys, kUnseen);
}

// Returns false when nothing is seen.
template <typename Number>
bool softmaxInPlace(const Problem& problem, int64_t head, Number* scores) {
  constexpr Number kUnseen = -std::numeric_limits<Number>::infinity();
  Number largest = kUnseen;
  if (problem.smooth) largest = 0;
  if (problem.sinks != nullptr) largest = static_cast<Number>(problem.sinks[head]);
  const Number extra = largest;
  for (int64_t j = 0; j < problem.keys; ++j)
    largest = scores[j] > largest ? scores[j] : largest;
  Number sum = extra == kUnseen ? Number(0) : std::exp(extra - largest);
  const Number shift = largest == kUnseen ? Number(0) : largest;
  for (int64_t j = 0; j < problem.keys; ++j) {
    scores[j] = std::exp(scores[j] - shift);
    sum += scores[j];
  }
  if (sum == Number(0)) return false;
  for (int64_t j = 0; j < problem.keys; ++j)
    scores[j] /= sum;
  return true;
}

template <typename Number>
void attendRow(const Problem& problem, int64_t batch, int64_t head, int64_t query, const Buffers<Number>& buffers) {
  constexpr Number kUnseen = -std::numeric_limits<Number>::infinity();
  const int64_t keyHead = head / (problem.heads / problem.keyHeads);
  const KeyInterval seen = seenKeys(problem, batch, query);
  const bool all = problem.scores != nullptr && problem.stage < ScoreStage::kBiased;
  const TargetRows scoreRows{problem.scores, problem.out.type, problem.heads * problem.queries * problem.keys,
                             problem.queries * problem.keys, problem.keys};
  const auto show = [&](ScoreStage stage) {
    if (problem.scores != nullptr && problem.stage == stage)
      storeRow(scoreRows, batch, head, query, problem.keys, buffers.scores);
  };
  fetchRow(problem.q, batch, head, query, problem.headSize, buffers.query);
  for (int64_t j = 0; j < problem.keys; ++j) {
    buffers.scores[j] = kUnseen;
    if (!all && (j < seen.first || j >= seen.end)) continue;
    fetchRow(problem.k, batch, keyHead, j, problem.headSize, buffers.channel);
    Number product = 0;
    for (int64_t c = 0; c < problem.headSize; ++c)
      product += buffers.query[c] * buffers.channel[c];
    buffers.scores[j] = product * static_cast<Number>(problem.scale);
  }
  show(ScoreStage::kProducts);
  const Number cap = static_cast<Number>(problem.softcap);
  for (int64_t j = 0; cap > 0 && j < problem.keys; ++j) {
    if (all || (j >= seen.first && j < seen.end)) buffers.scores[j] = std::tanh(buffers.scores[j] / cap) * cap;
  }
  show(ScoreStage::kCapped);
  for (const Plane& plane : problem.planes) {
    if (plane.data != nullptr) addPlane(plane, batch, head, query, problem.keys, buffers.scores);
  }
  const auto fillUnseen = [&](Number with) {
    std::fill(buffers.scores, buffers.scores + seen.first, with);
    std::fill(buffers.scores + seen.end, buffers.scores + problem.keys, with);
  };
  fillUnseen(0);
  show(ScoreStage::kSeen);
  fillUnseen(kUnseen);
  show(ScoreStage::kBiased);
  softmaxInPlace(problem, head, buffers.scores);
  show(ScoreStage::kProbabilities);
  std::fill(buffers.sum, buffers.sum + problem.valueSize, Number(0));
  for (int64_t j = seen.first; j < seen.end; ++j) {
    fetchRow(problem.v, batch, keyHead, j, problem.valueSize, buffers.channel);
    const Number share = buffers.scores[j];
    if (share == Number(0)) continue;  // what is not seen may hold anything
    for (int64_t c = 0; c < problem.valueSize; ++c)
      buffers.sum[c] += share * buffers.channel[c];
  }
  storeRow(problem.out, batch, head, query, problem.valueSize, buffers.sum);
}

template <typename Number>
void attendAll(const Problem& problem, std::span<std::byte> scratch) {
  const int64_t perThread = alignUp(rowNumbers(problem) * static_cast<int64_t>(sizeof(Number)), 64);
  const int64_t work = std::max<int64_t>(1, problem.keys * (problem.headSize + problem.valueSize));
  parallelFor(problem.batch * problem.heads * problem.queries, std::max<int64_t>(1, 16384 / work),
              [&](int64_t begin, int64_t end) {
                const Buffers<Number> buffers = buffersAt<Number>(problem, scratch.data() + loopPart() * perThread);
                for (int64_t unit = begin; unit < end; ++unit) {
                  const int64_t plane = unit / problem.queries;
                  attendRow(problem, plane / problem.heads, plane % problem.heads, unit % problem.queries, buffers);
                }
              });
}

}  // namespace

KeyInterval seenKeys(const Problem& problem, int64_t batch, int64_t query) {
  constexpr int64_t kFar = int64_t{1} << 60;
  const int64_t position = (problem.offsets != nullptr ? problem.offsets[batch] : problem.offset) + query;
  KeyInterval seen{problem.firsts != nullptr ? problem.firsts[batch] : 0,
                   problem.lengths != nullptr ? problem.lengths[batch] : problem.keys};
  if (problem.causal) seen.end = std::min(seen.end, position + 1);
  if (problem.right >= 0) seen.end = std::min(seen.end, position + std::min(problem.right, kFar) + 1);
  if (problem.left >= 0) seen.first = std::max(seen.first, position - std::min(problem.left, kFar));
  seen.first = std::clamp<int64_t>(seen.first, 0, problem.keys);
  seen.end = std::clamp<int64_t>(seen.end, seen.first, problem.keys);
  return seen;
}

size_t referenceScratchBytes(const Problem& problem) {
  const int64_t each = problem.q.type == ElementType::kDouble ? sizeof(double) : sizeof(float);
  return static_cast<size_t>(currentThreads() * alignUp(rowNumbers(problem) * each, 64));
}

void runReference(const Problem& problem, std::span<std::byte> scratch) {
  if (problem.q.type == ElementType::kDouble) {
    attendAll<double>(problem, scratch);
  } else {
    attendAll<float>(problem, scratch);
  }
}

size_t scratchBytes(const Problem& problem) {
  return blocksServe(problem) ? blockedScratchBytes(problem) : referenceScratchBytes(problem);
}

void run(const Problem& problem, std::span<std::byte> scratch) {
  if (blocksServe(problem)) {
    runBlocked(problem, scratch);
  } else {
    runReference(problem, scratch);
  }
}

}  // namespace cutaway::cpu::attention
