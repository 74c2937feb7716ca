// com.microsoft DynamicQuantizeLSTM: LSTM whose weights are bytes. X as a whole, and before every step the hidden rows
// that take part in it, are brought to bytes by their own range.
//
// W and R are stored [directions, input or hidden, 4 x hidden]; their scales and zero points are one a direction or one
// a column.

#include <algorithm>

#include "engine/base/checked_math.h"
#include "providers/cpu/kernels/recurrent/byte_factor.h"
#include "providers/cpu/kernels/recurrent/panel_product.h"
#include "providers/cpu/kernels/recurrent/recurrent_part.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGates = 4;
enum Slot : size_t { kW = 1, kR = 2, kWScale = 8, kWZero = 9, kRScale = 10, kRZero = 11 };

struct QuantizedLstmState final : KernelState {
  std::array<std::array<ByteProductState, 2>, 2> products;  // by direction: of W, of R
};

// Memory of a part beside what every part has.
struct ByteMemory {
  const uint8_t* x = nullptr;   // X in bytes
  uint8_t* hidden = nullptr;    // [items, hidden]
  int32_t* sums = nullptr;      // [items x steps at once, 4 x hidden]
  const float* bias = nullptr;  // [4, padded]
};

class BytePart final : public RecurrentPart {
 public:
  BytePart(const RecurrentSettings& settings, const RecurrentInputs& inputs, const RecurrentOutputs& outputs,
           const RecurrentPartPlan& plan, const ByteFactor& input, ByteFactor& recurrent, const ByteMemory& memory)
      : RecurrentPart(settings, inputs, outputs, plan), m_input(input), m_recurrent(recurrent), m_memory(memory) {}

  Result<void>& result() { return m_result; }

 private:
  int64_t columns() const { return kGates * m_shape.hidden; }

  void project(int64_t first, int64_t count) override {
    const int64_t rows = count * m_items;
    const uint8_t* x = m_memory.x + first * m_items * m_shape.input;
    keep(m_input.multiply(rows, x, m_memory.sums));
    parallelFor(rows, 16, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        m_input.finish(x + row * m_shape.input, m_memory.sums + row * columns(), m_shape.hidden, m_padded,
                       m_memory.bias, m_sums + row * m_rowFloats);
      }
    });
  }

  // The rows that take part, one after another, in bytes; the product is made for all, so that it has one shape.
  void startStep(int64_t step) override {
    const int64_t hidden = m_shape.hidden;
    int64_t active = 0;
    for (int64_t item = 0; item < m_items; ++item) {
      if (length(item) > step) std::copy_n(m_hidden + item * m_padded, hidden, m_candidate + hidden * active++);
    }
    const cpu::DynamicScale scale = cpu::dynamicScale(m_candidate, active * hidden);
    cpu::quantizeDynamic(m_candidate, active * hidden, scale, m_memory.hidden);
    m_recurrent.setScale(scale);
    keep(m_recurrent.multiply(m_items, m_memory.hidden, m_memory.sums));
    m_next = 0;
  }

  void advance(int64_t item, int64_t count, float* sums) override {
    for (int64_t i = 0; i < count; ++i, ++m_next, sums += m_rowFloats) {
      m_recurrent.finish(m_memory.hidden + m_next * m_shape.hidden, m_memory.sums + m_next * columns(), m_shape.hidden,
                         m_padded, sums, sums);
      lstm(sums, m_hidden + (item + i) * m_padded, m_cell + (item + i) * m_padded, m_spare + (item + i) * m_padded);
    }
  }

  void keep(Result<void> result) {
    if (m_result && !result) m_result = std::move(result);
  }

  const ByteFactor& m_input;
  ByteFactor& m_recurrent;
  ByteMemory m_memory;
  int64_t m_next = 0;
  Result<void> m_result;
};

// One value a direction, or one a column of a direction.
Result<bool> perColumn(const RecurrentSettings& settings, const Tensor& tensor, ElementType type, std::string_view name,
                       const RecurrentShape& shape) {
  const int64_t columns = kGates * shape.hidden;
  if (tensor.type() != type)
    return fail(ErrorCode::kInvalidArgument, "{}: {} holds {}, but must hold {}", settings.opType, name,
                elementTypeName(tensor.type()), elementTypeName(type));
  if (tensor.rank() <= 1 && tensor.elementCount() == shape.directions) return false;
  if (tensor.rank() == 2 && tensor.dims()[0] == shape.directions && tensor.dims()[1] == columns) return true;
  return fail(ErrorCode::kInvalidArgument, "{}: {} is {}, but must be [{}] or [{},{}]", settings.opType, name,
              dimsToText(tensor.dims()), shape.directions, shape.directions, columns);
}

