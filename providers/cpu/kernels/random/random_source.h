#pragma once
// The random numbers of every random operator: the Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998) with 53-bit
// doubles and Marsaglia's polar method, the sequence that numpy's RandomState gives for the same seed - so that results
// can be checked against it, and training-mode Dropout agrees with the ONNX cases.
//
// With a `seed` attribute every run gives the same numbers. Without one the seed comes from the node's name and output,
// and every further run of the same frame goes on to the next seed: two sessions over one model still agree. Thread
// rule: a source belongs to one thread. No heap memory. Example: RandomSource source(seed.next(context)); const double
// u = source.uniform();

#include <random>

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

class RandomSource {
 public:
  explicit RandomSource(uint32_t seed) : m_engine(seed) {}
  double uniform();  // [0, 1)
  double normal();   // mean 0, deviation 1

 private:
  std::mt19937 m_engine;
  double m_spare = 0;
  bool m_hasSpare = false;
};

// Counts the runs of a frame.
class RandomState final : public KernelState {
 public:
  uint32_t runs = 0;
};

// Where a node's seed comes from.
class SeedRule {
 public:
  static SeedRule of(const KernelInfo& info);
  uint32_t next(KernelContext& context) const;

 private:
  uint32_t m_seed = 0;
  bool m_fixed = false;
};

}  // namespace cutaway::cpu
