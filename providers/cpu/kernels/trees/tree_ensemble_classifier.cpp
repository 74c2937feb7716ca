// TreeEnsembleClassifier (all versions): leaves add to the scores of classes; the label of the best class and all
// scores.
//
// What two classes mean is nowhere written down; onnxruntime's rules hold (at finishTwo), its handling of two
// base values included. Labels are always those of the list, as the standard has it; onnxruntime says 1 and 0
// where leaves name both classes.

#include <array>

#include "providers/cpu/kernels/ml/post_transform.h"
#include "providers/cpu/kernels/trees/tree_rows.h"

namespace cutaway::cpu {
namespace {

using namespace trees;

struct ClassSettings {
  std::vector<int64_t> numbers;
  std::vector<std::string> strings;
  std::vector<double> base;
  ml::PostTransform post = ml::PostTransform::kNone;
  bool oneClass = false;     // two labels, and every leaf names the same class: its score is a decision
  bool allPositive = false;  // no weight is negative: the decision is a probability
  size_t classes() const { return std::max(numbers.size(), strings.size()); }
};

template <typename T>
class TreeClassification final : public Kernel {
 public:
  TreeClassification(CompiledTrees<T> trees, ClassSettings settings)
      : m_trees(std::move(trees)),
        m_settings(std::move(settings)),
        m_base(m_settings.base.begin(), m_settings.base.end()) {}
  std::string_view variant() const override { return "threads:rows in step"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const TreeRows<T> rows, treeRows<T>(context, m_trees));
    const std::array<int64_t, 2> dims{rows.rows, m_trees.targets()};
    const std::span<const int64_t> scoreDims(dims), labelDims = scoreDims.first(1);
    int64_t* numbers = nullptr;
    std::string* strings = nullptr;
    if (context.hasOutput(0)) {
      CUTAWAY_TRY(
          Tensor * labels,
          context.output(0, m_settings.strings.empty() ? ElementType::kInt64 : ElementType::kString, labelDims));
      if (m_settings.strings.empty())
        numbers = labels->span<int64_t>().data();
      else
        strings = labels->span<std::string>().data();
    }
    float* z = nullptr;
    if (context.outputCount() > 1 && context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * scores, context.output(1, ElementType::kFloat, scoreDims));
      z = scores->span<float>().data();
    }
    const size_t classes = m_settings.classes();
    scoreRows(m_trees, Combine::kSum, rows, [&](int64_t row, T* scores, uint8_t* given) {
      const size_t label = classes == 1   ? finishOne(scores)
                           : classes == 2 ? finishTwo(scores, given)
                                          : finishMany(scores, given);
      if (strings != nullptr) strings[row] = m_settings.strings[std::min(label, classes - 1)];
      // One label: 1 and 0 say whether it was given.
      if (numbers != nullptr) numbers[row] = classes == 1 ? static_cast<int64_t>(label) : m_settings.numbers[label];
      if (z == nullptr) return;
      for (size_t i = 0; i < classes; ++i)
        z[static_cast<size_t>(row) * classes + i] = static_cast<float>(scores[i]);
    });
    return {};
  }

 private:
  size_t finishOne(T* scores) const {
    if (!m_base.empty()) scores[0] += m_base[0];
    const size_t label = scores[0] > 0 ? 1 : 0;
    if (m_settings.post == ml::PostTransform::kProbit) ml::applyPostTransform(m_settings.post, std::span<T>(scores, 1));
    return label;
  }

  // The first of the best classes that some leaf (or a base value) names.
  size_t finishMany(T* scores, const uint8_t* given) const {
    const size_t classes = m_settings.classes();
    bool any = false;
    size_t best = 0;
    for (size_t i = 0; i < classes; ++i) {
      if (!m_base.empty()) scores[i] += m_base[i];
      if (m_base.empty() && given[i] == 0) continue;
      if (!any || scores[i] > scores[best]) best = i;
      any = true;
    }
    ml::applyPostTransform(m_settings.post, std::span<T>(scores, classes));
    return best;
  }

