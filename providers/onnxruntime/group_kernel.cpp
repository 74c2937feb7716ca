// The frame's shared memory holds all inputs and those outputs whose shapes are known before the run; it is laid out
// anew when a shape changes. Outputs of open shapes come back in memory of their own.
#include "providers/onnxruntime/group_kernel.h"

#include <algorithm>
#include <cstring>

#include "engine/base/checked_math.h"
#include "providers/onnxruntime/protocol/text_tensor.h"
#include "providers/onnxruntime/shared_blocks.h"

namespace cutaway::onnxruntime {

namespace {

constexpr int64_t kPlaceAlignment = 64;
// Below this a copy costs less than looking for a better place.
constexpr uint64_t kSharedBytes = 64 * 1024;

class GroupState final : public KernelState {
 public:
  RunOrder order;
  std::shared_ptr<const SharedMemory> memory;
  // Where each input and output lies in `memory` when it lies nowhere better.
  std::vector<uint64_t> inputOffsets, outputOffsets;
  bool isLaidOut = false;
};

// Which of the fused node's slots a value of the session stands for.
struct GroupSlots {
  std::vector<size_t> inputs;
  std::vector<size_t> outputs;
};

class GroupKernel final : public Kernel {
 public:
  GroupKernel(std::unique_ptr<HostedSession> session, GroupSlots slots)
      : m_session(std::move(session)), m_slots(std::move(slots)) {}

  std::unique_ptr<KernelState> createState() const override { return std::make_unique<GroupState>(); }
  std::string_view variant() const override { return "onnxruntime"; }

  Result<void> run(KernelContext& context) const override {
    auto& state = static_cast<GroupState&>(*context.state());
    if (!fits(context, state)) CUTAWAY_CHECK(layOut(context, state));
    placeInputs(context, state);
    CUTAWAY_CHECK(placeOutputs(context, state));
    const Result<RunAnswer> answer = m_session->run(state.order, [&] { return context.cancelled(); });
    Result<void> done;
    if (answer) done = readOutputs(context, state, *answer);
    if (!answer) done = fail(answer.error());
    letGo(state);
    return done;
  }

 private:
  static bool isText(const RunPlace& place) { return place.element == static_cast<int32_t>(ElementType::kString); }

  // Whether the places are still right: same dims, no texts, whose sizes each run has anew.
  bool fits(KernelContext& context, const GroupState& state) const {
    if (!state.isLaidOut) return false;
    for (size_t i = 0; i < m_slots.inputs.size(); ++i) {
      const Tensor* const tensor = context.input(m_slots.inputs[i]);
      const RunPlace& place = state.order.inputs[i];
      if (tensor == nullptr || isText(place) || !std::ranges::equal(tensor->dims(), place.dims)) return false;
    }
    return true;
  }

