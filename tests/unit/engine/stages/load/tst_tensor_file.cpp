#include <QtTest/QtTest>

#include "engine/stages/load/npy_file.h"
#include "engine/stages/load/tensor_file.h"
#include "tests/unit/engine/stages/load/model_bytes.h"

using namespace cutaway;

namespace {

Tensor tensorOfText(const QByteArray& text) {
  Model model = modelOf("g () => () <" + text + "> { }");
  return *model.graph.value(model.graph.initializers().front()).initializer;
}

std::string textOfTensor(const Tensor& tensor) {
  Graph graph("g");
  graph.addInitializer("t", tensor);
  return printGraph(graph);
}

QByteArray npy(const QByteArray& dictionary, const QByteArray& data) {
  QByteArray bytes("\x93NUMPY\x01\x00", 8);
  bytes.append(static_cast<char>(dictionary.size() & 0xff)).append(static_cast<char>(dictionary.size() >> 8));
  return bytes + dictionary + data;
}

}  // namespace

class TestTensorFile : public QObject {
  Q_OBJECT

 private slots:
  void comesBack_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("throughNpy");  // what .npy makes of it; empty: the same
    const auto row = [](const char* text, const char* throughNpy = "") {
      QTest::newRow(text) << QByteArray(text) << QByteArray(throughNpy);
    };
    row("float[2,2] t = {1,2.5,-3,0}");
    row("double[1] t = {1e300}");
    row("float[] t = {7}");
    row("float[0,3] t = {}");
    row("int8[3] t = {-1,0,127}");
    row("uint16[2] t = {1,65535}");
    row("int64[2] t = {-9223372036854775808,9}");
    row("uint64[1] t = {18446744073709551615}");
    row("bool[2] t = {true,false}");
    row("float16[2] t = {1,-2}");
    row("string[2] t = {\"a\",\"grün €\"}");
    row("bfloat16[2] t = {1,-2}", "float[2] t = {1,-2}");
    row("float8e4m3fn[2] t = {1,-2}", "float[2] t = {1,-2}");
    row("int4[3] t = {-8,0,7}", "int8[3] t = {-8,0,7}");
    row("uint4[3] t = {15,0,7}", "uint8[3] t = {15,0,7}");
  }
  void comesBack() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, throughNpy);
    QTemporaryDir folder;
    const Tensor tensor = tensorOfText(text);
    const std::string pb = folder.filePath("t.pb").toStdString();
    QVERIFY(load::writeTensorFile(pb, "t", tensor, load::TensorFileFormat::kPb).has_value());
    const auto fromPb = load::readTensorFile(pb, {});
    if (!fromPb) QFAIL(describe(fromPb.error()).c_str());
    QCOMPARE(fromPb->name, std::string("t"));
    QCOMPARE(textOfTensor(fromPb->value.tensor()), textOfTensor(tensor));
    const std::string npyPath = folder.filePath("t.npy").toStdString();
    QVERIFY(load::writeTensorFile(npyPath, "t", tensor, load::TensorFileFormat::kNpy).has_value());
    const auto fromNpy = load::readTensorFile(npyPath, {});
    if (!fromNpy) QFAIL(describe(fromNpy.error()).c_str());
    QCOMPARE(textOfTensor(fromNpy->value.tensor()),
             textOfTensor(throughNpy.isEmpty() ? tensor : tensorOfText(throughNpy)));
  }

  void fortranOrder() {
    const float values[] = {1, 2, 3, 4, 5, 6};
    const QByteArray bytes = npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n",
                                 QByteArray(reinterpret_cast<const char*>(values), sizeof values));
    const auto tensor = load::readNpy(std::as_bytes(std::span(bytes.constData(), static_cast<size_t>(bytes.size()))));
    QVERIFY(tensor.has_value());
    const std::vector<float> expected{1, 3, 5, 2, 4, 6};
    QVERIFY(std::ranges::equal(tensor->span<float>(), expected));
  }

  // Their shape is longer than the first version of the format can say.
  void thousandsOfAxes() {
    const std::vector<int64_t> dims(30'000, 1);
    const Result<Tensor> tensor = Tensor::create(ElementType::kFloat, dims);
    QVERIFY(tensor.has_value());
    const Result<std::string> written = load::writeNpy(*tensor);
    QVERIFY(written.has_value());
    const Result<Tensor> again = load::readNpy(std::as_bytes(std::span(written->data(), written->size())));
    QVERIFY2(again.has_value(), again ? "" : again.error().message.c_str());
    QVERIFY(std::ranges::equal(again->dims(), dims));
    QCOMPARE((written->size() - 4) % 64, size_t{0});
  }

  void damagedNpy_data() {
    QTest::addColumn<QByteArray>("bytes");
    const auto row = [](const char* name, const QByteArray& bytes) { QTest::newRow(name) << bytes; };
    row("no header", QByteArray("\x93NUMPY\x01", 7));
    row("header longer than the file", QByteArray("\x93NUMPY\x01\x00\xff\xff{", 11));
    row("pickled objects", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }\n", "x"));
    row("fields", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }\n", "1234"));
    row("big-endian", npy("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n", "1234"));
    row("too few bytes", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", "1234"));
    row("negative dimension", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }\n", "1234"));
    row("huge", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }\n", "1234"));
    row("huge string", npy("{'descr': '<U9223372036854775807', 'fortran_order': False, 'shape': (2,), }\n", "1234"));
    row("many empty strings", npy("{'descr': '<U0', 'fortran_order': False, 'shape': (99999999999,), }\n", ""));
    row("no shape", npy("{'descr': '<f4', 'fortran_order': False}\n", "1234"));
    row("no dictionary", npy("", ""));
  }
  void damagedNpy() {
    QFETCH(QByteArray, bytes);
    const auto tensor = load::readNpy(std::as_bytes(std::span(bytes.constData(), static_cast<size_t>(bytes.size()))));
    QVERIFY(!tensor);
    QVERIFY(tensor.error().code == ErrorCode::kInvalidArgument);
  }

  void sequencesAndOptionals() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("s.pb").toStdString();
    const ValueType floats = ValueType::tensor(ElementType::kFloat, std::nullopt);
    SequenceValue sequence;
    sequence.elementType = floats;
    sequence.items = {RuntimeValue(Tensor::scalar(1.0f)), RuntimeValue(Tensor::scalar(2.0f))};
    QVERIFY(load::writeTensorFile(path, "s", RuntimeValue(sequence), load::TensorFileFormat::kPb).has_value());
    const auto back = load::readTensorFile(path, ValueType::sequence(floats));
    if (!back) QFAIL(describe(back.error()).c_str());
    QCOMPARE(back->value.sequence().items.size(), size_t{2});
    QCOMPARE(back->value.sequence().items[1].tensor().span<float>()[0], 2.0f);
    QVERIFY(!load::writeTensorFile(path, "s", RuntimeValue(sequence), load::TensorFileFormat::kNpy));
    QVERIFY(load::writeTensorFile(path, "o", RuntimeValue(), load::TensorFileFormat::kPb).has_value());
    const auto none = load::readTensorFile(path, ValueType::optional(floats));
    QVERIFY(none.has_value());
    QVERIFY(none->value.empty());
  }

  void maps_data() {
    QTest::addColumn<QByteArray>("keys");
    QTest::addColumn<QByteArray>("values");
    QTest::newRow("int64 to float") << QByteArray("int64[3] t = {5,-1,9223372036854775807}")
                                    << QByteArray("float[3] t = {1,2.5,-3}");
    QTest::newRow("string to int64") << QByteArray("string[2] t = {\"b\",\"ä\"}") << QByteArray("int64[2] t = {7,-7}");
    QTest::newRow("int64 to string") << QByteArray("int64[2] t = {0,1}") << QByteArray("string[2] t = {\"\",\"x\"}");
    QTest::newRow("string to double, one") << QByteArray("string[1] t = {\"k\"}") << QByteArray("double[1] t = {0.1}");
  }
  void maps() {
    QFETCH(QByteArray, keys);
    QFETCH(QByteArray, values);
    QTemporaryDir folder;
    const std::string path = folder.filePath("m.pb").toStdString();
    const MapValue map{tensorOfText(keys), tensorOfText(values)};
    ValueType type;
    type.kind = TypeKind::kMap;
    QVERIFY(load::writeTensorFile(path, "m", RuntimeValue(map), load::TensorFileFormat::kPb).has_value());
    const auto back = load::readTensorFile(path, type);
    QVERIFY(back.has_value() && back->value.isMap());
    QCOMPARE(back->name, std::string("m"));
    QCOMPARE(textOfTensor(back->value.map().keys), textOfTensor(map.keys));
    QCOMPARE(textOfTensor(back->value.map().values), textOfTensor(map.values));
    // A sequence of two of them.
    QVERIFY(load::writeTensorFile(path, "s", RuntimeValue(SequenceValue{type, {RuntimeValue(map), RuntimeValue(map)}}),
                                  load::TensorFileFormat::kPb)
                .has_value());
    const auto maps = load::readTensorFile(path, ValueType::sequence(type));
    QVERIFY(maps.has_value());
    QCOMPARE(maps->value.sequence().items.size(), size_t{2});
    QVERIFY(maps->value.sequence().items[1].isMap());
    QCOMPARE(textOfTensor(maps->value.sequence().items[1].map().values), textOfTensor(map.values));
  }

  void damagedMaps() {
    QTemporaryDir folder;
    const std::string path = folder.filePath("m.pb").toStdString();
    ValueType type;
    type.kind = TypeKind::kMap;
    const auto read = [&](const MapValue& map) {
      return load::writeTensorFile(path, "m", RuntimeValue(map), load::TensorFileFormat::kPb).has_value() &&
             load::readTensorFile(path, type).has_value();
    };
    const Tensor keys = Tensor::of<int64_t>(std::vector<int64_t>{1, 2});
    QVERIFY(read({keys, Tensor::of<float>(std::vector<float>{1, 2})}));
    QVERIFY(!read({keys, Tensor::of<float>(std::vector<float>{1, 2, 3})}));
    QVERIFY(!read({keys, Tensor::of<float>(std::vector<float>{})}));
    QVERIFY(read({Tensor::of<int64_t>(std::vector<int64_t>{}), Tensor::of<float>(std::vector<float>{})}));
  }

  void errorsNameTheFile() {
    QTemporaryDir folder;
    const auto missing = load::readTensorFile(folder.filePath("none.pb").toStdString(), {});
    QVERIFY(!missing);
    QVERIFY(missing.error().code == ErrorCode::kNoSuchFile);
    writeFile(folder.filePath("bad.pb"), "this is no tensor");
    const auto bad = load::readTensorFile(folder.filePath("bad.pb").toStdString(), {});
    QVERIFY(!bad);
    QVERIFY(bad.error().where.file.find("bad.pb") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestTensorFile)
#include "tst_tensor_file.moc"
