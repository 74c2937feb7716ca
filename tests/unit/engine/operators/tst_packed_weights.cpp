// MatMulNBits, MatMulBnb4 and GatherBlockQuantized: attributes and sizes, a case a line.

#include "engine/operators/packed_weights.h"
#include "tests/unit/engine/operators/operator_case.h"

using namespace cutaway;
using namespace cutaway::operators;

namespace {

constexpr ElementType kF = ElementType::kFloat, kU = ElementType::kUint8, kL = ElementType::kInt64,
                      kInt4 = ElementType::kInt4, kF8 = ElementType::kFloat8E4M3FN;

using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

Attributes with(Attributes list, std::string name, int64_t value) {
  for (auto& [known, old] : list) {
    if (known == name) old = value;
  }
  if (std::ranges::none_of(list, [&](const auto& each) { return each.first == name; })) list.emplace_back(name, value);
  return list;
}

const Attributes kNbits{{"N", int64_t{6}}, {"K", int64_t{40}}, {"block_size", int64_t{16}}, {"bits", int64_t{4}}};
const Attributes kBnb4{{"N", int64_t{3}}, {"K", int64_t{11}}, {"block_size", int64_t{16}}, {"quant_type", int64_t{1}}};

std::string nbits(Attributes list, std::vector<ElementType> inputs = {kF, kU, kF}) {
  return textOf<NbitsWeights>(
      readNbits(nodeOf("MatMulNBits", std::move(list), std::move(inputs)).node()),
      [](const NbitsWeights& w) { return fmt::format("{}x{} {} {} {}", w.n, w.k, w.blocks(), w.zeroBytes(), w.bits); });
}

std::string weights(const Tensor& b, const Tensor& scales, const Tensor* zeros = nullptr) {
  return textOf(checkNbitsWeights({.n = 6, .k = 40, .blockSize = 16, .bits = 4}, b, scales, zeros));
}

std::string bnb4(Attributes list, std::vector<ElementType> inputs = {kF, kU, kF}) {
  return textOf<TableWeights>(
      readBnb4(nodeOf("MatMulBnb4", std::move(list), std::move(inputs)).node()), [](const TableWeights& w) {
        return fmt::format("{} in {}, {} to {}, {}", w.numbers(), w.blocks(), w.depth(), w.columns(), (*w.table)[0]);
      });
}

std::string gather(Attributes list, std::vector<ElementType> inputs) {
  const NodeCase made = nodeOf("GatherBlockQuantized", std::move(list), std::move(inputs));
  return textOf<GatherBlockSettings>(
      readGatherBlockQuantized(made.graph, made.node()), [](const GatherBlockSettings& s) {
        return fmt::format("{} {} {} {}", s.bits, s.blockSize, s.quantizeAxis, s.gatherAxis);
      });
}

std::string layout(const GatherBlockSettings& settings, ElementType type, const Dims& data, const Dims& indices,
                   const Dims& scales, std::optional<Dims> zeros = {}) {
  return textOf<GatherBlockLayout>(
      gatherBlockLayout(settings, *Tensor::create(type, data), indices, scales, zeros ? &*zeros : nullptr),
      [](const GatherBlockLayout& l) {
        return fmt::format("{} inner {}, scales {} {}, zeros {} {}", dimsToText(l.outputDims), l.inner,
                           l.scaleStride[0], l.scaleStride[1], l.zeroStride[0], l.zeroStride[1]);
      });
}

}  // namespace

class TestPackedWeights : public QObject {
  Q_OBJECT

 private slots:
  void bits() {
    compareTexts({
        {"four", nbits(kNbits), "6x40 3 2 4"},
        {"two", nbits(with(kNbits, "bits", 2)), "6x40 3 1 2"},
        {"three", nbits(with(kNbits, "bits", 3)), "! MatMulNBits of 3 bits; 2, 4 and 8 are known"},
        {"no rows", nbits(with(kNbits, "N", 0)), "! N is 0, K is 40"},
        {"too deep", nbits(with(kNbits, "K", int64_t{1} << 31)), "! K is 2147483648"},
        {"block of 8", nbits(with(kNbits, "block_size", 8)), "! block_size is 8, not a power of two"},
        {"block of 24", nbits(with(kNbits, "block_size", 24)), "! block_size is 24"},
        {"huge block", nbits(with(kNbits, "block_size", int64_t{1} << 21)), "! block_size is 2097152"},
        {"prepacked", nbits(with(kNbits, "weight_prepacked", 1)), "! packed for another device"},
        {"no scales", nbits(kNbits, {kF, kU}), "! needs A, B and scales"},
    });
    const Tensor b = shaped(kU, {6, 3, 8}), scales = shaped(kF, {6, 3}), zeros = shaped(kU, {6, 2}),
                 wide = shaped(kF, {18}), few = shaped(kU, {6, 1});
    compareTexts({
        {"fit", weights(b, scales), "ok"},
        {"packed zeros", weights(b, scales, &zeros), "ok"},
        {"a number a block", weights(b, scales, &wide), "ok"},
        {"zeros", weights(b, scales, &few), "! zero_points are [6,1], not 12 numbers"},
        {"bytes", weights(shaped(kU, {6, 3, 4}), scales), "! B is uint8 [6,3,4], not 144 bytes"},
        {"type", weights(shaped(ElementType::kInt8, {6, 3, 8}), scales), "! B is int8"},
        {"scales", weights(b, shaped(kF, {6})), "! scales are [6], not [6,3]"},
    });
    const NbitsWeights form{.n = 6, .k = 40, .blockSize = 16};
    const Tensor groups = shaped(ElementType::kInt32, {40}), bias = shaped(kF, {6});
    QCOMPARE(textOf(checkNbitsOperands(form, kF, &groups, &bias)), std::string("ok"));
    QVERIFY(!checkNbitsOperands(form, ElementType::kFloat16, nullptr, &bias));
    QVERIFY(!checkNbitsOperands(form, kF, &bias, nullptr));
    QCOMPARE(textOf<Dims>(packedProductDims("Op", Dims{2, 5, 40}, 40, 6), [](const Dims& d) { return dimsToText(d); }),
             std::string("[2,5,6]"));
    QVERIFY(!packedProductDims("Op", Dims{}, 40, 6));
    QVERIFY(!packedProductDims("Op", Dims{40, 5}, 40, 6));
  }

