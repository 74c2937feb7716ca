#pragma once
// What is asked of ONNX Runtime and what it says, as plain values: they cross the border between the program and the
// host process.
//
// Every field that has a word of ONNX Runtime's own keeps it. Thread rule: plain values. Example: see client/client.h.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cutaway::onnxruntime {

// Always there, always asked last.
inline constexpr const char* kCpuProvider = "CPUExecutionProvider";

using TextPairs = std::vector<std::pair<std::string, std::string>>;

// A device that one of the library's execution providers offers.
struct DeviceFacts {
  std::string provider;        // "CPUExecutionProvider"
  std::string providerVendor;  // "Microsoft"
  std::string kind;            // cpu, gpu or npu
  std::string vendor;          // of the hardware
  uint32_t vendorId = 0;
  uint32_t deviceId = 0;
  TextPairs metadata;  // of the provider, then of the hardware
  TextPairs options;   // that the provider proposes for it
};

struct LibraryFacts {
  std::string path;
  std::string version;                 // "1.31.1"
  uint32_t apiVersion = 0;             // 31
  std::string build;                   // "ORT Build Info: git-branch=..., build type=Release, ..."
  std::vector<std::string> providers;  // that it can append, in its own order of priority
};

// Numbers of ONNX Runtime.
enum class OptimizationLevel : int32_t { kNone = 0, kBasic = 1, kExtended = 2, kLayout = 3, kAll = 99 };

// A library of plug-in execution providers, and how it is registered.
struct PluginPlace {
  std::string registration;  // some providers are called what they were registered as
  std::string library;       // path; empty: none
  TextPairs environment;     // variables that must be set before it is opened
};

// An execution provider to ask before the CPU one, and its options in its own words.
struct AppendedProvider {
  std::string name;    // "XnnpackExecutionProvider", "XNNPACK"; empty: the first that the plug-in has devices of
  PluginPlace plugin;  // that has it; without a library: ONNX Runtime itself
  TextPairs options;
};

struct SessionSettings {
  OptimizationLevel level = OptimizationLevel::kAll;
  bool parallel = false;      // the parallel executor: independent nodes at once
  int32_t intraThreads = 0;   // in an operator; 0: ONNX Runtime's own choice (as many as cores)
  int32_t interThreads = 0;   // between operators, for the parallel executor
  bool arena = true;          // of the CPU's memory
  bool memoryPattern = true;  // one block for what is planned, from the second run of a shape on
  TextPairs keys;             // session keys as users write them: {"session.disable_prepacking", "1"}
  std::vector<std::pair<std::string, int64_t>> dimensions;  // by name, of free ones
  std::vector<AppendedProvider> providers;                  // in order of priority; the CPU provider is always last
  std::vector<std::string> customOperators;                 // libraries that it registers

  // What to bring back beside inputs and outputs; each costs time.
  bool log = false;             // every line, down to VERBOSE
  bool optimizedModel = false;  // what its optimiser made, as ONNX bytes; not possible with providers that compile
  bool assignment = false;      // which provider took which node
  bool profile = false;         // of all that the session does until endProfile()
};

// Kinds of values, numbered as ONNX Runtime does.
enum class ValueKind : int32_t { kUnknown, kTensor, kSequence, kMap, kOpaque, kSparseTensor, kOptional };

struct ValueFacts {
  std::string name;
  ValueKind kind = ValueKind::kUnknown;
  int32_t element = 0;  // of tensors: the number of TensorProto.DataType
  bool isRanked = false;
  std::vector<int64_t> dims;         // -1: open
  std::vector<std::string> symbols;  // one each axis; empty: none
};

struct AssignedNode {
  std::string name;
  std::string domain;
  std::string opType;
};
// A group that a provider compiles, or a single node that it has a kernel for, as recorded when the graph was
// partitioned: after functions were inlined and level 1, before levels 2 and 3.
struct AssignedGroup {
  std::string provider;
  std::vector<AssignedNode> nodes;
};

struct LogLine {
  int32_t severity = 0;  // 0 verbose, 1 information, 2 warning, 3 error, 4 fatal
  std::string location;  // "graph_transformer.cc:15 Apply"
  std::string message;
};

struct SessionFacts {
  uint64_t session = 0;  // its number in the host
  std::vector<ValueFacts> inputs;
  std::vector<ValueFacts> outputs;
  std::vector<ValueFacts> overridable;  // initializers that a run may replace
  int64_t environmentNs = 0;            // 0: it was there already
  int64_t createNs = 0;                 // the library's call alone
  std::vector<AssignedGroup> assignment;
};

// A value whose shape ONNX Runtime knows completely.
struct KnownShape {
  std::string value;
  std::vector<int64_t> dims;
};

// Names of the values that a node reads and makes; empty: an optional one that is left out.
struct NodePorts {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
};

// One question of ONNX Runtime to a plug-in provider, and all that the provider asked for.
struct CapabilityCall {
  std::string provider;                       // what it calls itself
  bool nested = false;                        // about the body of a node
  std::vector<AssignedNode> nodes;            // of the graph it was shown, in its order
  std::vector<NodePorts> ports;               // of each of them; none: a record that does not tell
  std::vector<std::vector<uint32_t>> groups;  // nodes that it wants to compile together, by their place in `nodes`
  std::vector<uint32_t> singles;              // nodes that it has kernels for
  std::vector<uint32_t> withoutKernel;        // nodes whose kernel it looked for in vain
  std::vector<KnownShape> shapes;             // of what the nodes make
  int64_t tookNs = 0;
  std::string error;  // what the call ended with; empty: well
};

// What came of asking the providers of a session about a model, without compiling it.
struct AskedFacts {
  int32_t code = 0;                       // of ErrorCode, where ONNX Runtime refused the model; 0: it did not
  std::string message;                    // its words then
  bool compiles = false;                  // some nodes would be compiled, which is as far as asking goes
  std::vector<CapabilityCall> calls;      // in order
  std::vector<AssignedGroup> assignment;  // where nothing has to be compiled
  int64_t tookNs = 0;
};

// A part of shared memory that the host knows.
struct MemoryPlace {
  uint64_t memory = 0;  // SharedMemory::id() of the program; 0: none
  uint64_t offset = 0;
  uint64_t sizeBytes = 0;
};

}  // namespace cutaway::onnxruntime