// Shapes of W and R tell input and hidden.
Result<void> checkByteWeights(const RecurrentSettings& settings, RecurrentInputs& inputs) {
  const Tensor &w = *inputs.weights.w, &r = *inputs.weights.r;
  if (!isByteInteger(w.type()) || !isByteInteger(r.type()))
    return fail(ErrorCode::kInvalidArgument, "{}: W and R must hold bytes", settings.opType);
  if (w.rank() != 3 || r.rank() != 3)
    return fail(ErrorCode::kInvalidArgument, "{}: W is {} and R {}, but both need three axes", settings.opType,
                dimsToText(w.dims()), dimsToText(r.dims()));
  RecurrentShape& shape = inputs.shape;
  shape.input = w.dims()[1];
  shape.hidden = r.dims()[1];
  if (settings.hiddenSize >= 0 && settings.hiddenSize != shape.hidden) {
    return fail(ErrorCode::kInvalidArgument, "{}: hidden_size is {}, but R is {}", settings.opType, settings.hiddenSize,
                dimsToText(r.dims()));
  }
  CUTAWAY_TRY(const int64_t columns, checkedMultiply(2 * kGates, shape.hidden));
  CUTAWAY_CHECK(checkRecurrentTensor(settings, w, w.type(), "W", "directions, input, 4 x hidden",
                                     std::array{shape.directions, shape.input, columns / 2}));
  return checkRecurrentTensor(settings, r, r.type(), "R", "directions, hidden, 4 x hidden",
                              std::array{shape.directions, shape.hidden, columns / 2});
}

struct Quantization {
  const Tensor* tensor = nullptr;
  const Tensor* scales = nullptr;
  const Tensor* zeros = nullptr;
  bool scalePerColumn = false, zeroPerColumn = false;
};

Result<Quantization> readQuantization(const RecurrentSettings& settings, const KernelContext& context,
                                      const RecurrentShape& shape, bool recurrent) {
  const size_t scaleSlot = recurrent ? kRScale : kWScale, zeroSlot = recurrent ? kRZero : kWZero;
  Quantization result;
  result.tensor = context.input(recurrent ? kR : kW);
  result.scales = scaleSlot < context.inputCount() ? context.input(scaleSlot) : nullptr;
  result.zeros = zeroSlot < context.inputCount() ? context.input(zeroSlot) : nullptr;
  if (result.scales == nullptr)
    return fail(ErrorCode::kInvalidArgument, "{}: {} is missing", settings.opType, recurrent ? "R_scale" : "W_scale");
  CUTAWAY_TRY(result.scalePerColumn,
              perColumn(settings, *result.scales, ElementType::kFloat, recurrent ? "R_scale" : "W_scale", shape));
  if (result.zeros != nullptr) {
    CUTAWAY_TRY(result.zeroPerColumn, perColumn(settings, *result.zeros, result.tensor->type(),
                                                recurrent ? "R_zero_point" : "W_zero_point", shape));
  }
  return result;
}

