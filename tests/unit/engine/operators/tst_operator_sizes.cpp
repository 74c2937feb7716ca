// Einsum equations, products, biases, normalizations, softmax, losses, reductions and quantization: a case a line.

#include "engine/operators/bias.h"
#include "engine/operators/cross_entropy.h"
#include "engine/operators/einsum.h"
#include "engine/operators/embedding.h"
#include "engine/operators/linear_pool.h"
#include "engine/operators/matmul.h"
#include "engine/operators/normalization.h"
#include "engine/operators/quantize_linear.h"
#include "engine/operators/reduction.h"
#include "engine/operators/softmax.h"
#include "tests/unit/engine/operators/operator_case.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

constexpr ElementType kF = ElementType::kFloat, kH = ElementType::kFloat16, kL = ElementType::kInt64,
                      kU = ElementType::kUint8, kNone = ElementType::kUndefined;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

std::string einsum(std::string_view equation, std::vector<Dims> operands) {
  const auto parsed = EinsumEquation::parse(equation, operands.size());
  if (!parsed) return "! " + parsed.error().message;
  std::vector<const Dims*> dims;
  for (const Dims& each : operands)
    dims.push_back(&each);
  return textOf<EinsumLabels>(parsed->resolve(dims), [&](const EinsumLabels& l) {
    std::string text = fmt::format("{} of {}:", dimsToText(l.outputDims), l.labels);
    for (size_t label = 0; label < static_cast<size_t>(l.labels); ++label) {
      for (size_t k = 0; k < operands.size(); ++k)
        text += fmt::format("{}{}", k == 0 ? " " : "/", l.strides[k][label]);
    }
    return text;
  });
}

std::string rows(int64_t axis, const Dims& dims) {
  return textOf<LayerNormSizes>(layerNormSizes({.axis = axis}, dims), [](const LayerNormSizes& s) {
    return fmt::format("{}: {} of {}", s.axis, s.rows, s.count);
  });
}
std::string operand(const Dims& own) {
  return textOf<RowOperand>(rowOperand(Dims{2, 3, 4}, 1, own, "Scale"), [](const RowOperand& o) {
    return fmt::format("{} {}", dimsToText(o.stride), o.dense ? "dense" : "mapped");
  });
}
std::string skip(const Dims& input, const Dims& own, ElementType type = kF) {
  return textOf<SkipLayerSizes>(
      skipLayerSizes(*Tensor::create(kF, input), *Tensor::create(type, own)),
      [](const SkipLayerSizes& s) { return fmt::format("{} of {}, {}", s.rows, s.count, s.skipRows); });
}
std::string groups(const GroupNormSettings& settings, const Dims& dims, int64_t scales) {
  return textOf<GroupNormSizes>(groupNormSizes(settings, dims, scales, scales), [](const GroupNormSizes& s) {
    return fmt::format("{} of {}, {} cells{}", s.groups, s.perGroup, s.cells, s.scaleByGroup ? ", by group" : "");
  });
}
std::string image(const ImageGroupNormSettings& settings, const Dims& own) {
  const Tensor input = shaped(kF, {2, 4, 5, 6}), skipped = *Tensor::create(kF, own);
  const auto sizes = imageGroupNormSizes(settings, input.dims(), Dims{settings.channelsLast ? 6 : 4},
                                         Dims{settings.channelsLast ? 6 : 4});
  if (!sizes) return "! " + sizes.error().message;
  return textOf<bool>(skipIsWholeImage(settings, *sizes, input, skipped, nullptr),
                      [](const bool& whole) { return std::string(whole ? "whole" : "pooled"); });
}
std::string batch(Attributes list, int32_t version, size_t outputs) {
  NodeCase made = nodeOf("BatchNormalization", std::move(list), {kF, kF, kF, kF, kF}, version);
  for (size_t slot = 1; slot < outputs; ++slot)
    made.graph.setNodeOutput(made.id, slot, made.graph.addValue(fmt::format("more{}", slot)));
  return textOf<BatchNormSettings>(readBatchNormalization(made.node()), [](const BatchNormSettings& s) {
    return fmt::format("{} {}", s.training ? "trains" : "infers", s.perActivation ? "by place" : "by channel");
  });
}

