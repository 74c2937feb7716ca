// Chain: elementwise operators and row reductions that a rewrite has fused, as one kernel compiled at run time. Where
// nothing is compiled, the interpreter runs the same program.

#include "providers/cuda/chain/chain_program.h"
#include "providers/cuda/chain/chain_source.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/kernels/elementwise/element_plan.h"
#include "providers/cuda/rewrite/rewrite_table.h"

namespace cutaway::cuda {
namespace {

class ChainKernel final : public GpuKernel {
 public:
  explicit ChainKernel(ChainProgram program)
      : m_program(std::move(program)), m_rows(m_program.hasRows()), m_rowValues(m_program.rowValues()) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    const ChainSource source = chainSource(m_program);
    m_width = source.width;
    std::unique_ptr<CompiledProgram> compiled;
    const Status status = resources.backend()->compile(source.text, source.name, resources.artifacts(), compiled);
    if (status.code == StatusCode::kDeviceLost || status.code == StatusCode::kOutOfMemory)
      return fail(asError(status, "compiling a chain"));
    if (status.ok()) {
      m_compiled = std::move(compiled);
      m_variant = fmt::format("nvrtc {}", source.name);
      return {};
    }
    m_variant = fmt::format("interpreter ({})", status.text.substr(0, status.text.find('\n')));
    CUTAWAY_TRY(m_interpreter, resources.find(m_rows ? "chain.rows" : "chain.elements"));
    return {};
  }

  Result<void> launch(GpuCall& call) const override {
    if (call.inputCount() != static_cast<size_t>(m_program.inputs))
      return fail(ErrorCode::kInvalidGraph, "the chain has {} inputs and the node {}", m_program.inputs,
                  call.inputCount());
    std::array<Dims, kMostChainInputs> dims;
    std::array<const Dims*, kMostChainInputs> views{};
    ChainArguments p;
    for (int i = 0; i < m_program.inputs; ++i) {
      const auto slot = static_cast<size_t>(i);
      const Tensor& x = *call.input(slot);
      if (x.type() != m_program.inputType(i))
        return fail(ErrorCode::kInvalidArgument, "input {} of the chain is {}, not {}", i, elementTypeName(x.type()),
                    elementTypeName(m_program.inputType(i)));
      dims[slot] = x.dims();
      views[slot] = &dims[slot];
      p.from[i] = x.data();
    }
    CUTAWAY_TRY(const Dims target,
                broadcastDims(std::span<const Dims* const>(views.data(), static_cast<size_t>(m_program.inputs))));
    if (m_rows && target.size() == 0)
      return fail(ErrorCode::kInvalidArgument, "a chain that reduces rows was given scalars");
    CUTAWAY_CHECK(makeOutputs(call, target, p));
    p.count = 1;
    for (const int64_t dim : target)
      p.count *= dim;
    CUTAWAY_CHECK(m_rows ? planRows(p, target, dims) : planFlat(p, target, dims));
    return p.indexes == 0 ? Result<void>{} : startApart(call, p, target, dims);
  }

  std::string_view variant() const override { return m_variant; }

 private:
  Result<void> makeOutputs(GpuCall& call, const Dims& target, ChainArguments& p) const {
    Dims reduced = target;
    if (m_rows) reduced[reduced.size() - 1] = 1;
    for (size_t o = 0; o < m_program.outputs.size(); ++o) {
      const bool row = (m_rowValues >> m_program.outputs[o] & 1) != 0;
      CUTAWAY_TRY(Tensor * y, call.context().output(o, m_program.outputType(o), row ? reduced : target));
      p.to[o] = y->mutableData();
    }
    return {};
  }

  // Plans put outputs over inputs of as many bytes. That is right where both are walked alike; where an input is
  // broadcast and only has the size by chance, others still read what was written over: then the output is made in
  // scratch.
  Result<void> startApart(GpuCall& call, ChainArguments p, const Dims& target,
                          const std::array<Dims, kMostChainInputs>& dims) const {
    std::array<void*, kMostChainOutputs> places{};
    std::array<size_t, kMostChainOutputs> sizes{};
    for (size_t o = 0; o < m_program.outputs.size(); ++o) {
      Dims own = target;
      if ((m_rowValues >> m_program.outputs[o] & 1) != 0) own[own.size() - 1] = 1;
      int64_t count = 1;
      for (const int64_t dim : own)
        count *= dim;
      for (int i = 0; i < m_program.inputs; ++i) {
        if (p.from[i] != p.to[o] ||
            (dims[static_cast<size_t>(i)] == own && bitsOf(m_program.inputType(i)) == bitsOf(m_program.outputType(o))))
          continue;
        sizes[o] = static_cast<size_t>(count * bitsOf(m_program.outputType(o)) / 8);
      }
      if (sizes[o] == 0) continue;
      places[o] = p.to[o];
      CUTAWAY_TRY(p.to[o], call.scratch(sizes[o]));
    }
    CUTAWAY_CHECK(start(call, p));
    for (size_t o = 0; o < m_program.outputs.size(); ++o) {
      if (places[o] != nullptr) CUTAWAY_CHECK(call.copy(places[o], p.to[o], sizes[o]));
    }
    return {};
  }

