#pragma once
// Options of the provider, as users write them: "onednn{minimum_nodes=3,fuse=0}".
//
// Thread rule: plain values. Example: CUTAWAY_TRY(const Options options, parseOptions(given));

#include "engine/math/precision.h"
#include "engine/provider/execution_provider.h"

namespace cutaway::onednn {

struct Options {
  size_t minimumNodes = 1;  // smaller groups are left to others
  bool claimAll = false;    // groups without a convolution or product, too
  bool fuse = true;         // post-operations
  math::Precision precision = math::Precision::kFast;
  bool int8 = false;  // convolutions between quantisers on integers; off, because results differ from the kernels' by
                      // steps of the quantisation
};
// INVALID_ARGUMENT naming the known options.
Result<Options> parseOptions(const ProviderOptions& given);

}  // namespace cutaway::onednn
