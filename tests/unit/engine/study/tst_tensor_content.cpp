// Numbers, texts, statistics and .npy files of tensors of every type.
#include <cmath>
#include <complex>
#include <cstring>
#include <fstream>
#include <thread>

#include <QtTest/QtTest>

#include "engine/base/parallel.h"
#include "engine/graph/text.h"
#include "engine/stages/load/npy_file.h"
#include "engine/study/tensor/tensor_content.h"
#include "engine/tensor/six_bit_float.h"

using namespace cutaway;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

// A tensor of any type from its bytes.
Tensor fromBytes(ElementType type, std::vector<int64_t> dims, const std::vector<uint8_t>& bytes) {
  Tensor tensor = *Tensor::create(type, dims);
  if (static_cast<size_t>(tensor.sizeBytes()) != bytes.size())
    qFatal("%zu bytes for %lld", bytes.size(), static_cast<long long>(tensor.sizeBytes()));
  std::memcpy(tensor.mutableData(), bytes.data(), bytes.size());
  return tensor;
}

template <typename T>
Tensor of(std::vector<T> values) {
  return Tensor::of(std::span<const T>(values));
}

std::shared_ptr<const study::TensorContent> contentOf(Tensor tensor) {
  auto content = study::TensorContent::make("w", RuntimeValue(std::move(tensor)), {});
  if (!content) qFatal("%s", describe(content.error()).c_str());
  return *content;
}

std::vector<double> numbersOf(const study::TensorContent& content) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < content.count(); ++i)
    numbers.push_back(content.number(i));
  return numbers;
}

// What the statistics must be, from the numbers one by one in long double.
void compareWithPlain(const study::TensorStatistics& found, const std::vector<double>& numbers) {
  long double sum = 0, absolute = 0, squares = 0, spread = 0;
  int64_t zeros = 0, infinite = 0, nans = 0, finite = 0;
  double smallest = kInfinity, largest = -kInfinity;
  for (const double each : numbers) {
    if (std::isnan(each))
      ++nans;
    else if (std::isinf(each))
      ++infinite;
    if (!std::isfinite(each)) continue;
    ++finite;
    if (each == 0) ++zeros;
    sum += each;
    absolute += std::fabs(each);
    squares += static_cast<long double>(each) * each;
    smallest = std::min(smallest, each);
    largest = std::max(largest, each);
  }
  const long double mean = finite == 0 ? 0 : sum / finite;
  for (const double each : numbers)
    if (std::isfinite(each)) spread += (each - mean) * (each - mean);
  const auto near = [](double a, long double b) {
    return a == static_cast<double>(b) ||
           std::fabs(a - static_cast<double>(b)) <=
               1e-9 * std::max(std::fabs(static_cast<double>(b)), 1e-300) + 1e-12 * std::fabs(static_cast<double>(b));
  };
  QCOMPARE(found.count, static_cast<int64_t>(numbers.size()));
  QCOMPARE(found.zeros, zeros);
  QCOMPARE(found.infinite, infinite);
  QCOMPARE(found.notNumbers, nans);
  QCOMPARE(found.histogram.empty(), finite == 0);
  if (finite == 0) return;
  QCOMPARE(found.smallest, smallest);
  QCOMPARE(found.largest, largest);
  QVERIFY2(near(found.mean, mean) ||
               std::fabs(found.mean - static_cast<double>(mean)) <= 1e-12 * static_cast<double>(absolute / finite),
           qPrintable(QString::number(found.mean)));
  QVERIFY2(near(found.absoluteMean, absolute / finite), qPrintable(QString::number(found.absoluteMean)));
  QVERIFY2(near(found.norm, std::sqrt(squares)), qPrintable(QString::number(found.norm)));
  QVERIFY2(near(found.deviation, std::sqrt(spread / finite)), qPrintable(QString::number(found.deviation)));
  int64_t counted = 0;
  for (const int64_t each : found.histogram)
    counted += each;
  QCOMPARE(counted, finite);
  QVERIFY(found.medianEstimate >= smallest && found.medianEstimate <= largest);
}

QTemporaryDir& folder() {
  static QTemporaryDir dir;
  return dir;
}
std::filesystem::path fileIn(const char* name) {
  return folder().filePath(name).toStdString();
}

Result<Tensor> readBack(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  return load::readNpy(std::as_bytes(std::span(bytes.data(), bytes.size())));
}

}  // namespace

Q_DECLARE_METATYPE(Tensor)

class TestTensorContent : public QObject {
  Q_OBJECT

