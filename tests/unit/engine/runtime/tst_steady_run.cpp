// Counts heap allocations of steady runs. The outputs are fresh memory for the caller, so a run allocates a little; what it allocates must not depend on the number of nodes, because that
// would mean that the steps allocate. The operators here run on kernels of the CPU provider's own (no library behind them).

#include <QTest>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/unit/engine/runtime/text_session.h"

namespace {
std::atomic<int64_t> allocations{0};

void* counted(std::size_t sizeBytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* block = std::malloc(sizeBytes == 0 ? 1 : sizeBytes)) return block;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t sizeBytes) { return counted(sizeBytes); }
void* operator new[](std::size_t sizeBytes) { return counted(sizeBytes); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t) noexcept { std::free(block); }

using namespace cutaway;

namespace {

// x -> (Relu, Add with x) repeated; nothing to fold or fuse.
std::string chain(int pairs, const std::string& batch) {
  std::string text = "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[" + batch + ",16] x) => (float[" + batch + ",16] y) {\n";
  std::string at = "x";
  for (int i = 0; i < pairs; ++i) {
    text += fmt::format("  r{} = Relu ({})\n  a{} = Add (r{}, x)\n", i, at, i, i);
    at = fmt::format("a{}", i);
  }
  return text + fmt::format("  y = Sigmoid ({})\n}}", at);
}

int64_t allocationsOfSteadyRun(Session& session, const std::vector<Feed>& feeds) {
  for (int i = 0; i < 3; ++i) {
    const auto warm = session.run(feeds, {});
    if (!warm) return -1;
  }
  const RunOptions options;
  const int64_t before = allocations.load();
  const auto result = session.run(feeds, options);
  const int64_t made = allocations.load() - before;
  return result ? made : -1;
}

}  // namespace

class TestSteadyRun : public QObject {
  Q_OBJECT
 private slots:
  void stepsDoNotAllocate_data() {
    QTest::addColumn<QString>("batch");
    QTest::newRow("static shapes") << "4";
    QTest::newRow("open dimension") << "n";
  }
  void stepsDoNotAllocate() {
    QFETCH(QString, batch);
    SessionOptions options;
    options.threads = 1;
    int64_t counts[2] = {};
    const int pairs[2] = {2, 100};
    for (int i = 0; i < 2; ++i) {
      const auto session = textSession(chain(pairs[i], batch.toStdString()), options);
      QVERIFY2(session.has_value(), why(session).c_str());
      counts[i] = allocationsOfSteadyRun(**session, *randomFeeds(**session, 1, {{"n", 4}}));
    }
    qInfo("allocations in a steady run: %lld with 5 nodes, %lld with 201 nodes", static_cast<long long>(counts[0]), static_cast<long long>(counts[1]));
    QVERIFY(counts[0] >= 0);
    QCOMPARE(counts[1], counts[0]);
    QVERIFY(counts[0] <= 12);
  }

  void memoryStaysWhereItIs() {
    const auto session = textSession(chain(10, "n"));
    QVERIFY2(session.has_value(), why(session).c_str());
    const auto feeds = randomFeeds(**session, 1, {{"n", 1000}});
    for (int i = 0; i < 3; ++i) QVERIFY((*session)->run(*feeds, {}).has_value());
    const int64_t peak = (*session)->measuredPeakBytes();
    for (int i = 0; i < 50; ++i) QVERIFY((*session)->run(*feeds, {}).has_value());
    QCOMPARE((*session)->measuredPeakBytes(), peak);
    QVERIFY(peak > 0);
    // The types do not tell the sizes; the pattern traced from the first run does.
    QCOMPARE((*session)->report()->pattern->peakBytes, int64_t{0});
    QVERIFY((*session)->plannedPeakBytes() >= 1000 * 16 * 4);
    QVERIFY((*session)->lowerBoundBytes() <= (*session)->plannedPeakBytes());
  }
};

QTEST_GUILESS_MAIN(TestSteadyRun)
#include "tst_steady_run.moc"
