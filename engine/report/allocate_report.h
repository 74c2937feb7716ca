#pragma once
// Report of allocate: for every value, which buffer it lives in and why.
//
// Thread rule: immutable once published. Value indexes are those of the partitioned graphs; sizes in bytes.
// Example: const ValueAllocation& value = report.graphs[0].values[i];  show(allocKindName(value.kind), value.reason);

#include <cstdint>
#include <string>
#include <vector>

#include "engine/report/graph_report.h"

namespace cutaway {

// As in onnxruntime.
enum class AllocKind : int8_t {
  kNotSet = -1,
  kAllocate = 0,
  kReuse = 1,
  kPreExisting = 2,
  kAllocateStatically = 3,
  kAllocateOutput = 4,
  kShare = 5,
  kAllocatedExternally = 6
};
const char* allocKindName(AllocKind kind);  // "NotSet", "Allocate", ...

// The rule that placed a value, one word each, for filters and colours.
enum class AllocRule : uint8_t {
  kNone,
  kFeed,          // graph input
  kOuter,         // value of an outer graph
  kWeight,        // initializer
  kExternal,      // the kernel brings its own memory
  kOutput,        // graph output
  kShared,        // the same object as a loop's own input
  kView,          // Alias: no data moves
  kInPlace,       // written over an input
  kPart,          // written into its place inside a later Concat's output
  kSplitPart,     // a view of a part of its input
  kIntoOutput,    // written straight into the buffer of the graph output that is a view of it
  kFreeBuffer,    // takes a free buffer of the same size
  kLargerBuffer,  // takes a free buffer that is larger
  kNewBuffer,
};
const char* allocRuleName(
    AllocRule rule);  // "feed", "outer value", "weight", "external", "output", "shared", "view", "in place", "part",
                      // "split part", "into output", "free buffer", "larger buffer", "new buffer"

struct ValueAllocation {
  int32_t value = 0;
  AllocKind kind = AllocKind::kNotSet;
  AllocRule rule = AllocRule::kNone;
  SharedText device;
  int32_t reusedValue = kNone;  // the value whose buffer it takes (directly)
  int32_t rootValue = kNone;    // the value that owns the buffer in the end (itself when it allocates)
  bool inPlace = false;         // reuse by an in-place or alias hint, not from the free list
  int64_t partOffset = -1;      // kPart, kSplitPart: bytes into the root's buffer, where known before running
  IndexList starts;             // ProgramCounter: closed step intervals in which it lives
  IndexList ends;
  int64_t sizeBytes = -1;
  SharedText sizeText;  // canonical: "3072*batch*seq"; the same text means the same size
  SharedText reason;    // why this rule, and for new buffers: which candidate came closest and what prevented it
  int32_t closestValue = kNone;  // new buffers: that candidate
};
struct GraphAllocation {
  int32_t graph = 0;
  std::vector<ValueAllocation> values;  // one per value of the graph, same index
};
struct AllocateReport {
  std::string rules = "cutaway";  // "cutaway", "onnxruntime", "onnxruntime-counters"
  std::string note;               // which variants of the plan were compared, and which was taken
  std::vector<GraphAllocation> graphs;
  int64_t allocated = 0, reused = 0, inPlace = 0, parts = 0, statically = 0, outputs = 0,
          preExisting = 0;  // counts over all graphs
  int64_t weightsBytes = 0;
  int64_t timeNs = 0;
};

}  // namespace cutaway
