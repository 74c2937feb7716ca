// RNN, GRU and LSTM on the emulator against cpu: directions, layouts, lengths, first states, peepholes, clip,
// activations, types.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

struct Kind {
  const char* op;
  int64_t gates;
  bool cell;
};
constexpr Kind kKinds[] = {{"RNN", 1, false}, {"GRU", 3, false}, {"LSTM", 4, true}};

}  // namespace

class TestCudaRecurrent : public QObject {
  Q_OBJECT
 private slots:
  void agrees_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("direction");
    QTest::addColumn<QString>("more");
    QTest::addColumn<int>("type");
    for (int kind = 0; kind < 3; ++kind) {
      for (const char* direction : {"forward", "reverse", "bidirectional"}) {
        for (const char* more : {"", ", layout = 1", ", clip = 0.4"}) {
          QTest::newRow(qPrintable(QString("%1 %2%3").arg(kKinds[kind].op, direction, more)))
              << kind << QString(direction) << QString(more) << int(ElementType::kFloat);
        }
      }
      for (const ElementType type : {ElementType::kDouble, ElementType::kFloat16})
        QTest::newRow(qPrintable(QString("%1 %2").arg(kKinds[kind].op).arg(int(type))))
            << kind << QString("bidirectional") << QString() << int(type);
    }
    QTest::newRow("GRU linear before reset")
        << 1 << QString("bidirectional") << QString(", linear_before_reset = 1") << int(ElementType::kFloat);
    QTest::newRow("LSTM input forget") << 2 << QString("forward") << QString(", input_forget = 1")
                                       << int(ElementType::kFloat);
    QTest::newRow("LSTM activations") << 2 << QString("forward")
                                      << QString(
                                             ", activations = [\"HardSigmoid\", \"ScaledTanh\", \"Affine\"], "
                                             "activation_alpha = [0.25, 1.5, 0.5], activation_beta = [0.4, 0.8, 0.1]")
                                      << int(ElementType::kFloat);
    QTest::newRow("RNN relu") << 0 << QString("forward") << QString(", activations = [\"Relu\"]")
                              << int(ElementType::kFloat);
  }
  void agrees() {
    QFETCH(int, kind);
    QFETCH(QString, direction);
    QFETCH(QString, more);
    QFETCH(int, type);
    const Kind& k = kKinds[kind];
    constexpr int64_t kSteps = 5, kBatch = 3, kInput = 7, kHidden = 10;
    const int64_t directions = direction == "bidirectional" ? 2 : 1;
    const bool batchFirst = more.contains("layout");
    const auto element = ElementType(type);
    const auto random = [&](const std::vector<int64_t>& dims, uint32_t seed) {
      return randomOf(element, dims, seed, -0.5, 0.5);
    };
    const std::vector<int64_t> state = batchFirst ? std::vector<int64_t>{kBatch, directions, kHidden}
                                                  : std::vector<int64_t>{directions, kBatch, kHidden};
    CudaCase each;
    each.inputs = {{"x", random(batchFirst ? std::vector<int64_t>{kBatch, kSteps, kInput}
                                           : std::vector<int64_t>{kSteps, kBatch, kInput},
                                1)},
                   {"h", random(state, 2)},
                   {"n", tensorOf(ElementType::kInt32, {kBatch}, {5, 2, 0})}};
    each.weights = {{"w", random({directions, k.gates * kHidden, kInput}, 3)},
                    {"r", random({directions, k.gates * kHidden, kHidden}, 4)},
                    {"b", random({directions, 2 * k.gates * kHidden}, 5)}};
    const std::string name = element == ElementType::kFloat    ? "float"
                             : element == ElementType::kDouble ? "double"
                                                               : "float16";
    if (k.cell) {
      each.inputs.emplace_back("c", random(state, 6));
      each.weights.emplace_back("p", random({directions, 3 * kHidden}, 7));
    }
    each.nodes = std::string(k.cell ? "y, yh, yc = " : "y, yh = ") + k.op + " <hidden_size = 10, direction = \"" +
                 direction.toStdString() + "\"" + more.toStdString() + "> (x, w, r, b, n, h" +
                 (k.cell ? ", c, p)" : ")");
    each.outputs = name + " y, " + name + " yh" + (k.cell ? ", " + name + " yc" : "");
    QCOMPARE(QString::fromStdString(differenceOf(each)), QString());
  }
};

QTEST_GUILESS_MAIN(TestCudaRecurrent)
#include "tst_cuda_recurrent.moc"
