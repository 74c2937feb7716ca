#pragma once
// Type rules that many kernel rows share.
//
// Thread rule: constants. Example: {.opType = "Conv", .types = kFloatInput, ...},

#include "engine/provider/kernel.h"

namespace cutaway::cpu {

inline constexpr ElementType kFloatList[] = {ElementType::kFloat};
inline constexpr ElementType kDoubleList[] = {ElementType::kDouble};
inline constexpr ElementType kHalfList[] = {ElementType::kFloat16, ElementType::kBfloat16};
inline constexpr ElementType kRealList[] = {ElementType::kFloat, ElementType::kDouble, ElementType::kFloat16,
                                            ElementType::kBfloat16};

// Rules over the first input.
inline constexpr TypeRule kFloatInput[] = {{0, kFloatList}};
inline constexpr TypeRule kDoubleInput[] = {{0, kDoubleList}};
inline constexpr TypeRule kHalfInput[] = {{0, kHalfList}};

}  // namespace cutaway::cpu
