// Running a plan: each frame holds the library's memory objects and the argument lists of all steps, made once; a run
// points them at the caller's tensors and walks the steps.
#include "providers/onednn/group_kernel.h"

#include <algorithm>
#include <cstring>

#include "engine/base/exception_text.h"
#include "engine/base/parallel.h"
#include "engine/graph/topology.h"
#include "providers/onednn/plan_builder.h"

namespace cutaway::onednn {

namespace {

constexpr size_t kMostPlans = 16;  // shapes and thread counts kept; the oldest goes
constexpr size_t kMostBound = 4;   // of them with memory objects in one frame

// A plan with the memory objects of one frame.
struct BoundPlan {
  std::shared_ptr<const Plan> plan;
  dnnl::stream stream;
  std::vector<dnnl::memory> memories;
  std::vector<void*> pointers;             // what each memory points at now
  std::vector<dnnl_exec_arg_t> arguments;  // of all steps, one after the other
  std::vector<void*> outputs;              // of the run in hand
};

class GroupState final : public KernelState {
 public:
  BoundPlan* find(const KernelContext& context, int threads) {
    for (const auto& bound : m_bound) {
      if (bound->plan->threads == threads && fits(*bound->plan, context)) return bound.get();
    }
    return nullptr;
  }
  Result<BoundPlan*> bind(std::shared_ptr<const Plan> plan);

