// The built module through its door: what it says where there is no device, and what it compiles without one.
#include <QTest>

#include "providers/cuda/library.h"

namespace cutaway::cuda {

class TestCudaModule : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    m_library = &cudaLibrary();
    QVERIFY2(m_library->machines != nullptr, m_library->reason.c_str());
  }

  void devices() {
    std::vector<DeviceFacts> facts;
    const Problem problem = m_library->machines->devices(facts);
    if (!problem) {
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
    QCOMPARE(problem.kind, ProblemKind::kUnsupported);
    QVERIFY2(QString::fromStdString(problem.text).contains("NVIDIA driver"), problem.text.c_str());
    std::unique_ptr<Machine> machine;
    const Problem opening = m_library->machines->open(0, machine);
    QVERIFY(machine == nullptr);
    QCOMPARE(QString::fromStdString(opening.text), QString::fromStdString(problem.text));
    QCOMPARE(QString::fromStdString(m_library->reason), QString::fromStdString(problem.text));
  }

  void noSuchDevice() {
    std::unique_ptr<Machine> machine;
    for (const int index : {-1, 63}) {
      const Problem problem = m_library->machines->open(index, machine);
      QVERIFY(machine == nullptr);
      QVERIFY(!problem.text.empty());
    }
  }

  void compiles() {
    const char* source =
        "extern \"C\" __global__ void twice(const float* x, float* y, long long n) {\n"
        "  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * "
        "blockDim.x) y[i] = tanhf(2 * x[i]);\n}\n";
    std::vector<std::byte> cubin;
    const Problem problem = m_library->machines->compileToCubin(source, "sm_90", cubin);
    if (problem.kind == ProblemKind::kUnsupported) return missingCompiler(problem);
    QVERIFY2(!problem, problem.text.c_str());
    QVERIFY(cubin.size() > 4);
    QCOMPARE(std::string(reinterpret_cast<const char*>(cubin.data()), 4), std::string("\x7f"
                                                                                      "ELF"));
  }

  void doesNotCompile() {
    std::vector<std::byte> cubin;
    const Problem problem =
        m_library->machines->compileToCubin("extern \"C\" __global__ void f() { nonsense; }", "sm_90", cubin);
    if (problem.kind == ProblemKind::kUnsupported) return missingCompiler(problem);
    QCOMPARE(problem.kind, ProblemKind::kCompileFailed);
    QVERIFY2(problem.text.find("nonsense") != std::string::npos, problem.text.c_str());
    QVERIFY(cubin.empty());
  }

  void unknownArchitecture() {
    std::vector<std::byte> cubin;
    const Problem problem = m_library->machines->compileToCubin("extern \"C\" __global__ void f() {}", "sm_1", cubin);
    QCOMPARE(problem.kind, ProblemKind::kUnsupported);
    QVERIFY(!problem.text.empty());
    QVERIFY(cubin.empty());
  }

 private:
  // A toolkit without NVRTC: the answer names it, and says how to get it.
  static void missingCompiler(const Problem& problem) {
    QVERIFY2(problem.text.find("NVRTC") == 0 && problem.text.find("CUTAWAY_CUDA_DIR") != std::string::npos,
             problem.text.c_str());
  }

  const Library* m_library = nullptr;
};

}  // namespace cutaway::cuda

QTEST_GUILESS_MAIN(cutaway::cuda::TestCudaModule)
#include "tst_cuda_module.moc"
