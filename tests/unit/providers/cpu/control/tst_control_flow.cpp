// If, Loop and Scan on graphs in text form, against what the bodies compute by hand. The interpreter's bodies overwrite
// their outputs at every run.

#include <limits>

#include <QtTest>

#include "engine/graph/text.h"
#include "providers/cpu/kernels/kernel_table.h"
#include "tests/unit/providers/cpu/graph_interpreter.h"

using namespace cutaway;

namespace {

const std::string kHeader = "<ir_version: 10, opset_import: [\"\" : 21]>\n";

Result<std::vector<RuntimeValue>> runText(const std::string& text, std::span<const RuntimeValue> inputs,
                                          bool cancelled = false) {
  CUTAWAY_TRY(Model model, parseModelText(kHeader + text));
  CUTAWAY_CHECK(testing::prepareForKernels(model));
  testing::GraphInterpreter interpreter(cpu::cpuKernels());
  interpreter.cancelled = cancelled;
  return interpreter.run(model.graph, inputs);
}

template <typename T>
Tensor shaped(std::initializer_list<int64_t> dims, std::initializer_list<T> values) {
  Tensor tensor = *Tensor::create(ElementTypeOf<T>::value, dims);
  std::copy(values.begin(), values.end(), tensor.span<T>().begin());
  return tensor;
}

template <typename T>
std::vector<T> values(const RuntimeValue& value) {
  if (!value.isTensor() || value.tensor().type() != ElementTypeOf<T>::value) return {};
  const std::span<const T> span = value.tensor().span<T>();
  return {span.begin(), span.end()};
}

std::string messageOf(const Result<std::vector<RuntimeValue>>& result) {
  return result ? std::string() : describe(result.error());
}

// x grows by the iteration number; every x is a scan output. The body also swaps p and q.
const std::string kLoop =
    R"(main (int64 m, bool c, float[2] x, float[1] p, float[1] q) => (float[2] xEnd, float[1] pEnd, float[1] qEnd, float[n,2] all) {
  xEnd, pEnd, qEnd, all = Loop <body = body (int64 i, bool go, float[2] a, float[1] u, float[1] v) => (bool goOut, float[2] b, float[1] v2, float[1] u2, float[2] slice) {
    f = Cast <to = 1> (i)
    b = Add (a, f)
    slice = Identity (b)
    goOut = Identity (go)
    v2 = Identity (v)
    u2 = Identity (u)
  }> (m, c, x, p, q)
})";

}  // namespace

class TestControlFlow : public QObject {
  Q_OBJECT
 private slots:
  void loopCarriesAndCollects() {
    const std::vector<RuntimeValue> inputs{Tensor::scalar<int64_t>(4), Tensor::scalar(true),
                                           shaped<float>({2}, {10, 20}), shaped<float>({1}, {1}),
                                           shaped<float>({1}, {2})};
    const auto outputs = runText(kLoop, inputs);
    QVERIFY2(outputs.has_value(), messageOf(outputs).c_str());
    QCOMPARE(values<float>((*outputs)[0]), (std::vector<float>{16, 26}));
    QCOMPARE(values<float>((*outputs)[1]), std::vector<float>{1});  // swapped four times
    QCOMPARE(values<float>((*outputs)[2]), std::vector<float>{2});
    QCOMPARE(values<float>((*outputs)[3]), (std::vector<float>{10, 20, 11, 21, 13, 23, 16, 26}));
    QVERIFY((*outputs)[3].tensor().dims() == (Dims{4, 2}));
  }

  void loopSwapsAnOddNumberOfTimes() {
    const std::vector<RuntimeValue> inputs{Tensor::scalar<int64_t>(3), Tensor::scalar(true), shaped<float>({2}, {0, 0}),
                                           shaped<float>({1}, {1}), shaped<float>({1}, {2})};
    const auto outputs = runText(kLoop, inputs);
    QVERIFY2(outputs.has_value(), messageOf(outputs).c_str());
    QCOMPARE(values<float>((*outputs)[1]), std::vector<float>{2});
    QCOMPARE(values<float>((*outputs)[2]), std::vector<float>{1});
  }