std::string split(const SoftmaxSettings& settings, const Dims& dims) {
  return textOf<AxisSplit>(softmaxSplit(settings, dims),
                           [](const AxisSplit& s) { return fmt::format("{} {} {}", s.outer, s.length, s.inner); });
}
std::string biasRows(int64_t axis, const Dims& dims, const Dims& bias) {
  const auto found = biasSoftmaxSplit({.axis = axis}, dims);
  if (!found) return "! " + found.error().message;
  return textOf<int64_t>(biasSoftmaxRows(*found, *Tensor::create(kF, dims), *Tensor::create(kF, bias)),
                         [](const int64_t& count) { return fmt::format("{}", count); });
}

std::string loss(const Dims& scores, const Dims& labels, std::optional<Dims> weights = {}, ElementType type = kL) {
  const Tensor given = *Tensor::create(kF, weights.value_or(Dims{}));
  return textOf<CrossEntropySizes>(
      crossEntropySizes(*Tensor::create(kF, scores), *Tensor::create(type, labels), weights ? &given : nullptr),
      [](const CrossEntropySizes& s) { return fmt::format("{} {} {}", s.batch, s.classes, s.places); });
}

std::string reduced(const ReductionSettings& settings, const Dims& dims) {
  const auto axes = reducedAxes(settings, nullptr, dims.size());
  if (!axes) return "! " + axes.error().message;
  return textOf<ReductionPlan>(ReductionPlan::make(dims, *axes, settings.keepDims), [](const ReductionPlan& p) {
    std::string text = fmt::format("{}: {} of {}, kept", dimsToText(p.outputDims), p.outputCount, p.reducedCount);
    for (size_t i = 0; i < p.keptGroups; ++i)
      text += fmt::format(" {}/{}", p.kept[i].extent, p.kept[i].stride);
    text += ", reduced";
    for (size_t i = 0; i < p.reducedGroups; ++i)
      text += fmt::format(" {}/{}", p.reduced[i].extent, p.reduced[i].stride);
    return text;
  });
}
std::string extreme(const ArgExtremeSettings& settings, const Dims& dims) {
  return textOf<ArgExtremeSizes>(argExtremeSizes(settings, dims), [](const ArgExtremeSizes& s) {
    return fmt::format("{} {} {} {}", dimsToText(s.outputDims), s.outputs, s.length, s.inner);
  });
}

std::string scales(const Dims& dims, const Dims& scale, int64_t axis, int64_t block) {
  return textOf<ScaleBlocks>(scaleBlocks(dims, scale, axis, block), [](const ScaleBlocks& s) {
    return fmt::format("{} {} {} by {}{}", s.outer, s.length, s.inner, s.block,
                       s.blocked ? fmt::format(", {} blocks", s.blocks()) : "");
  });
}
std::string quantized(ElementType named, ElementType zero) {
  return textOf<ElementType>(quantizedType({.outputType = named}, zero),
                             [](const ElementType& type) { return std::string(elementTypeName(type)); });
}

std::string product(const Dims& a, const Dims& b, MatMulTransposes transposes = {}) {
  return textOf<MatMulShape>(matMulShape(a, b, transposes), [](const MatMulShape& s) {
    std::string text = fmt::format("{}: {}x{}x{} of {}/{}", dimsToText(s.output()), s.rows, s.depth, s.columns,
                                   s.rowStrideA, s.rowStrideB);
    for (size_t axis = 0; axis < s.batchRank; ++axis)
      text += fmt::format(" {}:{}/{}", s.batch[axis], s.strideA[axis], s.strideB[axis]);
    return text;
  });
}
std::string gemm(const GemmSettings& settings, const Dims& a, const Dims& b, std::optional<Dims> c = {}) {
  return textOf<GemmShape>(gemmShape(settings, a, b, c ? std::optional<std::span<const int64_t>>(*c) : std::nullopt),
                           [](const GemmShape& s) {
                             return fmt::format("{}x{}x{} {}/{}", s.rows, s.depth, s.columns, s.rowStrideC,
                                                s.columnStrideC);
                           });
}
std::string pool(const LinearPoolSettings& settings, const Dims& dims) {
  return textOf<GlobalPoolSizes>(globalLinearPoolSizes(settings, dims), [](const GlobalPoolSizes& s) {
    return fmt::format("{} {} of {}", dimsToText(s.outputDims), s.channels, s.cells);
  });
}