 private slots:
  void elements_data() {
    QTest::addColumn<Tensor>("tensor");
    QTest::addColumn<QList<double>>("numbers");
    QTest::addColumn<QStringList>("texts");
    const auto row = [](const char* name, Tensor tensor, QList<double> numbers, QStringList texts) {
      QTest::newRow(name) << tensor << numbers << texts;
    };
    row("float", of<float>({1.5f, -0.1f, 0}), {1.5, double(-0.1f), 0}, {"1.5", "-0.1", "0"});
    row("double", of<double>({0.1, 1e300}), {0.1, 1e300}, {"0.1", "1e+300"});
    row("float nan and infinities", of<float>({NAN, INFINITY, -INFINITY}), {kNan, kInfinity, -kInfinity},
        {"nan", "inf", "-inf"});
    row("int8", of<int8_t>({-128, 127}), {-128, 127}, {"-128", "127"});
    row("uint8", of<uint8_t>({0, 255}), {0, 255}, {"0", "255"});
    row("int16", of<int16_t>({-32768, 5}), {-32768, 5}, {"-32768", "5"});
    row("uint16", of<uint16_t>({65535}), {65535}, {"65535"});
    row("int32", of<int32_t>({INT32_MIN, 7}), {double(INT32_MIN), 7}, {"-2147483648", "7"});
    row("uint32", of<uint32_t>({UINT32_MAX}), {double(UINT32_MAX)}, {"4294967295"});
    row("int64", of<int64_t>({INT64_MIN, INT64_MAX}), {double(INT64_MIN), double(INT64_MAX)},
        {"-9223372036854775808", "9223372036854775807"});
    row("uint64", of<uint64_t>({UINT64_MAX}), {double(UINT64_MAX)}, {"18446744073709551615"});
    row("bool", fromBytes(ElementType::kBool, {3}, {0, 1, 7}), {0, 1, 1}, {"false", "true", "true"});
    row("float16", fromBytes(ElementType::kFloat16, {4}, {0x00, 0x3C, 0x00, 0xC0, 0x66, 0x2E, 0x00, 0x7C}),
        {1, -2, 0.0999755859375, kInfinity}, {"1", "-2", "0.099975586", "inf"});
    row("bfloat16", fromBytes(ElementType::kBfloat16, {2}, {0x80, 0x3F, 0x40, 0xC0}), {1, -3}, {"1", "-3"});
    row("float8e4m3fn", fromBytes(ElementType::kFloat8E4M3FN, {3}, {0x38, 0x7E, 0x7F}), {1, 448, kNan},
        {"1", "448", "nan"});
    row("float8e5m2", fromBytes(ElementType::kFloat8E5M2, {3}, {0x3C, 0x7B, 0x7C}), {1, 57344, kInfinity},
        {"1", "57344", "inf"});
    row("float8e4m3fnuz", fromBytes(ElementType::kFloat8E4M3FNUZ, {2}, {0x40, 0x80}), {1, kNan}, {"1", "nan"});
    row("float8e5m2fnuz", fromBytes(ElementType::kFloat8E5M2FNUZ, {2}, {0x40, 0x80}), {1, kNan}, {"1", "nan"});
    row("float8e8m0", fromBytes(ElementType::kFloat8E8M0, {2}, {127, 130}), {1, 8}, {"1", "8"});
    row("float4e2m1", fromBytes(ElementType::kFloat4E2M1, {3}, {0x72, 0x0C}), {1, 6, -2}, {"1", "6", "-2"});
    row("uint4, odd count", fromBytes(ElementType::kUint4, {3}, {0xF1, 0x08}), {1, 15, 8}, {"1", "15", "8"});
    row("int4, odd count", fromBytes(ElementType::kInt4, {3}, {0xF1, 0x08}), {1, -1, -8}, {"1", "-1", "-8"});
    row("uint2", fromBytes(ElementType::kUint2, {5}, {0xE4, 0x01}), {0, 1, 2, 3, 1}, {"0", "1", "2", "3", "1"});
    row("int2", fromBytes(ElementType::kInt2, {4}, {0xE4}), {0, 1, -2, -1}, {"0", "1", "-2", "-1"});
    row("float6e2m3", fromBytes(kFloat6E2M3, {2}, {0x08, 0x28}), {1, -1}, {"1", "-1"});
    row("strings", of<std::string>({"a", "", "zwei\n"}), {0, 0, 0}, {"a", "", "zwei\n"});
    row("complex64", of<std::complex<float>>({{1, -2}, {0, 0.5f}}), {0, 0}, {"1-2i", "0+0.5i"});
    row("complex128", of<std::complex<double>>({{-1.5, 2}}), {0}, {"-1.5+2i"});
    row("empty", *Tensor::create(ElementType::kFloat, {0, 4}), {}, {});
    row("scalar", Tensor::scalar(int64_t{42}), {42}, {"42"});
  }
  void elements() {
    QFETCH(Tensor, tensor);
    QFETCH(QList<double>, numbers);
    QFETCH(QStringList, texts);
    const bool numeric = tensor.type() != ElementType::kString && tensor.type() != ElementType::kComplex64 &&
                         tensor.type() != ElementType::kComplex128;
    const auto content = contentOf(tensor);
    QCOMPARE(content->name(), std::string("w"));
    QCOMPARE(QString::fromStdString(content->elementType()), QString::fromUtf8(elementTypeName(tensor.type()).data()));
    QCOMPARE(content->isNumeric(), numeric);
    QCOMPARE(content->count(), int64_t(numbers.size()));
    QCOMPARE(content->sizeBytes(), tensor.sizeBytes());
    for (int i = 0; i < numbers.size(); ++i) {
      QCOMPARE(content->number(i), numbers[i]);
      QCOMPARE(QString::fromStdString(content->text(i)), texts[i]);
    }
    if (numeric)
      compareWithPlain(content->statistics(), numbersOf(*content));
    else
      QVERIFY(content->statistics().histogram.empty());
    QCOMPARE(content->number(content->count()), 0.0);
    QCOMPARE(content->text(-1), std::string());
  }

