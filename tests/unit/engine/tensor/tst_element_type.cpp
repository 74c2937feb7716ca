#include <QtTest/QtTest>

#include "engine/tensor/element_type.h"
#include "engine/tensor/packed_bits.h"

using namespace cutaway;

class TestElementType : public QObject {
  Q_OBJECT

 private slots:
  void everyTypeIsDescribed_data() {
    QTest::addColumn<int>("number");  // of TensorProto.DataType
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("bits");
    QTest::addColumn<bool>("floating");
    QTest::addColumn<bool>("integer");
    const auto row = [](int number, const char* name, int bits, bool floating, bool integer) {
      QTest::newRow(name) << number << QByteArray(name) << bits << floating << integer;
    };
    row(1, "float", 32, true, false);
    row(2, "uint8", 8, false, true);
    row(3, "int8", 8, false, true);
    row(4, "uint16", 16, false, true);
    row(5, "int16", 16, false, true);
    row(6, "int32", 32, false, true);
    row(7, "int64", 64, false, true);
    row(8, "string", 8 * static_cast<int>(sizeof(std::string)), false, false);
    row(9, "bool", 8, false, false);
    row(10, "float16", 16, true, false);
    row(11, "double", 64, true, false);
    row(12, "uint32", 32, false, true);
    row(13, "uint64", 64, false, true);
    row(14, "complex64", 64, false, false);
    row(15, "complex128", 128, false, false);
    row(16, "bfloat16", 16, true, false);
    row(17, "float8e4m3fn", 8, true, false);
    row(18, "float8e4m3fnuz", 8, true, false);
    row(19, "float8e5m2", 8, true, false);
    row(20, "float8e5m2fnuz", 8, true, false);
    row(21, "uint4", 4, false, true);
    row(22, "int4", 4, false, true);
    row(23, "float4e2m1", 4, true, false);
    row(24, "float8e8m0", 8, true, false);
    row(25, "uint2", 2, false, true);
    row(26, "int2", 2, false, true);
  }
  void everyTypeIsDescribed() {
    QFETCH(int, number);
    QFETCH(QByteArray, name);
    QFETCH(int, bits);
    QFETCH(bool, floating);
    QFETCH(bool, integer);
    const auto type = static_cast<ElementType>(number);
    QVERIFY(isKnown(type));
    QCOMPARE(QByteArray(elementTypeName(type).data(), static_cast<qsizetype>(elementTypeName(type).size())), name);
    QVERIFY(elementTypeFromName(name.toStdString()) == type);
    QCOMPARE(bitsOf(type), bits);
    QCOMPARE(isFloating(type), floating);
    QCOMPARE(isInteger(type), integer);
    QCOMPARE(isSubByte(type), bits < 8);
  }

  void numbersOutOfRangeAreUndefined() {
    for (const int number : {0, -1, kElementTypeCount + 2, 1 << 30, std::numeric_limits<int>::min()}) {
      const auto type = static_cast<ElementType>(number);
      QVERIFY(!isKnown(type));
      QCOMPARE(bitsOf(type), 0);
      QVERIFY(elementTypeName(type) == "undefined");
      QVERIFY(!isSubByte(type) && !isFloating(type) && !isInteger(type));
    }
    QVERIFY(!elementTypeFromName("undefined"));
    QVERIFY(!elementTypeFromName("float32"));
  }

  void packedElementsAreLowBitsFirst() {
    uint8_t bytes[2] = {0, 0};
    setPackedBits(bytes, 0, 4, 0x1);
    setPackedBits(bytes, 1, 4, 0x2);
    setPackedBits(bytes, 2, 4, 0xF3);
    QCOMPARE(bytes[0], uint8_t{0x21});
    QCOMPARE(bytes[1], uint8_t{0x03});
    for (int i = 0; i < 8; ++i)
      setPackedBits(bytes, i, 2, static_cast<uint8_t>(i % 4));
    QCOMPARE(bytes[0], uint8_t{0xE4});
    for (int i = 0; i < 8; ++i)
      QCOMPARE(packedBits(bytes, i, 2), static_cast<uint8_t>(i % 4));
    QCOMPARE(signExtend(0x8, 4), int8_t{-8});
    QCOMPARE(signExtend(0x7, 4), int8_t{7});
    QCOMPARE(signExtend(0x3, 2), int8_t{-1});
  }
};

QTEST_GUILESS_MAIN(TestElementType)
#include "tst_element_type.moc"
