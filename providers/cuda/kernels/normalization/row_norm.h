#pragma once
// What the normalisations of rows share: functors for pairs of types, paths, and the optional outputs that tell means
// and inverse standard deviations.
//
// Thread rule: pure, but for outputs of a call. Example: p.mean = ...; chooseRowPath(p, ElementType::kFloat16,
// ElementType::kFloat16);

#include "providers/cuda/functors/normalization_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {

inline constexpr ElementType kNormFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                              ElementType::kDouble};

// "norm.<family>.<x>.<scale>"; NOT_IMPLEMENTED when the two types are not taken together.
Result<std::string> normFunctor(std::string_view family, ElementType x, ElementType scale);
// How a row is walked, by its length alone. Call when all pointers are set.
void chooseRowPath(RowNormParameters& p, ElementType x, ElementType scale);
FloatKind floatKindOf(ElementType type);
// A statistic for each row: dims with 1 from `axis` on. nullptr when the node does not want it. The type is the
// output's own.
Result<void> openStatistic(GpuCall& call, size_t slot, std::span<const int64_t> dims, size_t axis, void*& data,
                           FloatKind& kind);

}  // namespace cutaway::cuda
