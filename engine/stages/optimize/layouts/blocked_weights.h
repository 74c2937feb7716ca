#pragma once
// Weights of blocked convolutions, and how large the blocks of a model are. Files do not tell the size: it is that of
// the machine that optimised the model.
//
// Two forms (as in onnxruntime's and oneDNN's names of layouts): OIHW16i16o for convolutions whose input is blocked,
// and OIHW16o for those that read fewer channels than a block straight from NCHW, and for depthwise ones. Thread rule:
// pure. Example: const std::optional<int64_t> block = blockOf(model.graph);

#include <optional>

#include "engine/graph/model.h"

namespace cutaway::optimize {

inline constexpr std::string_view kBlockedDomain = "com.microsoft.nchwc";

// 8 or 16 where a number of channels in the graph or its bodies allows only one of them; nullopt when both fit.
std::optional<int64_t> blockOf(const Graph& root);
// What onnxruntime takes on this machine.
int64_t blockOfThisMachine();

// [M, C/group, H, W] as an ordinary Conv has them. INVALID_ARGUMENT when the dimensions are no whole blocks.
Result<Tensor> plainWeights(const Tensor& blocked, int64_t group, int64_t block);

}  // namespace cutaway::optimize