// Ids [2, 3], tables of 10, 6 and 2 rows of 4, and what `change` makes of them.
std::string embedded(const std::function<void(EmbedOperands&)>& change) {
  const Tensor ids = shaped(kL, {2, 3}), words = shaped(kF, {10, 4}), places = shaped(kF, {6, 4}),
               segments = shaped(kF, {2, 4}), row = shaped(kF, {4});
  EmbedOperands operands{
      .words = &ids, .segments = &ids, .tables = {&words, &places, &segments}, .gamma = &row, .beta = &row};
  change(operands);
  return textOf<EmbedSizes>(embedSizes(operands), [](const EmbedSizes& s) {
    return fmt::format("{} of {} {} {}, {} positions", dimsToText(s.outputDims()), s.rows[0], s.rows[1], s.rows[2],
                       s.positionIds);
  });
}

}  // namespace

class TestOperatorSizes : public QObject {
  Q_OBJECT

 private slots:
  void equations() {
    compareTexts({
        {"product", einsum("ij,jk->ik", {{2, 3}, {3, 4}}), "[2,4] of 3: 3/0 0/1 1/4"},
        {"without an arrow", einsum("ij,jk", {{2, 3}, {3, 4}}), "[2,4] of 3: 3/0 0/1 1/4"},
        {"capitals come first", einsum("bA", {{2, 3}}), "[3,2] of 2: 1 3"},
        {"diagonal", einsum("ii->i", {{3, 3}}), "[3] of 1: 4"},
        {"trace", einsum("ii", {{3, 3}}), "[] of 1: 4"},
        {"ellipsis", einsum("...ij->...ji", {{5, 2, 3}}), "[5,3,2] of 3: 6 1 3"},
        {"ellipses of two ranks", einsum("...i,...i->...", {{5, 2, 3}, {2, 3}}), "[5,2] of 3: 6/0 3/3 1/1"},
        {"broadcast", einsum("ij,ij->ij", {{1, 3}, {2, 3}}), "[2,3] of 2: 0/3 1/1"},
        {"spaces", einsum(" i j -> j i ", {{2, 3}}), "[3,2] of 2: 1 3"},
        {"terms", einsum("ij", {{2, 3}, {3, 4}}), "! has 1 terms for 2 inputs"},
        {"unknown letter", einsum("ij->k", {{2, 3}}), "! repeats or stands in no input"},
        {"output letter twice", einsum("ij->ii", {{2, 3}}), "! repeats or stands in no input"},
        {"sign", einsum("i1->i", {{2, 3}}), "! '1' has no place in an equation"},
        {"two ellipses", einsum("...i...->i", {{2, 3}}), "! a term has two ellipses"},
        {"rank", einsum("ijk->i", {{2, 3}}), "! input 0 [2,3] does not fit its term"},
        {"extents", einsum("i,i->i", {{2}, {3}}), "! has extent 3 where another has 2"},
    });
  }