  Result<void> layOut(KernelContext& context, GroupState& state) const {
    state.isLaidOut = false;
    state.order = {};
    state.inputOffsets.clear();
    state.outputOffsets.clear();
    int64_t total = 0;
    for (size_t i = 0; i < m_slots.inputs.size(); ++i) {
      const Tensor* const tensor = context.input(m_slots.inputs[i]);
      if (tensor == nullptr)
        return fail(ErrorCode::kEpFail, "input {} of a group of ONNX Runtime has no tensor", m_slots.inputs[i]);
      RunPlace place{.slot = static_cast<uint32_t>(i),
                     .element = static_cast<int32_t>(tensor->type()),
                     .dims = {tensor->dims().begin(), tensor->dims().end()},
                     .memory = nullptr,
                     .offset = static_cast<uint64_t>(total)};
      place.sizeBytes = isText(place) ? textBytes(*tensor) : static_cast<uint64_t>(tensor->sizeBytes());
      CUTAWAY_TRY(total, checkedAdd(total, alignUp(static_cast<int64_t>(place.sizeBytes), kPlaceAlignment)));
      state.order.inputs.push_back(std::move(place));
    }
    for (size_t i = 0; i < m_slots.outputs.size(); ++i) {
      if (!context.hasOutput(m_slots.outputs[i])) continue;
      const ValueFacts& facts = m_session->facts().outputs[i];
      RunPlace place{.slot = static_cast<uint32_t>(i), .element = facts.element, .dims = {}, .memory = nullptr};
      if (isPlaced(facts)) {
        place.dims = facts.dims;
        CUTAWAY_TRY(const int64_t size, byteSize(static_cast<ElementType>(facts.element), facts.dims));
        place.offset = static_cast<uint64_t>(total);
        place.sizeBytes = static_cast<uint64_t>(size);
        CUTAWAY_TRY(total, checkedAdd(total, alignUp(size, kPlaceAlignment)));
      }
      state.order.outputs.push_back(std::move(place));
    }
    if (state.memory == nullptr || state.memory->bytes().size() < static_cast<size_t>(total)) {
      CUTAWAY_TRY(state.memory, SharedMemory::create(static_cast<size_t>(total)));
    }
    for (const RunPlace& place : state.order.inputs)
      state.inputOffsets.push_back(place.offset);
    for (const RunPlace& place : state.order.outputs)
      state.outputOffsets.push_back(place.offset);
    state.isLaidOut = true;
    return {};
  }

  static uint64_t textBytes(const Tensor& tensor) {
    uint64_t size = 0;
    for (const std::string& text : tensor.span<std::string>())
      size += sizeof(uint64_t) + text.size();
    return size;
  }

  static bool isPlaced(const ValueFacts& facts) {
    return facts.kind == ValueKind::kTensor && facts.isRanked &&
           facts.element != static_cast<int32_t>(ElementType::kString) &&
           std::ranges::all_of(facts.dims, [](int64_t dim) { return dim >= 0; });
  }

  void placeInputs(KernelContext& context, GroupState& state) const {
    for (size_t i = 0; i < m_slots.inputs.size(); ++i) {
      const Tensor& tensor = *context.input(m_slots.inputs[i]);
      RunPlace& place = state.order.inputs[i];
      if (useWhereItLies(tensor, place)) continue;
      place.memory = state.memory;
      place.offset = state.inputOffsets[i];
      std::byte* const target = state.memory->bytes().data() + place.offset;
      if (isText(place)) {
        std::string bytes;
        appendTexts(tensor.span<std::string>(), bytes);
        std::memcpy(target, bytes.data(), std::min<size_t>(bytes.size(), place.sizeBytes));
      } else if (place.sizeBytes > 0) {
        std::memcpy(target, tensor.data(), place.sizeBytes);
      }
    }
  }

  Result<void> placeOutputs(KernelContext& context, GroupState& state) const {
    for (size_t i = 0; i < state.order.outputs.size(); ++i) {
      RunPlace& place = state.order.outputs[i];
      if (!isPlaced(m_session->facts().outputs[place.slot])) continue;
      CUTAWAY_TRY(const Tensor* const tensor, context.output(m_slots.outputs[place.slot], place.dims));
      if (useWhereItLies(*tensor, place)) continue;
      place.memory = state.memory;
      place.offset = state.outputOffsets[i];
    }
    return {};
  }

  static bool useWhereItLies(const Tensor& tensor, RunPlace& place) {
    if (place.sizeBytes < kSharedBytes || isText(place)) return false;
    SharedPart part = sharedBlocks().find(tensor.data(), place.sizeBytes);
    if (part.memory == nullptr) return false;
    place.memory = std::move(part.memory);
    place.offset = part.offset;
    return true;
  }

  // Blocks of the heap are given back when their tensors are; nothing here keeps them.
  static void letGo(GroupState& state) {
    for (std::vector<RunPlace>* const places : {&state.order.inputs, &state.order.outputs}) {
      for (RunPlace& place : *places)
        place.memory.reset();
    }
  }

