// Crop (opsets before 10): a window of images [N, C, H, W]. border is left, top, right, bottom; scale, when given, is
// the window's height and width.

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway::cpu {
namespace {

class Crop final : public Kernel {
 public:
  Crop(std::vector<int64_t> border, std::vector<int64_t> scale)
      : m_border(std::move(border)), m_scale(std::move(scale)) {}
  std::string_view variant() const override { return "copy"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    if (x->rank() != 4)
      return fail(ErrorCode::kInvalidArgument, "Crop works on [N, C, H, W], not {}", dimsToText(x->dims()));
    StridedMove move{x->dims(), rowMajorStrides(x->dims()), Dims()};
    int64_t offset = 0;
    for (size_t axis = 2; axis < 4; ++axis) {
      const int64_t size = x->dims()[axis];
      const int64_t first = m_border[axis == 2 ? 1 : 0];
      const int64_t last = m_border[axis == 2 ? 3 : 2];
      if (first > size || last > size - first)
        return fail(ErrorCode::kInvalidArgument, "Crop: borders {} and {} leave nothing of {} cells", first, last,
                    size);
      int64_t kept = size - first - last;
      if (!m_scale.empty()) {
        kept = m_scale[axis - 2];
        if (kept > size - first)
          return fail(ErrorCode::kInvalidArgument, "Crop: {} cells from {} on do not fit in {}", kept, first, size);
      }
      move.dims[axis] = kept;
      offset += first * move.fromStrides[axis];
    }
    move.toStrides = rowMajorStrides(move.dims);
    CUTAWAY_TRY(Tensor * y, context.output(0, x->type(), move.dims));
    if (y->elementCount() == 0) return {};
    moveStrided(x->type(), move, elementAt(x->type(), x->data(), offset), y->mutableData());
    return {};
  }

 private:
  std::vector<int64_t> m_border, m_scale;
};

Result<std::unique_ptr<Kernel>> createCrop(const KernelInfo& info) {
  auto border = info.attribute<std::vector<int64_t>>("border", {});
  auto scale = info.attribute<std::vector<int64_t>>("scale", {});
  if (border.size() != 4)
    return fail(ErrorCode::kInvalidArgument, "Crop needs border with 4 numbers (left, top, right, bottom), not {}",
                border.size());
  if (!scale.empty() && scale.size() != 2)
    return fail(ErrorCode::kInvalidArgument, "Crop needs scale with 2 numbers (height, width), not {}", scale.size());
  for (const auto* list : {&border, &scale}) {
    for (const int64_t each : *list) {
      if (each < 0) return fail(ErrorCode::kInvalidArgument, "Crop has the negative size {}", each);
    }
  }
  return std::unique_ptr<Kernel>(std::make_unique<Crop>(std::move(border), std::move(scale)));
}

constexpr KernelRow kRows[] = {{.opType = "Crop", .versions = {1}, .fastPath = "copy", .create = createCrop}};

}  // namespace

KernelRows kernel_crop() {
  return kRows;
}

}  // namespace cutaway::cpu
