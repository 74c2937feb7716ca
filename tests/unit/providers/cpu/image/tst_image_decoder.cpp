// Image files that are cut off, changed byte by byte or claim impossible sizes are refused or decoded, never fatal.

#include <random>

#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

Result<std::vector<Tensor>> decode(const std::vector<uint8_t>& bytes) {
  return tryOperator({.opType = "ImageDecoder", .version = 20},
                     {tensorOf<uint8_t>({static_cast<int64_t>(bytes.size())}, bytes)});
}

std::vector<uint8_t> bytesOf(const char* text, size_t size) {
  return {text, text + size};
}

// The file inside a case's input_0.pb: raw_data is the last field, and its magic is known.
std::vector<uint8_t> encodedOf(const QString& name, const QByteArray& magic) {
  QFile file(QString(CUTAWAY_TEST_DATA_DIR) + "/backend/node/" + name + "/test_data_set_0/input_0.pb");
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QByteArray all = file.readAll();
  const qsizetype at = all.indexOf(magic);
  return at < 0 ? std::vector<uint8_t>{} : std::vector<uint8_t>(all.begin() + at, all.end());
}

}  // namespace

class TestImageDecoder : public QObject {
  Q_OBJECT
 private slots:
  void noImage();
  void impossibleSizes();
  void damaged_data();
  void damaged();
};

void TestImageDecoder::noImage() {
  for (const auto& bytes : {std::vector<uint8_t>{}, std::vector<uint8_t>{0}, bytesOf("BM", 2), bytesOf("P6", 2),
                            bytesOf("P6 ", 3), bytesOf("\xff\xd8\xff", 3), bytesOf("hello world", 11)}) {
    const auto result = decode(bytes);
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::kInvalidArgument);
  }
}

void TestImageDecoder::impossibleSizes() {
  for (const char* text : {"P5 99999999 99999999 255\n", "P5 0 4 255\n", "P5 4 4 0\n", "P5 4 4 70000\n",
                           "P6 4 4 255\nabc", "P1 3 3 1 0", "P4 999999999999999999999 1 "}) {
    const auto result = decode(bytesOf(text, strlen(text)));
    QVERIFY2(!result, text);
    QCOMPARE(result.error().code, ErrorCode::kInvalidArgument);
  }
}

void TestImageDecoder::damaged_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QByteArray>("magic");
  const auto add = [](const char* name, const char* magic, int size) {
    QTest::newRow(name) << QString("test_image_decoder_decode_%1_rgb").arg(name) << QByteArray(magic, size);
  };
  add("bmp", "BM", 2);
  add("jpeg", "\xff\xd8\xff", 3);
  add("jpeg2k", "\0\0\0\x0cjP", 6);
  add("png", "\x89PNG", 4);
  add("pnm", "P6\n", 3);
  add("tiff", "II*", 3);
  add("webp", "RIFF", 4);
}

void TestImageDecoder::damaged() {
  QFETCH(QString, name);
  QFETCH(QByteArray, magic);
  const std::vector<uint8_t> whole = encodedOf(name, magic);
  QVERIFY2(!whole.empty(), "tests/conformance/export_cases.py writes the files");
  const auto good = decode(whole);
  QVERIFY2(good.has_value(), good ? "" : good.error().message.c_str());
  QCOMPARE(good->at(0).dims(), Dims({32, 32, 3}));
  // Cut off: whatever a format can do without its last bytes, it cannot do without half of them.
  const auto half = decode({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() / 2)});
  QVERIFY(!half);
  QCOMPARE(half.error().code, ErrorCode::kInvalidArgument);
  std::mt19937 random(11);
  for (int round = 0; round < 300; ++round) {
    std::vector<uint8_t> changed = whole;
    for (int i = 0; i < 1 + round % 4; ++i)
      changed[random() % (round % 2 == 0 ? changed.size() : std::min<size_t>(changed.size(), 80))] =
          static_cast<uint8_t>(random());
    const auto result = decode(changed);
    QVERIFY(result || result.error().code == ErrorCode::kInvalidArgument);
  }
}

QTEST_APPLESS_MAIN(TestImageDecoder)
#include "tst_image_decoder.moc"
