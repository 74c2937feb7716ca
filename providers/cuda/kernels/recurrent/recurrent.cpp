// RNN, GRU and LSTM in all versions: X W^T for all steps and directions at once, then for each step H R^T of all
// directions and the cells.
//
// W and R are stored with the depth last, as products like them; nothing is packed.

#include "providers/cuda/kernels/matmul/product.h"
#include "providers/cuda/kernels/recurrent/cell_settings.h"

namespace cutaway::cuda {
namespace {

enum Slot : size_t { kX, kW, kR, kB, kLengths, kFirstHidden, kFirstCell, kPeephole };

const Tensor* given(GpuCall& call, size_t slot) {
  return slot < call.inputCount() ? call.input(slot) : nullptr;
}

// A product for each direction: a [directions or the same, rows, depth], b [directions, columns, depth], lying
// `directionB` elements apart.
Pairing pairingOf(int64_t directions, int64_t rows, int64_t columns, int64_t depth, int64_t directionA,
                  int64_t directionB) {
  Pairing p{.rows = rows,
            .columns = columns,
            .depth = depth,
            .transposeA = false,
            .transposeB = true,
            .rowStrideA = depth,
            .rowStrideB = depth,
            .batch = {},
            .pairs = directions,
            .output = {}};
  if (directions > 1) {
    p.batch.rank = 1;
    p.batch.dims[0] = directions;
    p.batch.strides[0][0] = directionA;
    p.batch.strides[1][0] = directionB;
  }
  return p;
}

using operators::RecurrentKind;

class RecurrentKernel final : public GpuKernel {
 public:
  RecurrentKernel(CellSettings settings, ElementType type) : m_settings(std::move(settings)), m_type(type) {}
  std::string_view variant() const override { return "products and cells"; }
  std::unique_ptr<KernelState> createState() const override { return std::make_unique<ProductState>(); }

  Result<void> prepare(const KernelInfo& /*info*/, GpuResources& resources) override {
    const auto find = [&](const char* name) {
      return resources.find(fmt::format("recurrent.{}.{}", name, functorType(m_type)));
    };
    CUTAWAY_TRY(m_cell, find(m_settings.kind == RecurrentKind::kLstm  ? "lstm"
                             : m_settings.kind == RecurrentKind::kGru ? "gru"
                                                                      : "rnn"));
    CUTAWAY_TRY(m_reset, find("reset"));
    CUTAWAY_TRY(m_first, find("first"));
    CUTAWAY_TRY(m_last, find("last"));
    return m_product.prepare(resources, m_type, std::nullopt);
  }

  Result<void> launch(GpuCall& call) const override {
    const Tensor &x = *call.input(kX), &w = *call.input(kW), &r = *call.input(kR);
    CellParameters p = m_settings.cell;
    CUTAWAY_CHECK(readShapes(call, x, w, r, p));
    CUTAWAY_CHECK(makeOutputs(call, p));
    if (p.count() == 0) return {};
    const int64_t size = bitsOf(m_type) / 8, rows = p.steps * p.batch, width = p.gates * p.size, depth = w.dims()[2];
    CUTAWAY_TRY(void* input, call.scratch(static_cast<size_t>(p.directions * rows * width * size)));
    CUTAWAY_TRY(void* products,
                call.scratch(static_cast<size_t>(p.directions * p.batch * p.productGates * p.size * size)));
    CUTAWAY_TRY(p.hidden, call.scratch(static_cast<size_t>(p.count() * size)));
    if (m_settings.kind == RecurrentKind::kLstm) {
      CUTAWAY_TRY(p.cell, call.scratch(static_cast<size_t>(p.count()) * sizeof(double)));
    }
    if (m_settings.kind == RecurrentKind::kGru && !p.linearBeforeReset) {
      CUTAWAY_TRY(p.reset, call.scratch(static_cast<size_t>(p.count() * size)));
      CUTAWAY_TRY(void* candidate, call.scratch(static_cast<size_t>(p.count() * size)));
      p.candidate = candidate;
    }
    p.input = input;
    p.products = products;
    CUTAWAY_CHECK(
        m_product.run(call, {.pairing = pairingOf(p.directions, rows, width, depth, 0, width * depth), .finish = {}},
                      {.a = x.data(), .b = w.data(), .y = input}));
    CUTAWAY_CHECK(call.launch(m_first, p));
    CUTAWAY_CHECK(runSteps(call, p, r, products));
    return p.lastHidden != nullptr || p.lastCell != nullptr ? call.launch(m_last, p) : Result<void>{};
  }

