// Differences of a provider that is simulated here: told from what the CPU alone makes.
#include <QtTest/QtTest>

#include "tests/unit/engine/study/opinion_samples.h"

using namespace cutaway;
using namespace cutaway::study;

class TestSimulatedOpinion : public QObject {
  Q_OBJECT
 private slots:
  // What a simulated provider makes is told from what the CPU alone makes, and measured by the model in half precision.
  // Ours: 1, 2; theirs: 1, 2.1.
  void simulatedArithmetic_data() {
    QTest::addColumn<float>("onCpu");   // 0: it does not run there
    QTest::addColumn<float>("inHalf");  // 0: there is no such form
    QTest::addColumn<QString>("expected");
    QTest::newRow("as far off in half precision") << 2.1f << 2.04f << "output y: half precision";
    QTest::newRow("further off than half precision") << 2.1f << 2.09f << "output y: simulated arithmetic";
    QTest::newRow("half precision changes nothing") << 2.1f << 2.1f << "output y: simulated arithmetic";
    QTest::newRow("no half precision") << 2.1f << 0.0f << "output y: simulated arithmetic";
    QTest::newRow("as far off on the CPU") << 2.0f << 2.0f << "output y: unexplained";
    QTest::newRow("not run on the CPU") << 0.0f << 2.04f << "output y: unexplained";
  }
  void simulatedArithmetic() {
    QFETCH(float, onCpu);
    QFETCH(float, inHalf);
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    ours.results = {floats("y", {1, 2})};
    ours.simulated = {"npu"};
    if (onCpu > 0) ours.cpuResults = {floats("y", {1, onCpu})};
    if (inHalf > 0) ours.halfResults = {floats("y", {1, inHalf})};
    OtherEngine other = theirsOf({"a Relu y"});
    other.results = {floats("y", {1, 2.1f})};
    std::vector<ValueAccuracy> values;
    QTEST(told(compareResults(ours, other, {}, values)).join(", "), "expected");
  }
  // The CPU's own difference has a rule of its own, and that is told with it.
  void simulatedBesideAnotherDifference() {
    OurEngine ours = oursOf({"a Relu y"}, {"a Relu y"});
    ours.results = {floats("y", {1, 2})};
    ours.simulated = {"npu"};
    ours.cpuResults = {floats("y", {1, 2.2f})};
    OtherEngine other = theirsOf({"a Relu y"});
    other.results = {floats("y", {1, 2.1f})};
    other.exactProducts = {floats("y", {1, 2.2f})};
    std::vector<ValueAccuracy> values;
    const StageOpinion stage = compareResults(ours, other, {}, values);
    QCOMPARE(told(stage), QStringList{"output y: simulated arithmetic"});
    const QString words = QString::fromStdString(stage.differences.front().explanation);
    QVERIFY2(words.contains("saturated products") && words.contains("arithmetic of npu"), qPrintable(words));
  }
};

QTEST_GUILESS_MAIN(TestSimulatedOpinion)
#include "tst_simulated_opinion.moc"
