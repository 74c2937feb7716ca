// Pad: constant, edge, reflect and wrap, also with negative amounts (which crop).
//
// Constant padding fills the output and moves what is kept of the input into it. The other modes look up, for every
// place of an axis, which place of the input it shows.

#include <cstring>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/shape/sub_byte.h"

namespace cutaway {
namespace {

enum class PadMode { kConstant, kEdge, kReflect, kWrap };

struct Amounts {
  Dims begin, end;
};

int64_t floorModulo(int64_t value, int64_t period) {
  const int64_t rest = value % period;
  return rest < 0 ? rest + period : rest;
}

// Which of n places is shown at `place`, which may lie outside [0, n). n > 0.
int64_t shownPlace(PadMode mode, int64_t place, int64_t n) {
  if (mode == PadMode::kEdge) return std::clamp<int64_t>(place, 0, n - 1);
  if (mode == PadMode::kWrap) return floorModulo(place, n);
  if (n == 1) return 0;
  const int64_t period = 2 * (n - 1);
  const int64_t folded = floorModulo(place, period);
  return folded < n ? folded : period - folded;
}

// The padding of one call, over elements of whole bytes.
struct PadJob {
  ElementType type;
  PadMode mode;
  const Dims& inputDims;
  const Dims& outputDims;
  const Amounts& amounts;
};

void padConstant(const PadJob& job, const void* from, const void* value, void* to) {
  fillElements(job.type, value, to, elementCount(job.outputDims));
  StridedMove move{job.inputDims, rowMajorStrides(job.inputDims), rowMajorStrides(job.outputDims)};
  int64_t fromOffset = 0;
  int64_t toOffset = 0;
  for (size_t i = 0; i < job.inputDims.size(); ++i) {
    const int64_t begin = job.amounts.begin[i];
    const int64_t cutBegin = std::max<int64_t>(0, -begin);
    const int64_t cutEnd = std::max<int64_t>(0, -job.amounts.end[i]);
    move.dims[i] = std::max<int64_t>(0, job.inputDims[i] - cutBegin - cutEnd);
    if (move.dims[i] == 0) return;
    fromOffset += cutBegin * move.fromStrides[i];
    toOffset += std::max<int64_t>(0, begin) * move.toStrides[i];
  }
  moveStrided(job.type, move, elementAt(job.type, from, fromOffset), elementAt(job.type, to, toOffset));
}

// Rows of the innermost axis are gathered; the outer axes say from where. `places` has one entry for each place of each
// output axis: the input offset it adds.
void padByLookup(const PadJob& job, const void* from, std::span<const int64_t> places, void* to) {
  const size_t rank = job.outputDims.size();
  const int64_t columns = job.outputDims[rank - 1];
  const int64_t rows = productOf(job.outputDims, 0, rank - 1);
  const std::span<const int64_t> lastAxis = places.last(static_cast<size_t>(columns));
  const int64_t unit = elementBytes(job.type);
  // Columns [inside, outside) show neighbouring places of the input.
  const int64_t inside = std::clamp<int64_t>(job.amounts.begin[rank - 1], 0, columns);
  const int64_t outside = std::clamp<int64_t>(job.amounts.begin[rank - 1] + job.inputDims[rank - 1], inside, columns);
  constexpr int64_t kGrainElements = 1 << 14;
  parallelFor(rows, std::max<int64_t>(1, kGrainElements / std::max<int64_t>(1, columns)),
              [&](int64_t begin, int64_t end) {
                for (int64_t row = begin; row < end; ++row) {
                  int64_t rest = row;
                  int64_t offset = 0;
                  size_t tableEnd = places.size() - static_cast<size_t>(columns);
                  for (size_t i = rank - 1; i-- > 0;) {
                    const int64_t n = job.outputDims[i];
                    tableEnd -= static_cast<size_t>(n);
                    offset += places[tableEnd + static_cast<size_t>(rest % n)];
                    rest /= n;
                  }
                  if (job.type == ElementType::kString) {
                    gatherBlocks(job.type, elementAt(job.type, from, offset), lastAxis, 1,
                                 elementAt(job.type, to, row * columns));
                    continue;
                  }
                  const std::byte* source = static_cast<const std::byte*>(from) + offset * unit;
                  std::byte* target = static_cast<std::byte*>(to) + row * columns * unit;
                  const auto part = [&]<typename Size>(int64_t first, int64_t last, Size bytes) {
                    for (int64_t i = first; i < last; ++i)
                      std::memcpy(target + i * unit, source + lastAxis[static_cast<size_t>(i)] * unit, bytes);
                  };
                  const auto edges = [&](auto bytes) {
                    part(0, inside, bytes);
                    part(outside, columns, bytes);
                  };
                  if (unit == 4)
                    edges(std::integral_constant<size_t, 4>());
                  else if (unit == 1)
                    edges(std::integral_constant<size_t, 1>());
                  else
                    edges(static_cast<size_t>(unit));
                  if (outside > inside)
                    std::memcpy(target + inside * unit, source + lastAxis[static_cast<size_t>(inside)] * unit,
                                static_cast<size_t>((outside - inside) * unit));
                }
              });
}

class PadKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    const std::string mode = info.attribute<std::string>("mode", "constant");
    PadMode chosen = PadMode::kConstant;
    if (mode == "edge")
      chosen = PadMode::kEdge;
    else if (mode == "reflect")
      chosen = PadMode::kReflect;
    else if (mode == "wrap")
      chosen = PadMode::kWrap;
    else if (mode != "constant")
      return fail(ErrorCode::kNotImplemented, "pad mode '{}' is unknown", mode);
    return std::unique_ptr<Kernel>(std::make_unique<PadKernel>(info, chosen));
  }

