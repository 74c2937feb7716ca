// The emulator: order, pinned and pageable copies, recordings, memory limit, injected failures; and what a session
// makes of them.
#include <QtTest/QtTest>

#include "providers/cuda/emulator/emulated_programs.h"
#include "providers/cuda/emulator/emulator.h"
#include "providers/cuda/functors/head_functors.h"
#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::cuda;
using namespace cutaway::testing;

namespace {

class NoStore final : public ArtifactStore {
 public:
  bool find(std::string_view, std::vector<std::byte>&) const override { return false; }
  void keep(std::string_view, std::span<const std::byte>) override {}
};

struct Bed {
  std::shared_ptr<DeviceBackend> backend;
  Stream a = nullptr, b = nullptr;
  explicit Bed(EmulatorOptions options = {.strict = true}) : backend(makeEmulator(options)) {
    backend->makeStream(a);
    backend->makeStream(b);
  }
  ~Bed() {
    backend->endStream(a);
    backend->endStream(b);
  }
  void* take(size_t bytes) {
    void* block = nullptr;
    backend->allocate(bytes, a, block);
    return block;
  }
  int read(const void* from, Stream stream) {
    int value = 0;
    backend->copy(&value, from, sizeof(value), CopyKind::kToHost, stream);
    return value;
  }
};

}  // namespace

class TestCudaEmulator : public QObject {
  Q_OBJECT
 private slots:
  // Without a wait, b runs before a has done anything; with one, after.
  void waitsMatter() {
    for (const bool waits : {false, true}) {
      Bed bed;
      void* block = bed.take(4);
      const int seven = 7;
      bed.backend->copy(block, &seven, 4, CopyKind::kToDevice, bed.a);
      Event event = nullptr;
      bed.backend->makeEvent(false, event);
      bed.backend->record(event, bed.a);
      if (waits) bed.backend->wait(bed.b, event);
      QCOMPARE(bed.read(block, bed.b) == 7, waits);
      bed.backend->endEvent(event);
    }
  }
  void memoryBeginsAsNoNumber() {
    Bed bed;
    QCOMPARE(bed.read(bed.take(4), bed.a), -1);
  }
  // Pageable bytes are taken at once; pinned ones when the stream gets there.
  void staging() {
    Bed bed;
    void* block = bed.take(8);
    auto* to = static_cast<int*>(block);
    int pageable = 1;
    void* pinned = nullptr;
    QVERIFY(bed.backend->allocatePinned(4, pinned).ok());
    *static_cast<int*>(pinned) = 1;
    bed.backend->copy(to, &pageable, 4, CopyKind::kToDevice, bed.a);
    bed.backend->copy(to + 1, pinned, 4, CopyKind::kToDevice, bed.a);
    pageable = 2;
    *static_cast<int*>(pinned) = 2;
    QCOMPARE(bed.read(to, bed.a), 1);
    QCOMPARE(bed.read(to + 1, bed.a), 2);
    QVERIFY(bed.backend->releasePinned(pinned).ok());
  }
  void wrongAddresses() {
    Bed bed;
    int here = 0;
    QCOMPARE(bed.backend->copy(&here, &here, 4, CopyKind::kToDevice, bed.a).code, StatusCode::kDeviceLost);
    QCOMPARE(bed.backend->fill(&here, 0, 4, bed.a).code, StatusCode::kDeviceLost);  // and stays lost
  }
  void usedAfterRelease() {
    Bed bed;
    void* block = bed.take(64);
    QVERIFY(bed.backend->fill(block, 0, 64, bed.a).ok());
    QVERIFY(bed.backend->release(block, bed.a).ok());
    void* again = bed.take(64);  // of the same stream, at once
    QCOMPARE(again, block);
    QCOMPARE(bed.read(again, bed.a), -1);
  }
  void recordings() {
    for (const bool strict : {false, true}) {
      Bed bed({.strict = strict});
      auto* x = static_cast<float*>(bed.take(16));
      const float start[4] = {-1, 2, -3, 4};
      Recording recording = nullptr;
      const DeviceKernel add = bed.backend->find("attention.bias.float");
      QVERIFY(bed.backend->beginRecording(bed.a).ok());
      RowBiasParameters p{.x = x, .bias = x, .y = x, .size = 4, .count = 4};
      QVERIFY(bed.backend->launch(add, &p, bed.a).ok());
      p = {};  // the recording has its own
      QVERIFY(bed.backend->endRecording(bed.a, recording).ok());
      for (int again = 0; again < 2; ++again) {
        bed.backend->copy(x, start, 16, CopyKind::kToDevice, bed.a);
        QVERIFY(bed.backend->replay(recording, bed.a).ok());
        float got[4] = {};
        bed.backend->copy(got, x, 16, CopyKind::kToHost, bed.a);
        bed.backend->synchronize(bed.a);
        QCOMPARE(got[0], -2.0f);
        QCOMPARE(got[3], 8.0f);
      }
      bed.backend->dropRecording(recording);
      // What cannot be recorded.
      QVERIFY(bed.backend->beginRecording(bed.a).ok());
      QCOMPARE(bed.backend->copy(x, start, 16, CopyKind::kToDevice, bed.a).code, StatusCode::kCaptureRefused);
      QCOMPARE(bed.backend->endRecording(bed.a, recording).code, StatusCode::kCaptureRefused);
      QVERIFY(bed.backend->fill(x, 0, 16, bed.a).ok());  // the stream takes work again
    }
  }
  void limit() {
    Bed bed({.strict = true, .memoryLimitBytes = 1024});
    void *first = bed.take(768), *second = nullptr;
    QCOMPARE(bed.backend->allocate(512, bed.a, second).code, StatusCode::kOutOfMemory);
    bed.backend->release(first, bed.a);
    QVERIFY(bed.backend->allocate(512, bed.b, second).ok());
  }
  void programs() {
    Bed bed;
    NoStore store;
    std::unique_ptr<CompiledProgram> program;
    QCOMPARE(bed.backend->compile("nothing", "f", store, program).code, StatusCode::kUnsupported);
    putEmulatedProgram("seven", [](std::span<void* const> arguments, int64_t) {
      return [to = *static_cast<int**>(arguments[0])] { *to = 7; };
    });
    QVERIFY(bed.backend->compile("seven", "f", store, program).ok());
    auto* to = static_cast<int*>(bed.take(4));
    void* arguments[] = {&to};
    QVERIFY(program->launch(arguments, 1, 0, 0, 0, bed.a).ok());
    QCOMPARE(bed.read(to, bed.a), 7);
  }
  // A session says what failed and where.
  void failures_data() {
    QTest::addColumn<QString>("fail");
    QTest::addColumn<QString>("said");
    QTest::newRow("launch") << "launch:1" << "injected failure: launch number 1";
    QTest::newRow("copy") << "copy:1" << "injected failure: copy number 1";
    QTest::newRow("lost") << "lose:6" << "the device was lost";
    QTest::newRow("bad text") << "lunch:1" << "kinds are allocation, copy";
  }
  void failures() {
    QFETCH(QString, fail);
    QFETCH(QString, said);
    const CudaCase each{.nodes = "y = Relu (x)",
                        .inputs = {{"x", randomOf(ElementType::kFloat, {64}, 1)}},
                        .options = "strict=1,fail=" + fail.toStdString()};
    const std::string error = errorOf(each);
    QVERIFY2(error.find(said.toStdString()) != std::string::npos, error.c_str());
  }
};

QTEST_GUILESS_MAIN(TestCudaEmulator)
#include "tst_cuda_emulator.moc"
