#pragma once
// Attention without a library: softmax over keys in tiles with a running maximum and sum (Milakov and Gimelshein,
// "Online normalizer calculation for softmax", 2018; Dao et al., "FlashAttention", 2022).
//
// A block serves a few rows of one key head: a row is one query of one head of the group that shares the keys, so a
// decoding step with grouped heads reads its keys once. Keys and values of a tile lie in shared memory; a warp takes a
// row: its lanes take keys for the scores, then channels for the sums. With splits > 1 several blocks share the keys of
// the same rows and AttentionMerge (attention_merge.h) joins their parts, for one query over many keys. A row that sees
// no key gives zeros. Thread rule: as shared.h. Example: see kernels/attention/attention_run.cpp.

#include "providers/cuda/functors/attention_parameters.h"
#include "providers/cuda/functors/executor.h"
#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

inline constexpr int kAttentionThreads = 128;
inline constexpr float kUnseenScore = -3.0e38f;

template <typename T>
struct AttentionRows {
  AttentionParameters p;

  CUTAWAY_SHARED int64_t groupRows() const { return p.heads / p.keyHeads * p.queries; }
  CUTAWAY_SHARED int64_t rowTiles() const { return (groupRows() + p.rowsPerBlock - 1) / p.rowsPerBlock; }
  CUTAWAY_SHARED int64_t blocks() const { return p.batch * p.keyHeads * rowTiles() * p.splits; }
  static int64_t sharedBytes(const AttentionParameters& p) {
    return (p.rowsPerBlock * (p.size + p.valueSize + p.keysPerTile + 2) + p.keysPerTile * (p.size + 1 + p.valueSize)) *
           static_cast<int64_t>(sizeof(float));
  }

  CUTAWAY_SHARED int64_t lengthOf(int64_t batch) const {
    int64_t length = p.keys;
    if (p.lengths != nullptr) length = p.lengths[batch] + p.lengthAdd;
    if (p.longLengths != nullptr) length = p.longLengths[batch] + p.lengthAdd;
    return length < 0 ? 0 : length > p.keys ? p.keys : length;
  }
  CUTAWAY_SHARED void interval(int64_t batch, int64_t query, int64_t& first, int64_t& end) const {
    const int64_t length = lengthOf(batch), position = (p.offsetFromLength ? length - p.queries : p.offset) + query;
    first = 0, end = length;
    if (p.causal && end > position + 1) end = position + 1;
    if (p.right >= 0 && end - position - 1 > p.right) end = position + p.right + 1;
    if (p.left >= 0 && position - p.left > 0) first = position - p.left;
    if (end < first) end = first;
  }