  // Bigger than a block and no multiple of a run, with odd numbers in it; as good with one thread as with many.
  void statisticsOfMany_data() {
    QTest::addColumn<int>("kind");
    const char* names[] = {"normal",  "with nan and infinities", "huge", "tiny", "constant", "large offset",
                           "all nan", "range overflows"};
    for (int i = 0; i < 8; ++i)
      QTest::newRow(names[i]) << i;
  }
  void statisticsOfMany() {
    QFETCH(int, kind);
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal(0.3, 2);
    std::vector<double> numbers(300'007);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const double each = normal(random);
      const double values[] = {each,         i % 1013 == 5 ? kInfinity : i % 777 == 3 ? kNan : i % 5 == 0 ? 0 : each,
                               each * 1e300, each * 1e-310,
                               4.25,         each + 1e9,
                               kNan,         i % 2 ? 1.7e308 : -1.7e308};
      numbers[i] = values[kind];
    }
    const auto content = contentOf(of<double>(numbers));
    compareWithPlain(content->statistics(), numbers);
    const ThreadShare one(1);
    const auto alone = contentOf(of<double>(numbers));
    QCOMPARE(alone->statistics().mean, content->statistics().mean);
    QCOMPARE(alone->statistics().deviation, content->statistics().deviation);
    QCOMPARE(alone->statistics().histogram, content->statistics().histogram);
  }

