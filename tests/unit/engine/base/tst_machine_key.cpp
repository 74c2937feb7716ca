// What a machine is known by: lasting words of its first core, and the cores that may be used.
#include <QtTest/QtTest>

#include "engine/base/machine_key.h"

using namespace cutaway;

class TestMachineKey : public QObject {
  Q_OBJECT
 private slots:
  void processorAndCores() {
    const std::string_view info =
        "processor\t: 0\nvendor_id\t: Acme\nmodel name\t: Acme 9\ncpu MHz\t: 2000\nflags\t: fma avx2\n\n"
        "processor\t: 1\nmodel name\t: Other\n";
    const MachineKey key = machineOf(info, 2);
    QCOMPARE(key.processor, std::string("Acme 9"));
    QCOMPARE(key.cores, 2);
    std::string changed(info);
    changed.replace(changed.find("2000"), 4, "2600");
    QCOMPARE(machineOf(changed, 2), key);
    changed.replace(changed.find("avx2"), 4, "avx5");
    QVERIFY(machineOf(changed, 2).features != key.features);
    QVERIFY(!(machineOf(info, 4) == key));
    QCOMPARE(machineOf("", 1).processor, std::string("unknown processor"));
  }
};

QTEST_GUILESS_MAIN(TestMachineKey)
#include "tst_machine_key.moc"
