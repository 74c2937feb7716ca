// oneDNN's loops run on our threads, and nobody else's do.

#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.h>

#include <QtTest/QtTest>

#include "engine/base/parallel.h"
#include "engine/base/thread_pool.h"

using namespace cutaway;

extern "C" int omp_get_max_threads();

namespace {

std::vector<float> pattern(size_t count, unsigned seed) {
  std::vector<float> values(count);
  for (float& value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = static_cast<float>(seed >> 8) / 8388608.0f - 1.0f;
  }
  return values;
}

struct Product {
  int64_t rows, columns, depth;
  std::vector<float> a = pattern(static_cast<size_t>(rows * depth), 1);
  std::vector<float> b = pattern(static_cast<size_t>(depth * columns), 2);

  std::vector<float> run(int threads) const {
    const ThreadShare share(threads);
    std::vector<float> c(static_cast<size_t>(rows * columns), 0.0f);
    if (dnnl_sgemm('N', 'N', rows, columns, depth, 1.0f, a.data(), depth, b.data(), columns, 0.0f, c.data(), columns) !=
        dnnl_success)
      c.clear();
    return c;
  }

  double worst(const std::vector<float>& c) const {
    double worst = 0;
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < columns; ++column) {
        double sum = 0;
        for (int64_t k = 0; k < depth; ++k)
          sum += double{a[static_cast<size_t>(row * depth + k)]} * b[static_cast<size_t>(k * columns + column)];
        worst = std::max(worst, std::abs(sum - c[static_cast<size_t>(row * columns + column)]));
      }
    }
    return worst;
  }
};

size_t threadsOfProcess() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<size_t>(std::distance(begin(tasks), end(tasks)));
}

}  // namespace

class TestLibraryLoops : public QObject {
  Q_OBJECT

 private slots:
  void loopsRunOnThePool() {
    const size_t before = threadsOfProcess();
    const int pooled = ThreadPool::shared().threads();
    const Product product{384, 256, 128};
    QVERIFY(product.worst(product.run(4)) < 1e-4);
    QVERIFY(ThreadPool::shared().threads() >= 3);
    QCOMPARE(threadsOfProcess() - before, static_cast<size_t>(ThreadPool::shared().threads() - pooled));
  }

  // Wide, tall, deep: the library cuts each another way; deep ones meet at barriers.
  void productsAreRight_data() {
    QTest::addColumn<qint64>("rows");
    QTest::addColumn<qint64>("columns");
    QTest::addColumn<qint64>("depth");
    QTest::newRow("wide") << qint64{16} << qint64{2048} << qint64{64};
    QTest::newRow("tall") << qint64{2048} << qint64{16} << qint64{64};
    QTest::newRow("deep") << qint64{16} << qint64{16} << qint64{8192};
    QTest::newRow("square") << qint64{256} << qint64{256} << qint64{256};
  }
  void productsAreRight() {
    QFETCH(qint64, rows);
    QFETCH(qint64, columns);
    QFETCH(qint64, depth);
    const Product product{rows, columns, depth};
    for (const int threads : {1, 2, 3, 8})
      QVERIFY(product.worst(product.run(threads)) < 1e-3);
  }

  void concurrentCallers() {
    const Product product{128, 192, 512};
    const std::vector<float> expected = product.run(2);
    std::atomic<int> wrong = 0;
    {
      std::vector<std::jthread> callers;
      for (int caller = 0; caller < 4; ++caller) {
        callers.emplace_back([&] {
          for (int round = 0; round < 20; ++round)
            if (product.run(2) != expected) ++wrong;
        });
      }
    }
    QCOMPARE(wrong.load(), 0);
  }

  // A library call inside a loop of ours is done by the thread that makes it.
  void insideLoopsOneThreadDoesIt() {
    const Product product{64, 64, 64};
    const std::vector<float> expected = product.run(1);
    std::atomic<int> wrong = 0;
    const ThreadShare share(4);
    parallelFor(16, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        if (product.run(4) != expected) ++wrong;
    });
    QCOMPARE(wrong.load(), 0);
  }

  // This program is not the library: it gets libgomp's answer.
  void othersKeepLibgomp() {
    using Set = void(int);
    const auto set = reinterpret_cast<Set*>(::dlsym(RTLD_DEFAULT, "omp_set_num_threads"));
    QVERIFY(set != nullptr);
    const ThreadShare share(3);
    set(5);
    QCOMPARE(omp_get_max_threads(), 5);
  }
};

QTEST_GUILESS_MAIN(TestLibraryLoops)
#include "tst_library_loops.moc"
