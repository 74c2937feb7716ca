// Attention's core: the blocked float path against the definition, over sizes, layouts, masks, windows, caps, sinks and
// storage types.

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include <QtTest>

#include "engine/base/parallel.h"
#include "engine/tensor/narrow_float.h"
#include "providers/cpu/kernels/attention/attention_core.h"
#include "providers/cpu/kernels/attention/linear_step.h"

using namespace cutaway;
using namespace cutaway::cpu::attention;

namespace {

constexpr int kProblems = 300;

// A problem with random sizes and everything that it points to.
struct RandomProblem {
  explicit RandomProblem(uint32_t seed) : generator(seed) { fill(); }

  int64_t pick(std::initializer_list<int64_t> from) {
    return *(from.begin() + static_cast<int64_t>(generator() % from.size()));
  }
  bool sometimes(uint32_t oneIn) { return generator() % oneIn == 0; }
  std::vector<float> numbers(int64_t count) {
    std::normal_distribution<float> distribution;
    std::vector<float> values(static_cast<size_t>(count));
    for (float& value : values)
      value = distribution(generator);
    return values;
  }

  void fill() {
    problem.batch = pick({1, 2}), problem.keyHeads = pick({1, 2, 3}),
    problem.heads = problem.keyHeads * pick({1, 2, 4});
    problem.queries = pick({1, 1, 2, 7, 33, 130, 400}), problem.keys = pick({1, 5, 64, 128, 129, 300});
    problem.headSize = pick({1, 8, 16, 64, 80, 130}), problem.valueSize = pick({1, 8, 32, 64, 80});
    problem.scale = 1.0f / std::sqrt(static_cast<float>(problem.headSize));
    problem.softcap = static_cast<float>(pick({0, 0, 2}));
    problem.causal = sometimes(2), problem.smooth = sometimes(3);
    problem.offset = pick({0, problem.keys - problem.queries});
    problem.left = pick({-1, -1, 3, 100}), problem.right = pick({-1, -1, 2, 50});
    for (int64_t& length : lengths)
      length = static_cast<int64_t>(generator() % static_cast<uint32_t>(problem.keys + 1));
    for (int64_t& first : firsts)
      first = pick({0, 1, 2});
    if (sometimes(2)) problem.lengths = lengths.data();
    if (sometimes(3)) problem.firsts = firsts.data();
    sinks = numbers(problem.heads);
    if (sometimes(3)) problem.sinks = sinks.data();
    fillPlanes();
    fillOperands(sometimes(2));
  }

  void fillPlanes() {
    const int64_t queries = problem.queries, keys = problem.keys;
    bias = numbers(problem.heads * queries * keys);
    mask = std::make_unique<bool[]>(static_cast<size_t>(problem.batch * keys));
    for (int64_t i = 0; i < problem.batch * keys; ++i)
      mask[static_cast<size_t>(i)] = !sometimes(3);
    if (sometimes(2)) problem.planes[0] = {bias.data(), ElementType::kFloat, {0, queries * keys, keys, 1}, keys};
    if (sometimes(3)) problem.planes[1] = {mask.get(), ElementType::kBool, {keys, 0, 0, 1}, keys - pick({0, 1})};
  }

  void fillOperands(bool headsOutside) {
    const auto view = [&](const std::vector<float>& values, int64_t heads, int64_t rows, int64_t size) {
      return Rows{values.data(), ElementType::kFloat, heads * rows * size, headsOutside ? rows * size : size,
                  headsOutside ? size : heads * size};
    };
    q = numbers(problem.batch * problem.heads * problem.queries * problem.headSize);
    k = numbers(problem.batch * problem.keyHeads * problem.keys * problem.headSize);
    v = numbers(problem.batch * problem.keyHeads * problem.keys * problem.valueSize);
    problem.q = view(q, problem.heads, problem.queries, problem.headSize);
    problem.k = view(k, problem.keyHeads, problem.keys, problem.headSize);
    problem.v = view(v, problem.keyHeads, problem.keys, problem.valueSize);
  }

  std::mt19937 generator;
  Problem problem;
  std::vector<float> q, k, v, bias, sinks;
  std::unique_ptr<bool[]> mask;
  std::vector<int64_t> lengths = {0, 0}, firsts = {0, 0};
};

using Interval = std::pair<int64_t, int64_t>;
using Run = void (*)(const Problem&, std::span<std::byte>);
using Bytes = size_t (*)(const Problem&);

std::vector<float> resultOf(Problem problem, Run run, Bytes bytes) {
  std::vector<float> out(static_cast<size_t>(problem.batch * problem.heads * problem.queries * problem.valueSize),
                         7.0f);
  problem.out = {out.data(), ElementType::kFloat, problem.heads * problem.queries * problem.valueSize,
                 problem.valueSize, problem.heads * problem.valueSize};
  std::vector<std::byte> memory(bytes(problem) + 64);
  const uintptr_t start = (reinterpret_cast<uintptr_t>(memory.data()) + 63) & ~uintptr_t{63};
  run(problem, {reinterpret_cast<std::byte*>(start), memory.size() - 64});
  return out;
}

double furthest(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = a.size() == b.size() ? 0.0 : 1e30;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    const double distance = std::fabs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (!(distance <= worst)) worst = distance;
  }
  return worst;
}

}  // namespace