  Result<void> readOutputs(KernelContext& context, const GroupState& state, const RunAnswer& answer) const {
    size_t result = 0;
    for (const RunPlace& place : state.order.outputs) {
      const size_t slot = m_slots.outputs[place.slot];
      if (place.memory == nullptr) {
        if (result >= answer.results.size()) return fail(ErrorCode::kEpFail, "ONNX Runtime gave no output {}", slot);
        CUTAWAY_CHECK(readResult(context, slot, place.element, answer.results[result++], answer.memory));
      } else if (place.memory == state.memory && place.sizeBytes > 0) {
        CUTAWAY_TRY(Tensor* const tensor, context.output(slot, place.dims));
        std::memcpy(tensor->mutableData(), state.memory->bytes().data() + place.offset, place.sizeBytes);
      }
    }
    return {};
  }

  static Result<void> readResult(KernelContext& context, size_t slot, int32_t element, const RunOutput& output,
                                 const std::shared_ptr<const SharedMemory>& memory) {
    if (output.kind != ValueKind::kTensor || output.element != element)
      return fail(ErrorCode::kEpFail, "ONNX Runtime gave output {} another type than it said", slot);
    CUTAWAY_CHECK(byteSize(static_cast<ElementType>(element), output.dims).map([](int64_t) {}));
    CUTAWAY_TRY(Tensor* const tensor, context.output(slot, output.dims));
    const std::span<const std::byte> bytes =
        memory == nullptr ? std::span<const std::byte>() : memory->part(output.offset, output.sizeBytes);
    if (tensor->type() == ElementType::kString) {
      if (readTexts({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, tensor->span<std::string>()))
        return {};
      return fail(ErrorCode::kEpFail, "ONNX Runtime gave output {} texts that do not end where they should", slot);
    }
    if (bytes.size() != static_cast<size_t>(tensor->sizeBytes()))
      return fail(ErrorCode::kEpFail, "ONNX Runtime gave {} bytes for output {} of {}", bytes.size(), slot,
                  tensor->sizeBytes());
    if (!bytes.empty()) std::memcpy(tensor->mutableData(), bytes.data(), bytes.size());
    return {};
  }

  std::unique_ptr<HostedSession> m_session;
  GroupSlots m_slots;
};

Result<std::vector<size_t>> slotsOf(const std::vector<ValueFacts>& said, const Graph& group,
                                    std::span<const ValueId> values, const char* what) {
  std::vector<size_t> slots;
  for (const ValueFacts& facts : said) {
    const auto value =
        std::ranges::find(values, facts.name, [&](ValueId id) -> const std::string& { return group.value(id).name; });
    if (value == values.end())
      return fail(ErrorCode::kEpFail, "ONNX Runtime compiled {} '{}', which the group does not have", what, facts.name);
    if (facts.element != static_cast<int32_t>(group.value(*value).type.element))
      return fail(ErrorCode::kEpFail, "ONNX Runtime gives {} '{}' another element type than {}", what, facts.name,
                  elementTypeName(group.value(*value).type.element));
    slots.push_back(static_cast<size_t>(value - values.begin()));
  }
  return slots;
}

}  // namespace

Result<std::shared_ptr<const Kernel>> makeGroupKernel(std::unique_ptr<HostedSession> session, const Graph& group) {
  GroupSlots slots;
  CUTAWAY_TRY(slots.inputs, slotsOf(session->facts().inputs, group, group.inputs(), "input"));
  CUTAWAY_TRY(slots.outputs, slotsOf(session->facts().outputs, group, group.outputs(), "output"));
  // An output without a value of the session would never be written.
  if (slots.outputs.size() != group.outputs().size())
    return fail(ErrorCode::kEpFail, "ONNX Runtime compiled {} outputs, and the group has {}", slots.outputs.size(),
                group.outputs().size());
  return std::make_shared<GroupKernel>(std::move(session), std::move(slots));
}

}  // namespace cutaway::onnxruntime