  void products() {
    compareTexts({
        {"matrices", product({2, 3}, {3, 4}), "[2,4]: 2x3x4 of 3/4"},
        {"row", product({3}, {3, 4}), "[4]: 1x3x4 of 3/4"},
        {"column", product({2, 3}, {3}), "[2]: 2x3x1 of 3/1"},
        {"numbers", product({3}, {3}), "[]: 1x3x1 of 3/1"},
        {"batches", product({5, 2, 3}, {5, 3, 4}), "[5,2,4]: 2x3x4 of 3/4 5:6/12"},
        {"one B", product({5, 2, 3}, {3, 4}), "[5,2,4]: 2x3x4 of 3/4 5:6/0"},
        {"broadcast", product({5, 1, 2, 3}, {7, 3, 4}), "[5,7,2,4]: 2x3x4 of 3/4 5:6/0 7:0/12"},
        {"transposed", product({3, 2}, {4, 3}, {.a = true, .b = true}), "[2,4]: 2x3x4 of 2/3"},
        {"batch inside", product({2, 5, 3}, {5, 3, 4}, {.batchA = true}), "[5,2,4]: 2x3x4 of 15/4 5:3/12"},
        {"depth", product({2, 3}, {4, 5}), "! MatMul: [2,3] and [4,5] do not fit together"},
        {"batch", product({2, 2, 3}, {5, 3, 4}), "! do not broadcast"},
        {"scalar", product({}, {3, 4}), "! MatMul needs operands of rank 1 to 12"},
        {"Gemm", gemm({}, {2, 3}, {3, 4}), "2x3x4 0/0"},
        {"Gemm turned", gemm({.transposeA = true, .transposeB = true}, {3, 2}, {4, 3}), "2x3x4 0/0"},
        {"C of a row", gemm({}, {2, 3}, {3, 4}, Dims{4}), "2x3x4 0/1"},
        {"C of a column", gemm({}, {2, 3}, {3, 4}, Dims{2, 1}), "2x3x4 1/0"},
        {"C of all", gemm({}, {2, 3}, {3, 4}, Dims{2, 4}), "2x3x4 4/1"},
        {"C of one", gemm({}, {2, 3}, {3, 4}, Dims{}), "2x3x4 0/0"},
        {"C of three axes", gemm({}, {2, 3}, {3, 4}, Dims{1, 2, 4}), "! C is [1,2,4], which does not broadcast"},
        {"C", gemm({}, {2, 3}, {3, 4}, Dims{3}), "! which does not broadcast to [2,4]"},
        {"rank", gemm({}, {1, 2, 3}, {3, 4}), "! Gemm needs two matrices"},
        {"Gemm's depth", gemm({}, {2, 3}, {4, 3}), "! Gemm: [2,3] and [4,3] do not fit together"},
    });
  }

  void biasesAndPools() {
    const Tensor x = shaped(kF, {2, 3, 4}), row = shaped(kF, {4}), rows = shaped(kF, {3, 4}), half = shaped(kH, {4});
    const auto dims = [](const Dims& d) { return dimsToText(d); };
    compareTexts({
        {"row", textOf(checkBiasOfLastAxes(x, row, 1)), "ok"},
        {"rows", textOf(checkBiasOfLastAxes(x, rows)), "ok"},
        {"rows where one will do", textOf(checkBiasOfLastAxes(x, rows, 1)), "! bias [3,4] does not fit"},
        {"whole input", textOf(checkBiasOfLastAxes(x, x)), "ok"},
        {"type", textOf(checkBiasOfLastAxes(x, half)), "! bias [4] does not fit the last axes of [2,3,4]"},
        {"halves", textOf<Dims>(splitGeluDims(Dims{2, 6}), dims), "[2,3]"},
        {"no halves", textOf<Dims>(splitGeluDims(Dims{2, 5}), dims), "! the last axis of [2,5] has no halves"},
        {"pool", pool({}, {2, 3, 4, 5}), "[2,3,1,1] 3 of 20"},
        {"pool, channels last", pool({.channelsLast = true}, {2, 3, 4, 5}), "[2,1,1,5] 5 of 12"},
        {"pool of rank 2", pool({}, {2, 3}), "! QLinearGlobalAveragePool needs an input of rank 3 or more"},
    });
    QVERIFY(!*readTrainingMode("Op", nullptr));
    QVERIFY(!readTrainingMode("Op", &row));
    QVERIFY(!checkFirstInputs(nodeOf("Op", {}, {kF, kNone}).node(), 2));
    QVERIFY(checkFirstInputs(nodeOf("Op", {}, {kF, kNone}).node(), 1).has_value());
  }

