#pragma once
// Are two values the same within tolerances? For check, and anything that compares outputs.
//
// Thread rule: pure. Example: if (std::string difference = compareValues(got, expected, {}); !difference.empty())
// fmt::print("{}\n", difference);

#include <string>

#include "engine/tensor/runtime_value.h"

namespace cutaway::cli {

struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-5;
  bool shapeOnly = false;  // elements are not looked at: only kind, element type and dims
};

// Empty when equal: same kind, element type, dims, and |got - expected| <= absolute + relative * |expected| (integers,
// strings and booleans exactly; NaN equals NaN). Otherwise one sentence with the first differing element and the
// largest difference.
std::string compareValues(const RuntimeValue& got, const RuntimeValue& expected, const Tolerance& tolerance);

}  // namespace cutaway::cli
