#pragma once
// The interface of plug-ins: operators with their kernels, passes over graphs, and overlays, in a library that this
// program opens from a folder (--plugin FOLDER).
//
// A library exports cutaway_plugin(), which gives its tables, or nullptr for a version of this interface that it does
// not serve. Tables and texts live as long as the library. What stands here knows the C++ library alone: a plug-in is
// compiled with this header and links nothing of the program. A plug-in runs inside of the program: where it crashes,
// the program does. No exception may leave it. Texts that it returns as errors are copied before its function is called
// again on that thread.
// Thread rule: `run` is called from several threads at once, `infer`, `match` and `amount` from one at a time each.
// Example: app/library/plugin_example/plugin_example.cpp

#include <cstddef>
#include <cstdint>

namespace cutaway::plugin {

// Grows with every change that an older plug-in or program would not understand.
inline constexpr int kInterface = 1;
inline constexpr int32_t kAnyNumber = INT32_MAX;

struct Tensor {
  int32_t elementType = 0;  // numbers of ONNX's TensorProto.DataType: 1 float, 7 int64 ...
  const int64_t* dims = nullptr;
  size_t rank = 0;
  const void* data = nullptr;
  size_t sizeBytes = 0;
};

class Node {
 public:
  virtual const char* name() const = 0;  // may be empty
  virtual const char* opType() const = 0;
  virtual const char* domain() const = 0;  // empty: ONNX's own
  virtual size_t inputCount() const = 0;
  virtual size_t outputCount() const = 0;
  virtual const char* input(size_t slot) const = 0;  // name of the value; empty: absent
  virtual const char* output(size_t slot) const = 0;
  // false: there is none of that name and kind.
  virtual bool attribute(const char* name, int64_t* value) const = 0;
  virtual bool attribute(const char* name, float* value) const = 0;
  virtual bool attribute(const char* name, const char** value) const = 0;
  virtual bool attribute(const char* name, const int64_t** values, size_t* count) const = 0;

 protected:
  ~Node() = default;
};

// Types before anything runs.
class Inference {
 public:
  virtual const Node& node() const = 0;
  virtual int32_t inputType(size_t slot) const = 0;  // 0: not known, or no tensor
  // nullptr: not known; -1 in it: a size that is open.
  virtual const int64_t* inputDims(size_t slot, size_t* rank) const = 0;
  // The output has the type of the input, open dimensions with their names.
  virtual void setOutputLike(size_t output, size_t input) = 0;
  virtual void setOutput(size_t slot, int32_t elementType, const int64_t* dims, size_t rank) = 0;

 protected:
  ~Inference() = default;
};

// One call of a kernel.
class Call {
 public:
  virtual const Node& node() const = 0;
  virtual const Tensor* input(size_t slot) const = 0;  // nullptr: absent
  // Where the output is to be written, row by row; nullptr: absent, or memory is short (return at once).
  virtual void* output(size_t slot, int32_t elementType, const int64_t* dims, size_t rank) = 0;
  virtual bool cancelled() const = 0;  // long loops ask now and then

 protected:
  ~Call() = default;
};

struct Operator {
  const char* domain = "";
  const char* name = "";
  int32_t sinceVersion = 1;
  int32_t leastInputs = 1, mostInputs = 1;  // most: kAnyNumber where there is no limit
  int32_t leastOutputs = 1, mostOutputs = 1;
  const char* documentation = "";
  const char* (*infer)(Inference& inference) = nullptr;  // nullptr, or what is wrong with the node
  const char* (*run)(Call& call) = nullptr;              // nullptr, or what went wrong
};

// A graph that a pass looks at.
class Graph {
 public:
  virtual size_t nodeCount() const = 0;              // places; some may be empty
  virtual bool exists(size_t index) const = 0;       // a node stands there
  virtual const Node& node(size_t index) const = 0;  // of one that exists
  static constexpr size_t kNoNode = SIZE_MAX;
  virtual size_t producerOf(const char* value) const = 0;  // kNoNode: an input, a constant, or none of this graph
  virtual size_t readersOf(const char* value) const = 0;   // how often nodes read it
  virtual bool isOutput(const char* value) const = 0;
  virtual const Tensor* constant(const char* value) const = 0;  // nullptr: it is none; valid until the next question

 protected:
  ~Graph() = default;
};

// What a pass proposes: applied as a whole or not at all.
class Patch {
 public:
  virtual void note(const char* text) = 0;  // one line for people
  virtual void remove(size_t node) = 0;
  // Readers of the first read the second instead.
  virtual void replace(const char* value, const char* by) = 0;
  virtual void add(const char* domain, const char* opType, const char* const* inputs, size_t inputCount,
                   const char* const* outputs, size_t outputCount) = 0;
  // Of the node added last.
  virtual void attribute(const char* name, int64_t value) = 0;
  virtual void attribute(const char* name, float value) = 0;

 protected:
  ~Patch() = default;
};

struct Pass {
  const char* name = "";     // as optimization.disable_specified_optimizers takes it
  const char* purpose = "";  // one line for people
  int32_t level = 1;         // the optimisation level from which on it runs
  // Whether it proposes something for this node.
  bool (*match)(const Graph& graph, size_t node, Patch& patch) = nullptr;
};

// What an overlay knows of a node.
struct NodeFacts {
  const char* name = "";
  const char* opType = "";
  const char* domain = "";
  const char* provider = "";  // empty: nobody yet
  int64_t inputs = 0, outputs = 0;
  int64_t inputBytes = -1, outputBytes = -1;  // -1: not known
};

struct Overlay {
  const char* id = "";
  const char* title = "";
  double (*amount)(const NodeFacts& node) = nullptr;  // negative: this node has none
};

struct Library {
  const char* name = "";
  const char* version = "";
  const Operator* operators = nullptr;
  size_t operatorCount = 0;
  const Pass* passes = nullptr;
  size_t passCount = 0;
  const Overlay* overlays = nullptr;
  size_t overlayCount = 0;
};

}  // namespace cutaway::plugin

extern "C" __attribute__((visibility("default"))) const cutaway::plugin::Library* cutaway_plugin(int interface);
