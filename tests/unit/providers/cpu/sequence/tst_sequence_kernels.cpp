// Sequences and optionals: positions from both ends, pieces, and values that must not change behind their backs.

#include <numeric>

#include <QtTest>

#include "engine/graph/text.h"
#include "providers/cpu/kernels/kernel_table.h"
#include "tests/unit/providers/cpu/graph_interpreter.h"

using namespace cutaway;

namespace {

Result<std::vector<RuntimeValue>> runText(const std::string& text, std::span<const RuntimeValue> inputs) {
  CUTAWAY_TRY(Model model, parseModelText("<ir_version: 10, opset_import: [\"\" : 21]>\n" + text));
  CUTAWAY_CHECK(testing::prepareForKernels(model));
  testing::GraphInterpreter interpreter(cpu::cpuKernels());
  return interpreter.run(model.graph, inputs);
}

RuntimeValue vectorOf(std::initializer_list<float> values) {
  return Tensor::of<float>(std::vector<float>(values));
}

std::vector<float> values(const RuntimeValue& value) {
  if (!value.isTensor()) return {};
  const std::span<const float> span = value.tensor().span<float>();
  return {span.begin(), span.end()};
}

const std::string kThree =
    "main (float[1] a, float[1] b, float[1] c, int64 p) => (float[1] y) {\n  s = SequenceConstruct (a, b, c)\n";

Result<std::vector<RuntimeValue>> runThree(const std::string& rest, int64_t position) {
  const std::vector<RuntimeValue> inputs{vectorOf({1}), vectorOf({2}), vectorOf({3}), Tensor::scalar(position)};
  return runText(kThree + rest + "}", inputs);
}

}  // namespace

class TestSequenceKernels : public QObject {
  Q_OBJECT
 private slots:
  void positions_data() {
    QTest::addColumn<qint64>("position");
    for (const int64_t position : {-5, -4, -3, -1, 0, 2, 3, 4})
      QTest::newRow(qPrintable(QString::number(position))) << qint64(position);
  }
  void positions() {
    QFETCH(qint64, position);
    std::vector<float> items{1, 2, 3};
    const bool inside = position >= -3 && position < 3;
    const size_t place = static_cast<size_t>(position < 0 ? position + 3 : position);

    const auto item = runThree("  y = SequenceAt (s, p)\n", position);
    QCOMPARE(item.has_value(), inside);
    if (inside)
      QCOMPARE(values((*item)[0]), std::vector<float>{items[place]});
    else
      QCOMPARE(item.error().code, ErrorCode::kInvalidArgument);

    const auto erased = runThree("  t = SequenceErase (s, p)\n  y = ConcatFromSequence <axis = 0> (t)\n", position);
    QCOMPARE(erased.has_value(), inside);
    const auto inserted =
        runThree("  t = SequenceInsert (s, a, p)\n  y = ConcatFromSequence <axis = 0> (t)\n", position);
    QCOMPARE(inserted.has_value(), inside || position == 3);
    if (inserted) {
      std::vector<float> wanted = items;
      wanted.insert(wanted.begin() + static_cast<std::ptrdiff_t>(place), 1.0f);
      QCOMPARE(values((*inserted)[0]), wanted);
    }
    if (inside) {
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
      QCOMPARE(values((*erased)[0]), items);
    }
  }

  void emptySequencesAreRefused() {
    const auto joined =
        runText("main (int64 p) => (float[n] y) {\n  s = SequenceEmpty ()\n  y = ConcatFromSequence <axis = 0> (s)\n}",
                std::vector<RuntimeValue>{Tensor::scalar<int64_t>(0)});
    QVERIFY(!joined);
    const auto item = runText("main (int64 p) => (float[n] y) {\n  s = SequenceEmpty ()\n  y = SequenceAt (s, p)\n}",
                              std::vector<RuntimeValue>{Tensor::scalar<int64_t>(0)});
    QVERIFY(!item);
  }

  void piecesComeTogetherAgain_data() {
    QTest::addColumn<QString>("split");
    QTest::addColumn<int>("items");
    QTest::newRow("one by one") << "" << 5;
    QTest::newRow("by two") << "2" << 3;
    QTest::newRow("by seven") << "7" << 1;
  }
  void piecesComeTogetherAgain() {
    QFETCH(QString, split);
    QFETCH(int, items);
    const std::string lengths = split.isEmpty() ? "" : ", k";
    const std::string text =
        "main (float[2,5] x, int64 k) => (float[2,5] y, int64 n) {\n  s = SplitToSequence <axis = 1> (x" + lengths +
        ")\n  y = ConcatFromSequence <axis = 1> (s)\n  n = SequenceLength (s)\n}";
    Tensor x = *Tensor::create(ElementType::kFloat, {2, 5});
    std::iota(x.span<float>().begin(), x.span<float>().end(), 0.0f);
    const auto outputs =
        runText(text, std::vector<RuntimeValue>{x, Tensor::scalar<int64_t>(split.isEmpty() ? 1 : split.toLongLong())});
    QVERIFY2(outputs.has_value(), outputs ? "" : describe(outputs.error()).c_str());
    QCOMPARE(values((*outputs)[0]), values(RuntimeValue(x)));
    QCOMPARE((*outputs)[1].tensor().span<int64_t>()[0], int64_t(items));
  }

  void optionals() {
    const std::string text =
        "main (float[1] x) => (bool full, bool none, float[1] y) {\n  o = Optional (x)\n  full = OptionalHasElement "
        "(o)\n  none = OptionalHasElement ()\n  y = OptionalGetElement (o)\n}";
    const auto outputs = runText(text, std::vector<RuntimeValue>{vectorOf({4})});
    QVERIFY2(outputs.has_value(), outputs ? "" : describe(outputs.error()).c_str());
    QVERIFY((*outputs)[0].tensor().span<bool>()[0]);
    QVERIFY(!(*outputs)[1].tensor().span<bool>()[0]);
    QCOMPARE(values((*outputs)[2]), std::vector<float>{4});
  }
};

QTEST_GUILESS_MAIN(TestSequenceKernels)
#include "tst_sequence_kernels.moc"
