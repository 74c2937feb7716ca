// Bindings: outputs in the caller's memory, memory taken again, everything wrong named before anything runs.

#include <QTest>

#include "engine/session/io_binding.h"
#include "tests/unit/engine/session/text_session.h"

using namespace cutaway;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n,2] x, float[n,2] b) => (float[n,2] y, float[n,2] z) {
  a = Relu (x)
  y = Add (a, b)
  z = Mul (y, a)
})";

// Outputs that are something else: a feed, a weight, a view of a value that is made for it, the same value twice over.
constexpr const char* kOdd = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,2] x) => (float[2,2] same, float[2] weight, float[4] flat, float[2,2] kept) <float[2] weight = {5,6}, int64[1] shape = {4}> {
  same = Identity (x)
  kept = Sigmoid (x)
  t = Tanh (kept)
  flat = Reshape (t, shape)
})";

Tensor floats(std::initializer_list<int64_t> dims, float value = 0) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::ranges::fill(tensor.span<float>(), value);
  return tensor;
}

std::unique_ptr<session::Session> sessionOf(const char* text, session::SessionOptions options = {}) {
  options.threads = 1;
  auto made = textSession(text, options);
  if (!made) qFatal("%s", describe(made.error()).c_str());
  return *std::move(made);
}

// The message, when it is INVALID_ARGUMENT.
template <typename T>
std::string refusal(const Result<T>& result) {
  return result                                               ? "it worked"
         : result.error().code != ErrorCode::kInvalidArgument ? describe(result.error())
                                                              : result.error().message;
}

bool says(const std::string& message, std::initializer_list<const char*> words) {
  for (const char* word : words) {
    if (message.find(word) == std::string::npos) {
      qWarning("'%s' is not in: %s", word, message.c_str());
      return false;
    }
  }
  return true;
}

}  // namespace

class TestIoBinding : public QObject {
  Q_OBJECT
 private slots:
  void outputsLieInTheCallersMemory() {
    const auto session = sessionOf(kModel);
    session::IoBinding binding(*session);
    Tensor x = floats({2, 2}, 3);
    Tensor y = floats({2, 2});
    QVERIFY(binding.bindInput("x", x).has_value());
    QCOMPARE(binding.missingInputs(), std::vector<std::string>{"b"});
    QVERIFY(binding.bindInput("b", floats({2, 2}, 1)).has_value());
    QVERIFY(binding.bindOutput("y", y).has_value());
    QVERIFY(binding.bindOutput("z").has_value());
    for (const float value : {3.0f, -1.0f, 5.0f}) {
      std::ranges::fill(x.span<float>(), value);
      const auto run = session->run(binding, {});
      QVERIFY2(run.has_value(), why(run).c_str());
      const float a = std::max(value, 0.0f);
      QCOMPARE(y.span<float>()[3], a + 1);
      QCOMPARE(binding.outputs().size(), size_t{2});
      QCOMPARE(binding.outputs()[0].name, std::string("y"));
      QCOMPARE(binding.outputs()[0].value.tensor().data(), y.data());
      QCOMPARE(floatsOf(binding.outputs()[1].value)[0], (a + 1) * a);
    }
  }

