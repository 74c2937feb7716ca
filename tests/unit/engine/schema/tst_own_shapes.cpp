// Shapes that operators outside of onnx's registry give, where numbers of the file are beyond what one can add and
// multiply: unknown, and what is sensible stays as it is.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/schema/schema.h"

using namespace cutaway;

namespace {

// The type of y.
std::string inferred(const QByteArray& text) {
  Result<Model> model = parseModelText(text.toStdString());
  if (!model) return model.error().message;
  std::vector<InferenceWarning> warnings;
  if (const Result<void> done = inferGraph(*model, model->graph, {}, warnings); !done) return done.error().message;
  return toText(model->graph.value(model->graph.findValue("y")).type);
}

}  // namespace

class TestOwnShapes : public QObject {
  Q_OBJECT
 private slots:
  void sizes_data() {
    QTest::addColumn<QByteArray>("graph");
    QTest::addColumn<QByteArray>("wanted");
    const auto concat = [](const char* name, const char* a, const char* b, const char* wanted) {
      QTest::newRow(name) << QByteArray("g (uint8[") + a + ",2] a, uint8[" + b +
                                 ",2] b, float[] s, uint8[] z) => (y) { y = com.microsoft.QLinearConcat <axis = 0> (s, "
                                 "z, a, s, z, b, s, z) }"
                          << QByteArray(wanted);
    };
    concat("sum", "3", "4", "uint8[7,2]");
    concat("sum beyond int64", "4611686018427387904", "4611686018427387904", "uint8[?,2]");
    const auto pool = [](const char* name, const char* size, const char* attributes, const char* wanted) {
      QTest::newRow(name) << QByteArray("g (uint8[1,1,") + size +
                                 "] x, float[] s, uint8[] z) => (y) { y = com.microsoft.QLinearAveragePool <" +
                                 attributes + "> (x, s, z, s, z) }"
                          << QByteArray(wanted);
    };
    pool("window", "9", "kernel_shape = [3], strides = [2], pads = [1,1]", "uint8[1,1,5]");
    pool("window that covers all", "3", "kernel_shape = [3]", "uint8[1,1,1]");
    pool("window larger than all", "3", "kernel_shape = [4]", "uint8[1,1,?]");
    pool("same", "9", "kernel_shape = [3], strides = [2], auto_pad = \"SAME_UPPER\"", "uint8[1,1,5]");
    pool("same with the largest stride", "9",
         "kernel_shape = [3], strides = [9223372036854775807], auto_pad = \"SAME_UPPER\"", "uint8[1,1,1]");
    pool("largest window", "9", "kernel_shape = [9223372036854775807]", "uint8[1,1,?]");
    pool("least window", "9", "kernel_shape = [-9223372036854775808]", "uint8[1,1,?]");
    pool("largest pads", "9", "kernel_shape = [3], pads = [9223372036854775807,9223372036854775807]", "uint8[1,1,?]");
  }
  void sizes() {
    QFETCH(QByteArray, graph);
    QFETCH(QByteArray, wanted);
    QCOMPARE(inferred(R"(<ir_version: 8, opset_import: ["" : 17, "com.microsoft" : 1]> )" + graph),
             wanted.toStdString());
  }

  void crops_data() {
    QTest::addColumn<QByteArray>("border");
    QTest::addColumn<QByteArray>("wanted");
    QTest::newRow("some") << QByteArray("1,2,0,1") << QByteArray("float[1,1,3,3]");
    QTest::newRow("more than there is") << QByteArray("9,9,0,0") << QByteArray("float[1,1,?,?]");
    QTest::newRow("largest") << QByteArray("9223372036854775807,9223372036854775807,9223372036854775807,1")
                             << QByteArray("float[1,1,?,?]");
    QTest::newRow("least") << QByteArray("0,-9223372036854775808,0,0") << QByteArray("float[1,1,?,4]");
  }
  void crops() {
    QFETCH(QByteArray, border);
    QFETCH(QByteArray, wanted);
    const QByteArray text =
        R"(<ir_version: 3, opset_import: ["" : 5]> g (float[1,1,6,4] x) => (y) { y = Crop <border = [)" + border +
        "]> (x) }";
    QCOMPARE(inferred(text), wanted.toStdString());
  }
};

QTEST_GUILESS_MAIN(TestOwnShapes)
#include "tst_own_shapes.moc"
