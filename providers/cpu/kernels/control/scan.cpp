// Scan: the body runs once for every step along an axis of the scan inputs, carrying state values and giving slices of
// the scan outputs.
//
// Version 9 and later choose axes and directions freely. Version 8 puts a batch axis before everything and may stop
// early in each batch entry; here it is a Scan for each entry.

#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/tensor/packed_bits.h"
#include "providers/cpu/kernels/control/body_call.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

struct ScanState final : KernelState {
  std::vector<CarriedValue> carried;
  std::vector<Tensor> sliceBuffers;  // for slices that do not lie together in their input
  std::vector<Tensor*> targets;      // scan outputs of this run; nullptr until their first slice is known
  std::vector<Tensor*> finals;       // state outputs of a batched run, likewise
  std::vector<RuntimeValue> inputs;
  std::vector<RuntimeValue> outputs;
};

struct ScanSettings {
  size_t states = 0;
  size_t scanInputs = 0;
  size_t scanOutputs = 0;
  bool batched = false;
  size_t firstInput = 0;  // 1 in version 8, after sequence_lens
  Dims inputAxes, inputReversed, outputAxes, outputReversed;
};

// A list attribute with one entry for each of `count`; zeros when the node leaves it out.
Result<Dims> perItem(const KernelInfo& info, std::string_view name, size_t count) {
  if (info.node().findAttribute(name) == nullptr) return filledList(count, 0);
  Dims list = listAttribute(info.node(), name);
  if (list.size() != count)
    return fail(ErrorCode::kInvalidGraph, "{} has {} entries, {} are needed", name, list.size(), count);
  return list;
}

// 0: forward, 1: backward.
Result<Dims> directions(const KernelInfo& info, std::string_view name, size_t count) {
  CUTAWAY_TRY(Dims list, perItem(info, name, count));
  for (const int64_t each : list) {
    if (each != 0 && each != 1)
      return fail(ErrorCode::kInvalidGraph, "{} has the entry {}; 0 is forward, 1 is backward", name, each);
  }
  return list;
}

// Rows of neighbouring elements from one tensor into another. Packed elements go one by one: rows need not start at a
// byte.
struct RowMove {
  int64_t rows, elements, fromFirst, fromStride, toFirst, toStride;

  void run(const Tensor& from, Tensor& to) const {
    const ElementType type = from.type();
    if (!isSubByte(type)) {
      moveStrided(type,
                  {.dims = Dims{rows, elements}, .fromStrides = Dims{fromStride, 1}, .toStrides = Dims{toStride, 1}},
                  elementAt(type, from.data(), fromFirst), elementAt(type, to.mutableData(), toFirst));
      return;
    }
    const int bits = bitsOf(type);
    const auto* source = static_cast<const uint8_t*>(from.data());
    auto* target = static_cast<uint8_t*>(to.mutableData());
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t i = 0; i < elements; ++i)
        setPackedBits(target, toFirst + row * toStride + i, bits,
                      packedBits(source, fromFirst + row * fromStride + i, bits));
    }
  }
};

class ScanKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    const Graph* body = nullptr;
    forEachBody(info.node(), [&](const std::string&, const Graph& each) { body = &each; });
    if (body == nullptr) return fail(ErrorCode::kInvalidGraph, "Scan has no body");
    ScanSettings s;
    s.batched = info.node().sinceVersion < 9;
    s.firstInput = s.batched ? 1 : 0;
    const int64_t inputs = static_cast<int64_t>(info.inputCount()) - static_cast<int64_t>(s.firstInput);
    const int64_t scanInputs = info.attribute<int64_t>("num_scan_inputs", 0);
    if (scanInputs < 1 || scanInputs > inputs)
      return fail(ErrorCode::kInvalidGraph, "num_scan_inputs is {} with {} inputs", scanInputs, inputs);
    s.scanInputs = static_cast<size_t>(scanInputs);
    s.states = static_cast<size_t>(inputs - scanInputs);
    if (body->inputs().size() != static_cast<size_t>(inputs) || body->outputs().size() < s.states) {
      return fail(ErrorCode::kInvalidGraph,
                  "a Scan of {} states and {} scan inputs has a body with {} inputs and {} outputs", s.states,
                  s.scanInputs, body->inputs().size(), body->outputs().size());
    }
    s.scanOutputs = body->outputs().size() - s.states;
    CUTAWAY_TRY(s.inputReversed, directions(info, s.batched ? "directions" : "scan_input_directions", s.scanInputs));
    CUTAWAY_TRY(s.inputAxes, perItem(info, "scan_input_axes", s.scanInputs));
    CUTAWAY_TRY(s.outputAxes, perItem(info, "scan_output_axes", s.scanOutputs));
    CUTAWAY_TRY(s.outputReversed, directions(info, "scan_output_directions", s.scanOutputs));
    return std::unique_ptr<Kernel>(std::make_unique<ScanKernel>(std::move(s)));
  }
  explicit ScanKernel(ScanSettings settings) : m(std::move(settings)) {}

  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ScanState>(); }

  Result<void> run(KernelContext& context) const override {
    ScanState local;
    ScanState* kept = static_cast<ScanState*>(context.state());
    ScanState& state = kept == nullptr ? local : *kept;
    state.carried.resize(m.states);
    state.sliceBuffers.resize(m.scanInputs);
    state.targets.assign(m.scanOutputs, nullptr);
    state.finals.assign(m.states, nullptr);
    state.inputs.resize(m.states + m.scanInputs);
    Result<void> done = runBatches(context, state);
    for (CarriedValue& value : state.carried)
      value.drop();
    for (RuntimeValue& value : state.inputs)
      value.reset();
    for (RuntimeValue& value : state.outputs)
      value.reset();
    return done;
  }

 private:
  // The axis of a scan input that is stepped along.
  Result<size_t> inputAxis(const Tensor& tensor, size_t index) const {
    if (m.batched) {
      if (tensor.rank() < 2)
        return fail(ErrorCode::kInvalidArgument, "scan input {} of rank {} has no batch and sequence axes", index,
                    tensor.rank());
      return size_t{1};
    }
    CUTAWAY_TRY(const int64_t axis, resolveAxis(m.inputAxes[index], tensor.rank()));
    return static_cast<size_t>(axis);
  }

  Result<void> runBatches(KernelContext& context, ScanState& state) const {
    int64_t length = -1;
    int64_t batches = 1;
    for (size_t i = 0; i < m.scanInputs; ++i) {
      CUTAWAY_TRY(const Tensor* tensor, requireTensor(context, m.firstInput + m.states + i));
      CUTAWAY_TRY(const size_t axis, inputAxis(*tensor, i));
      if (i > 0 && tensor->dims()[axis] != length)
        return fail(ErrorCode::kInvalidArgument, "scan inputs of {} and {} steps do not agree", length,
                    tensor->dims()[axis]);
      if (m.batched && i > 0 && tensor->dims()[0] != batches)
        return fail(ErrorCode::kInvalidArgument, "scan inputs of {} and {} batch entries do not agree", batches,
                    tensor->dims()[0]);
      length = tensor->dims()[axis];
      if (m.batched) batches = tensor->dims()[0];
    }
    for (size_t i = 0; i < m.states; ++i) {
      CUTAWAY_TRY(const Tensor* tensor, requireTensor(context, m.firstInput + i));
      if (m.batched && (tensor->rank() < 1 || tensor->dims()[0] != batches))
        return fail(ErrorCode::kInvalidArgument, "state {} of shape {} has not {} batch entries", i,
                    dimsToText(tensor->dims()), batches);
    }
    CUTAWAY_TRY(const Dims lengths, batchLengths(context, batches, length));
    for (int64_t batch = 0; batch < batches; ++batch)
      CUTAWAY_CHECK(runOne(context, state, batch, batches,
                           m.batched && lengths.size() > 0 ? lengths[static_cast<size_t>(batch)] : length, length));
    return giveEmpty(context, state, batches, length);
  }

  // Steps of each batch entry; empty when all take them all.
  Result<Dims> batchLengths(const KernelContext& context, int64_t batches, int64_t length) const {
    const Tensor* given = m.batched ? optionalTensor(context, 0) : nullptr;
    if (given == nullptr) return Dims();
    CUTAWAY_TRY(const Dims lengths, readIntegers(*given));
    if (static_cast<int64_t>(lengths.size()) != batches)
      return fail(ErrorCode::kInvalidArgument, "{} sequence lengths are given for {} batch entries", lengths.size(),
                  batches);
    for (const int64_t each : lengths) {
      if (each < 0 || each > length)
        return fail(ErrorCode::kInvalidArgument, "sequence length {} is outside [0, {}]", each, length);
    }
    return lengths;
  }

  Result<void> runOne(KernelContext& context, ScanState& state, int64_t batch, int64_t batches, int64_t steps,
                      int64_t length) const {
    for (size_t i = 0; i < m.states; ++i) {
      const Tensor& initial = *context.input(m.firstInput + i);
      state.carried[i].borrow(m.batched ? RuntimeValue(batchView(initial, batch)) : RuntimeValue(initial));
    }
    for (int64_t step = 0; step < steps; ++step) {
      if (context.cancelled()) return fail(cancelledError());
      for (size_t i = 0; i < m.states; ++i)
        state.inputs[i] = state.carried[i].value();
      for (size_t i = 0; i < m.scanInputs; ++i) {
        const int64_t place = m.inputReversed[i] != 0 ? steps - 1 - step : step;
        CUTAWAY_CHECK(loadSlice(context, state, i, batch, place));
      }
      CUTAWAY_CHECK(context.bodies().run(0, state.inputs, state.outputs));
      if (state.outputs.size() != m.states + m.scanOutputs)
        return fail(ErrorCode::kInvalidGraph, "the body gives {} outputs instead of {}", state.outputs.size(),
                    m.states + m.scanOutputs);
      for (size_t i = 0; i < m.states; ++i)
        CUTAWAY_CHECK(state.carried[i].take(state.outputs[i]));
      for (size_t i = 0; i < m.scanOutputs; ++i) {
        const int64_t place = m.outputReversed[i] != 0 ? steps - 1 - step : step;
        CUTAWAY_CHECK(storeSlice(context, state, i, batch, batches, place, length));
      }
    }
    for (size_t i = 0; i < m.states; ++i)
      CUTAWAY_CHECK(giveFinal(context, state, i, batch, batches));
    return {};
  }

  static Tensor batchView(const Tensor& tensor, int64_t batch) {
    const std::span<const int64_t> dims = std::span<const int64_t>(tensor.dims()).subspan(1);
    return Tensor::wrapConst(tensor.type(), dims, elementAt(tensor.type(), tensor.data(), batch * elementCount(dims)));
  }

  Result<void> loadSlice(KernelContext& context, ScanState& state, size_t index, int64_t batch, int64_t place) const {
    const Tensor& tensor = *context.input(m.firstInput + m.states + index);
    CUTAWAY_TRY(const size_t axis, inputAxis(tensor, index));
    const size_t leading = m.batched ? 1 : 0;  // axes that the body does not see, besides the stepped one
    Dims dims = filledList(tensor.rank() - 1 - leading, 0);
    for (size_t i = leading, next = 0; i < tensor.rank(); ++i) {
      if (i != axis) dims[next++] = tensor.dims()[i];
    }
    const int64_t length = tensor.dims()[axis];
    const int64_t outer = productOf(tensor.dims(), leading, axis);
    const int64_t inner = productOf(tensor.dims(), axis + 1, tensor.rank());
    const int64_t start = ((m.batched ? batch * length : 0) + place) * inner;
    Tensor& input = state.inputs[m.states + index].asTensor();
    const bool packed = isSubByte(tensor.type());
    if (outer == 1 && !packed) {
      const void* first = elementAt(tensor.type(), tensor.data(), start);
      input.rebind(tensor.type(), dims, const_cast<void*>(first));
      return {};
    }
    Tensor& buffer = state.sliceBuffers[index];
    if (!buffer.valid() || buffer.type() != tensor.type() || !(buffer.dims() == dims)) {
      CUTAWAY_TRY(buffer, Tensor::create(tensor.type(), dims));
    }
    const RowMove move{outer, inner, start, length * inner, 0, inner};
    if (packed) std::memset(buffer.mutableData(), 0, static_cast<size_t>(buffer.sizeBytes()));
    move.run(tensor, buffer);
    input.rebind(tensor.type(), dims, buffer.mutableData());
    return {};
  }

  // The dims of a scan output whose slices have these dims, and the axis that steps.
  Result<Dims> scanOutputDims(std::span<const int64_t> slice, size_t index, int64_t batches, int64_t length) const {
    const size_t leading = m.batched ? 1 : 0;
    CUTAWAY_TRY(const int64_t axis, resolveAxis(m.outputAxes[index], slice.size() + 1));
    Dims dims = filledList(slice.size() + 1 + leading, length);
    if (m.batched) dims[0] = batches;
    for (size_t i = 0; i < slice.size(); ++i)
      dims[leading + (i < static_cast<size_t>(axis) ? i : i + 1)] = slice[i];
    return dims;
  }

  Result<void> storeSlice(KernelContext& context, ScanState& state, size_t index, int64_t batch, int64_t batches,
                          int64_t place, int64_t length) const {
    const size_t slot = m.states + index;
    if (!context.hasOutput(slot)) return {};
    const RuntimeValue& value = state.outputs[slot];
    if (!value.isTensor()) return fail(ErrorCode::kFail, "scan output {} of the body is no tensor", index);
    const Tensor& slice = value.tensor();
    CUTAWAY_TRY(const Dims dims, scanOutputDims(slice.dims(), index, batches, length));
    Tensor*& target = state.targets[index];
    if (target == nullptr) {
      CUTAWAY_TRY(target, context.output(slot, slice.type(), dims));
      // Entries that stop early leave zeros behind; so do the unused bits of packed elements.
      if ((m.batched || isSubByte(slice.type())) && slice.type() != ElementType::kString)
        std::memset(target->mutableData(), 0, static_cast<size_t>(target->sizeBytes()));
    } else if (target->type() != slice.type() || !(target->dims() == dims)) {
      return fail(ErrorCode::kFail, "scan output {} changes its shape to {} within {}", index, dimsToText(slice.dims()),
                  dimsToText(target->dims()));
    }
    CUTAWAY_TRY(const int64_t resolved, resolveAxis(m.outputAxes[index], slice.rank() + 1));
    const size_t axis = static_cast<size_t>(resolved);
    const int64_t outer = productOf(slice.dims(), 0, axis);
    const int64_t inner = productOf(slice.dims(), axis, slice.rank());
    const int64_t first = (m.batched ? batch * length * outer * inner : 0) + place * inner;
    RowMove{outer, inner, 0, inner, first, length * inner}.run(slice, *target);
    return {};
  }

  Result<void> giveFinal(KernelContext& context, ScanState& state, size_t index, int64_t batch, int64_t batches) const {
    if (!m.batched) return giveValue(context, index, state.carried[index].value());
    if (!context.hasOutput(index)) return {};
    const RuntimeValue& value = state.carried[index].value();
    if (!value.isTensor()) return fail(ErrorCode::kFail, "state {} is no tensor", index);
    const Tensor& last = value.tensor();
    Dims dims = filledList(last.rank() + 1, batches);
    for (size_t i = 0; i < last.rank(); ++i)
      dims[i + 1] = last.dims()[i];
    Tensor*& target = state.finals[index];
    if (target == nullptr) {
      CUTAWAY_TRY(target, context.output(index, last.type(), dims));
    } else if (target->type() != last.type() || !(target->dims() == dims)) {
      return fail(ErrorCode::kFail, "state {} ends with the shape {} within {}", index, dimsToText(last.dims()),
                  dimsToText(target->dims()));
    }
    moveElements(last.type(), last.data(), elementAt(last.type(), target->mutableData(), batch * last.elementCount()),
                 last.elementCount());
    return {};
  }

  // Scan outputs that no step has written.
  Result<void> giveEmpty(KernelContext& context, ScanState& state, int64_t batches, int64_t length) const {
    for (size_t i = 0; i < m.scanOutputs; ++i) {
      const size_t slot = m.states + i;
      if (state.targets[i] != nullptr || !context.hasOutput(slot)) continue;
      const ValueType& type = context.bodies().outputType(0, slot);
      CUTAWAY_TRY(const Dims dims, scanOutputDims(declaredDims(type), i, batches, length));
      CUTAWAY_TRY(Tensor * output, type.element == ElementType::kUndefined ? context.output(slot, dims)
                                                                           : context.output(slot, type.element, dims));
      if (output->type() != ElementType::kString)
        std::memset(output->mutableData(), 0, static_cast<size_t>(output->sizeBytes()));
    }
    for (size_t i = 0; m.batched && batches == 0 && i < m.states; ++i)
      CUTAWAY_CHECK(giveValue(context, i, *context.inputValue(m.firstInput + i)));
    return {};
  }

  ScanSettings m;
};

constexpr int kLengthsOnHost[] = {0};
constexpr KernelRow kRows[] = {
    {.opType = "Scan", .versions = {8, 8}, .hostInputs = kLengthsOnHost, .create = ScanKernel::create},
    {.opType = "Scan", .versions = {9}, .create = ScanKernel::create},
};

}  // namespace

KernelRows kernel_scan() {
  return kRows;
}

}  // namespace cutaway::cpu
