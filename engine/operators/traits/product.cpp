// Matrix products, and transforms that are sums of products.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "MatMul", .family = Family::kProduct, .flops = {.rule = matMul}},
    {.opType = "FusedMatMul", .domain = kMicrosoft, .family = Family::kProduct, .flops = {.rule = fusedMatMul}},
    {.opType = "FusedMatMulActivation",
     .domain = kMicrosoft,
     .family = Family::kProduct,
     .flops = {.rule = fusedMatMul}},
    {.opType = "TransposeMatMul", .domain = kMicrosoft, .flops = {.rule = fusedMatMul}},
    {.opType = "MatMulInteger", .family = Family::kProduct, .flops = {.rule = matMul}},
    {.opType = "MatMulInteger16", .domain = kMicrosoft, .flops = {.rule = matMul}},
    {.opType = "QLinearMatMul", .family = Family::kProduct, .flops = {.rule = matMul}},
    {.opType = "MatMulIntegerToFloat", .domain = kMicrosoft, .flops = {.rule = matMul}},
    {.opType = "DynamicQuantizeMatMul", .domain = kMicrosoft, .flops = {.rule = matMul}},
    {.opType = "MatMulNBits", .domain = kMicrosoft, .family = Family::kProduct, .flops = {.rule = matMulBits}},
    {.opType = "MatMulBnb4", .domain = kMicrosoft, .flops = {.rule = matMul}},
    {.opType = "MatMulFpQ4", .domain = kMicrosoft, .flops = {.rule = matMul}},
    {.opType = "Gemm", .family = Family::kProduct, .flops = {.rule = gemm}},
    {.opType = "FusedGemm", .domain = kMicrosoft, .family = Family::kProduct, .flops = {.rule = gemm}},
    {.opType = "QGemm", .domain = kMicrosoft, .flops = {.rule = quantizedGemm}},
    {.opType = "GemmFastGelu", .domain = kMicrosoft, .flops = {.rule = gemmFastGelu}},
    {.opType = "Einsum", .family = Family::kProduct, .flops = {.rule = einsum}},
    {.opType = "Det", .flops = {.rule = determinant}},
    {.opType = "Inverse", .domain = kMicrosoft, .flops = {.rule = determinant}},
    {.opType = "CDist", .domain = kMicrosoft, .flops = {.rule = distances}},
    {.opType = "DFT", .flops = {.rule = fourier}},
    {.opType = "STFT", .flops = {.rule = shortTimeFourier}},
    {.opType = "BlackmanWindow", .flops = {.rule = unknown, .linear = true}},
    {.opType = "HammingWindow", .flops = {.rule = unknown, .linear = true}},
    {.opType = "HannWindow", .flops = {.rule = unknown, .linear = true}},
    {.opType = "MelWeightMatrix", .flops = {.rule = unknown, .linear = true}},
};

}  // namespace

OperatorRows traits_product() {
  return kRows;
}

}  // namespace cutaway::operators