  void bindOrderIsKeptAndUnboundOutputsAreNotMade() {
    const auto session = sessionOf(kModel);
    session::IoBinding binding(*session);
    QVERIFY(binding.bindInput("x", floats({1, 2}, 2)).has_value());
    QVERIFY(binding.bindInput("b", floats({1, 2}, 1)).has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(binding.outputs().size(), size_t{2});  // none bound: all, in model order
    QCOMPARE(binding.outputs()[0].name, std::string("y"));
    QVERIFY(binding.bindOutput("z").has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(binding.outputs().size(), size_t{1});
    QCOMPARE(floatsOf(binding.outputs()[0].value), (std::vector<float>{6, 6}));
    QVERIFY(binding.bindOutput("y").has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(binding.outputs()[0].name, std::string("z"));
    QCOMPARE(binding.outputs()[1].name, std::string("y"));
    binding.clearOutputs();
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(binding.outputs()[0].name, std::string("y"));
  }

  void memoryOfOutputsIsTakenAgainUnlessKept() {
    const auto session = sessionOf(kModel);
    session::IoBinding binding(*session);
    QVERIFY(binding.bindInput("x", floats({4, 2}, 2)).has_value());
    QVERIFY(binding.bindInput("b", floats({4, 2}, 1)).has_value());
    QVERIFY(binding.bindOutput("y").has_value());
    QVERIFY(session->run(binding, {}).has_value());
    const void* first = binding.outputs()[0].value.tensor().data();
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(binding.outputs()[0].value.tensor().data(), first);
    const RuntimeValue kept = binding.outputs()[0].value;
    QVERIFY(binding.bindInput("b", floats({4, 2}, 7)).has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QVERIFY(binding.outputs()[0].value.tensor().data() != first);
    QCOMPARE(floatsOf(kept)[0], 3.0f);
    // A smaller output fits; a larger one does not.
    QVERIFY(binding.bindInput("x", floats({9, 2}, 2)).has_value());
    QVERIFY(binding.bindInput("b", floats({9, 2}, 2)).has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(floatsOf(binding.outputs()[0].value), std::vector<float>(18, 4.0f));
    QCOMPARE(floatsOf(kept)[0], 3.0f);
  }

  void outputsThatAreOtherValuesAreCopied_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<bool>("buffers");
    for (const int level : {0, 3}) {
      QTest::addRow("level %d, buffers", level) << level << true;
      QTest::addRow("level %d, device", level) << level << false;
    }
  }
  void outputsThatAreOtherValuesAreCopied() {
    QFETCH(int, level);
    QFETCH(bool, buffers);
    const auto session = sessionOf(kOdd, {.optimizationLevel = level});
    session::IoBinding binding(*session);
    const Tensor x = floats({2, 2}, 0.5f);
    QVERIFY(binding.bindInput("x", x).has_value());
    if (buffers) {
      QVERIFY(binding.bindOutput("same", floats({2, 2}, 9)).has_value());
      QVERIFY(binding.bindOutput("weight", floats({2}, 9)).has_value());
      QVERIFY(binding.bindOutput("flat", floats({4}, 9)).has_value());
      QVERIFY(binding.bindOutput("kept", floats({2, 2}, 9)).has_value());
    }
    const auto plain = session->run({{"x", x}}, {});
    QVERIFY2(plain.has_value(), why(plain).c_str());
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto run = session->run(binding, {});
      QVERIFY2(run.has_value(), why(run).c_str());
      for (size_t i = 0; i < 4; ++i) {
        QCOMPARE(floatsOf(binding.outputs()[i].value), floatsOf(plain->outputs[i].value));
        Tensor mine = binding.outputs()[i].value.tensor();
        QVERIFY(mine.data() != x.data());
        std::ranges::fill(mine.span<float>(), 99.0f);  // the caller's alone: nothing of the session changes
      }
      QCOMPARE(x.span<float>()[0], 0.5f);
    }
  }

  void wrongBindingsAreNamed() {
    const auto session = sessionOf(kModel);
    session::IoBinding binding(*session);
    QVERIFY(says(refusal(binding.bindInput("X", floats({1, 2}))), {"'X'", "did you mean 'x'"}));
    QVERIFY(says(refusal(binding.bindInput("x", floats({1, 3}))), {"'x'", "3 at dimension 1", "expects 2"}));
    QVERIFY(says(refusal(binding.bindInput("x", floats({2}))), {"rank 1", "rank 2"}));
    QVERIFY(says(refusal(binding.bindInput("x", *Tensor::create(ElementType::kInt64, {1, 2}))), {"int64", "float"}));
    QVERIFY(says(refusal(binding.bindOutput("w", floats({1, 2}))), {"no output 'w'", "'y', 'z'"}));
    QVERIFY(says(refusal(binding.bindOutput("y", *Tensor::create(ElementType::kDouble, {1, 2}))),
                 {"'y'", "float[n,2]", "double[1,2]", "element types differ"}));
    QVERIFY(says(refusal(binding.bindOutput("y", floats({1, 2, 1}))), {"ranks differ"}));
    QVERIFY(
        says(refusal(binding.bindOutput("y", floats({1, 5}))), {"dimension 1 is 2 in the model and 5 in the buffer"}));
    QVERIFY(says(refusal(binding.bindOutput("y", Tensor::wrap(ElementType::kFloat, Dims{1, 2}, nullptr))),
                 {"no memory behind"}));
    QVERIFY(says(refusal(session->run(binding, {})), {"'x'", "required"}));
  }

  void shapesThatContradictAreFoundBeforeTheRun() {
    const auto session = sessionOf(kModel);
    session::IoBinding binding(*session);
    QVERIFY(binding.bindInput("x", floats({3, 2}, 1)).has_value());
    QVERIFY(binding.bindInput("b", floats({2, 2}, 1)).has_value());
    QVERIFY(says(refusal(session->run(binding, {})), {"'x'", "'b'", "'n'", "3 in the first", "2 in the second"}));
    QVERIFY(binding.bindInput("b", floats({3, 2}, 1)).has_value());
    const Tensor y = floats({4, 2}, 77);
    QVERIFY(binding.bindOutput("y", y).has_value());
    QVERIFY(says(refusal(session->run(binding, {})), {"'y'", "float[4,2]", "'n'", "3 in input 'x'"}));
    QCOMPARE(y.span<float>()[0], 77.0f);  // nothing ran
    QVERIFY(binding.bindOutput("y", floats({3, 2})).has_value());
    QVERIFY(session->run(binding, {}).has_value());
  }

  void shapesThatOnlyTheRunKnowsEndIt() {
    const auto session = sessionOf(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[n] x, int64[k] shape) => (float[p,q] y) {
  h = Relu (x)
  y = Reshape (h, shape)
})");
    session::IoBinding binding(*session);
    Tensor shape = *Tensor::create(ElementType::kInt64, {2});
    shape.span<int64_t>()[0] = 2;
    shape.span<int64_t>()[1] = 3;
    QVERIFY(binding.bindInput("x", floats({6}, 2)).has_value());
    QVERIFY(binding.bindInput("shape", shape).has_value());
    QVERIFY(binding.bindOutput("y", floats({3, 2})).has_value());
    QVERIFY(
        says(refusal(session->run(binding, {.tag = "tagged"})), {"run 'tagged'", "'y'", "float[3,2]", "float[2,3]"}));
    QVERIFY(binding.bindOutput("y", floats({2, 3})).has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(floatsOf(binding.outputs()[0].value), std::vector<float>(6, 2.0f));
  }

  void overlapsAreRefused() {
    const auto session = sessionOf(kModel);
    std::vector<float> memory(64);
    const auto at = [&](size_t first) { return Tensor::wrap(ElementType::kFloat, Dims{2, 2}, memory.data() + first); };
    session::IoBinding binding(*session);
    QVERIFY(binding.bindInput("x", at(0)).has_value());
    QVERIFY(says(refusal(binding.bindOutput("y", at(0))), {"output 'y'", "input 'x'"}));
    QVERIFY(says(refusal(binding.bindOutput("y", at(3))), {"output 'y'", "input 'x'"}));
    QVERIFY(binding.bindOutput("y", at(4)).has_value());
    QVERIFY(says(refusal(binding.bindOutput("z", at(6))), {"output 'z'", "output 'y'"}));
    QVERIFY(says(refusal(binding.bindInput("b", at(5))), {"input 'b'", "output 'y'"}));
    QVERIFY(binding.bindOutput("y", at(5)).has_value());  // instead of its old place
    QVERIFY(binding.bindInput("b", at(0)).has_value());   // inputs may share
    QVERIFY(binding.bindOutput("z", at(10)).has_value());
    QVERIFY(session->run(binding, {}).has_value());
    // What one run made feeds the next, once it is not its output any more.
    const RuntimeValue y = binding.outputs()[0].value;
    QVERIFY(says(refusal(binding.bindInput("x", y)), {"input 'x'", "output 'y'"}));
    QVERIFY(binding.bindOutput("y", at(20)).has_value());
    QVERIFY(binding.bindInput("x", y).has_value());
    QVERIFY(session->run(binding, {}).has_value());
  }

  void aBindingBelongsToItsSession() {
    const auto session = sessionOf(kModel);
    const auto other = sessionOf(kModel);
    session::IoBinding binding(*session);
    QVERIFY(says(refusal(other->run(binding, {})), {"another session"}));
  }

  void partsOfOutputsAndInputsThatGrow() {
    // Loops over shapes: planned, traced and bound outputs together.
    const auto session = sessionOf(kModel);
    session::IoBinding binding(*session);
    for (const int64_t n : {1, 300, 2, 300, 7, 1}) {
      QVERIFY(binding.bindInput("x", floats({n, 2}, 2)).has_value());
      QVERIFY(binding.bindInput("b", floats({n, 2}, 1)).has_value());
      const Tensor z = floats({n, 2});
      QVERIFY(binding.bindOutput("z", z).has_value());
      const auto run = session->run(binding, {});
      QVERIFY2(run.has_value(), why(run).c_str());
      QCOMPARE(floatsOf(z), std::vector<float>(static_cast<size_t>(2 * n), 6.0f));
    }
  }

  // Until one is bound they are constants (overridable_session.h); afterwards they are inputs again.
  void defaultsOfInputsAreBoundAndLeft() {
    const auto session = sessionOf(R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2] w, float[n] x, float[2] v) => (float[2] y) <float[2] w = {10,20}, float[2] v = {1,1}> {
  s = Neg (w)
  t = Sub (x, s)
  y = Mul (t, v)
})");
    session::IoBinding binding(*session);
    Tensor y = floats({2});
    QCOMPARE(binding.missingInputs(), std::vector<std::string>{"x"});
    QVERIFY(binding.bindInput("x", floats({2}, 3)).has_value());
    QVERIFY(binding.bindOutput("y", y).has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(y.span<float>()[1], 23.0f);
    QCOMPARE(session->model().graph.nodeCount(), size_t{1});
    QVERIFY(binding.bindInput("v", floats({2}, 2)).has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(y.span<float>()[1], 46.0f);
    QCOMPARE(session->model().graph.nodeCount(), size_t{3});
    binding.clearInputs();
    QVERIFY(binding.bindInput("x", floats({2}, 4)).has_value());
    QVERIFY(session->run(binding, {}).has_value());
    QCOMPARE(y.span<float>()[1], 24.0f);
  }
};

QTEST_GUILESS_MAIN(TestIoBinding)
#include "tst_io_binding.moc"
