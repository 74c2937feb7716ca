// StringConcat: strings put behind each other element by element, with numpy's broadcasting.

#include "providers/cpu/kernels/elementwise/broadcast.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kStringsPerThread = 4096;

class StringConcatKernel final : public Kernel {
 public:
  explicit StringConcatKernel(const KernelInfo&) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* left, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* right, requireTensor(context, 1));
    CUTAWAY_TRY(const Dims dims, cpu::broadcastDims({&left->dims(), &right->dims()}));
    CUTAWAY_TRY(const cpu::BroadcastPlan plan, cpu::BroadcastPlan::make({&left->dims(), &right->dims()}, dims));
    CUTAWAY_TRY(Tensor * output, context.output(0, dims));
    const std::string* a = left->span<std::string>().data();
    const std::string* b = right->span<std::string>().data();
    std::string* y = output->span<std::string>().data();
    cpu::forEachRun(plan, kStringsPerThread, [&](int64_t at, const int64_t* offsets, int64_t count) {
      const std::string* from = a + offsets[0];
      const std::string* behind = b + offsets[1];
      for (int64_t i = 0; i < count; ++i)
        join(from[i * plan.step(0)], behind[i * plan.step(1)], y[at + i]);
    });
    return {};
  }

 private:
  // The target keeps its memory from run to run.
  static void join(const std::string& first, const std::string& second, std::string& target) {
    target.clear();
    target.reserve(first.size() + second.size());
    target.append(first).append(second);
  }
};

constexpr ElementType kStrings[] = {ElementType::kString};
constexpr TypeRule kTypes[] = {{0, kStrings}, {1, kStrings}};
constexpr KernelRow kRows[] = {
    {.opType = "StringConcat",
     .versions = {20},
     .types = kTypes,
     .fastPath = "threads",
     .create = makeKernel<StringConcatKernel>},
};

}  // namespace

KernelRows kernel_string_concat() {
  return kRows;
}

}  // namespace cutaway::cpu
