// Control flow, sequences, optionals, and nodes that stand for a part of a graph.

#include "engine/operators/traits/rows.h"

namespace cutaway::operators {
namespace {

using namespace cost;

constexpr OperatorTraits kRows[] = {
    {.opType = "If", .family = Family::kControl},
    {.opType = "Loop", .family = Family::kControl},
    {.opType = "Scan", .family = Family::kControl},
    {.opType = "SequenceMap", .family = Family::kControl},
    {.opType = "SequenceConstruct", .family = Family::kControl},
    {.opType = "SequenceEmpty", .family = Family::kControl},
    {.opType = "SequenceAt", .family = Family::kControl},
    {.opType = "SequenceInsert", .family = Family::kControl},
    {.opType = "SequenceErase", .family = Family::kControl},
    {.opType = "SequenceLength", .family = Family::kControl, .piecewiseConstant = true},
    {.opType = "SplitToSequence", .family = Family::kControl},
    {.opType = "ConcatFromSequence", .family = Family::kControl},
    {.opType = "Optional", .family = Family::kControl, .relation = Relation::kView, .overInputs = kFirstAsView},
    {.opType = "OptionalGetElement",
     .family = Family::kControl,
     .relation = Relation::kView,
     .overInputs = kFirstAsView},
    {.opType = "OptionalHasElement", .family = Family::kControl, .traffic = Traffic::kShapeOnly},
    {.opType = "EPContext", .domain = kMicrosoft, .flops = {.rule = unknown}},
    {.opType = "YieldOp", .domain = kMicrosoft, .flops = {.rule = unknown}},
};

}  // namespace

OperatorRows traits_control() {
  return kRows;
}

}  // namespace cutaway::operators
