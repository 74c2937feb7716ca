// Convolutions.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

// A fused convolution adds its residual in place.
constexpr OverInput kThird[] = {{3, 0}};

constexpr OperatorTraits kRows[] = {
    {.opType = "Conv",
     .family = Family::kProduct,
     .relation = Relation::kWindow,
     .flops = {.rule = convolution},
     .image = ImageRole::kReads,
     .overInputs = kThird},
    {.opType = "FusedConv",
     .domain = kMicrosoft,
     .family = Family::kProduct,
     .relation = Relation::kWindow,
     .flops = {.rule = convolution},
     .image = ImageRole::kReads,
     .overInputs = kThird},
    {.opType = "NhwcConv", .domain = kMicrosoft, .relation = Relation::kWindow, .flops = {.rule = convolution}},
    {.opType = "NhwcFusedConv", .domain = kMicrosoft, .relation = Relation::kWindow, .flops = {.rule = convolution}},
    {.opType = "DeformConv", .family = Family::kProduct, .flops = {.rule = convolution}},
    {.opType = "CausalConvWithState", .flops = {.rule = convolution}},
    {.opType = "QLinearConv",
     .family = Family::kProduct,
     .relation = Relation::kWindow,
     .flops = {.rule = quantizedConvolution},
     .image = ImageRole::kReads},
    {.opType = "ConvInteger",
     .family = Family::kProduct,
     .relation = Relation::kWindow,
     .flops = {.rule = integerConvolution},
     .image = ImageRole::kReads},
    {.opType = "ConvTranspose",
     .family = Family::kProduct,
     .flops = {.rule = transposedConvolution},
     .image = ImageRole::kReads},
    {.opType = "ConvTransposeWithDynamicPads", .domain = kMicrosoft, .flops = {.rule = transposedConvolution}},
    {.opType = "WordConvEmbedding", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "Col2Im", .family = Family::kMovement, .flops = {.perInput = 1}},
    {.opType = "UnfoldTensor", .domain = kMicrosoft},
};

}  // namespace

OperatorRows traits_convolution() {
  return kRows;
}

}  // namespace cutaway::operators