class DynamicQuantizeLstm final : public Kernel {
 public:
  using Constants = std::array<std::array<ConstantBytes, 2>, 2>;  // by direction: W, R
  DynamicQuantizeLstm(RecurrentSettings settings, Constants constants)
      : m_settings(std::move(settings)), m_constants(std::move(constants)) {}
  std::string_view variant() const override { return m_constants[0][1].valid() ? "onednn:packed" : "onednn"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<QuantizedLstmState>(); }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(RecurrentInputs inputs, gatherRecurrentInputs(m_settings, context));
    CUTAWAY_CHECK(checkByteWeights(m_settings, inputs));
    CUTAWAY_CHECK(checkRecurrentBiases(m_settings, inputs.weights, ElementType::kFloat, inputs.shape));
    CUTAWAY_CHECK(checkRecurrentSequence(m_settings, context, ElementType::kFloat, inputs));
    CUTAWAY_TRY(const RecurrentOutputs outputs, makeRecurrentOutputs(m_settings, inputs.shape, context));
    if (inputs.shape.hidden == 0 || inputs.shape.batch == 0) return {};
    CUTAWAY_TRY(const Quantization w, readQuantization(m_settings, context, inputs.shape, false));
    CUTAWAY_TRY(const Quantization r, readQuantization(m_settings, context, inputs.shape, true));
    CUTAWAY_TRY(const Memory memory, book(inputs.shape, context));
    const cpu::DynamicScale xScale = quantizeX(inputs, memory.x);
    for (int64_t direction = 0; direction < inputs.shape.directions; ++direction) {
      auto& products = static_cast<QuantizedLstmState&>(*context.state()).products[static_cast<size_t>(direction)];
      const int64_t batch = inputs.shape.batch, chunk = memory.stepsAtOnce, most = longest(inputs);
      CUTAWAY_TRY(ByteFactor input, ByteFactor::make(source(w, 0, direction, inputs.shape.input),
                                                     std::array{std::min(chunk, most) * batch, most % chunk * batch},
                                                     products[0], context));
      CUTAWAY_TRY(ByteFactor recurrent, ByteFactor::make(source(r, 1, direction, inputs.shape.hidden),
                                                         std::array{batch}, products[1], context));
      input.setScale(xScale);
      fillBiases(inputs, direction, memory);
      const RecurrentPartPlan plan{.padded = memory.padded,
                                   .rowFloats = kGates * memory.padded,
                                   .stepsAtOnce = chunk,
                                   .peephole = inputs.weights.p != nullptr ? memory.peephole : nullptr};
      BytePart part(m_settings, inputs, outputs, plan, input, recurrent,
                    {.x = memory.x, .hidden = memory.hidden, .sums = memory.sums, .bias = memory.bias});
      part.run(direction, 0, batch, memory.part, context);
      CUTAWAY_CHECK(part.result());
    }
    if (context.cancelled()) return fail(cancelledError());
    return {};
  }

 private:
  struct Memory {
    int64_t padded = 0, stepsAtOnce = 1;
    float *bias = nullptr, *peephole = nullptr, *part = nullptr;
    int32_t* sums = nullptr;
    uint8_t *hidden = nullptr, *x = nullptr;
  };

  static Result<Memory> book(const RecurrentShape& shape, KernelContext& context) {
    Memory memory;
    memory.padded = alignUp(shape.hidden, panelLanes());
    const int64_t rowFloats = kGates * memory.padded;
    CUTAWAY_TRY(const int64_t stepFloats, checkedMultiply(rowFloats, shape.batch));
    memory.stepsAtOnce = std::max<int64_t>(std::min(RecurrentPart::kProjectedFloats / stepFloats, shape.steps), 1);
    CUTAWAY_TRY(const int64_t projected, checkedMultiply(stepFloats, memory.stepsAtOnce));
    // The states are one more row of sums an item; then bias and peephole.
    const auto bytesOf = [&](int64_t count) { return checkedMultiply(count, 2 * static_cast<int64_t>(sizeof(float))); };
    CUTAWAY_TRY(const int64_t roughFloats, checkedAdd(projected, stepFloats));
    CUTAWAY_CHECK(bytesOf(roughFloats));
    const int64_t floats =
        projected + RecurrentPart::kStateRows * memory.padded * shape.batch + (kGates + 3) * memory.padded;
    CUTAWAY_TRY(const int64_t sizeBytes, checkedAdd(floats * static_cast<int64_t>(sizeof(float)),
                                                    projected * static_cast<int64_t>(sizeof(int32_t))));
    CUTAWAY_TRY(const std::span<std::byte> main, context.scratch(static_cast<size_t>(sizeBytes)));
    memory.bias = reinterpret_cast<float*>(main.data());
    memory.peephole = memory.bias + rowFloats;
    memory.part = memory.peephole + 3 * memory.padded;
    memory.sums = reinterpret_cast<int32_t*>(memory.bias + floats);
    // Padding is computed with, though nobody sees it.
    if (memory.padded != shape.hidden) std::fill_n(memory.part, floats - rowFloats - 3 * memory.padded, 0.0f);
    const int64_t xBytes = shape.steps * shape.batch * shape.input, hiddenBytes = shape.batch * shape.hidden;
    CUTAWAY_TRY(const std::span<std::byte> bytes, context.scratch(static_cast<size_t>(xBytes + hiddenBytes)));
    memory.hidden = reinterpret_cast<uint8_t*>(bytes.data());
    memory.x = memory.hidden + hiddenBytes;
    std::fill_n(memory.hidden, hiddenBytes, uint8_t{0});
    return memory;
  }

  static int64_t longest(const RecurrentInputs& inputs) {
    int64_t most = 0;
    for (int64_t item = 0; item < inputs.shape.batch; ++item)
      most = std::max(most, inputs.length(item));
    return most;
  }

  // Steps that no item has do not count for the range.
  static cpu::DynamicScale quantizeX(const RecurrentInputs& inputs, uint8_t* bytes) {
    const float* x = inputs.x->span<float>().data();
    const int64_t count = longest(inputs) * inputs.shape.batch * inputs.shape.input;
    const cpu::DynamicScale scale = cpu::dynamicScale(x, count);
    cpu::quantizeDynamic(x, count, scale, bytes);
    return scale;
  }

  ByteFactorSource source(const Quantization& from, size_t which, int64_t direction, int64_t depth) const {
    const int64_t columns = from.tensor->dims()[2];
    const ConstantBytes& constant = m_constants[static_cast<size_t>(direction)][which];
    const auto* bytes = static_cast<const uint8_t*>(from.tensor->data());
    return {.depth = depth,
            .columns = columns,
            .type = from.tensor->type(),
            .bytes = bytes + direction * depth * columns,
            .constant = constant.valid() ? &constant : nullptr,
            .scales = from.scales->span<float>().data() + direction * (from.scalePerColumn ? columns : 1),
            .scalePerColumn = from.scalePerColumn,
            .zeros = from.zeros != nullptr ? static_cast<const uint8_t*>(from.zeros->data()) +
                                                 direction * (from.zeroPerColumn ? columns : 1)
                                           : nullptr,
            .zeroPerColumn = from.zeroPerColumn};
  }

  static void fillBiases(const RecurrentInputs& inputs, int64_t direction, const Memory& memory) {
    const int64_t hidden = inputs.shape.hidden, padded = memory.padded;
    std::fill_n(memory.bias, (kGates + 3) * padded, 0.0f);
    if (inputs.weights.b != nullptr) {
      const float *w = inputs.weights.b->span<float>().data() + direction * 2 * kGates * hidden,
                  *r = w + kGates * hidden;
      for (int64_t i = 0; i < kGates * hidden; ++i)
        memory.bias[i / hidden * padded + i % hidden] = w[i] + r[i];
    }
    if (inputs.weights.p != nullptr) {
      const float* p = inputs.weights.p->span<float>().data() + direction * 3 * hidden;
      for (int64_t i = 0; i < 3 * hidden; ++i)
        memory.peephole[i / hidden * padded + i % hidden] = p[i];
    }
  }

  RecurrentSettings m_settings;
  Constants m_constants;
};

