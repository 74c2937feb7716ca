// Random numbers. Their cost depends on the generator: nobody says it.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "Bernoulli", .relation = Relation::kElementwise, .flops = {.rule = unknown}, .piecewiseConstant = true},
    {.opType = "Multinomial", .flops = {.rule = unknown}, .piecewiseConstant = true},
    {.opType = "RandomNormal", .flops = {.rule = unknown}},
    {.opType = "RandomNormalLike", .flops = {.rule = unknown}, .piecewiseConstant = true},
    {.opType = "RandomUniform", .flops = {.rule = unknown}},
    {.opType = "RandomUniformLike", .flops = {.rule = unknown}, .piecewiseConstant = true},
};

}  // namespace

OperatorRows traits_random() {
  return kRows;
}

}  // namespace cutaway::operators
