// Text of chain programs: read, written, and refused where it is not sound.
#include <QtTest/QtTest>

#include "providers/cuda/chain/chain_program.h"

using namespace cutaway;
using namespace cutaway::cuda;

class TestChainProgram : public QObject {
  Q_OBJECT
 private slots:
  void roundTrip() {
    const std::string text =
        "Input float16\nInput float16\nConstant float16 | 0.5\nMul float16 v0 v2\nAdd float16 v3 v1\nClip float16 v4 | "
        "0 6\nCast float v5\nConstant int64 | -9007199254740993\nOutput v6\nOutput v4\n";
    const auto program = ChainProgram::parse(text);
    QVERIFY2(program, program ? "" : program.error().message.c_str());
    QCOMPARE(program->inputs, 2);
    QCOMPARE(program->steps.size(), size_t{8});
    QCOMPARE(program->steps[7].whole, int64_t{-9007199254740993});
    QCOMPARE(QString::fromStdString(program->text()), QString::fromStdString(text));
    QVERIFY(!program->hasRows());
  }

  void rowValues() {
    const auto program = ChainProgram::parse(
        "Input float\nConstant float | 1\nRowSum float v0\nAdd float v2 v1\nSqrt float v3\nDiv float v0 v4\nOutput "
        "v5\nOutput v4");
    QVERIFY2(program, program ? "" : program.error().message.c_str());
    QCOMPARE(program->rowValues(), uint64_t{0b011100});
  }

  void refusals_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");
    QTest::newRow("nothing") << "" << "steps";
    QTest::newRow("no output") << "Input float" << "outputs";
    QTest::newRow("no input") << "Constant float | 1\nOutput v0" << "without inputs";
    QTest::newRow("later value") << "Input float\nRelu float v1\nOutput v1" << "not made before";
    QTest::newRow("far value") << "Input float\nRelu float v47\nOutput v1" << "not made before";
    QTest::newRow("beyond all") << "Input float\nRelu float v300\nOutput v1" << "operand is missing";
    QTest::newRow("negative") << "Input float\nRelu float v-1\nOutput v1" << "operand is missing";
    QTest::newRow("operation") << "Input float\nSystem float v0\nOutput v1" << "no such operation";
    QTest::newRow("type") << "Input string\nOutput v0" << "no such element type";
    QTest::newRow("unknown type") << "Input flaot\nOutput v0" << "no such element type";
    QTest::newRow("mixed") << "Input float\nInput float16\nAdd float v0 v1\nOutput v2" << "differ in type";
    QTest::newRow("where") << "Input float\nWhere float v0 v0 v0\nOutput v1" << "Where";
    QTest::newRow("integer sine") << "Input int32\nSin int32 v0\nOutput v1" << "no such element type";
    QTest::newRow("double row") << "Input double\nRowSum double v0\nOutput v1" << "rows";
    QTest::newRow("number") << "Input float\nClip float v0 | low\nOutput v1" << "no number";
    QTest::newRow("parameters") << "Input float\nClip float v0 | 1 2 3\nOutput v1" << "at most two";
    QTest::newRow("output of nothing") << "Input float\nOutput v7" << "no value v7";
    QTest::newRow("garbage") << "\x01\xff | |\n" << "no such operation";
    QString many, inputs;
    for (int i = 0; i < 60; ++i)
      many += "Input float\n";
    for (int i = 0; i < 9; ++i)
      inputs += "Input float\n";
    QTest::newRow("too long") << many + "Output v0" << "too many steps";
    QTest::newRow("too many inputs") << inputs + "Output v0" << "inputs";
    QTest::newRow("too many outputs") << "Input float\nOutput v0\nOutput v0\nOutput v0\nOutput v0\nOutput v0" << "few";
  }
  void refusals() {
    QFETCH(QString, text);
    QFETCH(QString, why);
    const auto program = ChainProgram::parse(text.toStdString());
    QVERIFY(!program);
    QVERIFY2(QString::fromStdString(program.error().message).contains(why), program.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestChainProgram)
#include "tst_chain_program.moc"
