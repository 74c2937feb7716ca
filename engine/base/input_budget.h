#pragma once
// What a file may ask of the program before it is refused or left undone: depth, nodes and bytes that a few bytes of it
// can multiply. All in one place, so that one sees what the most hostile file costs.
//
// What the user allows a run is another thing (memory limit, deadline: session_options.h). Thread rule: constants.
// Example: if (depth >= kInputBudget.bodyDepth) return fail(...);

#include <cstddef>
#include <cstdint>

namespace cutaway {

struct InputBudget {
  // --- Depth: what owns itself is taken down by recursion.
  int bodyDepth = 200;      // bodies in bodies
  int typeDepth = 32;       // sequences of optionals of ...
  int valueDepth = 32;      // the same in files of test data
  int notationDepth = 64;   // graphs and types in the text notation
  int textDepth = 100 * 4;  // messages in a .textproto, whose parser recurses
  int callDepth = 64;       // functions that call functions; cycles are refused before

  // --- Shapes: every value below has its own. No real model comes near; numpy ends at 64.
  size_t rank = 256;
  size_t symbolBytes = 256;  // of a dimension's name; longer ones are cut by shortName
  size_t pathBytes = 1024;   // the same for the nodes around a body

  // --- Nodes: functions that double at every level would fill any memory.
  size_t inlinedNodes = 1'000'000;   // of a graph, after functions were inlined
  size_t gradientNodes = 1'000'000;  // the same where gradients are taken
  int64_t callNodes = 100'000;       // looked at inside of calls for their types; beyond it these stay unknown

  // --- Elements of constants that inference looks at, and of shapes that it carries on.
  int64_t shownElements = 1024;

  // --- Bytes.
  size_t textBytes = size_t{1} << 31;           // of a .textproto
  int64_t denseBytes = int64_t{1} << 31;        // of a sparse tensor when dense: this at most,
  int64_t denseAlways = int64_t{4} << 20;       // and always this, or
  int64_t denseTimesStored = 1024;              // so many times what the file holds of it
  int64_t foldedAlways = int64_t{384} << 20;    // of constants that folding makes: this,
  int64_t foldedTimesTheFile = 4;               // and so many times what the file holds;
  int64_t foldedSmall = int64_t{64} << 10;      // results up to here always: shapes are worth knowing
  int64_t foldedOperations = int64_t{1} << 31;  // that folding computes, a second or two of plain loops: this,
  int64_t foldedOperationsForAByte = 64;        // and so many for each byte of constants in the file;
  int64_t foldedSmallOperations = 4096;         // nodes up to here always, for the same reason
  size_t foldedScratch = size_t{128} << 20;     // of one kernel beside its inputs and results
  int64_t foldedTexts = int64_t{16} << 20;  // strings of one result at most: they are copied where numbers are shared
  size_t inlinedAlways = size_t{64} << 20;  // of names, lists and connections that inlining functions copies: this,
  size_t inlinedTimesTheFile = 64;          // and so many times what the functions of the file hold of them
  size_t copiedAsANode = 1024;              // so many of them count as one of callNodes
  size_t takenAlways = size_t{1} << 20;     // of an .ort file, whose writers store equal texts once: this,
  size_t takenTimesTheFile = 64;            // and so many times its size; the largest real models take 3 times

  constexpr int64_t operationsOfFolding(int64_t constantBytes) const {
    return foldedOperations + foldedOperationsForAByte * constantBytes;
  }
};
inline constexpr InputBudget kInputBudget;

}  // namespace cutaway
