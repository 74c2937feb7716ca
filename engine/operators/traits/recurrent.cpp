// Recurrent layers.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "RNN", .family = Family::kProduct, .flops = {.rule = recurrent}},
    {.opType = "GRU", .family = Family::kProduct, .flops = {.rule = gatedRecurrent}},
    {.opType = "LSTM", .family = Family::kProduct, .flops = {.rule = longShortTerm}},
    {.opType = "DynamicQuantizeLSTM", .domain = kMicrosoft, .flops = {.rule = longShortTerm}},
    {.opType = "AttnLSTM", .domain = kMicrosoft, .flops = {.rule = unknown}},
};

}  // namespace

OperatorRows traits_recurrent() {
  return kRows;
}

}  // namespace cutaway::operators
