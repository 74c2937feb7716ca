// Products and convolutions of 8-bit integers, and products with packed weights, on the emulator against cpu.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

const std::pair<ElementType, const char*> kBytes[] = {{ElementType::kInt8, "int8"}, {ElementType::kUint8, "uint8"}};

Tensor bytesOf(ElementType type, const std::vector<int64_t>& dims, uint32_t seed) {
  return type == ElementType::kInt8 ? randomOf(type, dims, seed, -128, 127) : randomOf(type, dims, seed, 0, 255);
}

}  // namespace

class TestCudaByteProducts : public QObject {
  Q_OBJECT
 private slots:
  // Small products are made by one functor, large ones as signed bytes by the library where there is one.
  void integers() {
    for (const auto& [a, nameA] : kBytes) {
      for (const auto& [b, nameB] : kBytes) {
        for (const int64_t size : {5, 48}) {
          CudaCase each{.nodes = "y = MatMulInteger (a, b, za, zb)",
                        .inputs = {{"a", bytesOf(a, {2, size, size + 16}, 1)},
                                   {"b", bytesOf(b, {size + 16, size + 3}, 2)},
                                   {"za", bytesOf(a, {}, 3)},
                                   {"zb", bytesOf(b, {size + 3}, 4)}},
                        .outputs = "int32 y"};
          QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
          each.nodes = "y = MatMulInteger (a, b)";
          each.inputs.resize(2);
          QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
          each.weights = {each.inputs[1]};
          each.inputs.resize(1);
          QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
        }
      }
    }
  }

  void dynamic() {
    for (const auto& [b, name] : kBytes) {
      const CudaCase each{.nodes = "y = com.microsoft.DynamicQuantizeMatMul (a, b, s, z, v)",
                          .inputs = {{"a", randomOf(ElementType::kFloat, {40, 64}, 1)},
                                     {"b", bytesOf(b, {64, 48}, 2)},
                                     {"s", randomOf(ElementType::kFloat, {48}, 3, 0.01, 0.02)},
                                     {"z", bytesOf(b, {48}, 4)},
                                     {"v", randomOf(ElementType::kFloat, {48}, 5)}},
                          .domains = {{"com.microsoft", 1}}};
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  void packed_data() {
    QTest::addColumn<int>("bits");
    QTest::addColumn<int>("rows");
    QTest::addColumn<bool>("zeros");
    for (const int bits : {2, 4, 8}) {
      for (const int rows : {1, 7, 20}) {
        for (const bool zeros : {false, true})
          QTest::newRow(qPrintable(QString("%1 bits, %2 rows%3").arg(bits).arg(rows).arg(zeros ? ", zero points" : "")))
              << bits << rows << zeros;
      }
    }
  }
  // K is no multiple of the block, and the last block is padded.
  void packed() {
    QFETCH(int, bits);
    QFETCH(int, rows);
    QFETCH(bool, zeros);
    constexpr int64_t kN = 11, kK = 70, kBlock = 32, kBlocks = 3;
    for (const auto& [type, name] : {std::pair{ElementType::kFloat, "float"}, {ElementType::kFloat16, "float16"}}) {
      CudaCase each{.nodes = "y = com.microsoft.MatMulNBits <N = 11, K = 70, block_size = 32, bits = " +
                             std::to_string(bits) + "> (a, b, s" + (zeros ? ", z)" : ")"),
                    .inputs = {{"a", randomOf(type, {rows, kK}, 1)}},
                    .outputs = std::string(name) + " y",
                    .weights = {{"b", bytesOf(ElementType::kUint8, {kN, kBlocks, kBlock * bits / 8}, 2)},
                                {"s", randomOf(type, {kN, kBlocks}, 3, 0.01, 0.02)}},
                    .domains = {{"com.microsoft", 1}}};
      if (zeros) each.weights.emplace_back("z", bytesOf(ElementType::kUint8, {kN, (kBlocks * bits + 7) / 8}, 4));
      QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
    }
  }

  void convolution() {
    for (const auto& [x, nameX] : kBytes) {
      for (const int64_t groups : {1, 2}) {
        const CudaCase each{
            .nodes = "y = QLinearConv <group = " + std::to_string(groups) +
                     ", pads = [1, 0, 1, 2], strides = [2, 1], dilations = [1, 2]> (x, xs, xz, w, ws, wz, ys, yz, b)",
            .inputs = {{"x", bytesOf(x, {2, 4, 9, 12}, 1)}},
            .outputs = std::string(nameX) + " y",
            .weights = {{"xs", randomOf(ElementType::kFloat, {}, 2, 0.01, 0.02)},
                        {"xz", bytesOf(x, {}, 3)},
                        {"w", bytesOf(ElementType::kInt8, {6, 4 / groups, 3, 3}, 4)},
                        {"ws", randomOf(ElementType::kFloat, {6}, 5, 0.01, 0.02)},
                        {"wz", bytesOf(ElementType::kInt8, {}, 6)},
                        {"ys", randomOf(ElementType::kFloat, {}, 7, 1, 2)},
                        {"yz", bytesOf(x, {}, 8)},
                        {"b", randomOf(ElementType::kInt32, {6}, 9, -1000, 1000)}}};
        QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestCudaByteProducts)
#include "tst_cuda_byte_products.moc"