  void loopWithoutTrips() {
    for (const bool byCondition : {true, false}) {
      const std::vector<RuntimeValue> inputs{Tensor::scalar<int64_t>(byCondition ? 5 : 0), Tensor::scalar(!byCondition),
                                             shaped<float>({2}, {10, 20}), shaped<float>({1}, {1}),
                                             shaped<float>({1}, {2})};
      const auto outputs = runText(kLoop, inputs);
      QVERIFY2(outputs.has_value(), messageOf(outputs).c_str());
      QCOMPARE(values<float>((*outputs)[0]), (std::vector<float>{10, 20}));
      QVERIFY((*outputs)[3].tensor().dims() == (Dims{0, 2}));
    }
  }

  void loopStops() {
    // The condition of the body ends the loop; trip count and condition are left out.
    const auto outputs = runText(R"(main (int64 x, int64 limit) => (int64 y) {
  y = Loop <body = body (int64 i, bool go, int64 a) => (bool goOut, int64 b) {
    b = Add (a, a)
    goOut = Less (b, limit)
  }> ("", "", x)
})",
                                 std::vector<RuntimeValue>{Tensor::scalar<int64_t>(3), Tensor::scalar<int64_t>(100)});
    QVERIFY2(outputs.has_value(), messageOf(outputs).c_str());
    QCOMPARE(values<int64_t>((*outputs)[0]), std::vector<int64_t>{192});  // 3 doubled until it is not below 100
  }

  void loopIsCancelled() {
    const std::vector<RuntimeValue> inputs{Tensor::scalar(std::numeric_limits<int64_t>::max()), Tensor::scalar(true),
                                           shaped<float>({2}, {0, 0}), shaped<float>({1}, {1}),
                                           shaped<float>({1}, {2})};
    const auto outputs = runText(kLoop, inputs, true);
    QVERIFY(!outputs);
    QCOMPARE(outputs.error().code, ErrorCode::kModelLoadCanceled);
  }

  void slicesMustAgree() {
    const auto outputs = runText(R"(main (int64 m, float[n] x) => (float[k,l] all) {
  last, all = Loop <body = body (int64 i, bool go, float[a] x1) => (bool goOut, float[b] x2, float[c] slice) {
    x2 = Concat <axis = 0> (x1, x1)
    slice = Identity (x2)
    goOut = Identity (go)
  }> (m, "", x)
})",
                                 std::vector<RuntimeValue>{Tensor::scalar<int64_t>(2), shaped<float>({1}, {1})});
    QVERIFY(!outputs);
    QVERIFY2(
        outputs.error().code == ErrorCode::kFail && outputs.error().message.find("iteration 1") != std::string::npos,
        messageOf(outputs).c_str());
  }

  void sequencesAreCarried() {
    const auto outputs = runText(R"(main (int64 m, float[2] x) => (seq(float[2]) items, int64 count) {
  empty = SequenceEmpty <dtype = 1> ()
  items = Loop <body = body (int64 i, bool go, seq(float[2]) s) => (bool goOut, seq(float[2]) t) {
    f = Cast <to = 1> (i)
    v = Mul (x, f)
    t = SequenceInsert (s, v)
    goOut = Identity (go)
  }> (m, "", empty)
  count = SequenceLength (items)
})",
                                 std::vector<RuntimeValue>{Tensor::scalar<int64_t>(3), shaped<float>({2}, {1, 2})});
    QVERIFY2(outputs.has_value(), messageOf(outputs).c_str());
    QCOMPARE(values<int64_t>((*outputs)[1]), std::vector<int64_t>{3});
    for (int i = 0; i < 3; ++i)
      QCOMPARE(values<float>((*outputs)[0].sequence().items[static_cast<size_t>(i)]),
               (std::vector<float>{float(i), float(2 * i)}));
  }

  void ifChooses() {
    // Attribute order must not matter: else stands first.
    const std::string text = R"(main (bool c, float[2] x) => (float[2] y) {
  y = If <else_branch = no () => (float[2] n) { n = Neg (x) }, then_branch = yes () => (float[2] t) { t = Add (x, x) }> (c)
})";
    const auto yes = runText(text, std::vector<RuntimeValue>{Tensor::scalar(true), shaped<float>({2}, {1, 2})});
    const auto no = runText(text, std::vector<RuntimeValue>{shaped<bool>({1}, {false}), shaped<float>({2}, {1, 2})});
    QVERIFY2(yes.has_value() && no.has_value(), (messageOf(yes) + messageOf(no)).c_str());
    QCOMPARE(values<float>((*yes)[0]), (std::vector<float>{2, 4}));
    QCOMPARE(values<float>((*no)[0]), (std::vector<float>{-1, -2}));
    const auto two =
        runText(text, std::vector<RuntimeValue>{shaped<bool>({2}, {false, true}), shaped<float>({2}, {1, 2})});
    QVERIFY(!two);
    QCOMPARE(two.error().code, ErrorCode::kFail);
  }

  void scanAlongAnyAxis_data() {
    QTest::addColumn<int>("inputAxis");
    QTest::addColumn<bool>("inputReversed");
    QTest::addColumn<int>("outputAxis");
    QTest::addColumn<bool>("outputReversed");
    for (const int inputAxis : {0, 1, -1}) {
      for (const int outputAxis : {0, 1, -2}) {
        for (const bool inputReversed : {false, true}) {
          for (const bool outputReversed : {false, true}) {
            QTest::newRow(qPrintable(
                QString("%1 %2 %3 %4").arg(inputAxis).arg(inputReversed).arg(outputAxis).arg(outputReversed)))
                << inputAxis << inputReversed << outputAxis << outputReversed;
          }
        }
      }
    }
  }
  void scanAlongAnyAxis() {
    QFETCH(int, inputAxis);
    QFETCH(bool, inputReversed);
    QFETCH(int, outputAxis);
    QFETCH(bool, outputReversed);
    const std::string text = fmt::format(R"(main (float[3] s, float[3,3] x) => (float[3] end, float[3,3] sums) {{
  end, sums = Scan <num_scan_inputs = 1, scan_input_axes = [{}], scan_input_directions = [{}], scan_output_axes = [{}], scan_output_directions = [{}],
      body = body (float[3] a, float[3] v) => (float[3] b, float[3] o) {{
    b = Add (a, v)
    o = Identity (b)
  }}> (s, x)
}})",
                                         inputAxis, int(inputReversed), outputAxis, int(outputReversed));
    const Tensor x = shaped<float>({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    const auto outputs = runText(text, std::vector<RuntimeValue>{shaped<float>({3}, {100, 200, 300}), x});
    QVERIFY2(outputs.has_value(), messageOf(outputs).c_str());
    std::vector<float> sum{100, 200, 300};
    std::vector<float> wanted(9);
    for (int step = 0; step < 3; ++step) {
      const int from = inputReversed ? 2 - step : step;
      const int to = outputReversed ? 2 - step : step;
      for (int k = 0; k < 3; ++k) {
        sum[size_t(k)] += x.span<float>()[size_t(inputAxis == 0 ? from * 3 + k : k * 3 + from)];
        wanted[size_t(outputAxis == 1 ? k * 3 + to : to * 3 + k)] = sum[size_t(k)];
      }
    }
    QCOMPARE(values<float>((*outputs)[0]), sum);
    QCOMPARE(values<float>((*outputs)[1]), wanted);
  }

  void scanOverNothing() {
    const auto outputs = runText(R"(main (float[3] s, float[n,3] x) => (float[3] end, float[n,3] sums) {
  end, sums = Scan <num_scan_inputs = 1, body = body (float[3] a, float[3] v) => (float[3] b, float[3] o) {
    b = Add (a, v)
    o = Identity (b)
  }> (s, x)
})",
                                 std::vector<RuntimeValue>{shaped<float>({3}, {1, 2, 3}), shaped<float>({0, 3}, {})});
    QVERIFY2(outputs.has_value(), messageOf(outputs).c_str());
    QCOMPARE(values<float>((*outputs)[0]), (std::vector<float>{1, 2, 3}));
    QVERIFY((*outputs)[1].tensor().dims() == (Dims{0, 3}));
  }
};

QTEST_GUILESS_MAIN(TestControlFlow)
#include "tst_control_flow.moc"
