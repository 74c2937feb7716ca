// Pad: constant, edge, reflect and wrap, also with negative amounts (which crop). One launch writes every element of
// the output once.

#include "engine/operators/pad.h"

#include "providers/cuda/functors/move_functors.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

using operators::PadMode;
using operators::PadPlacement;

PadKind kindOf(PadMode mode) {
  switch (mode) {
    case PadMode::kEdge:
      return PadKind::kEdge;
    case PadMode::kReflect:
      return PadKind::kReflect;
    case PadMode::kWrap:
      return PadKind::kWrap;
    default:
      return PadKind::kConstant;
  }
}

class PadKernel final : public GpuKernel {
 public:
  explicit PadKernel(operators::PadSettings settings)
      : m_settings(std::move(settings)), m_kind(kindOf(m_settings.mode())) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_CHECK(m_pad.prepare(resources, "move.pad"));
    return m_padLong.prepare(resources, "move.pad", ".long");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const PadPlacement placed, m_settings.place(*data, operators::padOperands(call)));
    CUTAWAY_TRY(Tensor * output, call.output(0, placed.dims));
    if (output->elementCount() == 0) return {};
    PadParameters parameters{.given = placed.value == nullptr ? nullptr : placed.value->data(),
                             .from = data->data(),
                             .to = output->mutableData(),
                             .kind = m_kind};
    m_settings.attributeValue(data->type(), reinterpret_cast<std::byte*>(parameters.value));
    CUTAWAY_CHECK(mergeAxes(data->dims(), placed, parameters));
    const int64_t word = widen(elementBytes(data->type()), parameters);
    parameters.count = 1;
    for (int32_t i = 0; i < parameters.rank; ++i)
      parameters.count *= parameters.dims[i];
    return call.launch((parameters.count < kNarrowCount ? m_pad : m_padLong)[word], parameters);
  }

 private:
  // An axis that is not padded is one with the axis before it, which for the constant may be padded itself: its places
  // are then whole rows.
  Result<void> mergeAxes(std::span<const int64_t> lengths, const PadPlacement& placed,
                         PadParameters& parameters) const {
    const Dims& dims = placed.dims;
    bool beforeIsPlain = false;
    for (size_t i = 0; i < dims.size(); ++i) {
      const bool plain = placed.begin[i] == 0 && placed.end[i] == 0;
      if (plain && parameters.rank > 0 && (beforeIsPlain || m_kind == PadKind::kConstant)) {
        const int32_t last = parameters.rank - 1;
        parameters.dims[last] *= dims[i];
        parameters.lengths[last] *= dims[i];
        parameters.begin[last] *= dims[i];
        continue;
      }
      if (parameters.rank == kMaximumRank)
        return fail(ErrorCode::kNotImplemented, "more than {} axes are padded", kMaximumRank);
      parameters.dims[parameters.rank] = dims[i];
      parameters.lengths[parameters.rank] = lengths[i];
      parameters.begin[parameters.rank++] = placed.begin[i];
      beforeIsPlain = plain;
    }
    return {};
  }

  // Words wider than an element where the last axis allows: it is not padded, or by whole words of one value that is
  // the same in all bytes.
  int64_t widen(int64_t unit, PadParameters& parameters) const {
    if (parameters.rank == 0) return unit;
    const int32_t last = parameters.rank - 1;
    const bool plain = parameters.begin[last] == 0 && parameters.dims[last] == parameters.lengths[last];
    const bool valueIsPlain = parameters.given == nullptr &&
                              std::ranges::all_of(parameters.value, [](unsigned char byte) { return byte == 0; });
    if (!plain && !(m_kind == PadKind::kConstant && valueIsPlain)) return unit;
    const bool valueMatters = m_kind == PadKind::kConstant && !valueIsPlain;
    if (valueMatters) return unit;
    const int64_t word = WordWidth()
                             .fits(parameters.from)
                             .fits(parameters.to)
                             .fits(parameters.dims[last] * unit)
                             .fits(parameters.lengths[last] * unit)
                             .fits(parameters.begin[last] * unit)
                             .bytes();
    if (word <= unit) return unit;
    parameters.dims[last] = parameters.dims[last] * unit / word;
    parameters.lengths[last] = parameters.lengths[last] * unit / word;
    parameters.begin[last] = parameters.begin[last] * unit / word;
    return word;
  }

  operators::PadSettings m_settings;
  PadKind m_kind;
  WordKernels m_pad, m_padLong;
};

Result<std::unique_ptr<GpuKernel>> makePad(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  CUTAWAY_TRY(operators::PadSettings settings, operators::PadSettings::read(info.node()));
  return std::make_unique<PadKernel>(std::move(settings));
}

constexpr int kPadsAndAxesOnHost[] = {1, 3};

}  // namespace

KernelRows kernel_pad() {
  static constexpr KernelRow rows[] = {
      {.opType = "Pad", .versions = {1, 10}, .types = kMovableFirst, .fastPath = "cuda", .create = gpuKernel<makePad>},
      {.opType = "Pad",
       .versions = {11},
       .types = kMovableFirst,
       .hostInputs = kPadsAndAxesOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makePad>},
      {.opType = "Pad",
       .domain = "com.microsoft",
       .versions = {1},
       .types = kMovableFirst,
       .hostInputs = kPadsAndAxesOnHost,
       .fastPath = "cuda",
       .create = gpuKernel<makePad>},
  };
  return rows;
}

}  // namespace cutaway::cuda
