#pragma once
// Builds a Plan: keeps account of where each value lies and in which layout, and adds primitives and the reorders
// between them.
//
// Operators (operators/*.cpp) lower themselves in topological order: they ask where their inputs lie, make a primitive
// descriptor, add the step, and define their results. A builder made for probing does everything but make primitives
// and pack weights: its failure says that the library does not do the node. Thread rule: one thread. Example:
//   const Stored source = builder.stored(node.inputs[0]);
//   const Stored result = builder.working(description.dst_desc());
//   CUTAWAY_CHECK(builder.addStep<dnnl::eltwise_forward>(description, {{DNNL_ARG_SRC, source}, {DNNL_ARG_DST, result}},
//   {.work = count})); builder.define(node.outputs[0], dims, result);

#include <initializer_list>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/onednn/plan.h"
#include "providers/onednn/weight_store.h"

namespace cutaway::onednn {

// A value, or a copy of it, in one layout.
struct Stored {
  uint32_t buffer = 0;
  Descriptor descriptor;
};
// Integers that stand for (integer - zeroPoint) * scale; several scales: one for each place of `axis`.
struct Quantized {
  Stored stored;
  std::vector<float> scales;
  size_t axis = 0;
  int32_t zeroPoint = 0;
};
using StepArguments = std::vector<std::pair<int, Stored>>;

// False for a constant of a restored group whose numbers the context holds in a primitive's layout only.
inline bool hasNumbers(const Tensor& tensor) {
  return tensor.data() != nullptr || tensor.elementCount() == 0;
}

struct BuildRequest {
  const Graph& graph;
  std::span<const NodeId> nodes;             // in topological order
  std::span<const ValueId> inputs, outputs;  // of the fused node
  std::span<const std::vector<int64_t>> inputDims;
  WeightStore* weights = nullptr;  // none: probing
  int threads = 1;
  bool fuse = true;
  bool int8 = true;
  math::Precision precision = math::Precision::kFast;
  bool trusted = true;  // false: declared types come from a context, and what is computed is compared with them
  std::span<const uint8_t> fusedLinks =
      {};  // of an earlier plan of the same group: fused so, without trials. Empty: tried
};

class PlanBuilder {
 public:
  explicit PlanBuilder(const BuildRequest& request);
  // The whole plan. NOT_IMPLEMENTED when the library lacks a primitive.
  Result<std::unique_ptr<Plan>> build();

  const Graph& graph() const { return m_request.graph; }
  const Node& node(NodeId id) const { return m_request.graph.node(id); }
  bool probing() const { return m_request.weights == nullptr; }
  bool fuses() const { return m_request.fuse; }

  const std::vector<int64_t>& dims(ValueId value) const { return m_values.at(value.index()).dims; }
  Dimensions dimensions(ValueId value) const;  // those of the library: a scalar is {1}
  bool isConstant(ValueId value) const { return value.valid() && graph().isConstant(value); }
  const Tensor* constant(
      ValueId value) const;  // nullptr: not a constant, or one of a context that holds it in a primitive's layout only
  bool known(ValueId value) const;  // a constant, or defined by now
  Stored stored(ValueId value);     // as it lies. Integers become floats here: throws as the library does

  // The same value in another order; a constant is reordered now, everything else by a step. Asked again it gives the
  // same copy.
  Result<Stored> reordered(const Stored& from, const Descriptor& wanted);
  // The same bytes with other dims, reordered to row-major first where the layout does not allow it.
  Result<Stored> viewed(const Stored& from, const Dimensions& dims);
  // A fresh copy that the caller may write over.
  Result<Stored> copied(const Stored& from, const Descriptor& wanted);
  // May the node in hand (and those fused to it) write its result there?
  bool mayOverwrite(const Stored& stored) const;
  // It does, as mayOverwrite() allows: copies made from it are stale, and its values are gone.
  void overwrite(const Stored& stored);
  Stored working(const Descriptor& descriptor);
  Stored ownConstant(std::shared_ptr<const void> bytes, const Descriptor& descriptor);
  Result<Stored> floats(std::span<const float> values, const Dimensions& dims);

