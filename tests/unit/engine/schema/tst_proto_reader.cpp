#include <QtTest/QtTest>

#include "engine/schema/proto_reader.h"

using namespace cutaway;

namespace {

// Messages written by hand, field by field.
class Message {
 public:
  Message& varint(uint32_t field, uint64_t value) {
    put(field << 3);
    put(value);
    return *this;
  }
  Message& bytes(uint32_t field, std::string_view value) {
    put(field << 3 | 2);
    put(value.size());
    m_bytes += value;
    return *this;
  }
  Message& fixed32(uint32_t field, float value) {
    put(field << 3 | 5);
    m_bytes.append(reinterpret_cast<const char*>(&value), 4);
    return *this;
  }
  const std::string& text() const { return m_bytes; }
  ByteSpan span() const { return std::as_bytes(std::span(m_bytes)); }

 private:
  void put(uint64_t value) {
    for (; value > 0x7f; value >>= 7)
      m_bytes.push_back(static_cast<char>(value | 0x80));
    m_bytes.push_back(static_cast<char>(value));
  }
  std::string m_bytes;
};

std::string packed(std::initializer_list<uint64_t> values) {
  std::string all;
  for (const uint64_t each : values) {
    std::string one = Message().varint(1, each).text();
    all += one.substr(1);
  }
  return all;
}

constexpr uint32_t kDims = 1, kType = 2, kFloats = 4, kInt32s = 5, kStrings = 6, kInt64s = 7, kRaw = 9, kExternal = 13,
                   kLocation = 14;

Result<NamedTensor> read(const Message& message) {
  ProtoReader reader({});
  return reader.readTensor(message.span());
}

}  // namespace

class TestProtoReader : public QObject {
  Q_OBJECT

 private slots:
  void readsTypedLists() {
    const auto floats =
        read(Message().varint(kDims, 2).varint(kType, 1).fixed32(kFloats, 1.5f).fixed32(kFloats, -2.0f));
    QVERIFY(floats.has_value());
    QCOMPARE(floats->tensor.span<float>()[1], -2.0f);
    const auto halves = read(Message().varint(kDims, 2).varint(kType, 10).bytes(kInt32s, packed({0x3c00, 0xc000})));
    QVERIFY(halves.has_value());
    QCOMPARE(halves->tensor.span<Float16>()[0].toFloat(), 1.0f);
    QCOMPARE(halves->tensor.span<Float16>()[1].toFloat(), -2.0f);
    const auto bools = read(Message().varint(kDims, 3).varint(kType, 9).bytes(kInt32s, packed({1, 0, 1})));
    QVERIFY(bools.has_value());
    QCOMPARE(static_cast<const uint8_t*>(bools->tensor.data())[2], uint8_t{1});
    const auto nibbles = read(Message().varint(kDims, 3).varint(kType, 22).bytes(kInt32s, packed({0xf1, 0x07})));
    QVERIFY(nibbles.has_value());
    QCOMPARE(nibbles->tensor.sizeBytes(), int64_t{2});
    const auto strings = read(Message().varint(kDims, 2).varint(kType, 8).bytes(kStrings, "a").bytes(kStrings, ""));
    QVERIFY(strings.has_value());
    QCOMPARE(strings->tensor.span<std::string>()[0], std::string("a"));
    const auto scalar = read(Message().varint(kType, 7).bytes(kInt64s, packed({~uint64_t{0}})));
    QVERIFY(scalar.has_value());
    QCOMPARE(scalar->tensor.rank(), size_t{0});
    QCOMPARE(scalar->tensor.span<int64_t>()[0], int64_t{-1});
    const auto empty = read(Message().varint(kDims, 0).varint(kType, 1));
    QVERIFY(empty.has_value());
    QCOMPARE(empty->tensor.elementCount(), int64_t{0});
  }

