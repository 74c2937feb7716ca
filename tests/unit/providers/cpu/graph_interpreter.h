#pragma once
// Runs graphs node by node with fresh memory: what kernel tests need, bodies of If, Loop and Scan included, without a
// session.
//
// Shares nothing with the runtime. Body outputs are handed out in memory that the next run of the body overwrites, as a
// runtime with reused frames does. Thread rule: one object, one thread. Example:
//   prepareForKernels(model);
//   GraphInterpreter interpreter(cpuKernels());
//   Result<std::vector<RuntimeValue>> outputs = interpreter.run(model.graph, inputs);

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/graph/model.h"
#include "engine/provider/kernel.h"

namespace cutaway::testing {

// The resolve stage: versions of operators, captured values, types.
Result<void> prepareForKernels(Model& model);

// Output slot -> input slot that it lies over.
using OverInputs = std::map<size_t, int>;

class GraphInterpreter {
 public:
  explicit GraphInterpreter(const KernelRegistry& kernels) : m_kernels(kernels) {}

  // inputs: one for each graph input that is no initializer, in order.
  Result<std::vector<RuntimeValue>> run(const Graph& graph, std::span<const RuntimeValue> inputs);

  // Bodies stop at their next look when this is set.
  bool cancelled = false;

  // What the hints of the rows allow a runtime to do, done wherever it can be: outputs are written over inputs (of
  // several hints for one output this one, counted from 0, is tried first), and inputs of which only the shape counts
  // hold other bytes.
  std::optional<size_t> overInput;
  // Told of every node that ran: the row a planner goes by, the kernel, and which outputs lay over an input.
  std::function<void(const Node&, const KernelRow*, const Kernel&, const OverInputs&)> ran;

 private:
  friend class InterpreterBodies;
  struct Scope {
    const Scope* parent = nullptr;
    std::map<std::string, RuntimeValue> values;
    const RuntimeValue* find(const std::string& name) const;
  };
  struct MadeKernel {
    std::unique_ptr<Kernel> kernel;
    std::unique_ptr<KernelState> state;
  };

  Result<std::vector<RuntimeValue>> runIn(const Graph& graph, std::span<const RuntimeValue> inputs,
                                          const Scope* parent);
  Result<void> runNode(const Graph& graph, NodeId node, Scope& scope);

  const KernelRegistry& m_kernels;
  std::map<std::pair<const Graph*, NodeId>, MadeKernel> m_made;
};

}  // namespace cutaway::testing
