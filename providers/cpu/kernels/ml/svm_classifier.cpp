// SVMClassifier: one decision for every pair of classes from the kernel values of the support vectors, or one linear
// score a class where there are no vectors.
//
// Pair (i, j), i < j, decides for i when its value is positive; the label is the class with most votes, the first of
// equals. Scores are the decisions, or probabilities when prob_a and prob_b are given. Conventions the standard leaves
// open are onnxruntime's: two classes without probabilities give {-s, s} with NONE and {1 - s, s} with the
// softmaxes; a linear model adds rho[0] to every class, and with two classes it prefers the second one as soon as the
// best score passes 0 (0.5 when no coefficient is negative).

#include <algorithm>

#include "engine/base/checked_math.h"
#include "engine/base/parallel.h"
#include "providers/cpu/kernels/ml/class_probabilities.h"
#include "providers/cpu/kernels/ml/feature_rows.h"
#include "providers/cpu/kernels/ml/post_transform.h"
#include "providers/cpu/kernels/ml/support_vectors.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

using ml::PostTransform;

struct SvmModel {
  ml::ClassLabels labels;
  ml::SupportVectors vectors;       // none: linear
  std::vector<int64_t> starts;      // by class, where its vectors begin; one more for the end
  std::vector<float> coefficients;  // [classes - 1, vectors], or [classes, features] of a linear model
  std::vector<float> rho, probA, probB;
  PostTransform post = PostTransform::kNone;

  int64_t classes() const { return static_cast<int64_t>(labels.size()); }
  int64_t pairs() const { return classes() * (classes() - 1) / 2; }
  bool linear() const { return vectors.count() == 0; }
  bool probable() const { return !probA.empty(); }
  int64_t features() const {
    return linear() ? static_cast<int64_t>(coefficients.size()) / classes() : vectors.features();
  }
  // One decision of two classes becomes a pair of scores.
  bool isPair() const { return !linear() && !probable() && classes() == 2; }
  int64_t scoreCount() const { return linear() || probable() || isPair() ? classes() : pairs(); }
};

// Memory of one row, in floats; votes lie behind as int32.
struct Workspace {
  float* decisions;  // pairs
  float* pairwise;   // classes * classes
  float* coupling;   // classes * classes + classes
  int32_t* votes;    // classes

  static int64_t size(const SvmModel& model) {
    return model.linear() ? 0 : model.pairs() + 2 * squareOf(model) + 2 * model.classes();
  }
  // Only probabilities need a number for every two classes.
  static int64_t squareOf(const SvmModel& model) { return model.probable() ? model.classes() * model.classes() : 0; }
  Workspace(const SvmModel& model, float* memory) {
    const int64_t square = squareOf(model);
    decisions = memory;
    pairwise = decisions + model.pairs();
    coupling = pairwise + square;
    votes = reinterpret_cast<int32_t*>(coupling + square + model.classes());
  }
};

