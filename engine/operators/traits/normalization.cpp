// Normalizations.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

// Of training.
constexpr OverInput kRunningStatistics[] = {{3, 1, true}, {4, 2, true}};

constexpr OperatorTraits kRows[] = {
    {.opType = "BatchNormalization",
     .family = Family::kNormalization,
     .flops = {.perOutput = 2},
     .image = ImageRole::kReads,
     .overInputs = kRunningStatistics},
    {.opType = "InstanceNormalization",
     .family = Family::kNormalization,
     .flops = {.perOutput = 8},
     .image = ImageRole::kReads},
    {.opType = "LayerNormalization", .family = Family::kNormalization, .flops = {.perOutput = 8}},
    {.opType = "GroupNormalization",
     .family = Family::kNormalization,
     .flops = {.perOutput = 8},
     .image = ImageRole::kReads},
    {.opType = "GroupNorm", .domain = kMicrosoft, .flops = {.perOutput = 8}},
    {.opType = "SkipGroupNorm", .domain = kMicrosoft, .flops = {.perOutput = 9}},
    {.opType = "MeanVarianceNormalization", .family = Family::kNormalization, .flops = {.perOutput = 6}},
    {.opType = "RMSNormalization", .family = Family::kNormalization, .flops = {.perOutput = 4}},
    {.opType = "GatedRMSNorm", .domain = kMicrosoft, .flops = {.rule = unknown, .linear = true}},
    {.opType = "SimplifiedLayerNormalization", .family = Family::kNormalization, .flops = {.perOutput = 4}},
    {.opType = "SkipLayerNormalization",
     .domain = kMicrosoft,
     .family = Family::kNormalization,
     .flops = {.rule = skipNormalization}},
    {.opType = "SkipSimplifiedLayerNormalization",
     .domain = kMicrosoft,
     .family = Family::kNormalization,
     .flops = {.rule = skipNormalization}},
    {.opType = "EmbedLayerNormalization",
     .domain = kMicrosoft,
     .family = Family::kNormalization,
     .flops = {.perOutput = 10}},
    {.opType = "QEmbedLayerNormalization", .domain = kMicrosoft, .flops = {.rule = unknown, .linear = true}},
    {.opType = "LpNormalization", .family = Family::kNormalization, .flops = {.perOutput = 3}},
    {.opType = "LRN", .family = Family::kNormalization, .flops = {.rule = localResponse}, .image = ImageRole::kReads},
};

}  // namespace

OperatorRows traits_normalization() {
  return kRows;
}

}  // namespace cutaway::operators
