// TreeEnsembleRegressor (all versions) and TreeEnsemble (5): per target, the sum, average, smallest or largest leaf of
// all trees.
//
// As onnxruntime does: a target that no leaf names is 0 whatever the base value, and with one target the only
// post transform is PROBIT.

#include "providers/cpu/kernels/ml/post_transform.h"
#include "providers/cpu/kernels/trees/tree_rows.h"

namespace cutaway::cpu {
namespace {

using namespace trees;

enum class Aggregate : uint8_t { kAverage, kSum, kMin, kMax };

template <typename T>
class TreeRegression final : public Kernel {
 public:
  TreeRegression(CompiledTrees<T> trees, Aggregate aggregate, ml::PostTransform post, std::vector<T> base)
      : m_trees(std::move(trees)), m_aggregate(aggregate), m_post(post), m_base(std::move(base)) {}
  std::string_view variant() const override { return "threads:rows in step"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const TreeRows<T> rows, treeRows<T>(context, m_trees));
    CUTAWAY_TRY(Tensor * y, context.output(0, {rows.rows, m_trees.targets()}));
    if (y->elementCount() == 0) return {};
    using Types = cpu::TypeList<float, double, Float16>;
    const bool known = cpu::dispatchType(
        Types{}, y->type(), [&]<typename To>(cpu::TypeTag<To>) { score<To>(rows, y->template span<To>().data()); });
    if (!known)
      return fail(ErrorCode::kNotImplemented, "trees that give {} are not covered", elementTypeName(y->type()));
    return {};
  }

 private:
  template <typename To>
  void score(const TreeRows<T>& rows, To* y) const {
    const int64_t targets = m_trees.targets();
    const Combine combine = m_aggregate == Aggregate::kMin   ? Combine::kMin
                            : m_aggregate == Aggregate::kMax ? Combine::kMax
                                                             : Combine::kSum;
    const T trees = static_cast<T>(m_trees.treeCount());
    scoreRows(m_trees, combine, rows, [&](int64_t row, T* scores, const uint8_t* given) {
      for (int64_t target = 0; target < targets; ++target) {
        T& score = scores[target];
        if (m_aggregate == Aggregate::kAverage) score /= trees;
        if (!m_base.empty() && (given[target] != 0 || targets == 1)) score += m_base[static_cast<size_t>(target)];
      }
      if (targets > 1 || m_post == ml::PostTransform::kProbit)
        ml::applyPostTransform(m_post, std::span<T>(scores, static_cast<size_t>(targets)));
      for (int64_t target = 0; target < targets; ++target)
        y[row * targets + target] = cpu::narrow<To>(static_cast<cpu::Computed<To>>(scores[target]));
    });
  }

  CompiledTrees<T> m_trees;
  Aggregate m_aggregate;
  ml::PostTransform m_post;
  std::vector<T> m_base;
};

template <typename T>
Result<std::unique_ptr<Kernel>> make(const ListedTrees& listed, Aggregate aggregate, ml::PostTransform post,
                                     const std::vector<double>& base) {
  CUTAWAY_TRY(CompiledTrees<T> trees, CompiledTrees<T>::compile(listed));
  return std::unique_ptr<Kernel>(
      std::make_unique<TreeRegression<T>>(std::move(trees), aggregate, post, std::vector<T>(base.begin(), base.end())));
}

Result<std::unique_ptr<Kernel>> makeFor(ElementType type, const ListedTrees& listed, Aggregate aggregate,
                                        ml::PostTransform post, const std::vector<double>& base) {
  return type == ElementType::kDouble ? make<double>(listed, aggregate, post, base)
                                      : make<float>(listed, aggregate, post, base);
}

Result<std::unique_ptr<Kernel>> createRegressor(const KernelInfo& info) {
  CUTAWAY_TRY(const ListedTrees listed, readNamedTrees(info, "target", info.attribute<int64_t>("n_targets", 1)));
  CUTAWAY_TRY(const ml::PostTransform post, ml::postTransformOf(info));
  CUTAWAY_TRY(const std::vector<double> base, readNumbers(info, "base_values"));
  if (!base.empty() && static_cast<int64_t>(base.size()) != listed.targets) {
    return fail(ErrorCode::kInvalidArgument, "base_values has {} numbers for {} targets", base.size(), listed.targets);
  }
  const std::string name = info.attribute<std::string>("aggregate_function", "SUM");
  constexpr std::string_view kNames[] = {"AVERAGE", "SUM", "MIN", "MAX"};
  const auto found = std::ranges::find(kNames, name);
  if (found == std::end(kNames))
    return fail(ErrorCode::kInvalidArgument, "aggregate_function is '{}' and must be AVERAGE, SUM, MIN or MAX", name);
  return makeFor(info.inputElement(0), listed, static_cast<Aggregate>(found - kNames), post, base);
}

Result<std::unique_ptr<Kernel>> createEnsemble(const KernelInfo& info) {
  CUTAWAY_TRY(const ListedTrees listed, readPlacedTrees(info));
  const int64_t aggregate = info.attribute<int64_t>("aggregate_function", 1);
  if (aggregate < 0 || aggregate > 3)
    return fail(ErrorCode::kInvalidArgument, "aggregate_function is {}; 0 to 3 are known", aggregate);
  const int64_t post = info.attribute<int64_t>("post_transform", 0);
  if (post < 0 || post > 4) return fail(ErrorCode::kInvalidArgument, "post_transform is {}; 0 to 4 are known", post);
  constexpr ml::PostTransform kPosts[] = {ml::PostTransform::kNone, ml::PostTransform::kSoftmax,
                                          ml::PostTransform::kLogistic, ml::PostTransform::kSoftmaxZero,
                                          ml::PostTransform::kProbit};
  return makeFor(info.inputElement(0), listed, static_cast<Aggregate>(aggregate), kPosts[post], {});
}

constexpr ElementType kNumbers[] = {ElementType::kFloat, ElementType::kDouble, ElementType::kInt32,
                                    ElementType::kInt64};
constexpr ElementType kFloats[] = {ElementType::kFloat, ElementType::kDouble, ElementType::kFloat16};
constexpr TypeRule kNumbersRule[] = {{0, kNumbers}};
constexpr TypeRule kFloatsRule[] = {{0, kFloats}};
constexpr KernelRow kRows[] = {
    {.opType = "TreeEnsembleRegressor",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = kNumbersRule,
     .fastPath = "threads",
     .create = createRegressor},
    {.opType = "TreeEnsemble",
     .domain = "ai.onnx.ml",
     .versions = {5},
     .types = kFloatsRule,
     .fastPath = "threads",
     .create = createEnsemble},
};

}  // namespace

KernelRows kernel_tree_ensemble_regressor() {
  return kRows;
}

}  // namespace cutaway::cpu