class SvmClassifier final : public Kernel {
 public:
  explicit SvmClassifier(SvmModel model)
      : m_model(std::move(model)),
        m_allPositive(std::ranges::all_of(m_model.coefficients, [](float c) { return c >= 0.0f; })) {}
  std::string_view variant() const override { return "onednn"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(const ml::FeatureRows shape, ml::featureRows(*input));
    if (shape.columns != m_model.features())
      return fail(ErrorCode::kInvalidArgument, "the input has {} features, the model {}", shape.columns,
                  m_model.features());
    CUTAWAY_TRY(const float* x, ml::floatsOf(context, *input));
    void* labels = nullptr;
    if (context.hasOutput(0)) {
      CUTAWAY_TRY(Tensor * given, context.output(0, m_model.labels.type(), Dims{shape.rows}));
      labels = given->mutableData();
    }
    CUTAWAY_TRY(const std::span<float> scores, scoreMemory(context, shape.rows));
    const int64_t block = std::min(shape.rows, ml::kRowBlock);
    CUTAWAY_TRY(const int64_t perRow, checkedAdd(m_model.vectors.count(), Workspace::size(m_model)));
    CUTAWAY_TRY(const int64_t floats, checkedMultiply(block, perRow));
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(floats) * sizeof(float)));
    auto* kernelValues = reinterpret_cast<float*>(memory.data());
    for (int64_t first = 0; first < shape.rows; first += block) {
      const int64_t count = std::min(block, shape.rows - first);
      if (!m_model.linear()) CUTAWAY_CHECK(m_model.vectors.evaluate(x + first * shape.columns, count, kernelValues));
      parallelFor(count, std::max<int64_t>(1, 32768 / workPerRow()), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          const Workspace own(m_model, kernelValues + block * m_model.vectors.count() + i * Workspace::size(m_model));
          const size_t label = classify(x + (first + i) * shape.columns, kernelValues + i * m_model.vectors.count(),
                                        own, scores.data() + (first + i) * m_model.scoreCount());
          if (labels != nullptr) m_model.labels.write(label, labels, first + i);
        }
      });
    }
    return {};
  }

 private:
  int64_t workPerRow() const { return std::max<int64_t>(1, static_cast<int64_t>(m_model.coefficients.size())); }

  Result<std::span<float>> scoreMemory(KernelContext& context, int64_t rows) const {
    CUTAWAY_TRY(const int64_t count, checkedMultiply(rows, m_model.scoreCount()));
    if (context.hasOutput(1)) {
      CUTAWAY_TRY(Tensor * output, context.output(1, Dims{rows, m_model.scoreCount()}));
      return output->span<float>();
    }
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(static_cast<size_t>(count) * sizeof(float)));
    return std::span<float>(reinterpret_cast<float*>(memory.data()), static_cast<size_t>(count));
  }

  // Writes the scores of one row and gives the index of its label. kernelValues: of this row.
  size_t classify(const float* x, const float* kernelValues, const Workspace& own, float* scores) const {
    const std::span<float> row(scores, static_cast<size_t>(m_model.scoreCount()));
    if (m_model.linear()) {
      const size_t label = classifyLinear(x, row);
      if (row.size() > 1 || m_model.post == PostTransform::kProbit) ml::applyPostTransform(m_model.post, row);
      return label;
    }
    const size_t label = decidePairs(kernelValues, own);
    if (m_model.isPair()) {
      const auto second =
          m_model.post == PostTransform::kNone ? ml::SecondClass::kOpposite : ml::SecondClass::kComplement;
      ml::writeBinaryScores(m_model.post, second, own.decisions[0], scores);
      return label;
    }
    if (m_model.probable())
      ml::coupleProbabilities(m_model.classes(), own.pairwise, own.coupling, scores);
    else
      std::copy_n(own.decisions, m_model.pairs(), scores);
    if (row.size() > 1 || m_model.post == PostTransform::kProbit) ml::applyPostTransform(m_model.post, row);
    return label;
  }

  size_t classifyLinear(const float* x, std::span<float> scores) const {
    const int64_t features = m_model.features();
    for (size_t k = 0; k < scores.size(); ++k)
      scores[k] = ml::dotProduct(x, m_model.coefficients.data() + static_cast<int64_t>(k) * features, features) +
                  m_model.rho[0];
    const auto best = std::ranges::max_element(scores);
    if (scores.size() == 2 && (m_allPositive ? *best >= 0.5f : *best > 0.0f)) return 1;
    return static_cast<size_t>(best - scores.begin());
  }

  size_t decidePairs(const float* kernelValues, const Workspace& own) const {
    const int64_t classes = m_model.classes(), vectors = m_model.vectors.count();
    std::fill_n(own.votes, classes, 0);
    int64_t pair = 0;
    for (int64_t i = 0; i < classes; ++i) {
      for (int64_t j = i + 1; j < classes; ++j, ++pair) {
        const float decision = partial(kernelValues, i, (j - 1) * vectors) + partial(kernelValues, j, i * vectors) +
                               m_model.rho[static_cast<size_t>(pair)];
        own.decisions[pair] = decision;
        ++own.votes[decision > 0.0f ? i : j];
        if (!m_model.probable()) continue;
        const float p = ml::pairProbability(decision, m_model.probA[static_cast<size_t>(pair)],
                                            m_model.probB[static_cast<size_t>(pair)]);
        own.pairwise[i * classes + j] = p;
        own.pairwise[j * classes + i] = 1.0f - p;
      }
    }
    return static_cast<size_t>(std::max_element(own.votes, own.votes + classes) - own.votes);
  }

  // What the vectors of one class add, with the coefficients of the row that begins at `offset`.
  float partial(const float* kernelValues, int64_t classIndex, int64_t offset) const {
    const int64_t begin = m_model.starts[static_cast<size_t>(classIndex)],
                  end = m_model.starts[static_cast<size_t>(classIndex) + 1];
    return ml::dotProduct(kernelValues + begin, m_model.coefficients.data() + offset + begin, end - begin);
  }

  SvmModel m_model;
  bool m_allPositive;
};

