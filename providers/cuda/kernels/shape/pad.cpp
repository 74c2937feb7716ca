// Pad: constant, edge, reflect and wrap, also with negative amounts (which crop). One launch writes every element of
// the output once.

#include <cstring>

#include "engine/base/checked_math.h"
#include "providers/cuda/functors/move_functors.h"
#include "providers/cuda/kernels/mover.h"

namespace cutaway::cuda {
namespace {

struct Amounts {
  Dims begin, end;
};

class PadKernel final : public GpuKernel {
 public:
  PadKernel(const KernelInfo& info, PadKind kind)
      : m_kind(kind),
        m_amounts(listAttribute(info.node(), info.node().sinceVersion == 1 ? "paddings" : "pads")),
        m_value(info.attribute<float>("value", 0.0f)),
        m_amountsAreInput(info.node().sinceVersion >= 11 || !info.node().domain.empty()) {}
  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_CHECK(m_pad.prepare(resources, "move.pad"));
    return m_padLong.prepare(resources, "move.pad", ".long");
  }

  Result<void> launch(GpuCall& call) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(call, 0));
    CUTAWAY_TRY(const Amounts amounts, readAmounts(call, data->rank()));
    Dims dims = data->dims();
    for (size_t i = 0; i < dims.size(); ++i) {
      CUTAWAY_TRY(dims[i], checkedAdd(dims[i], amounts.begin[i]));
      CUTAWAY_TRY(dims[i], checkedAdd(dims[i], amounts.end[i]));
      if (dims[i] < 0) return fail(ErrorCode::kInvalidArgument, "padding leaves {} elements on axis {}", dims[i], i);
      if (data->dims()[i] == 0 && dims[i] > 0 && m_kind != PadKind::kConstant)
        return fail(ErrorCode::kInvalidArgument, "axis {} is empty and has nothing to repeat", i);
    }
    const Tensor* value = m_amountsAreInput ? optionalTensor(call, 2) : nullptr;
    if (value != nullptr && (value->type() != data->type() || value->elementCount() != 1))
      return fail(ErrorCode::kInvalidArgument, "the constant of Pad must be one {}", elementTypeName(data->type()));
    CUTAWAY_TRY(Tensor * output, call.output(0, dims));
    if (output->elementCount() == 0) return {};
    PadParameters parameters{.given = value == nullptr ? nullptr : value->data(),
                             .from = data->data(),
                             .to = output->mutableData(),
                             .kind = m_kind};
    attributeValue(data->type(), parameters.value);
    CUTAWAY_CHECK(mergeAxes(data->dims(), dims, amounts, parameters));
    const int64_t word = widen(elementBytes(data->type()), parameters);
    parameters.count = 1;
    for (int32_t i = 0; i < parameters.rank; ++i)
      parameters.count *= parameters.dims[i];
    return call.launch((parameters.count < kNarrowCount ? m_pad : m_padLong)[word], parameters);
  }

 private:
  Result<Amounts> readAmounts(const GpuCall& call, size_t rank) const {
    Dims list = m_amounts;
    Dims axes = filledList(rank, 0);
    for (size_t i = 0; i < rank; ++i)
      axes[i] = static_cast<int64_t>(i);
    if (m_amountsAreInput) {
      CUTAWAY_TRY(const Tensor* given, requireTensor(call, 1));
      CUTAWAY_TRY(list, readIntegers(*given));
      if (const Tensor* named = optionalTensor(call, 3)) {
        CUTAWAY_TRY(axes, readIntegers(*named));
        CUTAWAY_TRY(axes, resolveAxes(axes, rank));
      }
    }
    if (list.size() != 2 * axes.size())
      return fail(ErrorCode::kInvalidArgument, "{} pads are given for {} axes", list.size(), axes.size());
    Amounts amounts{filledList(rank, 0), filledList(rank, 0)};
    for (size_t i = 0; i < axes.size(); ++i) {
      amounts.begin[static_cast<size_t>(axes[i])] = list[i];
      amounts.end[static_cast<size_t>(axes[i])] = list[i + axes.size()];
    }
    return amounts;
  }

  // An axis that is not padded is one with the axis before it, which for the constant may be padded itself: its places
  // are then whole rows.
  Result<void> mergeAxes(std::span<const int64_t> lengths, std::span<const int64_t> dims, const Amounts& amounts,
                         PadParameters& parameters) const {
    bool beforeIsPlain = false;
    for (size_t i = 0; i < dims.size(); ++i) {
      const bool plain = amounts.begin[i] == 0 && amounts.end[i] == 0;
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
      parameters.begin[parameters.rank++] = amounts.begin[i];
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

  // The attribute of old versions as one element of a floating type; zero bytes for all others.
  void attributeValue(ElementType type, unsigned char* bytes) const {
    const Float16 half = Float16::fromFloat(m_value);
    const double wide = m_value;
    if (type == ElementType::kFloat) std::memcpy(bytes, &m_value, sizeof m_value);
    if (type == ElementType::kDouble) std::memcpy(bytes, &wide, sizeof wide);
    if (type == ElementType::kFloat16) std::memcpy(bytes, &half, sizeof half);
  }

  PadKind m_kind;
  Dims m_amounts;
  float m_value;
  bool m_amountsAreInput;
  WordKernels m_pad, m_padLong;
};

Result<std::unique_ptr<GpuKernel>> makePad(const KernelInfo& info) {
  CUTAWAY_CHECK(checkMovable(info, 0));
  const std::string mode = info.attribute<std::string>("mode", "constant");
  PadKind kind = PadKind::kConstant;
  if (mode == "edge")
    kind = PadKind::kEdge;
  else if (mode == "reflect")
    kind = PadKind::kReflect;
  else if (mode == "wrap")
    kind = PadKind::kWrap;
  else if (mode != "constant")
    return fail(ErrorCode::kNotImplemented, "pad mode '{}' is unknown", mode);
  return std::make_unique<PadKernel>(info, kind);
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
