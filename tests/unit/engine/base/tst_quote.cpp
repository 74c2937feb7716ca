#include <QtTest/QtTest>

#include "engine/base/quote.h"

using namespace cutaway;

class TestQuote : public QObject {
  Q_OBJECT

 private slots:
  void namesAreQuotedWhereNeeded_data() {
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("plain") << QByteArray("conv_1") << QByteArray("conv_1");
    QTest::newRow("underscore first") << QByteArray("_x") << QByteArray("_x");
    QTest::newRow("empty") << QByteArray("") << QByteArray("\"\"");
    QTest::newRow("digit first") << QByteArray("1x") << QByteArray("\"1x\"");
    QTest::newRow("slash") << QByteArray("a/b:0") << QByteArray("\"a/b:0\"");
    QTest::newRow("quotes") << QByteArray("a\"b\\c") << QByteArray("\"a\\\"b\\\\c\"");
    QTest::newRow("control") << QByteArray("\n\t\r\x01\x7f") << QByteArray("\"\\n\\t\\r\\x01\\x7f\"");
    QTest::newRow("other scripts") << QByteArray("größe") << QByteArray("\"größe\"");
  }
  void namesAreQuotedWhereNeeded() {
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(identifierOrQuoted(name.toStdString())), text);
    QCOMPARE(isIdentifier(name.toStdString()), !text.startsWith('"'));
  }
};

QTEST_GUILESS_MAIN(TestQuote)
#include "tst_quote.moc"