// Where each class's vectors begin.
Result<std::vector<int64_t>> readStarts(const std::vector<int64_t>& counts) {
  std::vector<int64_t> starts{0};
  for (const int64_t count : counts) {
    if (count < 0) return fail(ErrorCode::kInvalidArgument, "vectors_per_class has the entry {}", count);
    CUTAWAY_TRY(const int64_t next, checkedAdd(starts.back(), count));
    starts.push_back(next);
  }
  return starts;
}

Result<void> checkVectors(const SvmModel& model) {
  if (static_cast<int64_t>(model.starts.size()) != model.classes() + 1)
    return fail(ErrorCode::kInvalidArgument, "vectors_per_class has {} entries for {} classes", model.starts.size() - 1,
                model.classes());
  const auto held = static_cast<int64_t>(model.coefficients.size());
  if (held % model.vectors.count() != 0 || held / model.vectors.count() != model.classes() - 1)
    return fail(ErrorCode::kInvalidArgument, "{} coefficients for {} classes and {} support vectors", held,
                model.classes(), model.vectors.count());
  if (static_cast<int64_t>(model.rho.size()) != model.pairs())
    return fail(ErrorCode::kInvalidArgument, "rho has {} entries for {} pairs of classes", model.rho.size(),
                model.pairs());
  if (model.probA.size() != model.probB.size() || (model.probable() && model.probA.size() != model.rho.size()))
    return fail(ErrorCode::kInvalidArgument, "prob_a has {} entries, prob_b {}, rho {}", model.probA.size(),
                model.probB.size(), model.rho.size());
  return {};
}

Result<std::unique_ptr<Kernel>> createSvmClassifier(const KernelInfo& info) {
  SvmModel model;
  CUTAWAY_TRY(model.labels, ml::ClassLabels::read(info, "classlabels_ints", "classlabels_strings"));
  CUTAWAY_TRY(model.starts, readStarts(ml::integerList(info, "vectors_per_class")));
  CUTAWAY_TRY(model.vectors, ml::SupportVectors::read(info, model.starts.back()));
  CUTAWAY_TRY(model.post, ml::postTransformOf(info));
  model.coefficients = ml::floatList(info, "coefficients");
  model.rho = ml::floatList(info, "rho");
  model.probA = ml::floatList(info, "prob_a");
  model.probB = ml::floatList(info, "prob_b");
  constexpr int64_t kMostClasses = 1 << 16;  // pairs and their matrices stay far from overflow
  if (model.classes() > kMostClasses) return fail(ErrorCode::kInvalidArgument, "{} classes", model.classes());
  if (!model.linear()) {
    CUTAWAY_CHECK(checkVectors(model));
    return std::make_unique<SvmClassifier>(std::move(model));
  }
  if (model.rho.empty()) return fail(ErrorCode::kInvalidArgument, "rho is empty");
  if (model.coefficients.empty() || static_cast<int64_t>(model.coefficients.size()) % model.classes() != 0)
    return fail(ErrorCode::kInvalidArgument, "{} coefficients for {} classes", model.coefficients.size(),
                model.classes());
  model.probA.clear();
  return std::make_unique<SvmClassifier>(std::move(model));
}

constexpr KernelRow kRows[] = {
    {.opType = "SVMClassifier",
     .domain = "ai.onnx.ml",
     .versions = {1},
     .types = ml::kFeatureRules,
     .fastPath = "onednn",
     .create = createSvmClassifier},
};

}  // namespace

KernelRows kernel_svm_classifier() {
  return kRows;
}

}  // namespace cutaway::cpu
