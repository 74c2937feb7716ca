#pragma once
// Kernels: one row per operator and version span, two phases (check and make, then run), and what a running kernel
// sees.
//
// A kernel file exports `KernelRows kernel_<name>()`. A row's `create` checks the node in hand and either makes the
// kernel (packing constant inputs, booking scratch) or refuses with a reason. A made kernel is immutable; what changes
// per run lives in KernelContext and in the KernelState of the frame. Thread rule: create on one thread; run from
// several threads at once, each with its own context and state. Example: see providers/cpu/kernels/activation/relu.cpp.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/tensor/runtime_value.h"

namespace cutaway {

class ProviderResources;
class ProviderRun;

// What a kernel factory may know about its node.
class KernelInfo {
 public:
  // constant: the initializer or folded value of an input, nullptr when it is not constant. May look through outer
  // scopes.
  using ConstantLookup = std::function<const Tensor*(ValueId)>;
  KernelInfo(const Graph& graph, NodeId node, ConstantLookup constants = {});

  const Graph& graph() const { return m_graph; }
  const Node& node() const { return m_graph.node(m_node); }
  NodeId nodeId() const { return m_node; }
  size_t inputCount() const { return node().inputs.size(); }
  size_t outputCount() const { return node().outputs.size(); }
  bool hasInput(size_t slot) const { return slot < inputCount() && node().inputs[slot].valid(); }
  bool hasOutput(size_t slot) const { return slot < outputCount() && node().outputs[slot].valid(); }
  const ValueType& inputType(size_t slot) const;  // an unknown type when absent
  const ValueType& outputType(size_t slot) const;
  ElementType inputElement(size_t slot) const { return inputType(slot).element; }
  const Tensor* constantInput(size_t slot) const;
  template <typename T>
  T attribute(std::string_view name, T otherwise) const {
    return node().attributeOr<T>(name, std::move(otherwise));
  }
  int32_t opset() const { return node().opsetVersion; }
  // Of the registry that makes the kernel; nullptr: its kernels need none.
  ProviderResources* resources() const { return m_resources; }
  void setResources(ProviderResources* resources) { m_resources = resources; }

 private:
  const Graph& m_graph;
  NodeId m_node;
  ConstantLookup m_constants;
  ProviderResources* m_resources = nullptr;
};

// Mutable memory of one kernel in one frame (library handles, caches); reused by every run of that frame.
class KernelState {
 public:
  virtual ~KernelState() = default;
};

// Runs the bodies of If, Loop and Scan. Body k is the k-th GRAPH attribute of the node in attribute order.
class BodyRunner {
 public:
  virtual ~BodyRunner() = default;
  virtual size_t inputCount(size_t body) const = 0;
  virtual size_t outputCount(size_t body) const = 0;
  // The declared type of a body output (element type for empty scan outputs).
  virtual const ValueType& outputType(size_t body, size_t slot) const = 0;
  // Captured values are bound by the runner. outputs is resized to the body's outputs.
  virtual Result<void> run(size_t body, std::span<const RuntimeValue> inputs, std::vector<RuntimeValue>& outputs) = 0;
};

// What a kernel sees while it runs. Slots are those of the node.
class KernelContext {
 public:
  virtual ~KernelContext() = default;
  virtual size_t inputCount() const = 0;
  virtual size_t outputCount() const = 0;
  // nullptr: absent (or an empty optional).
  virtual const RuntimeValue* inputValue(size_t slot) const = 0;
  // The planned (or fresh) tensor for this output with these dims; nullptr inside the Result never happens. Contents
  // are undefined; in-place outputs alias their input.
  virtual Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) = 0;
  // Same with an element type that only the run knows.
  virtual Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) = 0;
  // For sequences, optionals, maps, and tensors that are views of an input; nullptr when the output is absent.
  virtual RuntimeValue* outputValue(size_t slot) = 0;
  virtual bool hasOutput(size_t slot) const = 0;
  // Uninitialised memory, valid until run returns; aligned to kBlockAlignment. Booked from the frame, not the heap, in
  // a steady run.
  virtual Result<std::span<std::byte>> scratch(size_t sizeBytes) = 0;
  virtual KernelState* state() = 0;
  virtual BodyRunner& bodies() = 0;
  virtual bool cancelled() const = 0;
  // A named part of this call begins ("pack", "scores"); it ends where the next begins or the call ends. Costs nothing
  // unless the run is profiled. name: a literal.
  virtual void subStep(const char* /*name*/) {}
  // What this frame keeps of the kernel's provider; nullptr: the provider has no ProviderRun.
  virtual ProviderRun* providerRun() { return nullptr; }

  const Tensor* input(size_t slot) const {
    const RuntimeValue* value = inputValue(slot);
    return value != nullptr && value->isTensor() ? &value->tensor() : nullptr;
  }
  Result<Tensor*> output(size_t slot, std::initializer_list<int64_t> dims) {
    return output(slot, std::span<const int64_t>(dims.begin(), dims.size()));
  }
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Result<void> run(KernelContext& context) const = 0;
  // Called once per frame; may return nullptr.
  virtual std::unique_ptr<KernelState> createState() const { return nullptr; }
  // Which variant was chosen, for people: "reference", "highway", "onednn:jit_avx512...".
  virtual std::string_view variant() const { return "reference"; }
  // Bytes of constants this kernel holds in a layout of its own (PackedWeight), shared or not.
  virtual int64_t packedBytes() const { return 0; }
  // Why a device cannot record what this kernel enqueues and replay that with the same shapes and addresses ("it reads
  // its result on the host"); empty: it can. Asked of kernels with a ProviderRun.
  virtual std::string_view notReplayable() const { return "it works on the host"; }
};

