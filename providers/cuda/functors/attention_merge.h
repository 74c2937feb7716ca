#pragma once
// Joins the parts that several blocks made of one attention row (attention_functors.h).

#include "providers/cuda/functors/attention_functors.h"

namespace cutaway::cuda {

// One block a row: joins the parts of its splits.
template <typename T>
struct AttentionMerge {
  AttentionRows<T> rows;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t number) const {
    const AttentionParameters& p = rows.p;
    const int64_t row = number % rows.groupRows(), unit = number / rows.groupRows(), batch = unit / p.keyHeads,
                  keyHead = unit % p.keyHeads;
    const float* parts = p.partial + rows.partialAt(batch, keyHead, row, 0);
    const int64_t step = p.valueSize + 2;
    float most = kUnseenScore, total = 0;
    for (int s = 0; s < p.splits; ++s) {
      const float each = parts[s * step + p.valueSize];
      if (each > most || each != each) most = each;
    }
    for (int s = 0; s < p.splits; ++s) {
      if (parts[s * step + p.valueSize + 1] > 0)
        total += parts[s * step + p.valueSize + 1] * expf(parts[s * step + p.valueSize] - most);
    }
    int64_t head = 0;
    T* y = rows.target(batch, keyHead, row, head);
    const float before = most;
    const float share = rows.completed(head, most, total);
    for (int64_t i = block.thread(); i < p.valueSize; i += block.threads()) {
      float sum = 0;
      for (int s = 0; s < p.splits; ++s) {
        if (parts[s * step + p.valueSize + 1] > 0)
          sum += parts[s * step + i] * expf(parts[s * step + p.valueSize] - before);
      }
      y[i] = store<T>(sum * share);
    }
  }
};

}  // namespace cutaway::cuda
