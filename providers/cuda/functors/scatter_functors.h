#pragma once
// Scatter and its kin: updates placed by index, with the same bits every time: of several updates to one place the last
// one wins, and reductions combine them in their order, whatever order the threads come in. First every update is noted
// at its target: for replacing the last update in `heads`, for combining a list (heads, nexts), which is then put in
// order.
//
// Thread rule: as shared.h. Example: NoteUpdates{parameters}(7);

#include "providers/cuda/functors/indexing_functors.h"

namespace cutaway::cuda {

CUTAWAY_SHARED void raise(int32_t* place, int32_t value) {
#ifdef __CUDA_ARCH__
  atomicMax(place, value);
#else
  if (*place < value) *place = value;
#endif
}

CUTAWAY_SHARED int32_t exchange(int32_t* place, int32_t value) {
#ifdef __CUDA_ARCH__
  return atomicExch(place, value);
#else
  const int32_t old = *place;
  *place = value;
  return old;
#endif
}

struct NoteParameters {
  int32_t* heads = nullptr;    // of targets; -1: none
  int32_t* nexts = nullptr;    // of updates; nullptr: only the last update counts
  int64_t* targets = nullptr;  // of updates; -1: out of range
  int64_t count = 0;           // updates
  int32_t tuples = 0;
  ElementPlaces elements;
  TuplePlaces slices;
};

struct NoteUpdates {
  NoteParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t target = p.tuples != 0 ? p.slices.at(i) : p.elements.template at<int64_t>(i);
    p.targets[i] = target;
    if (target < 0) return;
    if (p.nexts == nullptr)
      raise(&p.heads[target], static_cast<int32_t>(i));
    else
      p.nexts[i] = exchange(&p.heads[target], static_cast<int32_t>(i));
  }
};

struct ReplaceParameters {
  const void* updates = nullptr;
  void* to = nullptr;
  const int32_t* heads = nullptr;
  const int64_t* targets = nullptr;
  int64_t count = 0, inner = 0;
};

template <typename Word>
struct ReplaceLast {
  ReplaceParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t update = p.inner == 1 ? i : i / p.inner;
    const int64_t target = p.targets[update];
    if (target >= 0 && p.heads[target] == update)
      static_cast<Word*>(p.to)[target * p.inner + (i - update * p.inner)] = static_cast<const Word*>(p.updates)[i];
  }
};

// Puts the list of each target in ascending order: bottom-up merge sort on the links (Knuth, The Art of Computer
// Programming 3, 5.2.4, list merge sort).
struct OrderParameters {
  int32_t* heads = nullptr;
  int32_t* nexts = nullptr;
  int64_t count = 0;  // targets
};

struct OrderUpdates {
  OrderParameters p;
  CUTAWAY_SHARED void operator()(int64_t target) const {
    int32_t head = p.heads[target];
    if (head < 0 || p.nexts[head] < 0) return;
    for (int64_t run = 1;; run *= 2) {
      int32_t left = head, tail = -1;
      int64_t merges = 0;
      head = -1;
      while (left >= 0) {
        ++merges;
        int32_t right = left;
        int64_t leftCount = 0, rightCount = run;
        while (leftCount < run && right >= 0) {
          ++leftCount;
          right = p.nexts[right];
        }
        while (leftCount > 0 || (rightCount > 0 && right >= 0)) {
          const bool takesLeft = leftCount > 0 && (rightCount == 0 || right < 0 || left < right);
          const int32_t taken = takesLeft ? left : right;
          if (takesLeft) {
            left = p.nexts[left];
            --leftCount;
          } else {
            right = p.nexts[right];
            --rightCount;
          }
          if (tail < 0)
            head = taken;
          else
            p.nexts[tail] = taken;
          tail = taken;
        }
        left = right;
      }
      p.nexts[tail] = -1;
      if (merges <= 1) break;
    }
    p.heads[target] = head;
  }
};

enum class Combining : int32_t { kReplace, kAdd, kMultiply, kMinimum, kMaximum };
struct CombineParameters {
  const void* data = nullptr;
  const void* updates = nullptr;
  void* to = nullptr;
  const int32_t* heads = nullptr;
  const int32_t* nexts = nullptr;
  int64_t count = 0, inner = 0;  // elements of the output, of a slice
  Combining how = Combining::kAdd;
};

template <typename T>
struct CombineInOrder {
  CombineParameters p;
  // Not a number wins, as in the reference implementation's minimum and maximum.
  CUTAWAY_SHARED static Compute<T> combine(Combining how, Compute<T> old, Compute<T> update) {
    switch (how) {
      case Combining::kAdd:
        return static_cast<Compute<T>>(old + update);
      case Combining::kMultiply:
        return static_cast<Compute<T>>(old * update);
      case Combining::kMinimum:
        return old != old ? old : update < old || update != update ? update : old;
      default:
        return old != old ? old : update > old || update != update ? update : old;
    }
  }
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t target = p.inner == 1 ? i : i / p.inner, column = i - target * p.inner;
    T value = static_cast<const T*>(p.data)[i];
    for (int32_t update = p.heads[target]; update >= 0; update = p.nexts[update]) {
      value = store<T>(combine(
          p.how, load(value), load(static_cast<const T*>(p.updates)[static_cast<int64_t>(update) * p.inner + column])));
    }
    static_cast<T*>(p.to)[i] = value;
  }
};
// Signed arithmetic that wraps, as unsigned does.
template <>
CUTAWAY_SHARED int32_t CombineInOrder<int32_t>::combine(Combining how, int32_t old, int32_t update) {
  if (how == Combining::kAdd) return static_cast<int32_t>(static_cast<uint32_t>(old) + static_cast<uint32_t>(update));
  if (how == Combining::kMultiply)
    return static_cast<int32_t>(static_cast<uint32_t>(old) * static_cast<uint32_t>(update));
  return (how == Combining::kMinimum) == (update < old) ? update : old;
}
template <>
CUTAWAY_SHARED int64_t CombineInOrder<int64_t>::combine(Combining how, int64_t old, int64_t update) {
  if (how == Combining::kAdd) return static_cast<int64_t>(static_cast<uint64_t>(old) + static_cast<uint64_t>(update));
  if (how == Combining::kMultiply)
    return static_cast<int64_t>(static_cast<uint64_t>(old) * static_cast<uint64_t>(update));
  return (how == Combining::kMinimum) == (update < old) ? update : old;
}
template <>
CUTAWAY_SHARED uint16_t CombineInOrder<uint16_t>::combine(Combining how, uint16_t old, uint16_t update) {
  if (how == Combining::kAdd) return static_cast<uint16_t>(static_cast<uint32_t>(old) + update);
  if (how == Combining::kMultiply) return static_cast<uint16_t>(static_cast<uint32_t>(old) * update);
  return (how == Combining::kMinimum) == (update < old) ? update : old;
}

}  // namespace cutaway::cuda