  void embeddings() {
    const Tensor ids = shaped(kL, {2, 3}), once = shaped(kL, {1, 3}), floats = shaped(kF, {2, 3}),
                 wide = shaped(kF, {10, 5}), few = shaped(kF, {2, 4}), none = shaped(kF, {0, 4}), row = shaped(kF, {4});
    compareTexts({
        {"all", embedded([](EmbedOperands&) {}), "[2,3,4] of 10 6 2, 0 positions"},
        {"positions", embedded([&](EmbedOperands& o) { o.positions = &ids; }), "[2,3,4] of 10 6 2, 6 positions"},
        {"positions for all", embedded([&](EmbedOperands& o) { o.positions = &once; }),
         "[2,3,4] of 10 6 2, 3 positions"},
        {"no segments", embedded([](EmbedOperands& o) { o.segments = o.tables[kSegmentTable] = nullptr; }),
         "[2,3,4] of 10 6 0, 0 positions"},
        {"segments without a table", embedded([](EmbedOperands& o) { o.tables[kSegmentTable] = nullptr; }),
         "! segment_ids and segment_embedding come together"},
        {"segments for all", embedded([&](EmbedOperands& o) { o.segments = &once; }),
         "! segment_ids is int64 [1,3], not integers [2,3]"},
        {"ids that are none", embedded([&](EmbedOperands& o) { o.words = &floats; }), "! input_ids is float [2,3]"},
        {"ids of rank 1", embedded([&](EmbedOperands& o) { o.words = &row; }), "! both must have rank 2"},
        {"width", embedded([&](EmbedOperands& o) { o.tables[kPositionTable] = &wide; }),
         "! position_embedding is [10,5], not [rows,4]"},
        {"too few places", embedded([&](EmbedOperands& o) { o.tables[kPositionTable] = &few; }),
         "! 3 positions, the table has 2 rows"},
        {"no rows", embedded([&](EmbedOperands& o) { o.tables[kWordTable] = &none; }), "! word_embedding has no rows"},
        {"no gamma", embedded([](EmbedOperands& o) { o.gamma = nullptr; }), "! gamma is absent"},
        {"beta", embedded([&](EmbedOperands& o) { o.beta = &few; }), "! beta is [2,4], not [4]"},
    });
    const EmbedSizes sizes{.batch = 2, .length = 3};
    QVERIFY(checkEmbedMask(sizes, shaped(ElementType::kInt32, {2, 3})).has_value());
    QVERIFY(!checkEmbedMask(sizes, ids));
    QVERIFY(!checkEmbedMask(sizes, shaped(ElementType::kInt32, {3, 2})));
  }

  void rowsOfNormalizations() {
    compareTexts({
        {"last axis", rows(-1, {2, 3, 4}), "2: 6 of 4"},
        {"two axes", rows(1, {2, 3, 4}), "1: 2 of 12"},
        {"outside", rows(3, {2, 3, 4}), "! axis 3 of [2,3,4]"},
        {"of a scalar", rows(-1, {}), "! axis -1 of []"},
        {"row", operand({3, 4}), "[0,4,1] dense"},
        {"row of one image", operand({1, 3, 4}), "[0,4,1] dense"},
        {"part of a row", operand({4}), "[0,0,1] mapped"},
        {"one number a line", operand({3, 1}), "[0,1,0] mapped"},
        {"all", operand({2, 3, 4}), "[12,4,1] mapped"},
        {"does not fit", operand({5}), "! Scale is [5], which does not broadcast to [2,3,4]"},
        {"too many axes", operand({1, 2, 3, 4}), "! Scale is [1,2,3,4], the input [2,3,4]"},
        {"skip", skip({2, 3, 4}, {2, 3, 4}), "6 of 4, 6"},
        {"skip without batch", skip({2, 3, 4}, {3, 4}), "6 of 4, 3"},
        {"skip of batch 1", skip({2, 3, 4}, {1, 3, 4}), "6 of 4, 3"},
        {"skip of a matrix", skip({3, 4}, {3, 4}), "3 of 4, 3"},
        {"skip of one row", skip({2, 3, 4}, {4}), "! skip is [4], which does not fit"},
        {"rank 4", skip({1, 2, 3, 4}, {1, 2, 3, 4}), "! must have rank 2 or 3"},
        {"type of skip", skip({3, 4}, {3, 4}, kH), "! skip is float16, the input float"},
    });
  }

