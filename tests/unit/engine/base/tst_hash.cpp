#include <set>
#include <vector>

#include <QtTest/QtTest>

#include "engine/base/hash.h"
#include "engine/base/short_name.h"

using namespace cutaway;

namespace {

QByteArray bytesOf(int count) {
  QByteArray bytes;
  for (int i = 0; i < count; ++i)
    bytes.append(static_cast<char>(i * 37 + 11));
  return bytes;
}

}  // namespace

class TestHash : public QObject {
  Q_OBJECT

 private slots:
  // Numbers from the reference implementation (Python's xxhash 3), because checksums in files must stay what they are.
  void numbersAreThoseOfTheSpecification_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<quint64>("seed");
    QTest::addColumn<quint64>("expected");
    QTest::newRow("0 bytes") << bytesOf(0) << quint64{0u} << quint64{0xEF46DB3751D8E999u};
    QTest::newRow("1 bytes") << bytesOf(1) << quint64{0u} << quint64{0xF592C0C7639C4CB6u};
    QTest::newRow("3 bytes") << bytesOf(3) << quint64{7u} << quint64{0x4FAF03743C92A0CDu};
    QTest::newRow("4 bytes") << bytesOf(4) << quint64{0u} << quint64{0xFB1E5CF2F1AE4D95u};
    QTest::newRow("8 bytes") << bytesOf(8) << quint64{0u} << quint64{0x57CB2B7521F3E21Au};
    QTest::newRow("15 bytes") << bytesOf(15) << quint64{2654435761u} << quint64{0x7E324962958B9116u};
    QTest::newRow("31 bytes") << bytesOf(31) << quint64{0u} << quint64{0xE4A0E629E519A4AEu};
    QTest::newRow("32 bytes") << bytesOf(32) << quint64{0u} << quint64{0xCC6B8AAADA790B2Du};
    QTest::newRow("33 bytes") << bytesOf(33) << quint64{1u} << quint64{0x0FD4B34807971DA4u};
    QTest::newRow("63 bytes") << bytesOf(63) << quint64{0u} << quint64{0xBF9F0BA3CF95B28Au};
    QTest::newRow("64 bytes") << bytesOf(64) << quint64{0u} << quint64{0x155CCCE4BF32BEFCu};
    QTest::newRow("100 bytes") << bytesOf(100) << quint64{18446744073709551615u} << quint64{0x4597AFB8DD115092u};
    QTest::newRow("abc") << QByteArray("abc") << quint64{0} << quint64{0x44BC2CF5AD770999u};
  }
  void numbersAreThoseOfTheSpecification() {
    QFETCH(QByteArray, bytes);
    QFETCH(quint64, seed);
    QFETCH(quint64, expected);
    QCOMPARE(quint64{hash64(std::string_view(bytes.constData(), static_cast<size_t>(bytes.size())), seed)}, expected);
  }

  void everyByteCounts() {
    std::vector<std::byte> bytes(100);
    std::set<uint64_t> seen{hash64(bytes)};
    for (size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = std::byte{1};
      QVERIFY(seen.insert(hash64(bytes)).second);
      QVERIFY(seen.insert(hash64(std::span(bytes).first(i))).second);
      bytes[i] = std::byte{0};
    }
  }

  void shortNamesStayDifferent() {
    QCOMPARE(shortName("stem", 20), std::string("stem"));
    const std::string name(20, 'n');
    QCOMPARE(shortName(name, 20), name);
    QCOMPARE(shortName(name + "a", 20).size(), size_t{20});
    QVERIFY(shortName(name + "a", 20) != shortName(name + "b", 20));
    QVERIFY(shortName(name + "a", 20).starts_with("nnn~"));
    // Two bytes a letter: the second is cut where only half of it has room.
    QVERIFY(shortName("\u00e4\u00e4" + name, 20).starts_with("\u00e4~"));
  }
};

QTEST_GUILESS_MAIN(TestHash)
#include "tst_hash.moc"