class TestAttentionCore : public QObject {
  Q_OBJECT

 private slots:
  void blocksAgreeWithTheDefinition();
  void halvesAreReadAsTheyAreStored();
  void nothingSeenGivesZeros();
  void intervalsOfKeys();
  void threadsDoNotChangeTheResult();
  void linearStepsAgree();
};

void TestAttentionCore::blocksAgreeWithTheDefinition() {
  for (uint32_t seed = 0; seed < kProblems; ++seed) {
    const RandomProblem random(seed);
    QVERIFY(blocksServe(random.problem));
    const double distance = furthest(resultOf(random.problem, runBlocked, blockedScratchBytes),
                                     resultOf(random.problem, runReference, referenceScratchBytes));
    QVERIFY2(distance < 2e-5, qPrintable(QString("problem %1 is off by %2").arg(seed).arg(distance)));
  }
}

void TestAttentionCore::halvesAreReadAsTheyAreStored() {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    RandomProblem random(seed);
    std::vector<Float16> half;
    for (float& value : random.k) {
      half.push_back(Float16::fromFloat(value));
      value = half.back().toFloat();
    }
    const std::vector<float> wide = resultOf(random.problem, runBlocked, blockedScratchBytes);
    random.problem.k.data = half.data();
    random.problem.k.type = ElementType::kFloat16;
    QVERIFY(furthest(wide, resultOf(random.problem, runBlocked, blockedScratchBytes)) < 2e-5);
    QVERIFY(furthest(wide, resultOf(random.problem, runReference, referenceScratchBytes)) < 2e-5);
  }
}

void TestAttentionCore::nothingSeenGivesZeros() {
  RandomProblem random(3);
  const std::vector<int64_t> none = {0, 0};
  random.problem.lengths = none.data();
  random.problem.sinks = nullptr;
  random.problem.smooth = false;
  for (const float value : resultOf(random.problem, runBlocked, blockedScratchBytes))
    QCOMPARE(value, 0.0f);
  for (const float value : resultOf(random.problem, runReference, referenceScratchBytes))
    QCOMPARE(value, 0.0f);
}

void TestAttentionCore::intervalsOfKeys() {
  const auto seen = [](Problem problem, int64_t query) {
    const KeyInterval interval = seenKeys(problem, 0, query);
    return Interval(interval.first, interval.end);
  };
  const Problem plain{.batch = 1, .queries = 4, .keys = 10};
  QCOMPARE(seen(plain, 2), Interval(0, 10));
  Problem causal = plain;
  causal.causal = true;
  causal.offset = 6;
  QCOMPARE(seen(causal, 0), Interval(0, 7));
  causal.left = 2;
  QCOMPARE(seen(causal, 3), Interval(7, 10));
  causal.offset = -3;
  QCOMPARE(seen(causal, 0), Interval(0, 0));
  Problem window = plain;
  window.left = 1, window.right = 2;
  QCOMPARE(seen(window, 3), Interval(2, 6));
  window.right = std::numeric_limits<int64_t>::max();
  QCOMPARE(seen(window, 3), Interval(2, 10));
}

void TestAttentionCore::threadsDoNotChangeTheResult() {
  for (uint32_t seed = 0; seed < kProblems; ++seed) {
    const RandomProblem random(seed);
    std::vector<float> one;
    {
      const ThreadShare share(1);
      one = resultOf(random.problem, run, scratchBytes);
    }
    for (const int threads : {2, 3, 8}) {
      const ThreadShare share(threads);
      QVERIFY2(one == resultOf(random.problem, run, scratchBytes),
               qPrintable(QString("problem %1, %2 threads").arg(seed).arg(threads)));
    }
  }
}

void TestAttentionCore::linearStepsAgree() {
  for (const int64_t valueSize : {1, 4, 16, 50, 64, 147}) {
    for (const bool delta : {false, true}) {
      for (const bool decays : {false, true}) {
        RandomProblem random(static_cast<uint32_t>(valueSize));
        const int64_t keySize = 24;
        const std::vector<float> key = random.numbers(keySize), value = random.numbers(valueSize),
                                 query = random.numbers(keySize), decay = random.numbers(keySize);
        std::vector<float> state = random.numbers(keySize * valueSize), other = state,
                           out(static_cast<size_t>(valueSize)), expected(out), read(out);
        const LinearStep step{
            decays ? decay.data() : nullptr, key.data(), value.data(), query.data(), 0.7f, delta, keySize, valueSize};
        linearStep(step, state.data(), out.data());
        linearStepReference(step, 0, other.data(), expected.data());
        readState(step, state.data(), read.data());
        QVERIFY(furthest(state, other) < 1e-4);
        QVERIFY(furthest(out, expected) < 1e-3);
        QVERIFY(furthest(read, expected) < 1e-3);
      }
    }
  }
}

QTEST_GUILESS_MAIN(TestAttentionCore)
#include "tst_attention_core.moc"
