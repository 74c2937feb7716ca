#pragma once
// Data picked and placed by index: Gather and its kin, OneHot, Compress, TensorScatter.
//
// No index is trusted: one out of range is reported (index_fault.h), reads nothing and writes a zero or nothing.
// Thread rule: as shared.h. Example: Gather<uint32_t, uint32_t>{parameters}(7);

#include "providers/cuda/functors/index_fault.h"
#include "providers/cuda/functors/number.h"
#include "providers/cuda/functors/word.h"

namespace cutaway::cuda {

struct IndexList {
  const void* data = nullptr;
  int32_t wide = 1;  // 1: int64, 0: int32
  CUTAWAY_SHARED int64_t operator[](int64_t i) const {
    return wide != 0 ? static_cast<const int64_t*>(data)[i] : static_cast<const int32_t*>(data)[i];
  }
};

template <typename Word>
CUTAWAY_SHARED Word zeroWord() {
  return Word{};
}

// from [outer, length, inner] at picks of the middle axis.
struct GatherParameters {
  const void* from = nullptr;
  void* to = nullptr;
  IndexList indices;
  int64_t count = 0;
  int64_t picks = 0, inner = 0, length = 0;
  FaultPlace fault;
};

template <typename Word, typename Index>
struct Gather {
  GatherParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const Index inner = static_cast<Index>(p.inner), picks = static_cast<Index>(p.picks);
    const Index line = static_cast<Index>(i) / inner, column = static_cast<Index>(i) - line * inner;
    const Index outer = line / picks, pick = line - outer * picks;
    const int64_t index = p.fault.resolve(p.indices[pick], p.length, pick);
    static_cast<Word*>(p.to)[i] =
        index < 0
            ? zeroWord<Word>()
            : static_cast<const Word*>(p.from)[(static_cast<int64_t>(outer) * p.length + index) * p.inner + column];
  }
};

// Where the index stands for the coordinate on one axis: map gives the offset without that axis.
struct ElementPlaces {
  IndexList indices;
  IndexMap<1> map;
  int64_t stride = 0, length = 0;  // of the axis in the data
  FaultPlace fault;
  // -1: out of range.
  template <typename Index>
  CUTAWAY_SHARED int64_t at(int64_t i) const {
    const int64_t index = fault.resolve(indices[i], length, i);
    if (index < 0) return -1;
    int64_t offset[1];
    offsetsOf(map, static_cast<Index>(i), offset);
    return offset[0] + index * stride;
  }
};

// Where `width` indexes are coordinates: the number of the slice.
struct TuplePlaces {
  IndexList indices;
  int32_t width = 0;
  int64_t lengths[kMaximumRank] = {};
  int64_t batchTuples = 0, batchSlices = 0;  // tuples of one batch entry, and slices that it has; 0 tuples: no batches
  FaultPlace fault;
  CUTAWAY_SHARED int64_t at(int64_t tuple) const {
    int64_t slice = 0;
    for (int32_t k = 0; k < width; ++k) {
      const int64_t index = fault.resolve(indices[tuple * width + k], lengths[k], tuple * width + k);
      if (index < 0) return -1;
      slice = slice * lengths[k] + index;
    }
    return batchTuples == 0 ? slice : slice + tuple / batchTuples * batchSlices;
  }
};

struct GatherElementsParameters {
  const void* from = nullptr;
  void* to = nullptr;
  int64_t count = 0;
  ElementPlaces places;
};

template <typename Word, typename Index>
struct GatherElements {
  GatherElementsParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t at = p.places.template at<Index>(i);
    static_cast<Word*>(p.to)[i] = at < 0 ? zeroWord<Word>() : static_cast<const Word*>(p.from)[at];
  }
};

struct GatherTuplesParameters {
  const void* from = nullptr;
  void* to = nullptr;
  int64_t count = 0, inner = 0;  // words, words of a slice
  TuplePlaces places;
};

template <typename Word>
struct GatherTuples {
  GatherTuplesParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t tuple = p.inner == 1 ? i : i / p.inner;
    const int64_t slice = p.places.at(tuple);
    static_cast<Word*>(p.to)[i] =
        slice < 0 ? zeroWord<Word>() : static_cast<const Word*>(p.from)[slice * p.inner + (i - tuple * p.inner)];
  }
};

// A cache [entries, prefixes, capacity, inner] gets new steps at each entry's place, straight on or around in a circle.
struct ScatterCacheParameters {
  const void* updates = nullptr;  // [entries, prefixes, steps, inner]
  void* to = nullptr;
  IndexList starts;   // data nullptr: zeros
  int64_t count = 0;  // words of updates
  int64_t prefixes = 0, steps = 0, capacity = 0, inner = 0;
  int32_t circular = 0;
  FaultPlace fault;
};

template <typename Word>
struct WriteCache {
  ScatterCacheParameters p;
  CUTAWAY_SHARED void operator()(int64_t i) const {
    const int64_t line = i / p.inner, step = line % p.steps, prefix = line / p.steps, entry = prefix / p.prefixes;
    const int64_t start = p.starts.data == nullptr ? 0 : p.starts[entry];
    const int64_t bound = p.circular != 0 ? p.capacity : p.capacity - p.steps + 1;
    if (start < 0 || start >= bound) return p.fault.report(start, bound, entry);
    const int64_t place = start + step < p.capacity ? start + step : start + step - p.capacity;
    static_cast<Word*>(p.to)[(prefix * p.capacity + place) * p.inner + i % p.inner] =
        static_cast<const Word*>(p.updates)[i];
  }
};

// The numbers of true places, in order, and how many they are; -1 - place where one lies at `length` or beyond. One
// block.
struct CompressParameters {
  const bool* condition = nullptr;
  int64_t conditions = 0, length = 0;
  int64_t* places = nullptr;
  int64_t* kept = nullptr;
};

struct CompressPlaces {
  CompressParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t) const {
    // Each thread has a range of its own: counted, placed behind those of the threads before it, and written.
    int64_t* counts = block.template shared<int64_t>();
    const int64_t each = (p.conditions + block.threads() - 1) / block.threads();
    const int64_t begin = each * block.thread() < p.conditions ? each * block.thread() : p.conditions;
    const int64_t end = begin + each < p.conditions ? begin + each : p.conditions;
    int64_t found = 0;
    for (int64_t i = begin; i < end; ++i)
      found += p.condition[i] ? 1 : 0;
    counts[block.thread()] = found;
    block.sync();
    int64_t at = 0;
    for (int t = 0; t < block.thread(); ++t)
      at += counts[t];
    for (int64_t i = begin; i < end; ++i) {
      if (p.condition[i] && at < p.length) p.places[at] = i;
      at += p.condition[i] ? 1 : 0;
    }
    int64_t beyond = 0;  // 1 + the last true place that does not exist
    for (int64_t i = begin; i < end; ++i)
      beyond = p.condition[i] && i >= p.length ? i + 1 : beyond;
    beyond = block.maximum(beyond);
    if (block.thread() == block.threads() - 1) *p.kept = beyond > 0 ? -beyond : at;
  }
};

}  // namespace cutaway::cuda
