#pragma once
// NonMaxSuppression: in each batch entry and class the best box is taken and what overlaps it too much is dropped,
// again and again. The same boxes come out as from looking at them in order of score.
//
// One block for each list of scores; keys order boxes by score, equal scores by lower index.
// Thread rule: as shared.h. Example: Suppress{parameters}(block, list);

#include "providers/cuda/functors/shared.h"

namespace cutaway::cuda {

struct SuppressParameters {
  const float* boxes = nullptr;   // [entries, count, 4]
  const float* scores = nullptr;  // [entries * classes, count]
  uint64_t* keys = nullptr;       // as scores: 0 is out
  uint32_t* chosen = nullptr;     // [lists, most]
  int64_t* counts = nullptr;      // [lists]
  int64_t* rows = nullptr;        // [total, 3]: entry, class, box
  int64_t lists = 0, classes = 0, count = 0, most = 0;
  float overlapThreshold = 0, scoreThreshold = 0;
  int32_t hasScoreThreshold = 0, centre = 0;
};

struct PlainBox {
  float top, left, bottom, right;
  CUTAWAY_SHARED float area() const { return (bottom - top) * (right - left); }
};

struct Suppress {
  SuppressParameters p;

  // Two opposite corners in any order (y1, x1, y2, x2), or centre and size (x, y, width, height).
  CUTAWAY_SHARED PlainBox boxOf(int64_t list, int64_t i) const {
    const float* n = p.boxes + (list / p.classes * p.count + i) * 4;
    if (p.centre != 0) return {n[1] - n[3] / 2, n[0] - n[2] / 2, n[1] + n[3] / 2, n[0] + n[2] / 2};
    return {n[0] < n[2] ? n[0] : n[2], n[1] < n[3] ? n[1] : n[3], n[0] < n[2] ? n[2] : n[0], n[1] < n[3] ? n[3] : n[1]};
  }
  CUTAWAY_SHARED bool overlaps(const PlainBox& a, const PlainBox& b) const {
    const float height = (a.bottom < b.bottom ? a.bottom : b.bottom) - (a.top > b.top ? a.top : b.top);
    const float width = (a.right < b.right ? a.right : b.right) - (a.left > b.left ? a.left : b.left);
    if (height <= 0 || width <= 0) return false;
    const float both = height * width, all = a.area() + b.area() - both;
    return all > 0 && both / all > p.overlapThreshold;
  }
  // Higher scores are larger. NaN never qualifies.
  CUTAWAY_SHARED uint64_t keyOf(float score, int64_t i) const {
    if (p.hasScoreThreshold != 0 ? !(score > p.scoreThreshold) : score != score) return 0;
    const float plain = score + 0.0f;  // -0 is 0
    uint32_t bits;
    __builtin_memcpy(&bits, &plain, sizeof bits);
    const uint32_t ordered = (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
    return (static_cast<uint64_t>(ordered) << 32) | static_cast<uint32_t>(~static_cast<uint32_t>(i));
  }

  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t list) const {
    uint64_t* keys = p.keys + list * p.count;
    for (int64_t i = block.thread(); i < p.count; i += block.threads())
      keys[i] = keyOf(p.scores[list * p.count + i], i);
    int64_t kept = 0;
    while (kept < p.most) {
      uint64_t best = 0;
      for (int64_t i = block.thread(); i < p.count; i += block.threads())
        best = keys[i] > best ? keys[i] : best;  // each thread reads what it wrote itself
      best = block.maximum(best);
      if (best == 0) break;
      const int64_t winner = static_cast<uint32_t>(~static_cast<uint32_t>(best));
      if (block.thread() == 0) p.chosen[list * p.most + kept] = static_cast<uint32_t>(winner);
      ++kept;
      const PlainBox box = boxOf(list, winner);
      for (int64_t i = block.thread(); i < p.count; i += block.threads()) {
        if (keys[i] != 0 && (i == winner || overlaps(boxOf(list, i), box))) keys[i] = 0;
      }
    }
    if (block.thread() == 0) p.counts[list] = kept;
  }
};

// The chosen boxes of all lists as rows, list after list.
struct SuppressedRows {
  SuppressParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t list) const {
    int64_t before = 0;
    for (int64_t i = block.thread(); i < list; i += block.threads())
      before += p.counts[i];
    before = block.sum(before);
    for (int64_t i = block.thread(); i < p.counts[list]; i += block.threads()) {
      int64_t* row = p.rows + (before + i) * 3;
      row[0] = list / p.classes;
      row[1] = list % p.classes;
      row[2] = p.chosen[list * p.most + i];
    }
  }
};

}  // namespace cutaway::cuda