  void medianAndHistogram() {
    std::vector<float> numbers(100'001);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<float>(i * 7919 % numbers.size());
    const study::TensorStatistics statistics = contentOf(of<float>(numbers))->statistics();
    QVERIFY(std::fabs(statistics.medianEstimate - 50'000) < 30);
    for (const int64_t bin : statistics.histogram)
      QVERIFY(std::abs(bin - int64_t(numbers.size() / statistics.histogram.size())) < 30);
    QCOMPARE(contentOf(of<float>({2, 2, 2}))->statistics().histogram, std::vector<int64_t>{3});
    const study::TensorStatistics two = contentOf(of<float>({-1, 3, 3}))->statistics();
    QCOMPARE(two.histogram.front(), int64_t(1));
    QCOMPARE(two.histogram.back(), int64_t(2));
  }

  void refused_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("says");
    QTest::newRow("absent") << 0 << "absent";
    QTest::newRow("sequence") << 1 << "sequence of 1";
    QTest::newRow("map") << 2 << "map of 2";
    QTest::newRow("no bytes") << 3 << "no bytes";
    QTest::newRow("no type") << 4 << "without a type";
    QTest::newRow("elsewhere") << 5 << "gpu:0";
  }
  void refused() {
    QFETCH(int, kind);
    QFETCH(QString, says);
    const int64_t dims[] = {4};
    const RuntimeValue values[] = {
        {},
        RuntimeValue(SequenceValue{{}, {RuntimeValue(of<float>({1}))}}),
        RuntimeValue(MapValue{of<int64_t>({1, 2}), of<float>({3, 4})}),
        RuntimeValue(Tensor::wrapConst(ElementType::kFloat, dims, nullptr)),
        RuntimeValue(Tensor()),
        RuntimeValue(Tensor::wrapConst(ElementType::kFloat, dims, dims, {}, Device{DeviceType::kGpu, 0, "gpu:0"}))};
    const auto content = study::TensorContent::make("odd", values[kind], {});
    QVERIFY(!content);
    QCOMPARE(content.error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(content.error().where.value, std::string("odd"));
    QVERIFY2(QString::fromStdString(content.error().message).contains(says), content.error().message.c_str());
  }

  void cancelled() {
    const CancelToken token;
    token.cancel();
    const auto content = study::TensorContent::make("w", RuntimeValue(of<float>({1, 2})), token);
    QVERIFY(!content);
    QCOMPARE(content.error().code, ErrorCode::kModelLoadCanceled);
  }

  void npy_data() { elements_data(); }
  void npy() {
    QFETCH(Tensor, tensor);
    const auto content = contentOf(tensor);
    const auto path = fileIn("w.npy");
    QVERIFY(content->saveNpy(path));
    const auto back = readBack(path);
    QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
    const auto again = contentOf(*back);
    QCOMPARE(again->dims(), content->dims());
    for (int64_t i = 0; i < content->count(); ++i)
      QCOMPARE(again->text(i), content->text(i));
  }

  void npyLargeWidened() {
    Tensor tensor = *Tensor::create(ElementType::kInt4, {1'000'001});
    for (size_t i = 0; i < static_cast<size_t>(tensor.sizeBytes()); ++i)
      tensor.mutableBytes()[i] = static_cast<std::byte>(i * 37);
    const auto content = contentOf(tensor);
    QVERIFY(content->saveNpy(fileIn("int4.npy")));
    const auto again = contentOf(*readBack(fileIn("int4.npy")));
    QCOMPARE(again->elementType(), std::string("int8"));
    QCOMPARE(numbersOf(*again), numbersOf(*content));
  }

  void npyThatCannotBeWritten() {
    const auto content = contentOf(of<float>({1, 2}));
    const auto missing = content->saveNpy(fileIn("missing/w.npy"));
    QVERIFY(!missing);
    QCOMPARE(missing.error().where.file, fileIn("missing/w.npy").string());
    std::vector<std::string> texts(200'000, "x");
    texts[5] = std::string(100'000, 'y');
    const auto absurd = contentOf(of<std::string>(texts))->saveNpy(fileIn("absurd.npy"));
    QVERIFY(!absurd);
    QCOMPARE(absurd.error().code, ErrorCode::kNotImplemented);
    QVERIFY(!std::filesystem::exists(fileIn("absurd.npy")));
  }

  void constants_data() {
    QTest::addColumn<int>("graph");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");   // of the first element
    QTest::addColumn<QString>("error");  // part of the message
    QTest::newRow("initializer") << 0 << "w" << "3" << "";
    QTest::newRow("constant node") << 0 << "c" << "2.5" << "";
    QTest::newRow("constant integers") << 0 << "shape" << "7" << "";
    QTest::newRow("constant text") << 0 << "word" << "hello" << "";
    QTest::newRow("in a body") << 1 << "inner" << "9" << "";
    QTest::newRow("captured by a body") << 1 << "w" << "3" << "";
    QTest::newRow("captured input") << 1 << "x" << "" << "input";
    QTest::newRow("input") << 0 << "x" << "" << "input";
    QTest::newRow("computed") << 0 << "y" << "" << "Add";
    QTest::newRow("unknown") << 0 << "nothing" << "" << "no such value";
    QTest::newRow("no name") << 0 << "" << "" << "no such value";
    QTest::newRow("no such graph") << 9 << "w" << "" << "no graph 9";
    QTest::newRow("negative graph") << -1 << "w" << "" << "no graph -1";
  }
  void constants() {
    QFETCH(int, graph);
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QString, error);
    const auto model = parseModelText(R"(g (float[2] x, bool b) => (float[2] y, z) <float[2] w = {3, 4}> {
      c = Constant <value_float = 2.5> ()
      shape = Constant <value_ints = [7, 8]> ()
      word = Constant <value_string = "hello"> ()
      y = Add (x, w)
      z = If <then_branch = t () => (r) <float[1] inner = {9}> { s = Add (inner, w)  r = Add (s, x) }, else_branch = e () => (q) { q = Identity (x) }> (b)
    })");
    QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
    const auto value = study::constantValue(*model, graph, name.toStdString());
    QCOMPARE(value.has_value(), error.isEmpty());
    if (!value) {
      QCOMPARE(value.error().code, ErrorCode::kInvalidArgument);
      QVERIFY2(QString::fromStdString(value.error().message).contains(error), value.error().message.c_str());
    } else {
      QCOMPARE(QString::fromStdString(contentOf(value->tensor())->text(0)), text);
    }
  }
};

QTEST_APPLESS_MAIN(TestTensorContent)
#include "tst_tensor_content.moc"
