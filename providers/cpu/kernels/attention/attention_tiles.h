#pragma once
// The inner loops of attention over blocks of keys, for the machine's vector width: products of tiles, the running
// softmax, the weighted sums.
//
// Scores lie in rows of kKeyBlock floats. Widths of keys, values and sums are multiples of kPad, filled up with zeros.
// Counts of keys are rounded up to kPad by those who call. Thread rule: pure functions over memory of the caller.
// Example: const TileFunctions& tiles = tileFunctions();  tiles.packKeys(keys, count, size, packed);

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace cutaway::cpu::attention {

inline constexpr int64_t kKeyBlock = 128;  // keys at a time
inline constexpr int64_t kPad = 32;        // two vectors of the widest machine
inline constexpr int64_t kGroupPad = 12;   // row groups of every machine divide it
inline constexpr int64_t kFewRows = 8;     // up to here keys are read as they lie

struct BlockRows {
  const float* data = nullptr;
  int64_t step = 0;
};

struct TileFunctions {
  int groupRows;  // rows that are multiplied together
  void (*packKeys)(const BlockRows& keys, int64_t count, int64_t size, float* packed);
  void (*packQueries)(const BlockRows& rows, int64_t count, int64_t size, float scale, float* group);
  void (*scoresOfGroup)(const float* queries, const float* packed, int64_t count, int64_t size, float* scores);
  void (*scoresOfFew)(const float* queries, int64_t rows, int64_t size, const BlockRows& keys, int64_t count,
                      float* scores);
  void (*capRow)(float* scores, int64_t count, float cap);
  void (*addRow)(const float* summand, int64_t count, float* scores);
  void (*exponentials)(float* scores, int64_t rows, int64_t count, float* largest, float* sums, float* keep);
  void (*valuesOfGroup)(const float* shares, const BlockRows& values, int64_t count, int64_t size, const float* keep,
                        float* sums);
  void (*valuesOfFew)(const float* shares, int64_t rows, const BlockRows& values, int64_t count, int64_t size,
                      const float* keep, float* sums);
  void (*scaleRow)(const float* from, int64_t count, float factor, float* to);
};

const TileFunctions& tileFunctions();

}  // namespace cutaway::cpu::attention
