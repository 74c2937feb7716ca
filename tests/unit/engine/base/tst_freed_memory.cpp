#include <fstream>
#include <memory>

#include <unistd.h>

#include <QtTest/QtTest>

#include "engine/base/freed_memory.h"

namespace {

// Of this process, now.
int64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace

class TestFreedMemory : public QObject {
  Q_OBJECT

 private slots:
  // Small blocks with one here and there that stays: the C library keeps what lies between.
  void goesBackToTheSystem() {
    constexpr size_t kBlocks = 100'000, kSize = 1000, kStays = 500;
    std::vector<std::unique_ptr<char[]>> blocks(kBlocks);
    for (auto& block : blocks)
      block.reset(new char[kSize]{});
    for (size_t i = 0; i < kBlocks; ++i)
      if (i % kStays != kStays - 1) blocks[i].reset();
    const int64_t before = residentBytes();
    cutaway::giveBackFreedMemory();
    QVERIFY2(residentBytes() < before - static_cast<int64_t>(kBlocks * kSize / 2),
             qPrintable(QStringLiteral("%1 -> %2").arg(before).arg(residentBytes())));
  }
};

QTEST_GUILESS_MAIN(TestFreedMemory)
#include "tst_freed_memory.moc"
