#pragma once
// Contexts that kernels are called with outside a session's frame: alone, and inside the call of another kernel.
//
// Thread rule: one call. Example:
//   LoneContext context({.inputs = {&x}, .outputs = {{.type = ElementType::kFloat}}}, state.get());
//   CUTAWAY_CHECK(kernel.run(context));
//   use(context.takeOutputs());

#include <deque>
#include <functional>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway {

// For nodes without bodies: running one is NOT_IMPLEMENTED.
class NoBodies final : public BodyRunner {
 public:
  size_t inputCount(size_t body) const override;
  size_t outputCount(size_t body) const override;
  const ValueType& outputType(size_t body, size_t slot) const override;
  Result<void> run(size_t body, std::span<const RuntimeValue> inputs, std::vector<RuntimeValue>& outputs) override;

 private:
  ValueType m_unknown;
};

struct LoneOutput {
  ElementType type = ElementType::kUndefined;  // declared; kUndefined: the kernel has to say it
  bool wanted = true;                          // false: the node does not have it
};

// What a kernel is called with. Everything pointed to outlives the call.
struct LoneCall {
  std::vector<const RuntimeValue*> inputs{};  // by slot; nullptr: absent
  std::vector<LoneOutput> outputs{};
  // Where an output's elements lie; empty: in fresh memory. Asked again when a kernel asks again.
  std::function<Result<Tensor>(size_t slot, ElementType type, std::span<const int64_t> dims)> makeOutput{};
  size_t mostScratchBytes = std::numeric_limits<size_t>::max();  // EP_FAIL above
  BodyRunner* bodies = nullptr;                                  // nullptr: the node has none
  const bool* cancelled = nullptr;                               // nullptr: nobody cancels
};

// A call without a plan: outputs and scratch are fresh memory, for single nodes, where a plan would cost more than it
// saves.
class LoneContext final : public KernelContext {
 public:
  LoneContext(LoneCall call, KernelState* state);

  using KernelContext::output;
  size_t inputCount() const override { return m_call.inputs.size(); }
  size_t outputCount() const override { return m_outputs.size(); }
  const RuntimeValue* inputValue(size_t slot) const override;
  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override;
  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override;
  RuntimeValue* outputValue(size_t slot) override { return hasOutput(slot) ? &m_outputs[slot] : nullptr; }
  bool hasOutput(size_t slot) const override { return slot < m_outputs.size() && m_call.outputs[slot].wanted; }
  Result<std::span<std::byte>> scratch(size_t sizeBytes) override;
  KernelState* state() override { return m_state; }
  BodyRunner& bodies() override { return m_call.bodies != nullptr ? *m_call.bodies : m_noBodies; }
  bool cancelled() const override { return m_call.cancelled != nullptr && *m_call.cancelled; }

  std::span<const RuntimeValue> outputs() const { return m_outputs; }
  std::vector<RuntimeValue> takeOutputs() { return std::move(m_outputs); }

 private:
  LoneCall m_call;
  std::vector<RuntimeValue> m_outputs;
  std::deque<Tensor> m_scratch;
  KernelState* m_state;
  NoBodies m_noBodies;
};

// Passes everything on to the call around it: for a kernel that calls another one. Derive from it and replace what
// differs inside.
class PassingContext : public KernelContext {
 public:
  explicit PassingContext(KernelContext& outer) : m_outer(outer) {}

  using KernelContext::output;
  size_t inputCount() const override { return m_outer.inputCount(); }
  size_t outputCount() const override { return m_outer.outputCount(); }
  const RuntimeValue* inputValue(size_t slot) const override { return m_outer.inputValue(slot); }
  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override { return m_outer.output(slot, dims); }
  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    return m_outer.output(slot, type, dims);
  }
  RuntimeValue* outputValue(size_t slot) override { return m_outer.outputValue(slot); }
  bool hasOutput(size_t slot) const override { return m_outer.hasOutput(slot); }
  Result<std::span<std::byte>> scratch(size_t sizeBytes) override { return m_outer.scratch(sizeBytes); }
  KernelState* state() override { return m_outer.state(); }
  BodyRunner& bodies() override { return m_outer.bodies(); }
  bool cancelled() const override { return m_outer.cancelled(); }
  void subStep(const char* name) override { m_outer.subStep(name); }
  ProviderRun* providerRun() override { return m_outer.providerRun(); }

 protected:
  KernelContext& m_outer;
};

}  // namespace cutaway
