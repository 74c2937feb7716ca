// Attention and what stands around it in a transformer, up to the search for its output.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

// Caches of the decoder.
constexpr OverInput kCaches[] = {{5, 1}, {6, 2}};

constexpr OperatorTraits kRows[] = {
    {.opType = "Attention", .family = Family::kProduct, .flops = {.rule = attention}},
    {.opType = "Attention", .domain = kMicrosoft, .family = Family::kProduct, .flops = {.rule = projectedAttention}},
    {.opType = "QAttention", .domain = kMicrosoft, .flops = {.rule = quantizedAttention}},
    {.opType = "MultiHeadAttention",
     .domain = kMicrosoft,
     .family = Family::kProduct,
     .flops = {.rule = multiHeadAttention}},
    {.opType = "DecoderMaskedMultiHeadAttention",
     .domain = kMicrosoft,
     .flops = {.rule = decoderAttention},
     .overInputs = kCaches},
    {.opType = "GroupQueryAttention",
     .domain = kMicrosoft,
     .family = Family::kProduct,
     .flops = {.rule = groupQueryAttention}},
    {.opType = "FusedAttention", .domain = kOwn, .family = Family::kProduct, .flops = {.rule = fusedAttention}},
    {.opType = "LinearAttention", .flops = {.rule = unknown}},
    {.opType = "SparseAttention", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "FlexAttention", .domain = kPreview, .flops = {.rule = unknown}},
    {.opType = "RotaryEmbedding", .flops = {.perOutput = 3}},
    {.opType = "MRotaryEmbedding", .domain = kMicrosoft, .flops = {.rule = unknown, .linear = true}},
    {.opType = "MoE", .domain = kMicrosoft, .flops = {.rule = experts}, .overInputs = kFirst},
    {.opType = "QMoE", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "BiasDropout", .domain = kMicrosoft, .flops = {.rule = unknown, .linear = true}},
    {.opType = "RemovePadding", .domain = kMicrosoft, .flops = {.rule = unknown, .linear = true}},
    {.opType = "RestorePadding", .domain = kMicrosoft, .flops = {.rule = unknown, .linear = true}},
    {.opType = "NGramRepeatBlock", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "DynamicTimeWarping", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "BeamSearch", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "GreedySearch", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "Sampling", .domain = kMicrosoft, .flops = {.rule = unknown}},
};

}  // namespace

OperatorRows traits_attention() {
  return kRows;
}

}  // namespace cutaway::operators
