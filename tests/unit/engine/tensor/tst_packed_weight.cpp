// Packed constants: shared by place in a file or by contents, counted per session, the original's pages given back.

#include <atomic>
#include <fstream>
#include <thread>

#include <QTemporaryDir>
#include <QTest>

#include "engine/base/cancel_scope.h"
#include "engine/base/mapped_file.h"
#include "engine/base/mapped_pages.h"
#include "engine/tensor/packed_weight.h"

using namespace cutaway;

namespace {

struct Packed {
  std::vector<std::byte> bytes;
};

Result<std::shared_ptr<const Packed>> pack(std::span<const std::byte> source, std::string_view format, int& made) {
  return sharedPack<Packed>(source, format, static_cast<int64_t>(source.size()),
                            [&]() -> Result<std::shared_ptr<const Packed>> {
                              ++made;
                              return std::make_shared<const Packed>(Packed{{source.begin(), source.end()}});
                            });
}

std::filesystem::path writeFile(const QTemporaryDir& folder, const char* name, size_t size, char fill) {
  const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / name;
  std::ofstream(path, std::ios::binary) << std::string(size, fill);
  return path;
}

}  // namespace

class TestPackedWeight : public QObject {
  Q_OBJECT
 private slots:
  void twoMappingsOfOneFileShare() {
    QTemporaryDir folder;
    const auto path = writeFile(folder, "w.bin", 64 * 4096, 'a');
    const auto one = MappedFile::open(path), two = MappedFile::open(path);
    QVERIFY(one && two && (*one)->bytes().data() != (*two)->bytes().data());
    int made = 0;
    PackAccount first, second;
    std::shared_ptr<const Packed> a, b;
    {
      const PackScope scope(&first);
      a = *pack((*one)->bytes(), "f", made);
    }
    QCOMPARE(first.totals().sizeBytes, int64_t{64 * 4096});
    QCOMPARE(first.totals().sharedBytes, int64_t{0});
    {
      const PackScope scope(&second);
      b = *pack((*two)->bytes(), "f", made);
    }
    QCOMPARE(made, 1);
    QCOMPARE(a.get(), b.get());
    QCOMPARE(first.totals().sharedBytes, int64_t{64 * 4096});
    QCOMPARE(second.totals().sharedBytes, int64_t{64 * 4096});
    a.reset();
    b.reset();
    QCOMPARE(first.totals().sizeBytes, int64_t{0});
    pack((*one)->bytes(), "f", made);  // gone with its last user: made again
    QCOMPARE(made, 2);
  }

  void otherPlaceFormatOrContentDoesNotShare() {
    QTemporaryDir folder;
    const auto file = MappedFile::open(writeFile(folder, "w.bin", 8192, 'a'));
    int made = 0;
    const auto bytes = (*file)->bytes();
    const auto a = pack(bytes.first(4096), "f", made), b = pack(bytes.last(4096), "f", made),
               c = pack(bytes.first(4096), "g", made), d = pack(bytes.first(2048), "f", made);
    QCOMPARE(made, 4);
    std::vector<std::byte> heap(100, std::byte{1}), same = heap, other(100, std::byte{2});
    const auto e = pack(heap, "f", made), f = pack(same, "f", made), g = pack(other, "f", made);
    QCOMPARE(made, 6);
    QCOMPARE(e->get(), f->get());
    QVERIFY(e->get() != g->get());
  }

  void aChangedFileIsAnother() {
    QTemporaryDir folder;
    int made = 0;
    const auto before = MappedFile::open(writeFile(folder, "w.bin", 4096, 'a'));
    const auto a = pack((*before)->bytes(), "f", made);
    std::filesystem::remove((*before)->path());
    const auto after = MappedFile::open(writeFile(folder, "w.bin", 4096, 'b'));
    const auto b = pack((*after)->bytes(), "f", made);
    QCOMPARE(made, 2);
    QVERIFY((*b)->bytes[0] == std::byte{'b'});
  }

  void pagesAreGivenBackAndReadAgain() {
    QTemporaryDir folder;
    const auto file = MappedFile::open(writeFile(folder, "w.bin", 256 * 4096, 'x'));
    const auto bytes = (*file)->bytes();
    int sum = 0;
    for (const std::byte each : bytes)
      sum += static_cast<int>(each);
    QCOMPARE(sum, 256 * 4096 * 'x');
    QVERIFY(placeInFile(bytes).has_value());
    QCOMPARE(releasePages(bytes.subspan(1, 100)), int64_t{0});  // no whole page in it
    QCOMPARE(releasePages(bytes.subspan(1)), int64_t{255 * 4096});
    QVERIFY(bytes[5000] == std::byte{'x'});
    std::vector<std::byte> heap(10000);
    QVERIFY(!placeInFile(heap).has_value());
    QCOMPARE(releasePages(heap), int64_t{0});
    QCOMPARE(residentBytes(heap), int64_t{-1});
  }

  // Runs pack, and runs are stopped: what later runs find must not be half of it.
  void whatIsKeptIsMadeWhole() {
    CancelToken token;
    token.cancel();
    const StopSignal signal(token);
    const CancelScope scope(signal);
    const std::vector<std::byte> source(64, std::byte{5});
    bool wasStopped = true;
    const auto packed = sharedPack<Packed>(source, "f", 64, [&]() -> Result<std::shared_ptr<const Packed>> {
      wasStopped = stopRequested();
      return std::make_shared<const Packed>();
    });
    QVERIFY(packed.has_value() && !wasStopped && stopRequested());
  }

  void errorsLeaveNothingBehind() {
    const std::vector<std::byte> source(64, std::byte{9});
    const auto failed = sharedPack<Packed>(
        source, "f", 64, []() -> Result<std::shared_ptr<const Packed>> { return fail(ErrorCode::kFail, "no"); });
    QVERIFY(!failed);
    int made = 0;
    const auto good = pack(source, "f", made);
    QCOMPARE(made, 1);
  }

  void manyThreadsAtOnce() {
    const std::vector<std::byte> source(4096, std::byte{7});
    std::array<std::shared_ptr<const Packed>, 8> results;
    std::vector<std::thread> threads;
    for (auto& result : results) {
      threads.emplace_back([&] {
        int made = 0;
        result = *pack(source, "t", made);
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    for (const auto& result : results)
      QCOMPARE(result.get(), results[0].get());
  }
};

QTEST_GUILESS_MAIN(TestPackedWeight)
#include "tst_packed_weight.moc"
