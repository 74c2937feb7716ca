#pragma once
// Which axes a reduction removes, and the collapsed form it is computed in.
//
// Neighbouring axes of one kind (kept or reduced) are merged and axes of extent 1 dropped, so that the groups
// alternate. The innermost group decides the loop: reduced (rows are summed) or kept (columns are summed).
//
// Source: the ONNX operator specification, Reduce* and ArgMax. Errors are INVALID_ARGUMENT.
// Example: CUTAWAY_TRY(const AxisSet axes, reducedAxes(settings, context.input(1), x.rank()));
//          CUTAWAY_TRY(const ReductionPlan plan, ReductionPlan::make(x.dims(), axes, settings.keepDims));

#include <array>
#include <bitset>
#include <span>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/tensor/tensor.h"

namespace cutaway::operators {

// Bit per axis.
inline constexpr size_t kMaxReductionRank = 64;
using AxisSet = std::bitset<kMaxReductionRank>;

// INVALID_ARGUMENT for an axis out of [-rank, rank).
Result<AxisSet> axisSet(std::span<const int64_t> axes, size_t rank);

// ReduceSum (axes are an input from version 13 on), the other Reduce operators (from version 18 on).
struct ReductionSettings {
  std::vector<int64_t> axes;  // the attribute, of the versions that have it
  bool keepDims = true;
  bool noopWithoutAxes = false;  // else no axes are all of them
};
ReductionSettings readReduction(const Node& node);
// given: the axes input, int64; nullptr where absent or of a version without.
Result<AxisSet> reducedAxes(const ReductionSettings& settings, const Tensor* given, size_t rank);

struct ArgExtremeSettings {
  int64_t axis = 0;
  bool keepDims = true, selectLast = false;
};
ArgExtremeSettings readArgExtreme(const Node& node);
struct ArgExtremeSizes {
  int64_t outputs = 1, length = 1, inner = 1;  // outputs hold outer and inner; elements of a run lie `inner` apart
  Dims outputDims;
};
// A scalar is a run of one. INVALID_ARGUMENT where an empty run has to have an extreme.
Result<ArgExtremeSizes> argExtremeSizes(const ArgExtremeSettings& settings, const Dims& dims);

// A group of merged axes: how many elements, and how far apart in the input.
struct AxisGroup {
  int64_t extent = 1;
  int64_t stride = 1;
};

struct ReductionPlan {
  static constexpr size_t kMaxGroups = 16;

  Dims outputDims;
  std::array<AxisGroup, kMaxGroups> kept;     // outermost first
  std::array<AxisGroup, kMaxGroups> reduced;  // outermost first
  size_t keptGroups = 0;
  size_t reducedGroups = 0;
  int64_t outputCount = 1;
  int64_t reducedCount = 1;  // elements behind each output
  bool rowsReduced = true;   // the innermost group is reduced

  static Result<ReductionPlan> make(const Dims& dims, const AxisSet& axes, bool keepDims);
  // Input offset of the index-th combination of a list of groups.
  static int64_t offsetOf(std::span<const AxisGroup> groups, int64_t index);
};

}  // namespace cutaway::operators