  void groupsOfNormalizations() {
    compareTexts({
        {"instances", groups({}, {2, 4, 5}, 4), "4 of 1, 5 cells"},
        {"a scale a group", groups({.groups = 2, .scaleByGroup = true}, {2, 4, 5}, 2), "2 of 2, 5 cells, by group"},
        {"a scale a channel", groups({.groups = 2, .scaleByGroup = true}, {2, 4, 5}, 4), "2 of 2, 5 cells"},
        {"split", groups({.groups = 3}, {2, 4, 5}, 4), "! 4 channels do not split into 3 groups"},
        {"scales", groups({.groups = 2}, {2, 4, 5}, 2), "! scale and bias need 4 elements"},
        {"rank", groups({.groups = 1}, {4}, 4), "! rank 2 or more, not [4]"},
        {"whole skip", image({.groups = 2}, {2, 4, 5, 6}), "whole"},
        {"pooled skip", image({.groups = 2}, {2, 1, 1, 6}), "pooled"},
        {"pooled skip, channels first", image({.groups = 2, .channelsLast = false}, {2, 4, 1, 1}), "pooled"},
        {"skip of rank 2", image({.groups = 2}, {2, 6}), "pooled"},
        {"another skip", image({.groups = 2}, {2, 4, 1, 6}), "! skip is [2,4,1,6]"},
        {"groups", image({.groups = 4}, {2, 6}), "! 6 channels do not split into 4 groups"},
        {"inference", batch({}, 15, 1), "infers by channel"},
        {"training", batch({{"training_mode", int64_t{1}}}, 15, 3), "trains by channel"},
        {"outputs without training", batch({}, 15, 3), "! in training mode only (training_mode is 0)"},
        {"version 7 with outputs", batch({}, 7, 3), "trains by channel"},
        {"version 6 for inference", batch({{"is_test", int64_t{1}}, {"spatial", int64_t{0}}}, 6, 1), "infers by place"},
        {"version 6, outputs of inference", batch({{"is_test", int64_t{1}}}, 6, 3), "! (is_test is 1)"},
    });
    const NodeCase old = nodeOf("MeanVarianceNormalization", {{"across_channels", int64_t{1}}}, {kF}, 1),
                   now = nodeOf("MeanVarianceNormalization", {}, {kF}, 13);
    QCOMPARE(readMeanVariance(old.node()).axes, (std::vector<int64_t>{0, 2, 3, 1}));
    QCOMPARE(readMeanVariance(now.node()).axes, (std::vector<int64_t>{0, 2, 3}));
    QVERIFY(!readLpNormalization(nodeOf("LpNormalization", {{"p", int64_t{3}}}).node()));
    QCOMPARE(*lpNormAxis({.axis = -2}, Dims{2, 3, 4}), size_t{1});
    QVERIFY(!lpNormAxis({.axis = 3}, Dims{2, 3, 4}));
  }

  void softmaxes() {
    compareTexts({
        {"one axis", split({.axis = 1}, {2, 3, 4}), "2 3 4"},
        {"from the end", split({.axis = -1}, {2, 3, 4}), "6 4 1"},
        {"as a matrix", split({.axis = 1, .flatten = true}, {2, 3, 4}), "2 12 1"},
        {"behind the last axis", split({.axis = 3, .flatten = true}, {2, 3, 4}), "24 1 1"},
        {"outside", split({.axis = 3}, {2, 3, 4}), "! axis 3 of [2,3,4]"},
        {"scalar", split({.axis = 1}, {}), "1 1 1"},
        {"bias of all rows", biasRows(2, {2, 3, 4}, {2, 3, 4}), "6"},
        {"bias that repeats", biasRows(2, {2, 3, 4}, {1, 3, 4}), "3"},
        {"bias of part of a row", biasRows(1, {2, 3, 4}, {4}), "! does not repeat over"},
        {"axis of a bias", biasRows(3, {2, 3, 4}, {4}), "! BiasSoftmax: axis 3"},
    });
    QCOMPARE(readSoftmax(nodeOf("Softmax", {}, {kF}, 11).node()).axis, 1);
    QCOMPARE(readSoftmax(nodeOf("Softmax", {}, {kF}, 13).node()).axis, -1);
  }

  void losses() {
    compareTexts({
        {"classes", loss({4, 10}, {4}), "4 10 1"},
        {"places", loss({4, 10, 3, 5}, {4, 3, 5}, Dims{10}), "4 10 15"},
        {"labels", loss({4, 10, 3}, {4, 5}), "! labels [4,5] do not fit scores [4,10,3]"},
        {"rank", loss({10}, {}), "! do not fit scores"},
        {"type", loss({4, 10}, {4}, {}, kF), "! labels are float, not int32 or int64"},
        {"weights", loss({4, 10}, {4}, Dims{4}), "! do not fit 10 classes"},
    });
    QVERIFY(!readCrossEntropy(nodeOf("NegativeLogLikelihoodLoss", {{"reduction", "max"}}).node()));
    QVERIFY(readCrossEntropy(nodeOf("SoftmaxCrossEntropyLoss", {{"ignore_index", int64_t{0}}}).node())->hasIgnored);
  }

