#include <fstream>

#include <QtTest/QtTest>

#include "engine/base/cpu_quota.h"

using namespace cutaway;

class TestCpuQuota : public QObject {
  Q_OBJECT

 private slots:
  void limitsAreRead_data() {
    QTest::addColumn<QStringList>("files");  // path, then its text
    QTest::addColumn<QString>("membership");
    QTest::addColumn<int>("cores");  // 0: no limit
    QTest::newRow("nothing mounted") << QStringList{} << "0::/\n" << 0;
    QTest::newRow("v2, no limit") << QStringList{"cpu.max", "max 100000\n"} << "0::/\n" << 0;
    QTest::newRow("v2, two cores") << QStringList{"cpu.max", "200000 100000\n"} << "0::/\n" << 2;
    QTest::newRow("v2, half a core") << QStringList{"cpu.max", "50000 100000\n"} << "0::/\n" << 1;
    QTest::newRow("v2, rounded up") << QStringList{"cpu.max", "150000 100000\n"} << "0::/\n" << 2;
    QTest::newRow("v2, the tightest on the way counts")
        << QStringList{"a/cpu.max", "300000 100000\n", "a/b/cpu.max", "max 100000\n"} << "0::/a/b\n"
        << 3;
    QTest::newRow("v2, a neighbour does not count") << QStringList{"a/cpu.max", "100000 100000\n"} << "0::/c\n" << 0;
    QTest::newRow("v2, path outside the container")
        << QStringList{"cpu.max", "400000 100000\n"} << "0::/../../elsewhere\n"
        << 4;
    QTest::newRow("v2, broken file") << QStringList{"cpu.max", "lots\n"} << "0::/\n" << 0;
    QTest::newRow("v1") << QStringList{"cpu,cpuacct/x/cpu.cfs_quota_us", "250000\n", "cpu,cpuacct/x/cpu.cfs_period_us",
                                       "100000\n"}
                        << "4:memory:/x\n3:cpu,cpuacct:/x\n"
                        << 3;
    QTest::newRow("v1, no limit") << QStringList{"cpu/cpu.cfs_quota_us", "-1\n", "cpu/cpu.cfs_period_us", "100000\n"}
                                  << "3:cpu,cpuacct:/\n"
                                  << 0;
    QTest::newRow("v1, mounted as cpu") << QStringList{"cpu/cpu.cfs_quota_us", "100000\n", "cpu/cpu.cfs_period_us",
                                                       "100000\n"}
                                        << "3:cpuacct,cpu:/\n"
                                        << 1;
    QTest::newRow("not a membership") << QStringList{"cpu.max", "100000 100000\n"} << "nonsense" << 0;
  }
  void limitsAreRead() {
    QFETCH(QStringList, files);
    QFETCH(QString, membership);
    QFETCH(int, cores);
    QTemporaryDir folder;
    const std::filesystem::path root = folder.path().toStdString();
    for (qsizetype i = 0; i + 1 < files.size(); i += 2) {
      const auto path = root / files[i].toStdString();
      std::filesystem::create_directories(path.parent_path());
      std::ofstream(path) << files[i + 1].toStdString();
    }
    QCOMPARE(cpuQuota(root, membership.toStdString()).value_or(0), cores);
  }
};

QTEST_GUILESS_MAIN(TestCpuQuota)
#include "tst_cpu_quota.moc"
