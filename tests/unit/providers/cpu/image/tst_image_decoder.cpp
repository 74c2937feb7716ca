// Image files that are cut off, changed byte by byte or claim impossible sizes are refused or decoded, never fatal; and
// none takes memory that the caller does not allow.

#include <random>

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "engine/provider/kernel_contexts.h"
#include "providers/cpu/kernels/image/decoded_image.h"
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

void put16(std::vector<uint8_t>& bytes, uint32_t value) {
  bytes.push_back(static_cast<uint8_t>(value >> 8));
  bytes.push_back(static_cast<uint8_t>(value));
}
void put32(std::vector<uint8_t>& bytes, uint32_t value) {
  put16(bytes, value >> 16);
  put16(bytes, value & 0xffff);
}

struct Codestream {
  uint32_t side = 64, components = 3, layers = 1;
  int precinct = -1;  // as a power of two; -1: one for the whole image
  bool tileStyle = false;
};

// A JPEG 2000 codestream of nothing but empty packets.
std::vector<uint8_t> codestream(const Codestream& made) {
  std::vector<uint8_t> bytes;
  put16(bytes, 0xff4f);
  put16(bytes, 0xff51);
  put16(bytes, 38 + 3 * made.components);
  put16(bytes, 0);
  for (const uint32_t value : {made.side, made.side, 0u, 0u, made.side, made.side, 0u, 0u})
    put32(bytes, value);
  put16(bytes, made.components);
  for (uint32_t i = 0; i < made.components; ++i)
    bytes.insert(bytes.end(), {7, 1, 1});
  constexpr uint32_t kLevels = 1;
  const auto style = [&] {
    put16(bytes, 0xff52);
    put16(bytes, made.precinct < 0 ? 12 : 12 + kLevels + 1);
    bytes.insert(bytes.end(), {static_cast<uint8_t>(made.precinct < 0 ? 0 : 1), 0});
    put16(bytes, made.layers);
    bytes.insert(bytes.end(), {0, kLevels, 4, 4, 0, 1});
    if (made.precinct >= 0) bytes.insert(bytes.end(), kLevels + 1, static_cast<uint8_t>(made.precinct * 0x11));
  };
  style();
  put16(bytes, 0xff5c);
  put16(bytes, 3 + 3 * kLevels + 1);
  bytes.insert(bytes.end(), {0x40, 0x48, 0x48, 0x48, 0x48});
  put16(bytes, 0xff90);
  put16(bytes, 10);
  put16(bytes, 0);
  put32(bytes, 0);
  bytes.insert(bytes.end(), {0, 1});
  if (made.tileStyle) style();
  put16(bytes, 0xff93);
  bytes.insert(bytes.end(), 200, 0);
  put16(bytes, 0xffd9);
  return bytes;
}

std::vector<uint8_t> emptyTiff(uint32_t side) {
  std::vector<uint8_t> bytes = bytesOf("MM\0*\0\0\0\x08\0\x09", 10);
  const auto entry = [&](uint32_t tag, uint32_t value) {
    put16(bytes, tag);
    put16(bytes, 4);
    put32(bytes, 1);
    put32(bytes, value);
  };
  constexpr uint32_t kWidth = 256, kHeight = 257, kBits = 258, kCompression = 259, kLight = 262, kOffset = 273;
  constexpr uint32_t kSamples = 277, kRows = 278, kBytes = 279;
  for (const auto& [tag, value] : std::initializer_list<std::pair<uint32_t, uint32_t>>{{kWidth, side},
                                                                                       {kHeight, side},
                                                                                       {kBits, 8},
                                                                                       {kCompression, 1},
                                                                                       {kLight, 1},
                                                                                       {kOffset, 8},
                                                                                       {kSamples, 1},
                                                                                       {kRows, side},
                                                                                       {kBytes, side}})
    entry(tag, value);
  put32(bytes, 0);
  bytes.resize(bytes.size() + side);
  return bytes;
}

// The header of a PNG; libpng reads no further before the pixels.
std::vector<uint8_t> emptyPng() {
  return bytesOf(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x20\0\0\0\x20\0\x08\x02\0\0\0\xfd\xc8\x5d\x0e\0\0\0\0IDAT\x35\xaf\x06\x1e",
      45);
}

}  // namespace

class TestImageDecoder : public QObject {
  Q_OBJECT
 private slots:
  void noImage();
  void impossibleSizes();
  void memoryIsAskedFor_data();
  void memoryIsAskedFor();
  void stylesOfTiles();
  void tooManyPackets();
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

void TestImageDecoder::memoryIsAskedFor_data() {
  QTest::addColumn<QByteArray>("file");
  QTest::addColumn<qint64>("least");
  const auto add = [](const char* name, const std::vector<uint8_t>& bytes, int64_t least) {
    QTest::newRow(name) << QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()))
                        << qint64{least};
  };
  constexpr int64_t kPixels = int64_t{8192} * 8192;
  add("png", emptyPng(), 3 * kPixels);
  add("tiff", emptyTiff(8192), kPixels);
  add("jpeg2000, 1 component", codestream({.side = 8192, .components = 1}), 4 * kPixels);
  add("jpeg2000, 4 components", codestream({.side = 8192, .components = 4}), 16 * kPixels);
  // 400 bytes and more for each of 3 * 1024^2 bands of precincts, seen in OpenJPEG 2.5.
  add("jpeg2000, precincts of 2 x 2", codestream({.side = 2048, .components = 1, .precinct = 1}),
      400 * 3 * int64_t{1024} * 1024);
}

void TestImageDecoder::memoryIsAskedFor() {
  QFETCH(QByteArray, file);
  QFETCH(qint64, least);
  LoneContext context({.mostScratchBytes = size_t{1} << 20}, nullptr);
  const auto result = cpu::image::decodeImage(
      {reinterpret_cast<const uint8_t*>(file.data()), static_cast<size_t>(file.size())}, context);
  QVERIFY(!result);
  QVERIFY2(result.error().code == ErrorCode::kFail && result.error().byPolicy, result.error().message.c_str());
  const QRegularExpressionMatch asked = QRegularExpression(R"(scratch of a kernel \((\d+) bytes\))")
                                            .match(QString::fromStdString(result.error().message));
  QVERIFY2(asked.hasMatch(), result.error().message.c_str());
  QVERIFY2(asked.captured(1).toLongLong() >= least, result.error().message.c_str());
}

void TestImageDecoder::stylesOfTiles() {
  QVERIFY(decode(codestream({})).has_value());
  const auto result = decode(codestream({.tileStyle = true}));
  QVERIFY(!result);
  QVERIFY2(result.error().message.find("coding styles of single tiles") != std::string::npos,
           result.error().message.c_str());
}

void TestImageDecoder::tooManyPackets() {
  const auto result = decode(codestream({.side = 1024, .layers = 65535, .precinct = 4}));
  QVERIFY(!result);
  QVERIFY2(result.error().message.find("too many packets") != std::string::npos, result.error().message.c_str());
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
