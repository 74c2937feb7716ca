// Every ONNX backend operator case on the CPU kernels alone. Cases whose operators have no kernel are counted, not passed.

#include <QtTest>
#include <filesystem>

#include "providers/cpu/kernels/kernel_table.h"
#include "tests/unit/providers/cpu/case_runner.h"

using namespace cutaway;

class TestCpuBackendCases : public QObject {
  Q_OBJECT
 private slots:
  void node_data() { addCases("node"); }
  void node() { runOne(); }
  void simple_data() { addCases("simple"); }
  void simple() { runOne(); }

 private:
  static void addCases(const char* kind) {
    QTest::addColumn<QString>("folder");
    const std::filesystem::path root = std::filesystem::path(CUTAWAY_TEST_DATA_DIR) / "backend" / kind;
    if (!std::filesystem::exists(root)) QSKIP("the backend cases are not written: run tests/conformance/export_cases.py");
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      if (entry.is_directory()) folders.push_back(entry.path());
    }
    std::sort(folders.begin(), folders.end());
    for (const std::filesystem::path& folder : folders) QTest::newRow(folder.filename().c_str()) << QString::fromStdString(folder.string());
  }

  static void runOne() {
    QFETCH(QString, folder);
    const testing::CaseOutcome outcome = testing::runCase(folder.toStdString(), cpuKernels());
    if (outcome.verdict == testing::CaseOutcome::Verdict::kNoKernel) QSKIP(outcome.message.c_str());
    QVERIFY2(outcome.verdict == testing::CaseOutcome::Verdict::kPassed, outcome.message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestCpuBackendCases)
#include "tst_cpu_backend_cases.moc"
