#pragma once
// EmbedLayerNormalization: rows of the word, position and segment tables are added and normalised, a block a token; and
// the ones of each row of a mask.
//
// Variance by the second pass over the sums in shared memory, so that nothing cancels. Identifiers outside their table
// give its nearest row. Thread rule: as shared.h. Example: see kernels/attention/embed_layer_normalization.cpp.

#include "providers/cuda/functors/executor.h"
#include "providers/cuda/functors/number.h"

namespace cutaway::cuda {

struct EmbedParameters {
  const void* words = nullptr;      // [batch, length] of ids
  const void* segments = nullptr;   // nullptr: none
  const void* positions = nullptr;  // nullptr: 0 to length - 1
  const void* tables[3] = {};       // word, position, segment: [rows, width]
  int64_t rows[3] = {};
  const void* gamma = nullptr;
  const void* beta = nullptr;
  void* y = nullptr;
  void* sums = nullptr;  // nullptr: not wanted
  int64_t tokens = 0, length = 0, width = 0;
  int64_t positionCount = 0;  // of positions: length (shared by batches), or tokens
  float epsilon = 0;
  int32_t longIds = 0;  // ids are int64, else int32
};

template <typename T>
struct Embed {
  EmbedParameters p;

  CUTAWAY_SHARED int64_t idAt(const void* ids, int64_t at, int64_t rows) const {
    const int64_t id = p.longIds ? static_cast<const int64_t*>(ids)[at] : static_cast<const int32_t*>(ids)[at];
    return id < 0 ? 0 : id >= rows ? rows - 1 : id;
  }

  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t token) const {
    float* values = block.template shared<float>();
    const int64_t position =
        p.positions == nullptr ? token % p.length : idAt(p.positions, token % p.positionCount, p.rows[1]);
    const T* word = static_cast<const T*>(p.tables[0]) + idAt(p.words, token, p.rows[0]) * p.width;
    const T* place = static_cast<const T*>(p.tables[1]) + position * p.width;
    const T* segment = p.segments == nullptr
                           ? nullptr
                           : static_cast<const T*>(p.tables[2]) + idAt(p.segments, token, p.rows[2]) * p.width;
    float sum = 0;
    for (int64_t i = block.thread(); i < p.width; i += block.threads()) {
      const float value = load(word[i]) + load(place[i]) + (segment == nullptr ? 0.0f : load(segment[i]));
      values[i] = value;  // read again only by this thread
      sum += value;
      if (p.sums != nullptr) static_cast<T*>(p.sums)[token * p.width + i] = store<T>(value);
    }
    const float mean = block.sum(sum) / static_cast<float>(p.width);
    float squares = 0;
    for (int64_t i = block.thread(); i < p.width; i += block.threads())
      squares += (values[i] - mean) * (values[i] - mean);
    const float scale = 1.0f / sqrtf(block.sum(squares) / static_cast<float>(p.width) + p.epsilon);
    for (int64_t i = block.thread(); i < p.width; i += block.threads()) {
      const float value =
          (values[i] - mean) * scale * load(static_cast<const T*>(p.gamma)[i]) + load(static_cast<const T*>(p.beta)[i]);
      static_cast<T*>(p.y)[token * p.width + i] = store<T>(value);
    }
  }
};

struct MaskCountParameters {
  const int32_t* mask = nullptr;  // [batch, length]; nullptr: nothing is counted
  int32_t* counts = nullptr;
  int64_t batch = 0, length = 0;
};

struct MaskCount {
  MaskCountParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t row) const {
    int32_t ones = 0;
    for (int64_t i = block.thread(); p.mask != nullptr && i < p.length; i += block.threads())
      ones += p.mask[row * p.length + i] == 1 ? 1 : 0;
    ones = block.sum(ones);
    if (block.thread() == 0) p.counts[row] = ones;
  }
};

}  // namespace cutaway::cuda