  CUTAWAY_SHARED float planeAt(const AttentionPlane& plane, int64_t batch, int64_t head, int64_t query,
                               int64_t key) const {
    if (plane.kind == kPlaneNone) return 0;
    if (key >= plane.columns) return kUnseenScore;
    if (plane.kind == kPlaneEnds) {
      const int64_t start = plane.starts == nullptr ? 0 : plane.starts[batch];
      return key >= start && key < static_cast<const int32_t*>(plane.data)[batch] ? 0 : plane.filter;
    }
    const int64_t at =
        batch * plane.stride[0] + head * plane.stride[1] + query * plane.stride[2] + key * plane.stride[3];
    if (plane.kind == kPlaneFloat) return static_cast<const float*>(plane.data)[at];
    if (plane.kind == kPlaneOwn) return load(static_cast<const T*>(plane.data)[at]);
    if (plane.kind == kPlaneBool) return static_cast<const bool*>(plane.data)[at] ? 0.0f : kUnseenScore;
    return static_cast<const int32_t*>(plane.data)[at] > 0 ? 0.0f : plane.filter;
  }

  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    const int64_t split = number % p.splits, tile = number / p.splits % rowTiles(),
                  unit = number / p.splits / rowTiles();
    const int64_t batch = unit / p.keyHeads, keyHead = unit % p.keyHeads, row0 = tile * p.rowsPerBlock;
    float* q = block.template shared<float>();
    float* k = q + p.rowsPerBlock * p.size;
    float* v = k + p.keysPerTile * (p.size + 1);
    float* sums = v + p.keysPerTile * p.valueSize;
    float* scores = sums + p.rowsPerBlock * p.valueSize;
    float* most = scores + p.rowsPerBlock * p.keysPerTile;
    float* total = most + p.rowsPerBlock;
    begin(block, batch, keyHead, row0, q, sums, most, total);
    int64_t first = 0, end = 0;
    seenByAny(batch, row0, first, end);
    if (p.splits > 1) {
      const int64_t each =
          ((end - first + p.splits - 1) / p.splits + p.keysPerTile - 1) / p.keysPerTile * p.keysPerTile;
      first += split * each;
      if (end > first + each) end = first + each;
    }
    block.sync();
    for (int64_t key0 = first; key0 < end; key0 += p.keysPerTile) {
      const int count = static_cast<int>(end - key0 < p.keysPerTile ? end - key0 : p.keysPerTile);
      fetch(block, batch, keyHead, key0, count, k, v);
      block.sync();
      for (int row = block.warp(); row < p.rowsPerBlock && row0 + row < groupRows(); row += block.warps()) {
        step(block, batch, keyHead, row0 + row, key0, count, q + row * p.size, k, v, sums + row * p.valueSize,
             scores + row * p.keysPerTile, most + row, total + row);
      }
      block.sync();
    }
    for (int row = block.warp(); row < p.rowsPerBlock && row0 + row < groupRows(); row += block.warps())
      finish(block, batch, keyHead, row0 + row, split, sums + row * p.valueSize, most[row], total[row]);
  }

  // The sum below the line with sink and smoothing.
  CUTAWAY_SHARED float completed(int64_t head, float& most, float total) const {
    float factor = 1;
    if (p.sinks != nullptr) {
      const float sink = load(static_cast<const T*>(p.sinks)[head]);
      const float now = most > sink ? most : sink;
      factor = total > 0 ? expf(most - now) : 0;
      total = total * factor + expf(sink - now);
      most = now;
    } else if (p.smooth) {
      const float now = most > 0 ? most : 0;
      factor = total > 0 ? expf(most - now) : 0;
      total = total * factor + expf(-now);
      most = now;
    }
    return total > 0 ? factor / total : 0;
  }

  CUTAWAY_SHARED T* target(int64_t batch, int64_t keyHead, int64_t row, int64_t& head) const {
    head = keyHead * (p.heads / p.keyHeads) + row / p.queries;
    return static_cast<T*>(p.y) + batch * p.strideY[0] + head * p.strideY[1] + row % p.queries * p.strideY[2];
  }
  CUTAWAY_SHARED int64_t partialAt(int64_t batch, int64_t keyHead, int64_t row, int64_t split) const {
    return (((batch * p.keyHeads + keyHead) * groupRows() + row) * p.splits + split) * (p.valueSize + 2);
  }

 private:
  template <typename Block>
  CUTAWAY_SHARED void begin(Block& block, int64_t batch, int64_t keyHead, int64_t row0, float* q, float* sums,
                            float* most, float* total) const {
    for (int64_t i = block.thread(); i < p.rowsPerBlock * p.size; i += block.threads()) {
      const int64_t row = row0 + i / p.size;
      if (row >= groupRows()) continue;
      const int64_t head = keyHead * (p.heads / p.keyHeads) + row / p.queries;
      q[i] =
          p.scale * load(static_cast<const T*>(
                        p.q)[batch * p.strideQ[0] + head * p.strideQ[1] + row % p.queries * p.strideQ[2] + i % p.size]);
    }
    for (int64_t i = block.thread(); i < p.rowsPerBlock * p.valueSize; i += block.threads())
      sums[i] = 0;
    for (int64_t i = block.thread(); i < p.rowsPerBlock; i += block.threads())
      most[i] = kUnseenScore, total[i] = 0;
  }

  CUTAWAY_SHARED void seenByAny(int64_t batch, int64_t row0, int64_t& first, int64_t& end) const {
    first = p.keys, end = 0;
    for (int64_t row = row0; row < row0 + p.rowsPerBlock && row < groupRows(); ++row) {
      int64_t from = 0, to = 0;
      interval(batch, row % p.queries, from, to);
      if (from < first && from < to) first = from;
      if (to > end && from < to) end = to;
    }
    if (first > end) first = end;
  }

  template <typename Block>
  CUTAWAY_SHARED void fetch(Block& block, int64_t batch, int64_t keyHead, int64_t key0, int count, float* k,
                            float* v) const {
    const T* fromK = static_cast<const T*>(p.k) + batch * p.strideK[0] + keyHead * p.strideK[1] + key0 * p.strideK[2];
    const T* fromV = static_cast<const T*>(p.v) + batch * p.strideV[0] + keyHead * p.strideV[1] + key0 * p.strideV[2];
    const int size = static_cast<int>(p.size), valueSize = static_cast<int>(p.valueSize);
    for (int i = block.thread(); i < count * size; i += block.threads())
      k[i / size * (size + 1) + i % size] = load(fromK[i / size * p.strideK[2] + i % size]);
    for (int i = block.thread(); i < count * valueSize; i += block.threads())
      v[i] = load(fromV[i / valueSize * p.strideV[2] + i % valueSize]);
  }

  template <typename Block>
  CUTAWAY_SHARED void step(Block& block, int64_t batch, int64_t keyHead, int64_t row, int64_t key0, int count,
                           const float* q, const float* k, const float* v, float* sums, float* scores, float* most,
                           float* total) const {
    const int64_t head = keyHead * (p.heads / p.keyHeads) + row / p.queries, query = row % p.queries;
    const int size = static_cast<int>(p.size), valueSize = static_cast<int>(p.valueSize);
    int64_t first = 0, end = 0;
    interval(batch, query, first, end);
    float highest = kUnseenScore;
    for (int j = block.lane(); j < count; j += block.lanes()) {
      float score = kUnseenScore;
      if (key0 + j >= first && key0 + j < end) {
        score = 0;
        for (int i = 0; i < size; ++i)
          score += q[i] * k[j * (size + 1) + i];
        if (p.softcap > 0) score = p.softcap * tanhf(score / p.softcap);
        for (int plane = 0; plane < 2; ++plane)
          score += planeAt(p.planes[plane], batch, head, query, key0 + j);
        if (score < kUnseenScore) score = kUnseenScore;
      }
      scores[j] = score;
      if (score > highest || score != score) highest = score;
    }
    highest = block.warpReduce(highest, [](float a, float b) { return a > b || a != a ? a : b; });
    const float before = *most, now = highest > before || highest != highest ? highest : before;
    if (now <= kUnseenScore) return;  // nothing seen yet: the same for the whole warp
    float sum = 0;
    for (int j = block.lane(); j < count; j += block.lanes()) {
      const float weight = scores[j] <= kUnseenScore ? 0 : expf(scores[j] - now);
      scores[j] = weight;
      sum += weight;
    }
    sum = block.warpReduce(sum, [](float a, float b) { return a + b; });
    const float factor = before <= kUnseenScore ? 0 : expf(before - now);
    block.syncWarp();
    for (int i = block.lane(); i < valueSize; i += block.lanes()) {
      float value = sums[i] * factor;
      for (int j = 0; j < count; ++j)
        value += scores[j] * v[j * valueSize + i];
      sums[i] = value;
    }
    if (block.lane() == 0) {
      *most = now;
      *total = *total * factor + sum;
    }
  }

  template <typename Block>
  CUTAWAY_SHARED void finish(Block& block, int64_t batch, int64_t keyHead, int64_t row, int64_t split,
                             const float* sums, float most, float total) const {
    if (p.splits > 1) {
      float* to = p.partial + partialAt(batch, keyHead, row, split);
      for (int64_t i = block.lane(); i < p.valueSize; i += block.lanes())
        to[i] = sums[i];
      if (block.lane() == 0) to[p.valueSize] = most, to[p.valueSize + 1] = total;
      return;
    }
    int64_t head = 0;
    T* y = target(batch, keyHead, row, head);
    const float share = completed(head, most, total);
    for (int64_t i = block.lane(); i < p.valueSize; i += block.lanes())
      y[i] = store<T>(sums[i] * share);
  }
};

}  // namespace cutaway::cuda
