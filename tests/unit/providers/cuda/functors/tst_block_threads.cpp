// Blocks of threads on the host: what works together is right in either order, and what forgets to wait is found.

#include <numeric>

#include <QTest>

#include "providers/cuda/functors/executor.h"

using namespace cutaway::cuda;

namespace {

constexpr int kThreads = 96;

// Turns values of a block round through shared memory.
template <bool waits>
struct Reverse {
  const int* from;
  int* to;
  template <typename Block>
  void operator()(Block& block, int64_t number) const {
    int* shared = block.template shared<int>();
    for (int i = block.thread(); i < kThreads; i += block.threads())
      shared[i] = from[number * kThreads + i];
    if (waits) block.sync();
    for (int i = block.thread(); i < kThreads; i += block.threads())
      to[number * kThreads + i] = shared[kThreads - 1 - i];
  }
};

struct Sums {
  const float* x;
  float* block_sums;
  float* warp_sums;
  int64_t n;
  template <typename Block>
  void operator()(Block& block, int64_t row) const {
    float sum = 0;
    for (int64_t i = block.thread(); i < n; i += block.threads())
      sum += x[row * n + i];
    const float ofWarp = block.warpReduce(sum, [](float a, float b) { return a + b; });
    if (block.lane() == 0) warp_sums[row * 32 + block.warp()] = ofWarp;
    const float total = block.sum(sum);
    if (block.thread() == 0) block_sums[row] = total;
  }
};

struct Uneven {
  template <typename Block>
  void operator()(Block& block, int64_t) const {
    if (block.thread() < 40) block.sync();
  }
};

class ModeScope {
 public:
  explicit ModeScope(HostBlocks mode) { hostBlocks() = mode; }
  ~ModeScope() { hostBlocks() = HostBlocks::kSingle; }
};

}  // namespace

class TstBlockThreads : public QObject {
  Q_OBJECT
 private slots:
  void sharedMemory_data() {
    QTest::addColumn<int>("mode");
    QTest::newRow("one thread") << static_cast<int>(HostBlocks::kSingle);
    QTest::newRow("forward") << static_cast<int>(HostBlocks::kForward);
    QTest::newRow("backward") << static_cast<int>(HostBlocks::kBackward);
  }
  void sharedMemory() {
    QFETCH(int, mode);
    const ModeScope scope(static_cast<HostBlocks>(mode));
    std::vector<int> from(kThreads * 3), to(kThreads * 3);
    std::iota(from.begin(), from.end(), 0);
    QCOMPARE(forEachBlock(Reverse<true>{from.data(), to.data()}, 3, nullptr, 1, kThreads, kThreads * sizeof(int)), 0);
    for (int i = 0; i < kThreads * 3; ++i)
      QCOMPARE(to[static_cast<size_t>(i)], i / kThreads * kThreads + kThreads - 1 - i % kThreads);
  }

  void aForgottenWaitShows() {
    const ModeScope scope(HostBlocks::kForward);
    std::vector<int> from(kThreads), to(kThreads);
    std::iota(from.begin(), from.end(), 0);
    QCOMPARE(forEachBlock(Reverse<false>{from.data(), to.data()}, 1, nullptr, 1, kThreads, kThreads * sizeof(int)), 0);
    QVERIFY(to[0] != kThreads - 1);
  }

  void threadsThatEndEarlyAreTold() {
    const ModeScope scope(HostBlocks::kForward);
    QCOMPARE(forEachBlock(Uneven{}, 1, nullptr, 1, kThreads), kUnevenThreads);
  }

  void reductions_data() { sharedMemory_data(); }
  void reductions() {
    QFETCH(int, mode);
    const ModeScope scope(static_cast<HostBlocks>(mode));
    constexpr int64_t kRows = 2, kColumns = 1000;
    std::vector<float> x(kRows * kColumns), sums(kRows), warps(kRows * 32);
    std::iota(x.begin(), x.end(), 0.0f);
    QCOMPARE(forEachBlock(Sums{x.data(), sums.data(), warps.data(), kColumns}, kRows, nullptr, 1, kThreads), 0);
    for (int64_t row = 0; row < kRows; ++row) {
      const float expected = static_cast<float>(row * kColumns * kColumns + kColumns * (kColumns - 1) / 2);
      QCOMPARE(sums[static_cast<size_t>(row)], expected);
      QCOMPARE(std::accumulate(warps.begin() + row * 32, warps.begin() + row * 32 + 32, 0.0f), expected);
    }
  }

  void elementsRunBackwards() {
    const ModeScope scope(HostBlocks::kBackward);
    std::vector<int64_t> order;
    forEach([&](int64_t i) { order.push_back(i); }, 4, nullptr, 1);
    QCOMPARE(order, (std::vector<int64_t>{3, 2, 1, 0}));
  }
};

QTEST_APPLESS_MAIN(TstBlockThreads)
#include "tst_block_threads.moc"
