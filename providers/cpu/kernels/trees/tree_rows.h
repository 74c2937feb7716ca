#pragma once
// What the tree operators share at run time: the input as rows of the type that trees compare in, and scores of those
// rows.
//
// Thread rule: functions of one run.
// Example: CUTAWAY_TRY(const TreeRows<float> rows, treeRows<float>(context, trees));  scoreRows(trees, Combine::kSum,
// rows, [&](int64_t row, float* scores, uint8_t* given) { ... });

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/trees/compiled_trees.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::trees {

template <typename T>
struct TreeRows {
  const T* x = nullptr;
  int64_t rows = 0, features = 0;
  T* scores = nullptr;       // [rows, targets], zeroed
  uint8_t* given = nullptr;  // [rows, targets], zeroed
};

// Integers and halves become T; scores start at zero.
template <typename T>
Result<TreeRows<T>> treeRows(KernelContext& context, const CompiledTrees<T>& trees) {
  CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
  if (x->rank() != 1 && x->rank() != 2)
    return fail(ErrorCode::kInvalidArgument, "the input {} must have one or two axes", dimsToText(x->dims()));
  TreeRows<T> result;
  result.rows = x->rank() == 1 ? 1 : x->dims()[0];
  result.features = x->dims()[x->rank() - 1];
  if (result.rows > 0 && trees.highestFeature() >= result.features) {
    return fail(ErrorCode::kInvalidArgument, "the trees look at feature {}, the input {} has {}",
                trees.highestFeature(), dimsToText(x->dims()), result.features);
  }
  const bool convert = x->type() != ElementTypeOf<T>::value;
  CUTAWAY_TRY(const int64_t cells, checkedMultiply(result.rows, trees.targets()));
  CUTAWAY_TRY(const int64_t cellBytes, checkedMultiply(cells, static_cast<int64_t>(sizeof(T)) + 1));
  const int64_t inputBytes = convert ? x->elementCount() * static_cast<int64_t>(sizeof(T)) : 0;
  CUTAWAY_TRY(const int64_t bytes, checkedAdd(cellBytes, inputBytes));
  CUTAWAY_TRY(const std::span<std::byte> scratch, context.scratch(static_cast<size_t>(bytes)));
  result.scores = reinterpret_cast<T*>(scratch.data() + inputBytes);
  result.given = reinterpret_cast<uint8_t*>(result.scores + cells);
  std::fill_n(result.scores, cells, T(0));
  std::fill_n(result.given, cells, uint8_t{0});
  if (!convert) {
    result.x = x->span<T>().data();
    return result;
  }
  T* converted = reinterpret_cast<T*>(scratch.data());
  using Types = cpu::TypeList<float, double, int32_t, int64_t, Float16>;
  const bool known = cpu::dispatchType(Types{}, x->type(), [&]<typename From>(cpu::TypeTag<From>) {
    const std::span<const From> source = x->span<From>();
    for (size_t i = 0; i < source.size(); ++i)
      converted[i] = static_cast<T>(cpu::widen(source[i]));
  });
  if (!known) return fail(ErrorCode::kNotImplemented, "trees over {} are not covered", elementTypeName(x->type()));
  result.x = converted;
  return result;
}

template <typename T, typename Finish>
void scoreRows(const CompiledTrees<T>& trees, Combine combine, const TreeRows<T>& rows, Finish&& finish) {
  // A thread is worth waking for some thousands of walks.
  constexpr int64_t kWalks = 4096;
  const int64_t grain = std::max<int64_t>(1, kWalks / std::max<int64_t>(1, trees.treeCount()));
  parallelFor(rows.rows, grain, [&](int64_t begin, int64_t end) {
    const int64_t targets = trees.targets();
    trees.addScores(combine, rows.x + begin * rows.features, end - begin, rows.features, rows.scores + begin * targets,
                    rows.given + begin * targets);
    for (int64_t r = begin; r < end; ++r)
      finish(r, rows.scores + r * targets, rows.given + r * targets);
  });
}

}  // namespace cutaway::cpu::trees
