#include "tests/unit/providers/onednn/stored_group.h"

#include <cstring>
#include <random>

#include <QtGlobal>

#include "engine/graph/text.h"
#include "engine/provider/kernel_contexts.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/onednn/provider.h"

namespace cutaway {

namespace {

// Memory as a frame lends it: with whatever lay there before.
Result<Tensor> usedMemory(size_t /*slot*/, ElementType type, std::span<const int64_t> dims) {
  CUTAWAY_TRY(Tensor made, Tensor::create(type, dims));
  std::memset(made.mutableData(), 0x5a, static_cast<size_t>(made.sizeBytes()));
  return made;
}

Model modelOf(const std::string& text) {
  Result<Model> parsed = parseModelText(text);
  if (!parsed) qFatal("%s", describe(parsed.error()).c_str());
  Progress progress;
  if (auto done = resolve::resolve(*parsed, {.trace = false}, progress); !done)
    qFatal("%s", describe(done.error()).c_str());
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
  for (context_binary::ContextSection& section : stored.partition.sections) {
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

Result<Outputs> runKernel(const Kernel& kernel, const context_binary::ContextPartition& ports,
                          const std::vector<int64_t>& dims) {
  CUTAWAY_TRY(Tensor input, Tensor::create(ElementType::kFloat, dims));
  std::mt19937 generator(7);
  std::uniform_real_distribution<float> number(-1, 1);
  for (float& value : input.span<float>())
    value = number(generator);
  const RuntimeValue given(std::move(input));
  LoneCall call{.inputs = {&given}, .makeOutput = usedMemory, .mostScratchBytes = size_t{1} << 32};
  for (const auto& port : ports.outputs)
    call.outputs.push_back({.type = port.type.element});
  const std::unique_ptr<KernelState> state = kernel.createState();
  LoneContext context(std::move(call), state.get());
  Outputs outputs;
  for (int again = 0; again < 2; ++again) {
    CUTAWAY_CHECK(kernel.run(context));
    outputs.clear();
    for (size_t slot = 0; slot < ports.outputs.size(); ++slot) {
      const auto bytes = context.outputs()[slot].tensor().bytes();
      outputs.emplace_back(bytes.begin(), bytes.end());
    }
  }
  return outputs;
}

}  // namespace cutaway
