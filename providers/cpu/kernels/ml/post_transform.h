#pragma once
// What the classifiers and regressors of ai.onnx.ml do to their scores at the end.
//
// Rows of two scores or more (and single scores of regressors) go through applyPostTransform. A binary classifier that
// has only the score s of its second label writes two scores through writeBinaryScores; the standard leaves them open,
// so onnxruntime's rule holds:
//   LOGISTIC:               {logistic(-s), logistic(s)}
//   PROBIT:                 {probit(other), probit(s)}, other as below; onnxruntime leaves one of the two
//   unwritten NONE, SOFTMAX*:         {1 - s, s} when s is a probability (kComplement), {-s, s} when it is a signed
//   decision (kOpposite): nothing else is done to them
// Which of the two holds is the operator's business: ensembles of trees and linear SVMs ask whether all their weights
// are positive. Thread rule: pure functions. Example: CUTAWAY_TRY(const PostTransform post,
// parsePostTransform("SOFTMAX"));  applyPostTransform(post, std::span<float>(row, classes));

#include <span>
#include <string_view>

#include "engine/base/result.h"
#include "engine/provider/kernel.h"

namespace cutaway::cpu::ml {

enum class PostTransform : uint8_t { kNone, kSoftmax, kLogistic, kSoftmaxZero, kProbit };
enum class SecondClass : uint8_t { kComplement, kOpposite };

// "NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO" or "PROBIT"; INVALID_ARGUMENT for anything else.
Result<PostTransform> parsePostTransform(std::string_view name);
// The node's attribute post_transform, NONE when it has none.
Result<PostTransform> postTransformOf(const KernelInfo& info);

// In place over one row; an empty row stays empty. T is float or double.
//   SOFTMAX: exp(x - max) / sum. SOFTMAX_ZERO: the same over the scores that are not zero (beyond 1e-7); zeros stay
//   zero. PROBIT: quantile of the normal distribution.
template <typename T>
void applyPostTransform(PostTransform transform, std::span<T> row);
// The same over `rows` rows of `columns` scores each, with the choice made once.
template <typename T>
void applyPostTransform(PostTransform transform, std::span<T> scores, int64_t rows, int64_t columns);

// scores[0] and scores[1] from the one score; may lie over it.
template <typename T>
void writeBinaryScores(PostTransform transform, SecondClass second, T score, T* scores);

// 1 / (1 + exp(-x)), without overflow.
template <typename T>
T logistic(T x);
// sqrt(2) * erfinv(2p - 1) by Winitzki's approximation (2008), as onnxruntime computes it; NaN outside [0, 1].
template <typename T>
T probit(T p);

}  // namespace cutaway::cpu::ml