  void refuses_data() {
    QTest::addColumn<QByteArray>("message");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const Message& message, const char* part) {
      QTest::newRow(name) << QByteArray::fromStdString(message.text()) << QByteArray(part);
    };
    row("no type", Message().varint(kDims, 1).bytes(kRaw, "1234"), "element type 0");
    row("a type of the future", Message().varint(kDims, 1).varint(kType, 99).bytes(kRaw, "1234"), "element type 99");
    row("too few bytes", Message().varint(kDims, 2).varint(kType, 1).bytes(kRaw, "1234"), "needs 8");
    row("too many bytes", Message().varint(kDims, 1).varint(kType, 1).bytes(kRaw, "12345678"), "needs 4");
    row("a negative dimension", Message().varint(kDims, ~uint64_t{0}).varint(kType, 1).bytes(kRaw, "1234"), "");
    row("a size that overflows",
        Message().varint(kDims, uint64_t{1} << 62).varint(kDims, 8).varint(kType, 1).bytes(kRaw, "1234"), "");
    row("a huge tensor without data", Message().varint(kDims, uint64_t{1} << 40).varint(kType, 1), "taken out");
    row("too few numbers", Message().varint(kDims, 3).varint(kType, 7).bytes(kInt64s, packed({1, 2})), "does not fit");
    row("too many numbers", Message().varint(kDims, 1).varint(kType, 7).bytes(kInt64s, packed({1, 2})), "does not fit");
    row("too few strings", Message().varint(kDims, 2).varint(kType, 8).bytes(kStrings, "abcdefghijklmnopqrstuvwxyz"),
        "strings");
    row("values in two places", Message().varint(kDims, 1).varint(kType, 1).bytes(kRaw, "1234").fixed32(kFloats, 1),
        "raw_data and in float_data");
    row("values in two lists",
        Message().varint(kDims, 1).varint(kType, 7).bytes(kInt64s, packed({1})).bytes(kInt32s, packed({1})),
        "only one may hold them");
    row("data elsewhere",
        Message()
            .varint(kDims, 1)
            .varint(kType, 1)
            .varint(kLocation, 1)
            .bytes(kExternal, Message().bytes(1, "location").bytes(2, "x").text()),
        "another file");
  }
  void refuses() {
    QFETCH(QByteArray, message);
    QFETCH(QByteArray, part);
    ProtoReader reader({});
    const auto tensor =
        reader.readTensor(std::as_bytes(std::span(message.constData(), static_cast<size_t>(message.size()))));
    QVERIFY(!tensor);
    QVERIFY2(QByteArray::fromStdString(tensor.error().message).contains(part), tensor.error().message.c_str());
  }

  void alignedBytesAreNotCopied() {
    const std::string data(64, 'x');
    auto buffer = std::make_shared<std::string>();
    // The header before the bytes decides their alignment; one of these offsets is aligned, another is not.
    int mapped = 0, copied = 0;
    for (size_t padding = 0; padding < 4; ++padding) {
      const std::string message = Message().varint(kDims, 16).varint(kType, 1).bytes(kRaw, data).text();
      *buffer = std::string(padding, ' ') + message;
      ProtoReaderSettings settings;
      settings.keepAlive = buffer;
      ProtoReader reader(settings);
      const auto tensor = reader.readTensor(std::as_bytes(std::span(*buffer)).subspan(padding));
      QVERIFY(tensor.has_value());
      const auto* begin = reinterpret_cast<const std::byte*>(buffer->data());
      const auto* at = static_cast<const std::byte*>(tensor->tensor.data());
      const bool inside = at >= begin && at < begin + buffer->size();
      (inside ? mapped : copied) += 1;
      QVERIFY(reinterpret_cast<uintptr_t>(at) % 4 == 0);
      QCOMPARE(reader.copiedBytes(), inside ? int64_t{0} : int64_t{64});
    }
    QCOMPARE(mapped, 1);
    QCOMPARE(copied, 3);
  }

  void sparseTensorsBecomeDense() {
    SparseTensor sparse;
    const std::vector<float> values{5, 7};
    const std::vector<int64_t> linear{1, 5};
    sparse.values = Tensor::of(std::span<const float>(values));
    sparse.indices = Tensor::of(std::span<const int64_t>(linear));
    sparse.dims = {2, 3};
    auto dense = denseTensor(sparse);
    QVERIFY(dense.has_value());
    QCOMPARE(dense->span<float>()[1], 5.0f);
    QCOMPARE(dense->span<float>()[5], 7.0f);
    QCOMPARE(dense->span<float>()[0], 0.0f);
    const std::vector<int64_t> pairs{0, 1, 1, 2};
    const int64_t pairDims[] = {2, 2};
    sparse.indices = Tensor::of(std::span<const int64_t>(pairs)).reshaped(pairDims);
    auto same = denseTensor(sparse);
    QVERIFY(same.has_value());
    QVERIFY(std::ranges::equal(same->span<float>(), dense->span<float>()));
    const std::vector<int64_t> outside{1, 6};
    sparse.indices = Tensor::of(std::span<const int64_t>(outside));
    QVERIFY(!denseTensor(sparse));
    sparse.dims = {int64_t{1} << 40};
    QVERIFY(!denseTensor(sparse));
    sparse.dims = {int64_t{1} << 27};  // half a gigabyte out of a few bytes
    QVERIFY(!denseTensor(sparse));
  }

  // The standard's name for it, and the one that files written for onnxruntime have.
  void sparseConstants_data() {
    QTest::addColumn<QByteArray>("attribute");
    QTest::newRow("as the standard has it") << QByteArray("sparse_value");
    QTest::newRow("by what it holds") << QByteArray("value");
  }
  void sparseConstants() {
    QFETCH(QByteArray, attribute);
    constexpr uint32_t kSparse = 22, kAttributeType = 20, kSparseKind = 11;
    const Message sparse = Message()
                               .bytes(1, Message().varint(kDims, 1).varint(kType, 1).fixed32(kFloats, 5.0f).text())
                               .bytes(2, Message().varint(kDims, 1).varint(kType, 7).bytes(kInt64s, packed({2})).text())
                               .varint(3, 4);
    const Message value =
        Message().bytes(1, attribute.toStdString()).bytes(kSparse, sparse.text()).varint(kAttributeType, kSparseKind);
    const Message node = Message().bytes(2, "y").bytes(4, "Constant").bytes(5, value.text());
    const Message graphBytes = Message().bytes(1, node.text()).bytes(2, "g").bytes(12, Message().bytes(1, "y").text());
    Graph graph("g");
    ProtoReader reader({});
    const Result<void> done = reader.readGraph(graphBytes.span(), "", graph);
    QVERIFY2(done.has_value(), done ? "" : done.error().message.c_str());
    const Boxed<Tensor> dense = graph.value(graph.findValue("y")).initializer;
    QVERIFY(dense.has_value());
    QVERIFY(std::ranges::equal(dense->span<float>(), std::vector<float>{0, 0, 5, 0}));
    QCOMPARE(graph.outputs().size(), size_t{1});
  }

  void emptyListsBesideValuesAreNothing() {
    QVERIFY(read(Message().varint(kDims, 1).varint(kType, 1).bytes(kRaw, "1234").bytes(kFloats, "")).has_value());
    QVERIFY(read(Message().varint(kDims, 1).varint(kType, 7).bytes(kInt64s, packed({1})).bytes(kRaw, "")).has_value());
  }

  // -1 is what many programs write for an open dimension; other negative sizes are told of.
  void negativeSizesAreToldOf_data() {
    QTest::addColumn<qint64>("size");
    QTest::addColumn<int>("warnings");
    QTest::newRow("open") << qint64{-1} << 0;
    QTest::newRow("mistaken") << qint64{-5} << 1;
    QTest::newRow("known") << qint64{5} << 0;
  }
  void negativeSizesAreToldOf() {
    QFETCH(qint64, size);
    QFETCH(int, warnings);
    const Message dim = Message().varint(1, static_cast<uint64_t>(size));
    const Message tensor = Message().varint(1, 1).bytes(2, Message().bytes(1, dim.text()).text());
    const Message input = Message().bytes(1, "odd").bytes(2, Message().bytes(1, tensor.text()).text());
    const Message graph = Message().bytes(11, input.text());
    std::vector<std::string> said;
    ProtoReader reader({.warnings = &said});
    Graph read;
    QVERIFY(reader.readGraph(graph.span(), "", read).has_value());
    QCOMPARE(static_cast<int>(said.size()), warnings);
    if (warnings > 0) QVERIFY(said[0].find("'odd'") != std::string::npos && said[0].find("-5") != std::string::npos);
    QCOMPARE((*read.value(read.findValue("odd")).type.shape)[0].isKnown(), size >= 0);
  }

  void ranksAreLimited_data() {
    QTest::addColumn<int>("rank");
    QTest::addColumn<bool>("read");
    QTest::newRow("the most") << 256 << true;
    QTest::newRow("too many") << 257 << false;
  }
  void ranksAreLimited() {
    QFETCH(int, rank);
    QFETCH(bool, read);
    Message shape, weight;
    for (int i = 0; i < rank; ++i) {
      shape.bytes(1, Message().varint(1, 1).text());
      weight.varint(kDims, 1);
    }
    const Message tensor = Message().varint(1, 1).bytes(2, shape.text());
    const Message input = Message().bytes(1, "odd").bytes(2, Message().bytes(1, tensor.text()).text());
    weight.varint(kType, 1).bytes(kRaw, "1234").bytes(8, "odd");
    for (const Message& file : {Message().bytes(11, input.text()), Message().bytes(5, weight.text())}) {
      ProtoReader reader({});
      Graph graph;
      const Result<void> result = reader.readGraph(file.span(), "", graph);
      QCOMPARE(result.has_value(), read);
      if (!result) QVERIFY(describe(result.error()).find("odd") != std::string::npos);
    }
  }

  void longNamesOfDimensionsAreCut() {
    const std::string name(5000, 'n');
    Message shape;
    for (const std::string& each : {name, name, name + "m", std::string("batch")})
      shape.bytes(1, Message().bytes(2, each).text());
    const Message tensor = Message().varint(1, 1).bytes(2, shape.text());
    const Result<ValueType> type = readType(Message().bytes(1, tensor.text()).span());
    QVERIFY(type.has_value());
    const Shape& dims = *type->shape;
    QVERIFY(dims[0].symbol().size() <= 256);
    QVERIFY(dims[0].sameAs(dims[1]));
    QVERIFY(!dims[0].sameAs(dims[2]));
    QCOMPARE(dims[3].symbol(), std::string("batch"));
  }

  void whatANodeNamesTwiceIsRefused_data() {
    QTest::addColumn<QByteArray>("node");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char* name, Message node, const char* words) {
      QTest::newRow(name) << QByteArray::fromStdString(node.bytes(4, "Split").text()) << QByteArray(words);
    };
    const auto attribute = [](const char* name) { return Message().bytes(1, name).varint(20, 2).varint(3, 1).text(); };
    row("nothing twice",
        Message()
            .bytes(2, "a")
            .bytes(2, "b")
            .bytes(2, "")
            .bytes(2, "")
            .bytes(5, attribute("i"))
            .bytes(5, attribute("j")),
        "");
    row("an output", Message().bytes(2, "a").bytes(2, "b").bytes(2, "a"), "value 'a' is made by more than one node");
    row("an attribute",
        Message().bytes(2, "a").bytes(5, attribute("i")).bytes(5, attribute("j")).bytes(5, attribute("i")),
        "attribute 'i' is given twice");
  }
  void whatANodeNamesTwiceIsRefused() {
    QFETCH(QByteArray, node);
    QFETCH(QByteArray, words);
    const Message file = Message().bytes(1, node.toStdString());
    ProtoReader reader({});
    Graph graph;
    const Result<void> read = reader.readGraph(file.span(), "", graph);
    QCOMPARE(read.has_value(), words.isEmpty());
    if (!read) QCOMPARE(QByteArray::fromStdString(read.error().message), words);
  }

  void deepTypesAreRefused() {
    std::string type;
    for (int depth = 0; depth < 1000; ++depth)
      type = Message().bytes(4, Message().bytes(1, type).text()).text();
    const auto read = readType(std::as_bytes(std::span(type)));
    QVERIFY(!read);
    QVERIFY(read.error().message.find("nests") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestProtoReader)
#include "tst_proto_reader.moc"
