#include <QtTest/QtTest>

#include "engine/base/printable.h"
#include "engine/base/result.h"

using namespace cutaway;

class TestPrintable : public QObject {
  Q_OBJECT

 private slots:
  void becomesHarmless_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("shown");
    QTest::newRow("plain") << QByteArray("conv1/weight 'x'") << QByteArray("conv1/weight 'x'");
    QTest::newRow("empty") << QByteArray() << QByteArray();
    QTest::newRow("escape") << QByteArray("a\x1b[2J") << QByteArray("a\\x1b[2J");
    QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("a\\x00b");
    QTest::newRow("line") << QByteArray("a\nb\r\t\x7f") << QByteArray("a\\x0ab\\x0d\\x09\\x7f");
    QTest::newRow("c1, an escape in one character") << QByteArray(
                                                           "\xc2\x9b"
                                                           "31m")
                                                    << QByteArray("\\u{9b}31m");
    QTest::newRow("words of all kinds") << QByteArray("größe 模型 😀") << QByteArray("größe 模型 😀");
    QTest::newRow("turned text") << QByteArray(
                                        "\xe2\x80\xae"
                                        "gpj")
                                 << QByteArray("\\u{202e}gpj");
    QTest::newRow("lone lead") << QByteArray("a\xc3") << QByteArray("a\\xc3");
    QTest::newRow("lone follower") << QByteArray("\x80z") << QByteArray("\\x80z");
    QTest::newRow("overlong") << QByteArray("\xc0\xaf\xe0\x80\xaf") << QByteArray("\\xc0\\xaf\\xe0\\x80\\xaf");
    QTest::newRow("surrogate") << QByteArray("\xed\xa0\x80") << QByteArray("\\xed\\xa0\\x80");
    QTest::newRow("beyond") << QByteArray("\xf4\x90\x80\x80") << QByteArray("\\xf4\\x90\\x80\\x80");
    QTest::newRow("no character") << QByteArray("\xef\xbf\xbf") << QByteArray("\\u{ffff}");
  }
  void becomesHarmless() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, shown);
    const std::string once = printable({text.constData(), static_cast<size_t>(text.size())});
    QCOMPARE(QByteArray::fromStdString(once), shown);
    QCOMPARE(printable(once), once);
  }

  void everyByteEndsAsHarmlessText() {
    for (int first = 0; first < 256; ++first) {
      for (int second = 0; second < 256; ++second) {
        const char bytes[] = {static_cast<char>(first), static_cast<char>(second), 'z'};
        const std::string shown = printable({bytes, 3});
        QCOMPARE(printable(shown), shown);
        for (std::string_view rest = shown; !rest.empty(); rest.remove_prefix(utf8Length(rest)))
          QVERIFY(utf8Length(rest) > 0 && rest.front() != '\x1b');
      }
    }
  }

  void longTextsAreCut() {
    QCOMPARE(shortenedText("short", 5), std::string("short"));
    QCOMPARE(shortenedText("longer text", 6), std::string("longer... (11 bytes)"));
    QCOMPARE(shortenedText("aé", 2), std::string("a... (3 bytes)"));  // not inside a character
  }

  void errorsAreDescribedInOneHarmlessLine() {
    const Error error{.code = ErrorCode::kFail,
                      .message = "bad \x1b]0;title\x07" + std::string(100'000, 'm'),
                      .where = {.file = "a\nb", .node = std::string(5'000, 'n'), .value = "\xff"}};
    const std::string text = describe(error);
    QVERIFY2(text.size() < 1024, text.c_str());
    QCOMPARE(printable(text), text);
    QVERIFY(text.find("a\\x0ab") != std::string::npos && text.find("\\xff") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestPrintable)
#include "tst_printable.moc"