// Versions of the operator's schema a row serves, both ends included, as in "13 and later": {13}.
struct VersionSpan {
  int32_t first = 1;
  int32_t last = std::numeric_limits<int32_t>::max();
  bool contains(int32_t version) const { return version >= first && version <= last; }
};

// Element types allowed for the tensors bound to these inputs (by slot; slot kAllInputs: every input). Sequence and
// optional inputs are checked by create.
struct TypeRule {
  static constexpr int kAllInputs = -1;
  int slot = 0;
  std::span<const ElementType> allowed;
};

enum class AliasKind : uint8_t {
  kAlias,       // output is always a view of the input (Reshape, Identity ...)
  kMayInplace,  // output may be written over the input when this is its last use and sizes agree
  kJoin,        // (input kEveryInput) the output holds all inputs one after another along attribute "axis": where every
          // dimension before it is 1, an input may be produced in its place there, and the kernel copies only what does
          // not lie there already
  kSplit,  // (output kEveryOutput) the outputs are consecutive parts of the input along attribute "axis": where every
           // dimension before it is 1, they may be views of it
};
struct InplaceHint {
  static constexpr int kEveryInput = -1;
  static constexpr int kEveryOutput = -1;
  int input = 0;
  int output = 0;
  AliasKind kind = AliasKind::kMayInplace;
};

struct KernelRow {
  std::string_view opType;
  std::string_view domain = "";
  VersionSpan versions;
  std::span<const TypeRule> types = {};  // empty: any type
  std::span<const InplaceHint> inplace = {};
  std::span<const int> hostInputs = {};  // slots that must lie in host memory (shape-like inputs)
  std::span<const int> hostOutputs = {};
  std::span<const int> shapeOnlyInputs = {};  // slots whose contents are never read (Shape, Size)
  std::string_view fastPath = {};  // the best variant this row's kernels have beside the reference loop ("onednn",
                                   // "highway", "threads"); empty: reference only
  Result<std::unique_ptr<Kernel>> (*create)(const KernelInfo&) = nullptr;
  // Same operator and version, several rows: tried in order, the first whose types fit and whose create does not refuse
  // (NOT_IMPLEMENTED) wins.
};

using KernelRows = std::span<const KernelRow>;

// All rows of one provider, looked up by domain, operator and version.
class KernelRegistry {
 public:
  // resources: given to every kernel that is made; must outlive the registry.
  explicit KernelRegistry(std::span<const KernelRows> tables, ProviderResources* resources = nullptr);

  struct Match {
    const KernelRow* row = nullptr;
    std::string
        reason;  // why there is none: unknown operator, version not covered (which are), type not covered (which are)
  };
  // By the node's opType, domain, sinceVersion and input types; does not call create.
  Match find(const Graph& graph, NodeId node) const;
  // Every row in table order, for documentation.
  std::vector<const KernelRow*> rows() const;
  // Tries the matching rows in order; NOT_IMPLEMENTED with every refusal's reason when none makes a kernel.
  Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) const;

 private:
  std::unordered_map<std::string, std::vector<const KernelRow*>> m_rows;  // key "domain:op"
  std::vector<const KernelRow*> m_ordered;
  ProviderResources* m_resources = nullptr;
};

}  // namespace cutaway