  // The second class decides where leaves name it, else the first. A decision above 1/2 (probabilities) or 0 means the
  // second label.
  size_t finishTwo(T* scores, const uint8_t* given) const {
    const bool second = given[1] != 0;
    if (m_base.size() == 2) {
      if (second) {
        scores[1] = m_base[1] + scores[0];
        scores[0] = given[0] != 0 ? -scores[1] : T(0);
      } else {
        scores[0] += m_base[0];
      }
    } else if (m_base.size() == 1 && (given[0] != 0 || !second)) {
      scores[0] += m_base[0];
    }
    const bool probability = m_settings.oneClass && m_settings.allPositive;
    const T decision = second ? scores[1] : scores[0];
    const size_t label = decision > (probability ? T(0.5) : T(0)) ? 1 : 0;
    if (second || m_base.size() == 2)
      ml::applyPostTransform(m_settings.post, std::span<T>(scores, 2));
    else
      ml::writeBinaryScores(m_settings.post, probability ? ml::SecondClass::kComplement : ml::SecondClass::kOpposite,
                            scores[0], scores);
    return label;
  }

  CompiledTrees<T> m_trees;
  ClassSettings m_settings;
  std::vector<T> m_base;
};

template <typename T>
Result<std::unique_ptr<Kernel>> make(const ListedTrees& listed, ClassSettings settings) {
  CUTAWAY_TRY(CompiledTrees<T> trees, CompiledTrees<T>::compile(listed));
  return std::unique_ptr<Kernel>(std::make_unique<TreeClassification<T>>(std::move(trees), std::move(settings)));
}

Result<std::unique_ptr<Kernel>> createClassifier(const KernelInfo& info) {
  ClassSettings settings;
  settings.numbers = info.attribute<std::vector<int64_t>>("classlabels_int64s", {});
  settings.strings = info.attribute<std::vector<std::string>>("classlabels_strings", {});
  if (settings.numbers.empty() == settings.strings.empty())
    return fail(ErrorCode::kInvalidArgument, "one of classlabels_int64s and classlabels_strings must be given");
  CUTAWAY_TRY(settings.post, ml::postTransformOf(info));
  CUTAWAY_TRY(settings.base, readNumbers(info, "base_values"));
  const size_t classes = settings.classes();
  CUTAWAY_TRY(const ListedTrees listed, readNamedTrees(info, "class", static_cast<int64_t>(classes)));
  if (!settings.base.empty() && settings.base.size() != classes && !(classes == 2 && settings.base.size() == 1)) {
    return fail(ErrorCode::kInvalidArgument, "base_values has {} numbers for {} classes", settings.base.size(),
                classes);
  }
  const auto& weights = listed.weights;
  settings.oneClass = classes == 2 && !weights.empty() && std::ranges::all_of(weights, [&](const LeafWeight& each) {
                        return each.target == weights[0].target;
                      });
  settings.allPositive = std::ranges::none_of(weights, [](const LeafWeight& each) { return each.value < 0; });
  return info.inputElement(0) == ElementType::kDouble ? make<double>(listed, std::move(settings))
                                                      : make<float>(listed, std::move(settings));
}

constexpr ElementType kNumbers[] = {ElementType::kFloat, ElementType::kDouble, ElementType::kInt32,
                                    ElementType::kInt64};
constexpr TypeRule kNumbersRule[] = {{0, kNumbers}};
constexpr KernelRow kRows[] = {{.opType = "TreeEnsembleClassifier",
                                .domain = "ai.onnx.ml",
                                .versions = {1},
                                .types = kNumbersRule,
                                .fastPath = "threads",
                                .create = createClassifier}};

}  // namespace

KernelRows kernel_tree_ensemble_classifier() {
  return kRows;
}

}  // namespace cutaway::cpu
