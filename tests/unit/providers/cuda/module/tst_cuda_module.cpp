// The built module through its interface: what it says where there is no device, and what it compiles without one.
#include <QTest>

#include "providers/cuda/library.h"

namespace cutaway::cuda {

class TestCudaModule : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_library = &cudaLibrary();
    QVERIFY2(m_library->backends != nullptr, m_library->reason.c_str());
  }

  void devices() {
    std::vector<DeviceFacts> facts;
    const Status status = m_library->backends->devices(facts);
    if (status.ok()) {
      QVERIFY(!facts.empty());
      for (const DeviceFacts& each : facts) {
        QVERIFY(each.totalBytes > 0);
        QVERIFY(each.multiprocessors > 0);
        QVERIFY(each.memoryBytesPerSecond > 0);
        QVERIFY(each.flopsPerSecond > 0);
      }
      return;
    }
    QVERIFY(facts.empty());
    QCOMPARE(status.code, StatusCode::kUnsupported);
    QVERIFY2(QString::fromStdString(status.text).contains("NVIDIA driver"), status.text.c_str());
    std::unique_ptr<DeviceBackend> backend;
    const Status opening = m_library->backends->open(0, backend);
    QVERIFY(backend == nullptr);
    QCOMPARE(QString::fromStdString(opening.text), QString::fromStdString(status.text));
    QCOMPARE(QString::fromStdString(m_library->reason), QString::fromStdString(status.text));
  }

  void noSuchDevice() {
    std::unique_ptr<DeviceBackend> backend;
    for (const int index : {-1, 63}) {
      const Status status = m_library->backends->open(index, backend);
      QVERIFY(backend == nullptr);
      QVERIFY(!status.text.empty());
    }
  }

  void compiles() {
    const char* source =
        "extern \"C\" __global__ void twice(const float* x, float* y, long long n) {\n"
        "  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * "
        "blockDim.x) y[i] = tanhf(2 * x[i]);\n}\n";
    std::vector<std::byte> cubin;
    const Status status = m_library->backends->compileToCubin(source, "sm_90", cubin);
    if (status.code == StatusCode::kUnsupported) return missingCompiler(status);
    QVERIFY2(status.ok(), status.text.c_str());
    QVERIFY(cubin.size() > 4);
    QCOMPARE(std::string(reinterpret_cast<const char*>(cubin.data()), 4), std::string("\x7f"
                                                                                      "ELF"));
  }

  void doesNotCompile() {
    std::vector<std::byte> cubin;
    const Status status =
        m_library->backends->compileToCubin("extern \"C\" __global__ void f() { nonsense; }", "sm_90", cubin);
    if (status.code == StatusCode::kUnsupported) return missingCompiler(status);
    QCOMPARE(status.code, StatusCode::kCompileFailed);
    QVERIFY2(status.text.find("nonsense") != std::string::npos, status.text.c_str());
    QVERIFY(cubin.empty());
  }

  void unknownArchitecture() {
    std::vector<std::byte> cubin;
    const Status status = m_library->backends->compileToCubin("extern \"C\" __global__ void f() {}", "sm_1", cubin);
    QCOMPARE(status.code, StatusCode::kUnsupported);
    QVERIFY(!status.text.empty());
    QVERIFY(cubin.empty());
  }

 private:
  // A toolkit without NVRTC: the answer names it, and says how to get it.
  static void missingCompiler(const Status& status) {
    QVERIFY2(status.text.find("NVRTC") == 0 && status.text.find("CUTAWAY_CUDA_DIR") != std::string::npos,
             status.text.c_str());
  }

  const Library* m_library = nullptr;
};

}  // namespace cutaway::cuda

QTEST_GUILESS_MAIN(cutaway::cuda::TestCudaModule)
#include "tst_cuda_module.moc"