Result<std::unique_ptr<Kernel>> createDynamicQuantizeLstm(const KernelInfo& info) {
  CUTAWAY_TRY(RecurrentSettings settings, readRecurrentSettings(info, RecurrentKind::kLstm));
  if (settings.batchFirst) return fail(ErrorCode::kInvalidArgument, "DynamicQuantizeLSTM has no layout 1");
  DynamicQuantizeLstm::Constants constants;
  const Tensor *w = info.constantInput(kW), *r = info.constantInput(kR);
  for (size_t which = 0; which < 2; ++which) {
    const Tensor* tensor = which == 0 ? w : r;
    if (tensor == nullptr || !isByteInteger(tensor->type()) || tensor->rank() != 3 ||
        tensor->dims()[0] != settings.directions)
      continue;
    const std::array dims{tensor->dims()[1], tensor->dims()[2]};
    for (size_t direction = 0; direction < static_cast<size_t>(settings.directions); ++direction) {
      const Tensor slice = Tensor::wrapConst(
          tensor->type(), dims,
          static_cast<const uint8_t*>(tensor->data()) + static_cast<int64_t>(direction) * dims[0] * dims[1]);
      CUTAWAY_TRY(constants[direction][which], prepareBytes(&slice));
    }
  }
  return std::make_unique<DynamicQuantizeLstm>(std::move(settings), std::move(constants));
}

constexpr KernelRow kRows[] = {
    {.opType = "DynamicQuantizeLSTM",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "onednn",
     .create = createDynamicQuantizeLstm},
};

}  // namespace

KernelRows kernel_dynamic_quantize_lstm() {
  return kRows;
}

}  // namespace cutaway::cpu