  void reductions() {
    compareTexts({
        {"last axis", reduced({.axes = {-1}}, {2, 3, 4}), "[2,3,1]: 6 of 4, kept 6/4, reduced 4/1"},
        {"middle", reduced({.axes = {1}, .keepDims = false}, {2, 3, 4}), "[2,4]: 8 of 3, kept 2/12 4/1, reduced 3/4"},
        {"merged", reduced({.axes = {0, 1}, .keepDims = false}, {2, 3, 4}), "[4]: 4 of 6, kept 4/1, reduced 6/4"},
        {"no axes are all", reduced({}, {2, 3}), "[1,1]: 1 of 6, kept, reduced 6/1"},
        {"no axes are none", reduced({.noopWithoutAxes = true}, {2, 3}), "[2,3]: 6 of 1, kept 6/1, reduced"},
        {"empty", reduced({.axes = {0}, .keepDims = false}, {0, 3}), "[3]: 3 of 0, kept, reduced"},
        {"outside", reduced({.axes = {2}}, {2, 3}), "! axis 2 is out of range for rank 2"},
        {"extreme", extreme({.axis = 1}, {2, 3, 4}), "[2,1,4] 8 3 4"},
        {"extreme from the end", extreme({.axis = -1, .keepDims = false}, {2, 3, 4}), "[2,3] 6 4 1"},
        {"extreme of a scalar", extreme({}, {}), "[] 1 1 1"},
        {"extreme of nothing", extreme({.axis = 1}, {2, 0}), "! axis 1 of [2,0] is empty"},
        {"no extremes at all", extreme({.axis = 1}, {0, 0}), "[0,1] 0 0 1"},
        {"extreme outside", extreme({.axis = 2}, {2, 3}), "! axis 2 is out of range"},
    });
    QCOMPARE(readReduction(nodeOf("ReduceSum", {{"axes", std::vector<int64_t>{1}}}, {kF}, 11).node()).axes.size(), 1u);
    QCOMPARE(readReduction(nodeOf("ReduceSum", {{"axes", std::vector<int64_t>{1}}}, {kF}, 13).node()).axes.size(), 0u);
    QCOMPARE(readReduction(nodeOf("ReduceMax", {{"axes", std::vector<int64_t>{1}}}, {kF}, 13).node()).axes.size(), 1u);
    QVERIFY(!reducedAxes({}, std::make_unique<Tensor>(shaped(ElementType::kInt32, {1})).get(), 2));
  }

  void quantization() {
    compareTexts({
        {"tensor", scales({2, 3, 4}, {}, 1, 0), "1 24 1 by 0"},
        {"tensor of one", scales({2, 3, 4}, {1}, 9, 0), "1 24 1 by 0"},
        {"axis", scales({2, 3, 4}, {3}, 1, 0), "2 3 4 by 1"},
        {"axis from the end", scales({2, 3, 4}, {4}, -1, 0), "6 4 1 by 1"},
        {"blocks", scales({2, 5, 4}, {2, 3, 4}, 1, 2), "2 5 4 by 2, 3 blocks"},
        {"blocks of nothing", scales({2, 0, 4}, {2, 0, 4}, 1, 2), "2 0 4 by 2, 0 blocks"},
        {"length", scales({2, 3, 4}, {4}, 1, 0), "! a scale [4] does not fit [2,3,4] along axis 1"},
        {"block rank", scales({2, 5, 4}, {3}, 1, 2), "! in blocks of 2"},
        {"negative block", scales({2, 5, 4}, {2, 3, 4}, 1, -2), "! in blocks of -2"},
        {"axis outside", scales({2, 3}, {2}, 2, 0), "! axis 2 is outside"},
        {"type of nothing", quantized(kNone, kNone), "uint8"},
        {"type as named", quantized(ElementType::kInt16, kNone), "int16"},
        {"type of the zero point", quantized(kNone, ElementType::kInt4), "int4"},
        {"two types", quantized(kU, ElementType::kInt8), "! output_dtype is uint8, the zero point is of type int8"},
    });
    QVERIFY(!checkDequantizedZeroPoint(kU, ElementType::kInt8));
    QVERIFY(!checkZeroPointCount(shaped(kU, {2}), shaped(kF, {3})));
  }
};

QTEST_GUILESS_MAIN(TestOperatorSizes)
#include "tst_operator_sizes.moc"
