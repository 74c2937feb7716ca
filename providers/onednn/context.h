#pragma once
// Compiled groups as sections of a context, and back without trials and without reordering weights.
//
// Sections: "graph" (the group, its small constants inside), "plan" (options, which nodes run inside which primitive,
// where each packed constant is and in which layout), "packed N" (a constant in the layout of its primitive), "raw N"
// (one that is used as the model has it). Primitives are made anew: the library has no form of them to keep, and making
// them is quick. A restored kernel points into the sections; none of their bytes are believed. Thread rule: pure.
// Example: see provider.cpp.

#include <string>
#include <string_view>

#include "engine/provider/execution_provider.h"
#include "providers/onednn/group_kernel.h"

namespace cutaway::onednn {

inline constexpr uint64_t kContextRevision = 1;  // of the sections; raised with every change of what they mean

// The options that what is compiled depends on, as a number of the plan's section; `fuse` stands beside it.
inline constexpr uint64_t kInt8Bit = 1, kExactBit = 4, kBfloat16Bit = 8;
inline uint64_t optionBits(const Options& options) {
  return (options.int8 ? kInt8Bit : 0) | (options.precision == math::Precision::kExact ? kExactBit : 0) |
         (options.precision == math::Precision::kBfloat16 ? kBfloat16Bit : 0);
}

ContextSupport contextSupport();
Result<context_binary::ContextPartition> exportGroup(const FusedSubGraph& group, const GroupKernel& kernel);
// precision: what the session asks for. EP_FAIL: the sections are not what exportGroup() made, the library refuses
// them, or they were compiled with another precision (one of precision=exact serves a session without the option, as it
// gives up nothing); MODEL_LOAD_CANCELED.
Result<std::shared_ptr<const GroupKernel>> restoreGroup(const ContextRestore& stored, math::Precision precision,
                                                        const Progress& progress);

// Format revision, library and instruction set, as one text for a model's metadata.
std::string compatibilityInfo();
CompatibilityVerdict checkCompatibility(std::string_view info);

}  // namespace cutaway::onednn