 private:
  static bool fits(const Plan& plan, const KernelContext& context) {
    for (size_t slot = 0; slot < plan.inputDims.size(); ++slot) {
      const Tensor* tensor = context.input(slot);
      if (tensor == nullptr || tensor->type() != plan.inputTypes[slot] ||
          !std::ranges::equal(tensor->dims(), plan.inputDims[slot]))
        return false;
    }
    return true;
  }
  std::vector<std::unique_ptr<BoundPlan>> m_bound;
};

Result<BoundPlan*> GroupState::bind(std::shared_ptr<const Plan> plan) {
  auto bound = std::make_unique<BoundPlan>();
  bound->plan = std::move(plan);
  CUTAWAY_CHECK(attempt("memory objects", [&] {
    const Plan& it = *bound->plan;
    bound->stream = dnnl::stream(engine());
    for (const PlanMemory& memory : it.memories) {
      void* bytes = const_cast<void*>(it.buffers[memory.buffer].bytes.get());
      bound->memories.emplace_back(memory.descriptor, engine(), bytes == nullptr ? DNNL_MEMORY_NONE : bytes);
      bound->pointers.push_back(bytes);
    }
    for (const PlanStep& step : it.steps) {
      for (const auto& [name, index] : step.arguments)
        bound->arguments.push_back({name, bound->memories[index].get()});
    }
    bound->outputs.resize(it.outputDims.size());
  }));
  if (m_bound.size() >= kMostBound) m_bound.erase(m_bound.begin());
  m_bound.push_back(std::move(bound));
  return m_bound.back().get();
}

Result<void> pointMemories(BoundPlan& bound, KernelContext& context) {
  const Plan& plan = *bound.plan;
  CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(plan.scratchBytes));
  for (size_t slot = 0; slot < plan.outputDims.size(); ++slot) {
    CUTAWAY_TRY(Tensor* const output, context.output(slot, plan.outputDims[slot]));
    if (output->type() != plan.outputTypes[slot])
      return fail(ErrorCode::kEpFail, "output {} of the group is {}, not {}", slot,
                  elementTypeName(plan.outputTypes[slot]), elementTypeName(output->type()));
    bound.outputs[slot] = output->mutableData();
  }
  for (size_t i = 0; i < plan.memories.size(); ++i) {
    const PlanBuffer& buffer = plan.buffers[plan.memories[i].buffer];
    void* bytes = bound.pointers[i];
    switch (buffer.kind) {
      case PlanBuffer::Kind::kInput:
        bytes = const_cast<void*>(context.input(buffer.slot)->data());
        break;
      case PlanBuffer::Kind::kOutput:
        bytes = bound.outputs[buffer.slot];
        break;
      case PlanBuffer::Kind::kWorking:
        bytes = scratch.data() + buffer.offset;
        break;
      case PlanBuffer::Kind::kConstant:
        continue;
    }
    if (bytes == bound.pointers[i]) continue;
    if (dnnl_memory_set_data_handle(bound.memories[i].get(), bytes) != dnnl_success)
      return fail(ErrorCode::kEpFail, "oneDNN does not take the memory of a value");
    bound.pointers[i] = bytes;
  }
  return {};
}

const char* partName(const PlanStep& step) {
  if (step.own) return "own convolution";
  if (step.activation) return "own activation";
  if (step.concat) return "concat";
  switch (step.primitive.get_kind()) {
    case dnnl::primitive::kind::convolution:
      return "convolution";
    case dnnl::primitive::kind::deconvolution:
      return "deconvolution";
    case dnnl::primitive::kind::matmul:
      return "matmul";
    case dnnl::primitive::kind::inner_product:
      return "inner product";
    case dnnl::primitive::kind::reorder:
      return "reorder";
    case dnnl::primitive::kind::binary:
      return "binary";
    case dnnl::primitive::kind::eltwise:
      return "elementwise";
    case dnnl::primitive::kind::softmax:
      return "softmax";
    case dnnl::primitive::kind::reduction:
      return "reduction";
    case dnnl::primitive::kind::concat:
      return "concat";
    case dnnl::primitive::kind::resampling:
      return "resampling";
    default:
      return "other primitive";
  }
}

void poolNonFinite(const ExactMaximum& rule, const BoundPlan& bound) {
  const auto* x = static_cast<const float*>(bound.pointers[rule.source]);
  const size_t bytes = bound.plan->memories[rule.source].descriptor.get_size();
  if (!math::allFinite(x, static_cast<int64_t>(bytes / sizeof(float))))
    math::poolMaximum(rule.shape, x, rule.from, static_cast<float*>(bound.pointers[rule.target]), rule.to);
}

void runOwn(const OwnStep& step, const BoundPlan& bound) {
  const auto at = [&](uint32_t memory) {
    return memory == OwnStep::kNone ? nullptr : static_cast<float*>(bound.pointers[memory]);
  };
  const std::span<std::byte> scratch(static_cast<std::byte*>(bound.pointers[step.scratch]),
                                     step.algorithm->scratchBytes());
  step.algorithm->run(at(step.source), at(step.weights),
                      {.bias = at(step.bias), .residual = at(step.residual), .activation = step.activation},
                      at(step.target), scratch);
}

void runActivation(const OwnActivation& step, const BoundPlan& bound) {
  const auto* from = static_cast<const float*>(bound.pointers[step.source]);
  auto* to = static_cast<float*>(bound.pointers[step.target]);
  const size_t bytes = bound.plan->memories[step.source].descriptor.get_size();
  constexpr int64_t kGrain = 8192;  // floats that pay for another thread
  parallelFor(static_cast<int64_t>(bytes / sizeof(float)), kGrain, [&](int64_t begin, int64_t end) {
    math::channelLoops()->activateRun(from + begin, end - begin, step.activation, to + begin);
  });
}

void runConcat(const OwnConcat& step, const BoundPlan& bound) {
  size_t rowBytes = 0;
  for (const OwnConcat::Part& part : step.parts)
    rowBytes += part.bytes;
  auto* target = static_cast<std::byte*>(bound.pointers[step.target]);
  constexpr size_t kGrain = 65536;  // bytes that pay for another thread
  const auto grain = static_cast<int64_t>(kGrain / std::max<size_t>(1, rowBytes));
  parallelFor(step.rows, std::max<int64_t>(1, grain), [&](int64_t begin, int64_t end) {
    size_t offset = 0;
    for (const OwnConcat::Part& part : step.parts) {
      const auto* source = static_cast<const std::byte*>(bound.pointers[part.source]);
      for (int64_t row = begin; row < end; ++row)
        std::memcpy(target + static_cast<size_t>(row) * rowBytes + offset,
                    source + static_cast<size_t>(row) * part.bytes, part.bytes);
      offset += part.bytes;
    }
  });
}

Result<void> walkSteps(const BoundPlan& bound, KernelContext& context) {
  const dnnl_exec_arg_t* arguments = bound.arguments.data();
  for (const PlanStep& step : bound.plan->steps) {
    context.subStep(partName(step));
    const ThreadShare share(step.threads);
    const auto count = static_cast<int>(step.arguments.size());
    if (step.own || step.activation || step.concat) {
      if (step.own) runOwn(*step.own, bound);
      if (step.activation) runActivation(*step.activation, bound);
      if (step.concat) runConcat(*step.concat, bound);
      if (context.cancelled()) return fail(cancelledError());
      arguments += count;
      continue;
    }
    const dnnl_status_t status = dnnl_primitive_execute(step.primitive.get(), bound.stream.get(), count, arguments);
    if (status != dnnl_success)
      return fail(ErrorCode::kEpFail, "oneDNN could not run a primitive (status {})", static_cast<int>(status));
    if (step.exactMaximum) poolNonFinite(*step.exactMaximum, bound);
    if (context.cancelled()) return fail(cancelledError());
    arguments += count;
  }
  return {};
}

std::string describePlan(const Plan& plan) {
  const PlanFigures& figures = plan.figures;
  std::string text = fmt::format("onednn:{} primitives, {} nodes fused in, {} reorders", figures.primitives,
                                 figures.fused, figures.reorders);
  if (!figures.implementation.empty()) text += ", " + figures.implementation;
  return text;
}

}  // namespace

