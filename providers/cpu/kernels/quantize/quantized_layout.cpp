// com.microsoft QLinearConcat and QLinearWhere: bytes moved to another scale by table, then joined or chosen.

#include <cstring>
#include <vector>

#include "engine/base/parallel.h"
#include "engine/operators/join_and_split.h"
#include "providers/cpu/kernels/elementwise/broadcast.h"
#include "providers/cpu/kernels/quantize/linear_parameters.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kGrainElements = 1 << 14;

// Inputs: scale, zero point of the result, then tensor, scale, zero point for each part.
class QuantizedConcat final : public Kernel {
 public:
  explicit QuantizedConcat(const KernelInfo& info) : m_axis(info.attribute<int64_t>("axis", 0)) {}
  std::string_view variant() const override { return "lookup"; }

  Result<void> run(KernelContext& context) const override {
    constexpr operators::PartSlots kParts = operators::kLinearParts;
    CUTAWAY_CHECK(operators::checkLinearConcat(context.inputCount()));
    CUTAWAY_TRY(const Tensor* zero, requireBytes(context, "QLinearConcat", 1));
    CUTAWAY_TRY(const LinearParameters to, readLinear(context, "QLinearConcat", 0, 1, zero->type()));
    CUTAWAY_TRY(const Tensor* first, requireBytes(context, "QLinearConcat", kParts.first));
    if (first->type() != zero->type())
      return fail(ErrorCode::kInvalidArgument, "QLinearConcat joins {}, the zero point is of type {}",
                  elementTypeName(first->type()), elementTypeName(zero->type()));
    CUTAWAY_TRY(const operators::JoinedDims joined, operators::joinedDims(context, m_axis, kParts));
    const size_t at = joined.axis;
    const Dims& dims = joined.dims;
    CUTAWAY_TRY(Tensor * output, context.output(0, zero->type(), dims));
    const int64_t outer = productOf(dims, 0, at), inner = productOf(dims, at + 1, dims.size());
    uint8_t* out = static_cast<uint8_t*>(output->mutableData());
    int64_t before = 0;
    for (size_t slot = kParts.first; slot < context.inputCount(); slot += kParts.step) {
      const Tensor& part = *context.input(slot);
      CUTAWAY_TRY(const LinearParameters from, readLinear(context, "QLinearConcat", slot + 1, slot + 2, part.type()));
      const int64_t run = part.dims()[at] * inner;
      copyPart(static_cast<const uint8_t*>(part.data()), outer, run, from, to, out + before, dims[at] * inner);
      before += run;
    }
    return {};
  }

 private:
  static void copyPart(const uint8_t* in, int64_t outer, int64_t run, const LinearParameters& from,
                       const LinearParameters& to, uint8_t* out, int64_t outRun) {
    if (run == 0) return;
    const bool same = from == to;
    const ByteTable table = rescaleTable(from, to);
    parallelFor(outer, std::max<int64_t>(1, kGrainElements / run), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        const uint8_t* source = in + row * run;
        uint8_t* target = out + row * outRun;
        if (same)
          std::memcpy(target, source, static_cast<size_t>(run));
        else
          applyTable(table, source, target, run);
      }
    });
  }

  int64_t m_axis;
};

// condition; X, scale, zero; Y, scale, zero; Z scale, zero.
class QuantizedWhere final : public Kernel {
 public:
  explicit QuantizedWhere(const KernelInfo&) {}
  std::string_view variant() const override { return "lookup"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* condition, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* x, requireBytes(context, "QLinearWhere", 1));
    CUTAWAY_TRY(const Tensor* y, requireBytes(context, "QLinearWhere", 4));
    if (condition->type() != ElementType::kBool || x->type() != y->type())
      return fail(ErrorCode::kInvalidArgument,
                  "QLinearWhere chooses by bool between equal types, not by {} between {} and {}",
                  elementTypeName(condition->type()), elementTypeName(x->type()), elementTypeName(y->type()));
    CUTAWAY_TRY(const LinearParameters xLinear, readLinear(context, "QLinearWhere", 2, 3, x->type()));
    CUTAWAY_TRY(const LinearParameters yLinear, readLinear(context, "QLinearWhere", 5, 6, x->type()));
    CUTAWAY_TRY(const LinearParameters zLinear, readLinear(context, "QLinearWhere", 7, 8, x->type()));
    const ByteTable xTable = rescaleTable(xLinear, zLinear), yTable = rescaleTable(yLinear, zLinear);
    CUTAWAY_TRY(const Dims dims, cpu::broadcastDims({&condition->dims(), &x->dims(), &y->dims()}));
    CUTAWAY_TRY(const cpu::BroadcastPlan plan,
                cpu::BroadcastPlan::make({&condition->dims(), &x->dims(), &y->dims()}, dims));
    CUTAWAY_TRY(Tensor * output, context.output(0, x->type(), dims));
    const uint8_t* chooses = static_cast<const uint8_t*>(condition->data());
    const uint8_t* left = static_cast<const uint8_t*>(x->data());
    const uint8_t* right = static_cast<const uint8_t*>(y->data());
    uint8_t* to = static_cast<uint8_t*>(output->mutableData());
    cpu::forEachRun(plan, kGrainElements, [&](int64_t at, const int64_t* offsets, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const uint8_t whenTrue = xTable[left[offsets[1] + i * plan.step(1)]];
        const uint8_t whenFalse = yTable[right[offsets[2] + i * plan.step(2)]];
        to[at + i] = chooses[offsets[0] + i * plan.step(0)] != 0 ? whenTrue : whenFalse;
      }
    });
    return {};
  }
};

constexpr InplaceHint kEither[] = {{.input = 1, .output = 0}, {.input = 4, .output = 0}};

constexpr KernelRow kRows[] = {
    {.opType = "QLinearConcat",
     .domain = "com.microsoft",
     .versions = {1},
     .fastPath = "lookup",
     .create = makeKernel<QuantizedConcat>},
    {.opType = "QLinearWhere",
     .domain = "com.microsoft",
     .versions = {1},
     .inplace = kEither,
     .fastPath = "lookup",
     .create = makeKernel<QuantizedWhere>},
};

}  // namespace

KernelRows kernel_quantized_layout() {
  return kRows;
}

}  // namespace cutaway::cpu
