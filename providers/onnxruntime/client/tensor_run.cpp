// Runs on tensors of this process: copied into shared memory, and their results out of it.
#include <cstring>

#include "engine/base/checked_math.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/protocol/text_tensor.h"

namespace cutaway::onnxruntime {

namespace {

constexpr int64_t kAlignment = 64;

Result<Tensor> tensorOf(const RunOutput& output, const std::shared_ptr<const SharedMemory>& memory) {
  if (output.element <= 0 || output.element > static_cast<int32_t>(ElementType::kInt2))
    return fail(ErrorCode::kEpFail, "ONNX Runtime gave a tensor of a type with number {}", output.element);
  const auto element = static_cast<ElementType>(output.element);
  // Before anything is allocated: dims that the bytes do not bear out are no reason to.
  CUTAWAY_TRY(const int64_t size, byteSize(element, output.dims));
  const bool isText = element == ElementType::kString;
  const bool fits = isText ? static_cast<uint64_t>(size) / sizeof(std::string) <= output.sizeBytes / sizeof(uint64_t)
                           : static_cast<uint64_t>(size) == output.sizeBytes;
  if (!fits)
    return fail(ErrorCode::kEpFail, "the host process of ONNX Runtime gave {} bytes for a tensor of {} with dims {}",
                output.sizeBytes, elementTypeName(element), dimsToText(output.dims));
  CUTAWAY_TRY(Tensor tensor, Tensor::create(element, output.dims));
  const std::span<const std::byte> bytes =
      memory == nullptr ? std::span<const std::byte>() : memory->part(output.offset, output.sizeBytes);
  if (isText) {
    if (!readTexts({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, tensor.span<std::string>()))
      return fail(ErrorCode::kEpFail, "the host process of ONNX Runtime gave texts that do not end where they should");
    return tensor;
  }
  if (!bytes.empty()) std::memcpy(tensor.mutableData(), bytes.data(), bytes.size());
  return tensor;
}

}  // namespace

Result<TensorRun> HostedSession::runTensors(std::span<const Tensor> inputs, const TensorRunOptions& options,
                                            const Stopped& stopped) {
  RunOrder order{.inputs = {}, .outputs = {}, .runs = options.runs, .profile = options.profile};
  std::vector<std::string> texts(inputs.size());
  int64_t total = 0;
  for (size_t slot = 0; slot < inputs.size(); ++slot) {
    const Tensor& tensor = inputs[slot];
    int64_t size = tensor.sizeBytes();
    if (tensor.type() == ElementType::kString) {
      appendTexts(tensor.span<std::string>(), texts[slot]);
      size = static_cast<int64_t>(texts[slot].size());
    }
    order.inputs.push_back({.slot = static_cast<uint32_t>(slot),
                            .element = static_cast<int32_t>(tensor.type()),
                            .dims = {tensor.dims().begin(), tensor.dims().end()},
                            .memory = nullptr,
                            .offset = static_cast<uint64_t>(total),
                            .sizeBytes = static_cast<uint64_t>(size)});
    CUTAWAY_TRY(total, checkedAdd(total, alignUp(size, kAlignment)));
  }
  CUTAWAY_TRY(const std::shared_ptr<const SharedMemory> memory, SharedMemory::create(static_cast<size_t>(total)));
  for (size_t slot = 0; slot < inputs.size(); ++slot) {
    RunPlace& place = order.inputs[slot];
    place.memory = memory;
    const void* const data = inputs[slot].type() == ElementType::kString ? static_cast<const void*>(texts[slot].data())
                                                                         : inputs[slot].data();
    if (place.sizeBytes > 0) std::memcpy(memory->bytes().data() + place.offset, data, place.sizeBytes);
  }
  for (size_t slot = 0; slot < m_facts.outputs.size(); ++slot)
    order.outputs.push_back({.slot = static_cast<uint32_t>(slot), .element = 0, .dims = {}, .memory = nullptr});
  CUTAWAY_TRY(RunAnswer answer, run(order, stopped));
  if (answer.results.size() != order.outputs.size())
    return fail(ErrorCode::kEpFail, "the host process of ONNX Runtime gave {} results of {}", answer.results.size(),
                order.outputs.size());
  TensorRun ran{.outputs = {},
                .kinds = {},
                .runNs = std::move(answer.runNs),
                .profile = std::move(answer.profile),
                .log = std::move(answer.log)};
  for (const RunOutput& output : answer.results) {
    ran.kinds.push_back(output.kind);
    Tensor tensor;
    if (output.kind == ValueKind::kTensor) {
      CUTAWAY_TRY(tensor, tensorOf(output, answer.memory));
    }
    ran.outputs.push_back(std::move(tensor));
  }
  return ran;
}

}  // namespace cutaway::onnxruntime