GroupKernel::GroupKernel(GroupSource source)
    : m_graph(std::move(source.graph)),
      m_options(source.options),
      m_fusedLinks(std::move(source.fusedLinks)),
      m_trusted(source.trusted),
      m_weights(std::move(source.stored), std::move(source.keepAlive)) {}

Result<std::shared_ptr<const GroupKernel>> GroupKernel::create(GroupSource source) {
  std::shared_ptr<GroupKernel> kernel(new GroupKernel(std::move(source)));
  CUTAWAY_TRY(kernel->m_order, topologicalOrder(kernel->m_graph));
  InputDims dims;
  for (const ValueId id : kernel->m_graph.inputs()) {
    const ValueType& type = kernel->m_graph.value(id).type;
    if (!type.shape || !type.shape->isStatic()) {
      kernel->m_variant = "onednn:one plan for each shape, made when it is first seen";
      return kernel;
    }
    dims.push_back(*type.shape->staticDims());
  }
  CUTAWAY_TRY(const std::shared_ptr<const Plan> plan, kernel->planFor(dims, currentThreads()));
  kernel->m_variant = describePlan(*plan);
  return kernel;
}

std::unique_ptr<KernelState> GroupKernel::createState() const {
  return std::make_unique<GroupState>();
}

Result<std::shared_ptr<const Plan>> GroupKernel::planFor(const InputDims& dims, int threads) const {
  const std::lock_guard lock(m_mutex);
  for (const auto& plan : m_plans) {
    if (plan->threads == threads && plan->inputDims == dims) return plan;
  }
  CUTAWAY_TRY(std::shared_ptr<const Plan> plan, buildPlan(dims, threads));
  if (m_plans.size() >= kMostPlans) m_plans.erase(m_plans.begin());
  if (m_firstPlan == nullptr) m_firstPlan = plan;
  m_plans.push_back(plan);
  return plan;
}

std::shared_ptr<const Plan> GroupKernel::firstPlan() const {
  const std::lock_guard lock(m_mutex);
  return m_firstPlan;
}

// Lowering asks the library outside of attempt(), too, and a group from a context may hold what no capability check has
// seen: nothing it throws leaves.
Result<std::shared_ptr<const Plan>> GroupKernel::buildPlan(const InputDims& dims, int threads) const try {
  PlanBuilder builder({.graph = m_graph,
                       .nodes = m_order,
                       .inputs = m_graph.inputs(),
                       .outputs = m_graph.outputs(),
                       .inputDims = dims,
                       .weights = &m_weights,
                       .threads = threads,
                       .fuse = m_options.fuse,
                       .int8 = m_options.int8,
                       .precision = m_options.precision,
                       .trusted = m_trusted,
                       .fusedLinks = m_fusedLinks});
  CUTAWAY_TRY(std::shared_ptr<const Plan> plan, builder.build());
  return plan;
} catch (const std::exception& error) {
  return fail(ErrorCode::kEpFail, "oneDNN: {}", exceptionText(error));
}

Result<void> GroupKernel::run(KernelContext& context) const {
  auto& state = static_cast<GroupState&>(*context.state());
  const int threads = currentThreads();
  BoundPlan* bound = state.find(context, threads);
  if (bound == nullptr) {
    InputDims dims;
    for (size_t slot = 0; slot < context.inputCount(); ++slot) {
      const Tensor* tensor = context.input(slot);
      if (tensor == nullptr) return fail(ErrorCode::kInvalidArgument, "input {} of the group is missing", slot);
      if (slot >= m_graph.inputs().size() || tensor->type() != m_graph.value(m_graph.inputs()[slot]).type.element)
        return fail(ErrorCode::kEpFail, "input {} of the group does not take {}", slot,
                    elementTypeName(tensor->type()));
      dims.emplace_back(tensor->dims().begin(), tensor->dims().end());
    }
    CUTAWAY_TRY(std::shared_ptr<const Plan> plan, planFor(dims, threads));
    CUTAWAY_TRY(bound, state.bind(std::move(plan)));
  }
  CUTAWAY_CHECK(pointMemories(*bound, context));
  return walkSteps(*bound, context);
}

}  // namespace cutaway::onednn