 private:
  Result<void> runSteps(GpuCall& call, CellParameters& p, const Tensor& r, void* products) const {
    const int64_t one = p.batch * p.size, square = p.size * p.size, size = bitsOf(m_type) / 8;
    const ProductWanted step{
        .pairing = pairingOf(p.directions, p.batch, p.productGates * p.size, p.size, one, p.gates * square),
        .finish = {}};
    const ProductWanted second{.pairing = pairingOf(p.directions, p.batch, p.size, p.size, one, p.gates * square),
                               .finish = {}};
    const void* candidateWeights = static_cast<const std::byte*>(r.data()) + 2 * square * size;
    for (p.step = 0; p.step < p.steps; ++p.step) {
      if (call.context().cancelled()) return fail(cancelledError());
      CUTAWAY_CHECK(m_product.run(call, step, {.a = p.hidden, .b = r.data(), .y = products}));
      if (p.reset != nullptr) {
        CUTAWAY_CHECK(call.launch(m_reset, p));
        CUTAWAY_CHECK(
            m_product.run(call, second, {.a = p.reset, .b = candidateWeights, .y = const_cast<void*>(p.candidate)}));
      }
      CUTAWAY_CHECK(call.launch(m_cell, p));
    }
    p.step = 0;
    return {};
  }

  Result<void> readShapes(GpuCall& call, const Tensor& x, const Tensor& w, const Tensor& r, CellParameters& p) const {
    const bool lstm = m_settings.kind == RecurrentKind::kLstm;
    const Tensor *bias = given(call, kB), *lengths = given(call, kLengths), *hidden = given(call, kFirstHidden),
                 *cell = lstm ? given(call, kFirstCell) : nullptr, *peephole = lstm ? given(call, kPeephole) : nullptr;
    CUTAWAY_TRY(operators::RecurrentShape shape, operators::recurrentSequenceShape(m_settings, x));
    CUTAWAY_CHECK(
        operators::checkRecurrentWeights(m_settings, {.w = &w, .r = &r, .b = bias, .p = peephole}, m_type, shape));
    CUTAWAY_CHECK(operators::checkRecurrentTensors(
        m_settings, shape, m_type, {.x = &x, .lengths = lengths, .initialHidden = hidden, .initialCell = cell}));
    p.steps = shape.steps;
    p.batch = shape.batch;
    p.size = shape.hidden;
    const auto data = [](const Tensor* tensor) { return tensor == nullptr ? nullptr : tensor->data(); };
    p.bias = data(bias);
    p.lengths = static_cast<const int32_t*>(data(lengths));
    p.peephole = data(peephole);
    p.firstHidden = data(hidden);
    p.firstCell = data(cell);
    return {};
  }

  Result<void> makeOutputs(GpuCall& call, CellParameters& p) const {
    const operators::RecurrentShape shape{
        .steps = p.steps, .batch = p.batch, .hidden = p.size, .directions = p.directions, .batchFirst = p.batchFirst};
    const auto wanted = [&](size_t slot) { return slot < call.outputCount() && call.hasOutput(slot); };
    if (wanted(0)) {
      CUTAWAY_TRY(Tensor * y, call.output(0, shape.outputDims()));
      p.y = y->mutableData();
    }
    const auto state = [&](size_t slot) { return call.output(slot, shape.stateDims()); };
    if (wanted(1)) {
      CUTAWAY_TRY(Tensor * hidden, state(1));
      p.lastHidden = hidden->mutableData();
    }
    if (m_settings.kind == RecurrentKind::kLstm && wanted(2)) {
      CUTAWAY_TRY(Tensor * cell, state(2));
      p.lastCell = cell->mutableData();
    }
    return {};
  }

  CellSettings m_settings;
  ElementType m_type;
  DeviceKernel m_cell, m_reset, m_first, m_last;
  ProductSlot m_product;
};

Result<std::unique_ptr<GpuKernel>> makeRecurrent(const KernelInfo& info) {
  CUTAWAY_TRY(CellSettings settings, readCellSettings(info));
  return std::make_unique<RecurrentKernel>(std::move(settings), info.inputElement(0));
}

constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                   ElementType::kDouble};
constexpr TypeRule kRules[] = {{0, kFloats}};

constexpr KernelRow kRows[] = {
    {.opType = "RNN", .versions = {1}, .types = kRules, .fastPath = "cublasLt", .create = gpuKernel<makeRecurrent>},
    {.opType = "GRU", .versions = {1}, .types = kRules, .fastPath = "cublasLt", .create = gpuKernel<makeRecurrent>},
    {.opType = "LSTM", .versions = {1}, .types = kRules, .fastPath = "cublasLt", .create = gpuKernel<makeRecurrent>},
};

}  // namespace

KernelRows kernel_recurrent() {
  return kRows;
}

}  // namespace cutaway::cuda
