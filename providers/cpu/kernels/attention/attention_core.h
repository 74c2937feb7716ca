#pragma once
// Scaled-dot-product attention over strided views: the one core that every attention operator runs through.
//
//   out[b,h,i,:] = sum_j softmax_j(cap(scale * q[b,h,i,:] . k[b,g,j,:]) + planes[b,h,i,j]) v[b,g,j,:]      with g = h /
//   (heads / keyHeads)
// Query i stands at position offset(b) + i. It sees the keys of one interval: first(b) <= j < length(b), within the
// window around its position, none after it when causal. A query that sees no key gives zeros, or NaN. Operators
// describe their layouts by steps (elements) and never copy.
//
// Thread rule: pure functions over memory of the caller; they split their work over the caller's threads themselves.
// Example:
//   Problem problem{.batch = 1, .heads = 8, .keyHeads = 2, .queries = 4, .keys = 64, .headSize = 32, .valueSize = 32,
//   .scale = 0.17f, .q = rows(q, 8 * 4 * 32, 4 * 32, 32), ...}; CUTAWAY_TRY(auto scratch,
//   context.scratch(attention::scratchBytes(problem)));  attention::run(problem, scratch);

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/tensor/element_type.h"

namespace cutaway::cpu::attention {

// [batch, head, row, channel] with adjacent channels. Types: float, double, the halves; with a scale also int8, float8
// and uint8 of two nibbles, 8 above their number (value = stored * scale; steps in bytes).
struct Rows {
  const void* data = nullptr;
  ElementType type = ElementType::kFloat;
  int64_t batchStep = 0, headStep = 0, rowStep = 0;
  const float* scale = nullptr;                     // of a quantised cache
  int64_t scaleHeadStep = 0, scaleChannelStep = 0;  // 0, 0: one scale for all
};

struct TargetRows {
  void* data = nullptr;
  ElementType type = ElementType::kFloat;
  int64_t batchStep = 0, headStep = 0, rowStep = 0;
};

// A summand of the scores (or, of bool: false means "not seen"), broadcast by steps of 0. Keys from `columns` on are
// not seen.
struct Plane {
  const void* data = nullptr;
  ElementType type = ElementType::kFloat;
  std::array<int64_t, 4> step{};  // batch, head, query, key
  int64_t columns = 0;
};

// What `scores` receives: the scaled products, after the cap, after the planes and the interval (unseen: minus
// infinity), or the probabilities. kSeen: as kBiased, but keys outside the interval are 0.
enum class ScoreStage : uint8_t { kProducts, kCapped, kBiased, kProbabilities, kSeen };

struct Problem {
  int64_t batch = 0, heads = 0, keyHeads = 0, queries = 0, keys = 0, headSize = 0, valueSize = 0;
  float scale = 1.0f;
  float softcap = 0.0f;  // 0: none
  bool causal = false;
  bool unseenIsNan = false;          // what a query that sees no key gives
  bool smooth = false;               // the softmax's sum has one more summand exp(0)
  int64_t left = -1, right = -1;     // keys before and after the query's position that it sees; -1: all
  int64_t offset = 0;                // position of query 0, for all batches
  const int64_t* offsets = nullptr;  // or for each
  const int64_t* lengths = nullptr;  // keys of each batch; nullptr: all
  const int64_t* firsts = nullptr;   // first key of each batch; nullptr: 0
  const float* sinks = nullptr;      // one a head: a score that takes its share of the softmax and has no value
  Rows q, k, v;
  TargetRows out;
  std::array<Plane, 2> planes{};  // those with data
  void* scores = nullptr;         // [batch, heads, queries, keys] of type out.type
  ScoreStage stage = ScoreStage::kProducts;
};

struct KeyInterval {
  int64_t first = 0, end = 0;
};
KeyInterval seenKeys(const Problem& problem, int64_t batch, int64_t query);

size_t scratchBytes(const Problem& problem);
// Chooses blocks or the reference; scratch as scratchBytes() says.
void run(const Problem& problem, std::span<std::byte> scratch);

// The definition, row by row, in double for double queries and else in float.
size_t referenceScratchBytes(const Problem& problem);
void runReference(const Problem& problem, std::span<std::byte> scratch);

// Float arithmetic over blocks of keys with a running softmax, so that scores are never held whole. Serves everything
// but double and `scores`.
bool blocksServe(const Problem& problem);
size_t blockedScratchBytes(const Problem& problem);
void runBlocked(const Problem& problem, std::span<std::byte> scratch);

// One row of an operand as floats (or doubles).
void fetchRow(const Rows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, float* to);
void fetchRow(const Rows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, double* to);
void storeRow(const TargetRows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, const float* from);
void storeRow(const TargetRows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, const double* from);

}  // namespace cutaway::cpu::attention
