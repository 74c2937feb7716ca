// CDist of com.microsoft: the distance (euclidean or its square) of every row of A to every row of B.

#include <cmath>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kLanes = 8;

// Sum of squared differences; several partial sums, so that the loop is vectors.
template <typename T>
T squaredDistance(const T* a, const T* b, int64_t count) {
  T part[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (int64_t lane = 0; lane < kLanes; ++lane)
      part[lane] += (a[i + lane] - b[i + lane]) * (a[i + lane] - b[i + lane]);
  }
  T sum = 0;
  for (; i < count; ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  for (const T each : part)
    sum += each;
  return sum;
}

template <typename T>
class PairwiseDistance final : public Kernel {
 public:
  explicit PairwiseDistance(bool root) : m_root(root) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* a, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* b, requireTensor(context, 1));
    if (a->rank() != 2 || b->rank() != 2 || a->dims()[1] != b->dims()[1])
      return fail(ErrorCode::kInvalidArgument, "CDist: {} and {} are not rows of one length", dimsToText(a->dims()),
                  dimsToText(b->dims()));
    const int64_t rows = a->dims()[0], columns = b->dims()[0], width = a->dims()[1];
    CUTAWAY_TRY(Tensor * c, context.output(0, {rows, columns}));
    const T *left = a->span<T>().data(), *right = b->span<T>().data();
    T* to = c->template span<T>().data();
    parallelFor(rows, std::max<int64_t>(1, (1 << 14) / std::max<int64_t>(1, columns * width)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin * columns; i < end * columns; ++i) {
                    const T squared = squaredDistance(left + i / columns * width, right + i % columns * width, width);
                    to[i] = m_root ? std::sqrt(squared) : squared;
                  }
                });
    return {};
  }

 private:
  bool m_root;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createCDist(const KernelInfo& info) {
  const std::string metric = info.attribute<std::string>("metric", "sqeuclidean");
  if (metric != "sqeuclidean" && metric != "euclidean")
    return fail(ErrorCode::kNotImplemented, "CDist: metric '{}' is not covered; sqeuclidean and euclidean are", metric);
  return std::unique_ptr<Kernel>(std::make_unique<PairwiseDistance<T>>(metric == "euclidean"));
}

constexpr KernelRow kRows[] = {
    {.opType = "CDist",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kFloatInput,
     .fastPath = "threads",
     .create = createCDist<float>},
    {.opType = "CDist",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kDoubleInput,
     .fastPath = "threads",
     .create = createCDist<double>},
};

}  // namespace

KernelRows kernel_pairwise_distance() {
  return kRows;
}

}  // namespace cutaway::cpu