  // Strides of the inputs over `target`, neighbouring axes merged.
  Result<void> planAxes(ChainArguments& p, std::span<const int64_t> target,
                        const std::array<std::array<int64_t, 64>, kMostChainInputs>& strides) const {
    std::array<std::span<const int64_t>, kMostChainInputs> views;
    std::array<int64_t*, kMostChainInputs> merged{};
    for (int i = 0; i < m_program.inputs; ++i) {
      views[static_cast<size_t>(i)] = {strides[static_cast<size_t>(i)].data(), target.size()};
      merged[static_cast<size_t>(i)] = p.strides[i];
    }
    const auto count = static_cast<size_t>(m_program.inputs);
    CUTAWAY_TRY(p.rank, mergeAxes(target, {views.data(), count}, p.dims, {merged.data(), count}));
    return {};
  }

  using Strides = std::array<std::array<int64_t, 64>, kMostChainInputs>;
  Result<Strides> stridesOf(const Dims& target, const std::array<Dims, kMostChainInputs>& dims) const {
    if (target.size() > 64) return fail(ErrorCode::kNotImplemented, "a tensor of {} axes", target.size());
    Strides strides{};
    for (int i = 0; i < m_program.inputs; ++i)
      broadcastStrides(dims[static_cast<size_t>(i)], target, strides[static_cast<size_t>(i)].data());
    return strides;
  }

  Result<void> planFlat(ChainArguments& p, const Dims& target, const std::array<Dims, kMostChainInputs>& dims) const {
    CUTAWAY_TRY(const Strides strides, stridesOf(target, dims));
    CUTAWAY_CHECK(planAxes(p, target, strides));
    p.indexes = p.count;
    if (p.count == 0) return {};
    for (int i = 0; i < m_program.inputs; ++i)
      p.step[i] = p.rank == 0 ? 0 : static_cast<int32_t>(p.strides[i][p.rank - 1]);
    p.narrow = isNarrow(p);
    p.width = 1;
    if (m_compiled == nullptr || p.rank == 0 || !mayPack(p)) return {};
    p.width = m_width;
    int64_t& inner = p.dims[p.rank - 1];
    p.indexes /= inner;
    inner = (inner + m_width - 1) / m_width;
    p.indexes *= inner;
    for (int i = 0; i < m_program.inputs; ++i)
      p.strides[i][p.rank - 1] *= m_width;
    return {};
  }

  Result<void> planRows(ChainArguments& p, const Dims& target, const std::array<Dims, kMostChainInputs>& dims) const {
    CUTAWAY_TRY(const Strides strides, stridesOf(target, dims));
    const size_t last = target.size() - 1;
    CUTAWAY_CHECK(planAxes(p, std::span<const int64_t>(target.data(), last), strides));
    for (int i = 0; i < m_program.inputs; ++i)
      p.step[i] = static_cast<int32_t>(strides[static_cast<size_t>(i)][last]);
    p.rowLength = target[last];
    p.indexes = 1;
    for (size_t axis = 0; axis < last; ++axis)
      p.indexes *= target[axis];
    p.narrow = isNarrow(p);
    return {};
  }

  int32_t isNarrow(const ChainArguments& p) const {
    constexpr int64_t kNarrow = 0x7fffffff;
    bool narrow = p.count <= kNarrow;
    for (int i = 0; narrow && i < m_program.inputs; ++i) {
      int64_t last = 0;
      for (int axis = 0; axis < p.rank; ++axis)
        last += (p.dims[axis] - 1) * p.strides[i][axis];
      narrow = last <= kNarrow;
    }
    return narrow ? 1 : 0;
  }

