// Pad: constant, edge, reflect and wrap, also with negative amounts (which crop).
//
// Constant padding fills the output and moves what is kept of the input into it. The other modes look up, for every
// place of an axis, which place of the input it shows.

#include "engine/operators/pad.h"

#include <cstring>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/shape/sub_byte.h"

namespace cutaway::cpu {
namespace {

using operators::PadMode;
using operators::PadPlacement;

int64_t floorModulo(int64_t value, int64_t period) {
  const int64_t rest = value % period;
  return rest < 0 ? rest + period : rest;
}

// Which of n places is shown at `place`, which may lie outside [0, n). n > 0.
int64_t shownPlace(PadMode mode, int64_t place, int64_t n) {
  if (place >= 0 && place < n) return place;  // most are, and divisions are slow
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
  const PadPlacement& amounts;
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

// Places of the innermost output axis [begin, end) that show neighbouring places of the input: copied as they are.
struct Inside {
  explicit Inside(const PadJob& job) {
    const size_t axis = job.outputDims.size() - 1;
    const int64_t columns = job.outputDims[axis], before = job.amounts.begin[axis];
    begin = std::clamp<int64_t>(before, 0, columns);
    end = std::clamp<int64_t>(before + job.inputDims[axis], begin, columns);
  }
  int64_t begin, end;
};

// Rows of the innermost axis are gathered; the outer axes say from where. `places` has one entry for each place of each
// output axis: the input offset it adds. Of what is Inside, the first alone is read, but for strings.
void padByLookup(const PadJob& job, const void* from, std::span<const int64_t> places, void* to) {
  const size_t rank = job.outputDims.size();
  const int64_t columns = job.outputDims[rank - 1];
  const int64_t rows = productOf(job.outputDims, 0, rank - 1);
  const std::span<const int64_t> lastAxis = places.last(static_cast<size_t>(columns));
  const int64_t unit = elementBytes(job.type);
  const auto [inside, outside] = Inside(job);
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
    CUTAWAY_TRY(operators::PadSettings settings, operators::PadSettings::read(info.node()));
    return std::unique_ptr<Kernel>(std::make_unique<PadKernel>(std::move(settings)));
  }
  explicit PadKernel(operators::PadSettings settings) : m_settings(std::move(settings)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    CUTAWAY_TRY(const PadPlacement placed, m_settings.place(*data, operators::padOperands(context)));
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), placed.dims));
    if (output->elementCount() == 0) return {};
    return isSubByte(data->type()) ? padSubByte(context, *data, placed, *output)
                                   : padBytes(context, *data, placed, *output);
  }

 private:
  Result<void> padBytes(KernelContext& context, const Tensor& data, const PadPlacement& placed, Tensor& output) const {
    const PadJob job{data.type(), m_settings.mode(), data.dims(), output.dims(), placed};
    alignas(16) std::byte zero[16] = {};
    const std::string emptyText;
    const void* fill = zero;
    if (data.type() == ElementType::kString)
      fill = &emptyText;
    else
      m_settings.attributeValue(data.type(), zero);
    return pad(context, job, data.data(), placed.value == nullptr ? fill : placed.value->data(), output.mutableData());
  }

  Result<void> padSubByte(KernelContext& context, const Tensor& data, const PadPlacement& placed,
                          Tensor& output) const {
    const int bits = bitsOf(data.type());
    const int64_t before = data.elementCount();
    const int64_t after = output.elementCount();
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(before + after)));
    uint8_t* bytes = reinterpret_cast<uint8_t*>(memory.data());
    unpackBits(bits, static_cast<const uint8_t*>(data.data()), bytes, before);
    uint8_t fill = 0;
    if (placed.value != nullptr) unpackBits(bits, static_cast<const uint8_t*>(placed.value->data()), &fill, 1);
    const PadJob job{ElementType::kUint8, m_settings.mode(), data.dims(), output.dims(), placed};
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
    const auto look = [&](size_t axis, int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k)
        places[k] = shownPlace(job.mode, k - job.amounts.begin[axis], job.inputDims[axis]) * strides[axis];
    };
    const size_t last = job.outputDims.size() - 1;
    for (size_t axis = 0; axis < last; places += job.outputDims[axis++])
      look(axis, 0, job.outputDims[axis]);
    const Inside inside(job);
    look(last, 0,
         job.type == ElementType::kString ? job.outputDims[last] : std::min(inside.begin + 1, job.outputDims[last]));
    if (job.type != ElementType::kString) look(last, inside.end, job.outputDims[last]);
    padByLookup(job, from, std::span<const int64_t>(reinterpret_cast<const int64_t*>(memory.data()), total), to);
    return {};
  }

  operators::PadSettings m_settings;
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

}  // namespace cutaway::cpu