  void tables() {
    compareTexts({
        {"normal floats", bnb4(kBnb4), "33 in 3, 11 to 3, -1"},
        {"4-bit floats", bnb4(with(kBnb4, "quant_type", 0)), "33 in 3, 11 to 3, 0"},
        {"not transposed", bnb4(with(kBnb4, "transB", 0)), "33 in 3, 3 to 11, -1"},
        {"table", bnb4(with(kBnb4, "quant_type", 2)), "! only 0 and 1 are defined"},
        {"block", bnb4(with(kBnb4, "block_size", 17)), "! block_size is 17"},
        {"absmax", bnb4(kBnb4, {kF, kU}), "! needs A, B and absmax"},
    });
    const TableWeights form = *readBnb4(nodeOf("MatMulBnb4", kBnb4, {kF, kU, kF}).node());
    QCOMPARE(textOf(checkBnb4Weights(form, shaped(kU, {17, 1}), shaped(kF, {3}))), std::string("ok"));
    QVERIFY(!checkBnb4Weights(form, shaped(kU, {16, 1}), shaped(kF, {3})));
    QVERIFY(!checkBnb4Weights(form, shaped(kU, {17, 1}), shaped(kF, {2})));
  }

  void gathering() {
    compareTexts({
        {"defaults", gather({}, {kInt4, kL, kF}), "4 128 1 0"},
        {"bits", gather({{"bits", int64_t{3}}}, {kU, kL, kF}), "! bits is 3, not 2, 4 or 8"},
        {"whole axis", gather({{"block_size", int64_t{0}}}, {kF8, kL, kF}), "4 0 1 0"},
        {"whole axis of integers", gather({{"block_size", int64_t{0}}}, {kInt4, kL, kF}), "! block_size is 0"},
        {"zeros of floats", gather({}, {kF8, kL, kF, kF8}), "! has no zero points"},
        {"zeros of another type", gather({}, {kInt4, kL, kF, kU}), "! zero_points are uint8, the data int4"},
        {"rows", layout({.blockSize = 16}, kInt4, {5, 40}, {2, 3}, {5, 3}), "[2,3,40] inner 40, scales 3 1, zeros 3 1"},
        {"bytes", layout({.bits = 4, .blockSize = 16}, kU, {5, 20}, {2}, {5, 3}, Dims{5, 2}),
         "[2,40] inner 40, scales 3 1, zeros 4 1"},
        {"columns", layout({.blockSize = 16, .quantizeAxis = 1, .gatherAxis = -1}, kInt4, {5, 40}, {}, {5, 3}),
         "[5] inner 1, scales 3 1, zeros 3 1"},
        {"shared scale", layout({.blockSize = 16}, kF8, {5, 40}, {2}, {1, 3}),
         "[2,40] inner 40, scales 0 1, zeros 3 1"},
        {"axis", layout({.blockSize = 16, .quantizeAxis = 2}, kInt4, {5, 40}, {2}, {5, 3}), "! quantize_axis 2"},
        {"bytes along the gathered axis",
         layout({.bits = 4, .blockSize = 16, .quantizeAxis = 0}, kU, {5, 20}, {2}, {1, 40}), "! of packed bytes"},
        {"scales", layout({.blockSize = 16}, kInt4, {5, 40}, {2}, {5, 2}), "! axis 1 should be 3"},
        {"scales of another rank", layout({.blockSize = 16}, kInt4, {5, 40}, {2}, {15}), "! scales are [15]"},
        {"zeros", layout({.bits = 4, .blockSize = 16}, kU, {5, 20}, {2}, {5, 3}, Dims{5, 3}), "! axis 1 should be 2"},
        {"indices", layout({.blockSize = 16}, kInt4, {5, 40}, {1, 1, 1, 1, 1, 1, 1, 1, 1}, {5, 3}),
         "! indices of rank 9"},
    });
  }
};

QTEST_GUILESS_MAIN(TestPackedWeights)
#include "tst_packed_weights.moc"
