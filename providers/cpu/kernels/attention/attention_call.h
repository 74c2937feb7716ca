#pragma once
// What the attention operators share between their inputs and the core: views of tensors, planes that broadcast, caches
// that grow, and the run itself.
//
// Errors are INVALID_ARGUMENT with the operator's rule and the sizes seen.
// Thread rule: pure functions over the context of one run.
// Example: problem.q = rowsOf(query, operators::headsInside(query.dims(), headSize));  return attend(context, problem);

#include "engine/operators/attention_layout.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/attention/attention_core.h"

namespace cutaway::cpu::attention {

Rows rowsOf(const Tensor& tensor, const operators::HeadSteps& steps);
TargetRows targetOf(Tensor& tensor, const operators::HeadSteps& steps);
// [batch, row, heads * size], dense.
Rows headsInside(const Tensor& tensor, int64_t size);
TargetRows headsInside(Tensor& tensor, int64_t size);

operators::ScoreDims scoresOf(const Problem& problem);
Plane planeOf(const operators::ScorePlane& plane, const Tensor& tensor);

// How the rows of a cache come about: `past` rows kept, then `fresh` ones.
struct CacheRows {
  int64_t batch = 0, heads = 0, size = 0;
  int64_t capacity = 0;           // rows of the target a head
  const int64_t* past = nullptr;  // rows kept, a batch each; nullptr: pastRows for all
  int64_t pastRows = 0;
  int64_t freshRows = 0;
  int64_t heldRows =
      0;  // rows of the past in all: those behind the fresh ones stay as they are, as in a buffer written in place
  bool clear = false;  // rows after them become zeros
};
// target: [batch, head, capacity, size]; it may be the past's own memory. Types agree.
void fillCache(const CacheRows& rows, const Rows* past, const Rows& fresh, TargetRows target);

// Past and fresh rows of one operand as the core reads them: the present output, when there is one, else scratch, else
// the fresh rows as they are.
struct CacheSlots {
  const Tensor* past = nullptr;  // [batch, heads, rows, size]
  size_t presentSlot = 0;
  bool present = false;
};
Result<Rows> joinCache(KernelContext& context, const CacheSlots& slots, const CacheRows& rows, const Rows& fresh);

// Scratch, then the core.
Result<void> attend(KernelContext& context, const Problem& problem);

inline constexpr ElementType kStoredFloats[] = {ElementType::kFloat, ElementType::kDouble, ElementType::kFloat16,
                                                ElementType::kBfloat16};

}  // namespace cutaway::cpu::attention