  void define(ValueId value, std::vector<int64_t> dims, const Stored& stored);
  // A value known by its integers; its floats are made when somebody asks for them.
  void defineQuantized(ValueId value, std::vector<int64_t> dims, Quantized quantized);
  const Quantized* quantized(ValueId value) const;  // nullptr: by its floats only
  // Numbers of a constant, dequantised where needed; empty for other values.
  std::vector<float> constantFloats(ValueId value) const;
  // The floats (or integers) `from` stands for in another type, in the same order: to = (from - fromZero) * scale +
  // toZero.
  Result<Stored> converted(const Stored& from, DataType type, float scale, int32_t fromZero, int32_t toZero);
  math::Precision precision() const { return m_request.precision; }
  bool usesInt8() const { return m_request.int8; }
  // This node is part of the step in hand: its uses no longer count.
  void absorb(NodeId node) { m_inHand.push_back(node); }
  void release(NodeId node) { std::erase(m_inHand, node); }
  void countFused(int nodes) { m_plan->figures.fused += nodes; }
  // How many links of its chain the node in hand takes, when that is known from an earlier plan.
  std::optional<size_t> linksOfEarlierPlan() const;
  void noteLinks(size_t count);
  bool isDone(NodeId node) const { return !m_open.contains(node.index()); }  // nodes of other groups, too
  // The only consumer of a value that nobody else sees; invalid otherwise.
  NodeId soleConsumer(ValueId value) const;

  int threadsFor(int64_t work) const;
  // A convolution by our own loops. bias, residual: none, or what is added. All have their channels last.
  struct OwnOperands {
    Stored source, weights;
    std::optional<Stored> bias, residual;
    Stored result;
  };
  void addOwn(std::shared_ptr<const math::OwnConvolution> algorithm, const math::Activation& activation,
              const OwnOperands& operands, int64_t work);
  // False: our loop does not do it there (its memory has padding, or this processor has no vectors for it).
  bool addActivation(const math::Activation& activation, const Stored& from, const Stored& to);
  // Floats that are row-major, or all have their channels last and `axis` is the channels'.
  void addConcat(std::span<const Stored> parts, size_t axis, const Stored& result);
  bool isOutput(ValueId value) const { return m_outputs.contains(value.index()); }
  // The step just added is a max pooling of floats: what is not finite in its input counts as the standard has it.
  void poolExactly(ExactMaximum rule, const Stored& source, const Stored& target);
  template <typename Primitive, typename Description>
  Result<void> addStep(const Description& description, StepArguments arguments, int64_t work) {
    dnnl::primitive primitive;
    const int threads = threadsFor(work);
    if (!probing()) {
      const ThreadShare share(threads);
      CUTAWAY_CHECK(attempt("primitive", [&] { primitive = Primitive(description); }));
      note(description.impl_info_str(), work);
    }
    arguments.emplace_back(DNNL_ARG_SCRATCHPAD, Stored{kNoBuffer, description.scratchpad_desc()});
    push(std::move(primitive), std::move(arguments), threads);
    return {};
  }

 private:
  static constexpr uint32_t kNoBuffer = ~uint32_t{0};
  struct ValueState {
    std::vector<int64_t> dims;
    Stored stored;
    bool defined = false;
    std::optional<Quantized> quantized{};
  };
  struct Copy {
    Stored from, to;
  };

  uint32_t addBuffer(PlanBuffer buffer);
  uint32_t memoryOf(const Stored& stored);
  void push(dnnl::primitive primitive, StepArguments arguments, int threads);
  void note(const std::string& implementation, int64_t work);
  Result<void> addReorder(const Stored& from, const Stored& to,
                          const dnnl::primitive_attr& attributes = newAttributes());
  void makeFloats(ValueId value, ValueState& state);
  Result<void> bindInputs();
  Result<void> bindOutputs();
  void touch(uint32_t buffer);
  Result<void> checkMemories();
  Result<void> checkDeclared(ValueId value) const;

  BuildRequest m_request;
  std::unique_ptr<Plan> m_plan;
  // Hashed, because probing makes a builder for single nodes of large graphs.
  std::unordered_map<size_t, ValueState> m_values;  // by value index; constants have dims before they are stored
  std::vector<std::vector<ValueId>> m_valuesIn;     // by buffer
  std::vector<std::vector<Copy>> m_copies;          // by buffer they were made from
  std::vector<uint32_t> m_copiedFrom;               // by buffer of a copy; others: kNoBuffer
  std::vector<uint32_t> m_constantKey;              // by buffer: key in the weight store
  std::unordered_set<size_t> m_outputs;             // value indexes
  std::unordered_set<size_t> m_open;                // node indexes not lowered yet
  std::vector<NodeId> m_inHand;
  mutable std::unordered_set<uint32_t> m_readConstants;  // value indexes
  int64_t m_mostWork = -1;
};

}  // namespace cutaway::onednn