  // Packs need every operand to walk the innermost axis one by one or stay, and to start on a pack's boundary.
  bool mayPack(const ChainArguments& p) const {
    const int64_t inner = p.dims[p.rank - 1];
    if (m_width == 1 || inner < m_width || (p.rank > 1 && inner % m_width != 0)) return false;
    const auto aligned = [&](const void* place, ElementType type) {
      return reinterpret_cast<uintptr_t>(place) % static_cast<uintptr_t>(m_width * bitsOf(type) / 8) == 0;
    };
    for (int i = 0; i < m_program.inputs; ++i) {
      if (p.step[i] != 0 && !aligned(p.from[i], m_program.inputType(i))) return false;
    }
    for (size_t o = 0; o < m_program.outputs.size(); ++o) {
      if (!aligned(p.to[o], m_program.outputType(o))) return false;
    }
    return true;
  }

  Result<void> start(GpuCall& call, const ChainArguments& p) const {
    if (m_compiled != nullptr) {
      void* argument = const_cast<ChainArguments*>(&p);
      if (!m_rows)
        return call.checked(m_compiled->launch({&argument, 1}, p.indexes, 0, 256, 0, call.stream()), m_variant.c_str());
      // Four elements a thread, so that short rows do not leave most of a block idle.
      const int64_t threads = std::clamp<int64_t>((p.rowLength / 4 + 31) / 32 * 32, 32, 1024);
      return call.checked(
          m_compiled->launch({&argument, 1}, p.indexes, static_cast<uint32_t>(std::min<int64_t>(p.indexes, 0x7fffffff)),
                             static_cast<uint32_t>(threads), 0, call.stream()),
          m_variant.c_str());
    }
    ChainParameters parameters;
    parameters.arguments = p;
    parameters.steps = static_cast<int32_t>(m_program.steps.size());
    parameters.inputs = m_program.inputs;
    parameters.outputs = static_cast<int32_t>(m_program.outputs.size());
    parameters.rowValues = m_rowValues;
    parameters.constants = m_program.constantValues();
    std::ranges::copy(m_program.steps, parameters.code);
    for (size_t o = 0; o < m_program.outputs.size(); ++o)
      parameters.output[o] = static_cast<uint8_t>(m_program.outputs[o]);
    return call.launch(m_interpreter, parameters);
  }

  ChainProgram m_program;
  bool m_rows;
  uint64_t m_rowValues;
  int m_width = 1;
  std::unique_ptr<CompiledProgram> m_compiled;
  DeviceKernel m_interpreter;
  std::string m_variant = "chain";
};

Result<std::unique_ptr<GpuKernel>> makeChain(const KernelInfo& info) {
  CUTAWAY_TRY(ChainProgram program, ChainProgram::parse(info.attribute<std::string>("program", "")));
  if (info.inputCount() != static_cast<size_t>(program.inputs) || info.outputCount() != program.outputs.size()) {
    return fail(ErrorCode::kInvalidGraph, "the chain has {} inputs and {} outputs, and the node {} and {}",
                program.inputs, program.outputs.size(), info.inputCount(), info.outputCount());
  }
  for (size_t slot = 0; slot < info.inputCount(); ++slot) {
    if (!info.hasInput(slot)) return fail(ErrorCode::kInvalidGraph, "input {} of the chain is missing", slot);
  }
  for (size_t slot = 0; slot < info.outputCount(); ++slot) {
    if (!info.hasOutput(slot)) return fail(ErrorCode::kInvalidGraph, "output {} of the chain is missing", slot);
  }
  return std::make_unique<ChainKernel>(std::move(program));
}

// A thread reads all operands of an element before it writes it, and rows are reduced before they are written.
constexpr InplaceHint kInPlace[] = {
    {0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}, {2, 0, AliasKind::kMayInplace},
    {3, 0, AliasKind::kMayInplace}, {4, 0, AliasKind::kMayInplace}, {5, 0, AliasKind::kMayInplace},
    {6, 0, AliasKind::kMayInplace}, {7, 0, AliasKind::kMayInplace}, {0, 1, AliasKind::kMayInplace},
    {1, 1, AliasKind::kMayInplace}, {2, 1, AliasKind::kMayInplace}, {3, 1, AliasKind::kMayInplace}};

}  // namespace

KernelRows kernel_chain() {
  static constexpr KernelRow rows[] = {{.opType = "Chain",
                                        .domain = kCudaDomain,
                                        .versions = {1},
                                        .inplace = kInPlace,
                                        .fastPath = "nvrtc",
                                        .create = gpuKernel<makeChain>}};
  return rows;
}

}  // namespace cutaway::cuda