  PadKernel(const KernelInfo& info, PadMode mode)
      : m_mode(mode),
        m_amounts(listAttribute(info.node(), info.node().sinceVersion == 1 ? "paddings" : "pads")),
        m_value(info.attribute<float>("value", 0.0f)),
        m_amountsAreInput(info.node().sinceVersion >= 11 || !info.node().domain.empty()) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const Amounts amounts, readAmounts(context, data->rank()));
    Dims dims = data->dims();
    for (size_t i = 0; i < dims.size(); ++i) {
      CUTAWAY_TRY(dims[i], checkedAdd(dims[i], amounts.begin[i]));
      CUTAWAY_TRY(dims[i], checkedAdd(dims[i], amounts.end[i]));
      if (dims[i] < 0) return fail(ErrorCode::kInvalidArgument, "padding leaves {} elements on axis {}", dims[i], i);
      if (data->dims()[i] == 0 && dims[i] > 0 && m_mode != PadMode::kConstant)
        return fail(ErrorCode::kInvalidArgument, "axis {} is empty and has nothing to repeat", i);
    }
    const Tensor* value = m_amountsAreInput ? optionalTensor(context, 2) : nullptr;
    if (value != nullptr && (value->type() != data->type() || value->elementCount() != 1)) {
      return fail(ErrorCode::kInvalidArgument, "the constant of Pad must be one {}", elementTypeName(data->type()));
    }
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    if (output->elementCount() == 0) return {};
    return isSubByte(data->type()) ? padSubByte(context, *data, amounts, value, *output)
                                   : padBytes(context, *data, amounts, value, *output);
  }

 private:
  Result<Amounts> readAmounts(const KernelContext& context, size_t rank) const {
    Dims list = m_amounts;
    Dims axes = filledList(rank, 0);
    for (size_t i = 0; i < rank; ++i)
      axes[i] = static_cast<int64_t>(i);
    if (m_amountsAreInput) {
      CUTAWAY_TRY(const Tensor* given, requireTensor(context, 1));
      CUTAWAY_TRY(list, readIntegers(*given));
      if (const Tensor* named = optionalTensor(context, 3)) {
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

  // The attribute of old versions as one element of a floating type; zero bytes for all others.
  void attributeValue(ElementType type, std::byte* bytes) const {
    const Float16 half = Float16::fromFloat(m_value);
    const double wide = m_value;
    if (type == ElementType::kFloat) std::memcpy(bytes, &m_value, sizeof m_value);
    if (type == ElementType::kDouble) std::memcpy(bytes, &wide, sizeof wide);
    if (type == ElementType::kFloat16) std::memcpy(bytes, &half, sizeof half);
  }

  Result<void> padBytes(KernelContext& context, const Tensor& data, const Amounts& amounts, const Tensor* value,
                        Tensor& output) const {
    const PadJob job{data.type(), m_mode, data.dims(), output.dims(), amounts};
    alignas(16) std::byte zero[16] = {};
    const std::string emptyText;
    const void* fill = zero;
    if (data.type() == ElementType::kString)
      fill = &emptyText;
    else
      attributeValue(data.type(), zero);
    return pad(context, job, data.data(), value == nullptr ? fill : value->data(), output.mutableData());
  }

  Result<void> padSubByte(KernelContext& context, const Tensor& data, const Amounts& amounts, const Tensor* value,
                          Tensor& output) const {
    const int bits = bitsOf(data.type());
    const int64_t before = data.elementCount();
    const int64_t after = output.elementCount();
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(before + after)));
    uint8_t* bytes = reinterpret_cast<uint8_t*>(memory.data());
    unpackBits(bits, static_cast<const uint8_t*>(data.data()), bytes, before);
    uint8_t fill = 0;
    if (value != nullptr) unpackBits(bits, static_cast<const uint8_t*>(value->data()), &fill, 1);
    const PadJob job{ElementType::kUint8, m_mode, data.dims(), output.dims(), amounts};
    CUTAWAY_CHECK(pad(context, job, bytes, &fill, bytes + before));
    packBits(bits, bytes + before, static_cast<uint8_t*>(output.mutableData()), after);
    return {};
  }

  static Result<void> pad(KernelContext& context, const PadJob& job, const void* from, const void* fill, void* to) {
    if (job.outputDims.size() == 0) {
      moveElements(job.type, from, to, 1);
      return {};
    }
    if (job.mode == PadMode::kConstant) {
      padConstant(job, from, fill, to);
      return {};
    }
    size_t total = 0;
    for (const int64_t n : job.outputDims)
      total += static_cast<size_t>(n);
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(total * sizeof(int64_t)));
    int64_t* places = reinterpret_cast<int64_t*>(memory.data());
    const Dims strides = rowMajorStrides(job.inputDims);
    for (size_t i = 0, next = 0; i < job.outputDims.size(); ++i) {
      for (int64_t k = 0; k < job.outputDims[i]; ++k)
        places[next++] = shownPlace(job.mode, k - job.amounts.begin[i], job.inputDims[i]) * strides[i];
    }
    padByLookup(job, from, std::span<const int64_t>(places, total), to);
    return {};
  }

  PadMode m_mode;
  Dims m_amounts;
  float m_value;
  bool m_amountsAreInput;
};

constexpr int kAmountsOnHost[] = {1, 2, 3};
constexpr int kPadsAndValueOnHost[] = {1, 2};
constexpr KernelRow kRows[] = {
    {.opType = "Pad", .versions = {1, 10}, .fastPath = "copy", .create = PadKernel::create},
    {.opType = "Pad", .versions = {11}, .hostInputs = kAmountsOnHost, .fastPath = "copy", .create = PadKernel::create},
    {.opType = "Pad",
     .domain = "com.microsoft",
     .versions = {1},
     .hostInputs = kPadsAndValueOnHost,
     .fastPath = "copy",
     .create = PadKernel::create},
};

}  // namespace

KernelRows kernel_pad() {
  return kRows;
}

}  // namespace cutaway
