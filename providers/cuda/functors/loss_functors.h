#pragma once
// What a classifier pays for the probability of the right class: NegativeLogLikelihoodLoss and SoftmaxCrossEntropyLoss,
// forward.
//
// A block a sample; each sample's loss and weight go to scratch, and one block sums them up in a fixed order.
// Thread rule: as shared.h. Example: see loss_table.cpp.

#include <cmath>

#include "providers/cuda/functors/softmax_functors.h"

namespace cutaway::cuda {

struct LossParameters {
  const void* scores = nullptr;   // [batch, classes, places]
  const void* labels = nullptr;   // [batch, places], int32 or int64
  const void* weights = nullptr;  // [classes]; nullptr: ones
  void* logs = nullptr;           // as scores; nullptr: not wanted
  void* loss = nullptr;           // [batch, places], or one
  double* parts = nullptr;        // loss and weight of each sample; nullptr: each loss is an output
  int64_t samples = 0, classes = 0, places = 1, ignored = 0;
  bool softmax = false, hasIgnored = false, wideLabels = true, mean = true;
};

template <typename T>
struct SampleLoss {
  LossParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t sample) const {
    using C = Compute<T>;
    const int64_t entry = sample / p.places, base = entry * p.classes * p.places + (sample - entry * p.places);
    const T* scores = static_cast<const T*>(p.scores) + base;
    double shift = 0;
    if (p.softmax) {
      SoftmaxState<C> state;
      for (int64_t i = block.thread(); i < p.classes; i += block.threads())
        state.take(load(scores[i * p.places]));
      state = block.reduce(state, [](const SoftmaxState<C>& a, const SoftmaxState<C>& b) { return a.joined(b); });
      shift = static_cast<double>(state.largest) + std::log(static_cast<double>(state.sum));
    }
    if (p.logs != nullptr) {
      T* logs = static_cast<T*>(p.logs) + base;
      for (int64_t i = block.thread(); i < p.classes; i += block.threads())
        logs[i * p.places] = store<T>(static_cast<C>(static_cast<double>(load(scores[i * p.places])) - shift));
    }
    if (block.thread() != 0) return;
    const int64_t label =
        p.wideLabels ? static_cast<const int64_t*>(p.labels)[sample] : static_cast<const int32_t*>(p.labels)[sample];
    double loss = 0, factor = 0;
    if (!(p.hasIgnored && label == p.ignored)) {
      // Nobody can be told of a label that is no class while the device runs: the loss is no number.
      const bool known = label >= 0 && label < p.classes;
      factor = !known                 ? static_cast<double>(NAN)
               : p.weights == nullptr ? 1.0
                                      : static_cast<double>(load(static_cast<const T*>(p.weights)[label]));
      loss = known ? (shift - static_cast<double>(load(scores[label * p.places]))) * factor : static_cast<double>(NAN);
    }
    if (p.parts == nullptr) {
      static_cast<T*>(p.loss)[sample] = store<T>(static_cast<C>(loss));
    } else {
      p.parts[2 * sample] = loss;
      p.parts[2 * sample + 1] = factor;
    }
  }
};

template <typename T>
struct LossTotal {
  LossParameters p;
  template <typename Block>
  CUTAWAY_SHARED void operator()(Block& block, int64_t) const {
    double loss = 0, weight = 0;
    for (int64_t i = block.thread(); i < p.samples; i += block.threads()) {
      loss += p.parts[2 * i];
      weight += p.parts[2 * i + 1];
    }
    loss = block.sum(loss);
    weight = block.sum(weight);
    if (block.thread() == 0)
      static_cast<T*>(p.loss)[0] = store<T>(static_cast<Compute<T>>(p.mean ? loss / weight : loss));
  }
};

}  // namespace cutaway::cuda
