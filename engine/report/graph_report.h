#pragma once
// The model's graphs as the windows see them: names, texts and indexes, no engine types.
//
// One ModelGraphs is taken after load, after optimize and after partition; equal texts are held once, also across the
// three. Indexes count within one GraphReport;
// origins count over the model as loaded (LoadReport::origins). Thread rule: immutable once published (shared_ptr<const
// ...>). Example: const NodeReport& node = graphs.graphs[0].nodes[3];

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/index_list.h"
#include "engine/base/shared_text.h"

namespace cutaway {

inline constexpr int32_t kNone = -1;

struct AttributeReport {
  SharedText name;
  SharedText kind;  // "INT", "FLOATS", "GRAPH" ...
  SharedText text;  // its value, shortened above 200 characters
};

struct NodeReport {
  SharedText name;  // may be empty: show opType_index then
  SharedText opType;
  SharedText domain;
  int32_t sinceVersion = 0;
  IndexList inputs;  // value indexes, kNone = absent
  IndexList outputs;
  IndexList implicitInputs;
  std::vector<AttributeReport> attributes;
  IndexList bodies;          // graph indexes of If/Loop/Scan bodies, in attribute order
  int32_t function = kNone;  // graph index of the body of the local function it calls
  int32_t inside = kNone;    // EPContext: graph index of the original nodes in it, as its metadata tells
  IndexList origins;
  SharedText rewrite;   // what made it; empty: as loaded
  SharedText provider;  // empty before partition
  SharedText documentation;
};

// What a value is in its graph; the words of the inputs-and-outputs rule.
enum class ValueRole : uint8_t {
  kIntermediate,
  kInput,
  kOverridableInitializer,
  kConstant,
  kOutput,
  kOuterScope,
  kUnused
};
const char* valueRoleName(ValueRole role);  // "input", "overridable initializer", "constant", "intermediate", "output",
                                            // "outer scope", "unused"

struct ValueReport {
  SharedText name;
  SharedText type;         // "float[batch,3,224,224]"
  SharedText elementType;  // "float"
  SharedText shape;        // "[batch,3,224,224]", empty: unknown rank
  int64_t sizeBytes = -1;  // -1: not known before running
  int32_t producer = kNone;
  IndexList consumers;  // node indexes, each once, ascending
  ValueRole role = ValueRole::kIntermediate;
  bool isOutput = false;
  bool isInitializer = false;
  SharedText external;  // file that holds the bytes, empty: inside the model
  SharedText preview;   // first values of a small initializer
};

struct GraphReport {
  std::string name;
  std::string title;  // "main graph", "then_branch of If 'if_1'", "function custom:Foo"
  int32_t parentGraph = kNone;
  int32_t parentNode = kNone;  // the node that holds this body
  bool isFunction = false;
  bool isInside =
      false;  // the original nodes inside an EPContext node (parentNode): shown, never run; behind all graphs that run
  std::vector<NodeReport> nodes;  // in stored order
  std::vector<ValueReport> values;
  std::vector<int32_t> inputs;  // as listed in the model, initializer-backed ones included
  std::vector<int32_t> outputs;
};

struct ModelGraphs {
  std::vector<GraphReport> graphs;  // 0: main graph
};

}  // namespace cutaway
