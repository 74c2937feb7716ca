#include "tests/unit/providers/onednn/stored_group.h"

#include <cstring>
#include <random>

#include <QtGlobal>

#include "engine/graph/text.h"
#include "engine/stages/resolve/resolve.h"
#include "engine/tensor/allocator.h"
#include "providers/onednn/provider.h"

namespace cutaway {

namespace {

// Lends memory as a frame does.
class PortsContext final : public KernelContext {
 public:
  PortsContext(const Kernel& kernel, const ContextPartition& ports, std::vector<RuntimeValue> inputs)
      : m_ports(ports), m_state(kernel.createState()), m_inputs(std::move(inputs)), m_outputs(ports.outputs.size()) {}
  size_t inputCount() const override { return m_inputs.size(); }
  size_t outputCount() const override { return m_outputs.size(); }
  const RuntimeValue* inputValue(size_t slot) const override { return &m_inputs[slot]; }
  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) override {
    return output(slot, m_ports.outputs[slot].type.element, dims);
  }
  Result<Tensor*> output(size_t slot, ElementType type, std::span<const int64_t> dims) override {
    CUTAWAY_TRY(Tensor made, Tensor::create(type, dims));
    std::memset(made.mutableData(), 0x5a, static_cast<size_t>(made.sizeBytes()));
    m_outputs[slot] = std::move(made);
    return &m_outputs[slot].tensor();
  }
  RuntimeValue* outputValue(size_t slot) override { return &m_outputs[slot]; }
  bool hasOutput(size_t /*slot*/) const override { return true; }
  Result<std::span<std::byte>> scratch(size_t sizeBytes) override {
    constexpr size_t kMostScratch = size_t{1} << 32;
    if (sizeBytes > kMostScratch) return fail(ErrorCode::kEpFail, "no memory for {} bytes of scratch", sizeBytes);
    m_scratch.reset(static_cast<std::byte*>(heapAllocator().allocate(std::max<size_t>(sizeBytes, 1))),
                    [](std::byte* bytes) { heapAllocator().release(bytes); });
    if (m_scratch == nullptr) return fail(ErrorCode::kEpFail, "no memory");
    return std::span<std::byte>(m_scratch.get(), sizeBytes);
  }
  KernelState* state() override { return m_state.get(); }
  BodyRunner& bodies() override { std::abort(); }
  bool cancelled() const override { return false; }
  const Tensor& output(size_t slot) const { return m_outputs[slot].tensor(); }

 private:
  const ContextPartition& m_ports;
  std::unique_ptr<KernelState> m_state;
  std::vector<RuntimeValue> m_inputs, m_outputs;
  std::shared_ptr<std::byte> m_scratch;
};

Model modelOf(const std::string& text) {
  Result<Model> parsed = parseModelText(text);
  if (!parsed) qFatal("%s", describe(parsed.error()).c_str());
  Progress progress;
  if (auto done = resolve(*parsed, {.trace = false}, progress); !done) qFatal("%s", describe(done.error()).c_str());
  return *std::move(parsed);
}

std::shared_ptr<void> alignedCopy(const std::string& bytes) {
  std::shared_ptr<void> copy(heapAllocator().allocate(std::max<size_t>(bytes.size(), 1)),
                             [](void* block) { heapAllocator().release(block); });
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  return copy;
}

}  // namespace

StoredGroup exportOf(const std::string& text, const ProviderOptions& options) {
  StoredGroup stored;
  stored.provider = *onednnProvider().create({.options = options});
  const Model model = modelOf(text);
  const FusedSubGraph group{"onednn_0", model, model.graph};
  Progress progress;
  auto compiled = stored.provider->compile({&group, 1}, progress);
  if (!compiled) qFatal("%s", describe(compiled.error()).c_str());
  stored.compiled = (*compiled)[0].kernel;
  auto exported = stored.provider->exportContext({group, *stored.compiled}, progress);
  if (!exported) qFatal("%s", describe(exported.error()).c_str());
  stored.partition = *std::move(exported);
  for (const ValueId id : model.graph.inputs())
    stored.partition.inputs.push_back({model.graph.value(id).name, model.graph.value(id).type});
  for (const ValueId id : model.graph.outputs())
    stored.partition.outputs.push_back({model.graph.value(id).name, model.graph.value(id).type});
  for (ContextSection& section : stored.partition.sections) {
    stored.bytes.push_back(
        std::make_shared<std::string>(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size()));
    section.keepAlive = nullptr;
  }
  return stored;
}

Result<std::shared_ptr<const Kernel>> StoredGroup::restore(ExecutionProvider* other) {
  auto kept = std::make_shared<std::vector<std::shared_ptr<void>>>();
  for (size_t i = 0; i < bytes.size(); ++i) {
    kept->push_back(alignedCopy(*bytes[i]));
    partition.sections[i].bytes = {static_cast<const std::byte*>(kept->back().get()), bytes[i]->size()};
  }
  Progress progress;
  CUTAWAY_TRY(CompiledNode node,
              (other != nullptr ? *other : *provider).restoreContext({partition, kept, "onednn_0"}, progress));
  return node.kernel;
}

std::string& StoredGroup::section(std::string_view name) {
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (partition.sections[i].name == name) return *bytes[i];
  }
  qFatal("no section %s", std::string(name).c_str());
}

int64_t StoredGroup::sizeBytes() const {
  int64_t size = 0;
  for (const auto& each : bytes)
    size += static_cast<int64_t>(each->size());
  return size;
}

Result<Outputs> runKernel(const Kernel& kernel, const ContextPartition& ports, const std::vector<int64_t>& dims) {
  CUTAWAY_TRY(Tensor input, Tensor::create(ElementType::kFloat, dims));
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> number(-1, 1);
  for (float& value : input.span<float>())
    value = number(generator);
  PortsContext context(kernel, ports, {input});
  Outputs outputs;
  for (int again = 0; again < 2; ++again) {
    CUTAWAY_CHECK(kernel.run(context));
    outputs.clear();
    for (size_t slot = 0; slot < ports.outputs.size(); ++slot) {
      const auto bytes = std::as_const(context).output(slot).bytes();
      outputs.emplace_back(bytes.begin(), bytes.end());
    }
  }
  return outputs;
}

}  // namespace cutaway
