#pragma once
// Captured segments: consecutive steps of one device that works on its own, which are recorded once and replayed as one
// thing.
//
// A step can be part of one when its kernel can be replayed, its shapes are known beforehand, everything it reads on
// the host is a constant, and all its values have planned places or memory that callers bind. Copies, host steps and
// waits of the host end a segment. Which steps end one and why is kept, for the reports. Thread rule: pure. Linear.
// Example: findCapturedSegments(program, 0);  for (const CapturedSegment& segment : program.capturedSegments) ...

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/run_report.h"
#include "engine/tensor/element_type.h"

namespace cutaway::execute {

struct GraphProgram;

struct CapturedSegment {
  // A value made in the segment whose place is chosen in each run: a graph output, or what lies in one.
  struct Leaving {
    uint32_t value = 0;
    ElementType type = ElementType::kUndefined;
    std::vector<int64_t> dims;
  };
  int32_t number = 0;  // over all graphs of a program
  int32_t run = 0;     // index into GraphProgram::runs
  uint32_t first = 0;  // step
  uint32_t count = 0;
  std::vector<uint32_t> reads;     // values made before it, constants left out
  std::vector<Leaving> leaving;    // in the order in which they are made
  std::vector<uint32_t> released;  // roots made before it that are free after it
};

// Below this many steps nothing is saved.
inline constexpr uint32_t kFewestSteps = 4;

// Fills program.capturedSegments and program.segmentBreaks. firstNumber: of its first segment. Returns the next one.
int32_t findCapturedSegments(GraphProgram& program, int32_t firstNumber);

}  // namespace cutaway::execute
