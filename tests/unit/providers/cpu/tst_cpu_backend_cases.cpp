// Every ONNX backend operator case on the CPU kernels alone. Cases whose operators have no kernel are counted, not
// passed.

#include <algorithm>
#include <filesystem>

#include <QtTest>

#include "providers/cpu/kernels/kernel_table.h"
#include "tests/unit/providers/cpu/case_runner.h"

using namespace cutaway;

class TestCpuBackendCases : public QObject {
  Q_OBJECT
 private slots:
  void kinds_data() {
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("fewest");  // that must pass; keeps a runner that finds nothing from looking well
    QTest::newRow("node") << "node" << 1500;
    QTest::newRow("simple") << "simple" << 10;
  }
  void kinds() {
    QFETCH(QString, kind);
    QFETCH(int, fewest);
    const std::filesystem::path root = std::filesystem::path(CUTAWAY_TEST_DATA_DIR) / "backend" / kind.toStdString();
    QVERIFY2(std::filesystem::exists(root), "the backend cases are not written: run tests/conformance/export_cases.py");
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      if (entry.is_directory()) folders.push_back(entry.path());
    }
    std::sort(folders.begin(), folders.end());
    int passed = 0;
    int withoutKernel = 0;
    QStringList failures;
    for (const std::filesystem::path& folder : folders) {
      const testing::CaseOutcome outcome = testing::runCase(folder, cpu::cpuKernels());
      if (outcome.verdict == testing::CaseOutcome::Verdict::kPassed) ++passed;
      if (outcome.verdict == testing::CaseOutcome::Verdict::kNoKernel) ++withoutKernel;
      if (outcome.verdict == testing::CaseOutcome::Verdict::kFailed)
        failures << QString::fromStdString(folder.filename().string() + ": " + outcome.message);
    }
    qInfo("%s: %d passed, %d without a kernel, %d failed", qPrintable(kind), passed, withoutKernel,
          int(failures.size()));
    QVERIFY2(failures.isEmpty(), qPrintable(failures.join('\n')));
    QVERIFY2(passed >= fewest, qPrintable(QString("only %1 cases passed").arg(passed)));
  }
};

QTEST_GUILESS_MAIN(TestCpuBackendCases)
#include "tst_cpu_backend_cases.moc"
