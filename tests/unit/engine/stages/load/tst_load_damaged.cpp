#include <QtCore/QRandomGenerator>
#include <QtTest/QtTest>

#include "engine/stages/resolve/resolve.h"
#include "tests/unit/engine/stages/load/model_bytes.h"

using namespace cutaway;

namespace {

// Loads, and resolves what could be loaded: whatever the bytes say, there is an answer.
void tryBytes(const QByteArray& bytes) {
  auto loaded = loadBytes(bytes);
  if (!loaded) {
    QVERIFY(!loaded.error().message.empty());
    return;
  }
  Progress progress;
  const auto resolved = resolve::resolve(loaded->model, {}, progress);
  if (!resolved) QVERIFY(!resolved.error().message.empty());
}

}  // namespace

class TestLoadDamaged : public QObject {
  Q_OBJECT

 private slots:
  void otherFilesAreNamed_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const QByteArray& bytes, const char* part) {
      QTest::newRow(name) << bytes << QByteArray(part);
    };
    row("empty", "", "empty");
    row("git-lfs pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "git lfs pull");
    row("web page", "<!DOCTYPE html>\n<html></html>", "web page");
    row("zip", QByteArray("PK\x03\x04....", 8), "zip archive");
    row("png", "\x89PNG\r\n\x1a\n", "PNG");
    row("pickle", QByteArray("\x80\x04\x95\x10", 4), "pickle");
    row("numpy array", QByteArray("\x93NUMPY\x01\x00", 8), "NumPy");
    row("json", "{\"ir_version\": 8}", "JSON");
    row("xml", "<?xml version=\"1.0\"?><net/>", "XML");
    row("gguf", "GGUF....", "GGUF");
    row("ort, cut short", QByteArray("\x08\0\0\0ORTM", 8), "ORT-format");
    row("checkpoint", QByteArray("\x08\0\0\0ODTC", 8), "training checkpoint");
    row("tflite", QByteArray("\x1c\0\0\0TFL3", 8), "TensorFlow Lite");
    row("safetensors", QByteArray("\x10\0\0\0\0\0\0\0{\"a\":{}}", 16), "safetensors");
    row("gzip", QByteArray("\x1f\x8b\x08\x00", 4), "gzip");
    row("text", "this is not a valid onnx model", "text file");
    row("text of a model", "ir_version: 8\ngraph { }", ".textproto");
    row("noise", QByteArray("\xff\xfe\xfd\xfc\xfb\xfa", 6), "not an ONNX model");
  }
  void otherFilesAreNamed() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, part);
    const auto loaded = loadBytes(bytes);
    QVERIFY(!loaded);
    QVERIFY(loaded.error().code == ErrorCode::kInvalidProtobuf);
    QVERIFY2(QByteArray::fromStdString(loaded.error().message).contains(part), loaded.error().message.c_str());
  }

  void missingFilesAndFolders() {
    QTemporaryDir folder;
    const auto missing = loadFile(folder.filePath("none.onnx"));
    QVERIFY(!missing);
    QVERIFY(missing.error().code == ErrorCode::kNoSuchFile);
    QVERIFY(!loadFile(folder.path()));
  }

  void cutShort() {
    const QByteArray whole = modelBytes(kRichModel);
    QVERIFY(loadBytes(whole).has_value());
    for (int length = 0; length < whole.size(); ++length)
      tryBytes(whole.left(length));
    // In the middle of the graph it is said.
    const auto half = loadBytes(whole.left(whole.size() / 2));
    QVERIFY(!half);
    QVERIFY(half.error().code == ErrorCode::kInvalidProtobuf);
    QVERIFY2(half.error().message.find("cut short") != std::string::npos, half.error().message.c_str());
  }

  void bytesChanged() {
    const QByteArray whole = modelBytes(kRichModel);
    QRandomGenerator random(20261121);
    for (int round = 0; round < 6000; ++round) {
      QByteArray bytes = whole;
      const int changes = 1 + static_cast<int>(random.bounded(4));
      for (int i = 0; i < changes; ++i)
        bytes[static_cast<qsizetype>(random.bounded(static_cast<quint32>(bytes.size())))] =
            static_cast<char>(random.bounded(256));
      tryBytes(bytes);
    }
  }

  void partsRepeatedAndRemoved() {
    const QByteArray whole = modelBytes(kRichModel);
    QRandomGenerator random(7);
    for (int round = 0; round < 2000; ++round) {
      QByteArray bytes = whole;
      const auto at = static_cast<qsizetype>(random.bounded(static_cast<quint32>(bytes.size())));
      const auto length = static_cast<qsizetype>(random.bounded(32));
      if (round % 2 == 0)
        bytes.remove(at, length);
      else
        bytes.insert(at, bytes.mid(at, length));
      tryBytes(bytes);
    }
  }

  void deepBodiesAreRefused() {
    // A body in a body in a body ...: built from the inside out, 3 messages a level.
    const auto field = [](int number, const QByteArray& bytes) {
      QByteArray out;
      const auto put = [&out](quint64 value) {
        for (; value > 0x7f; value >>= 7)
          out.append(static_cast<char>(value | 0x80));
        out.append(static_cast<char>(value));
      };
      put(static_cast<quint64>(number) << 3 | 2);
      put(static_cast<quint64>(bytes.size()));
      return out + bytes;
    };
    const QByteArray graphKind("\xa0\x01\x05", 3);  // type = GRAPH
    QByteArray graph = field(2, "g");
    for (int depth = 0; depth < 2000; ++depth)
      graph =
          field(1, field(4, "If") + field(2, "y") + field(5, field(1, "then_branch") + graphKind + field(6, graph)));
    const auto loaded = loadBytes(QByteArray("\x08\x08", 2) + field(7, graph));
    QVERIFY(!loaded);
    QVERIFY2(loaded.error().message.find("nest") != std::string::npos, loaded.error().message.c_str());
  }

  void brokenModelsAreExplained_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("part");
    const auto row = [](const char* name, const char* text, ErrorCode code, const char* part) {
      QTest::newRow(name) << QByteArray(text) << static_cast<int>(code) << QByteArray(part);
    };
    row("cycle", "g (float[2] x) => (y) { [a] y = Add (x, z) [b] z = Relu (y) }", ErrorCode::kFail, "not acyclic");
    row("newer IR", "<ir_version: 99, opset_import: [\"\" : 17]> g (float[2] x) => (y) { y = Relu (x) }",
        ErrorCode::kFail, "newer ONNX");
    row("newer opset", "<ir_version: 8, opset_import: [\"\" : 314159]> g (float[2] x) => (y) { y = Relu (x) }",
        ErrorCode::kFail, "newer ONNX");
    row("no opset", "<ir_version: 8, opset_import: []> g (float[2] x) => (y) { y = Relu (x) }", ErrorCode::kFail,
        "no opset");
    row("two nodes of one name", "g (float[2] x) => (y) { [n] a = Relu (x) [n] y = Relu (a) }", ErrorCode::kFail,
        "two nodes");
    row("an output that nobody makes", "g (float[2] x) => (y, z) { y = Relu (x) }", ErrorCode::kInvalidGraph, "'z'");
    row("an input that nobody gives", "g (float[2] x) => (y) { y = Add (x, z) }", ErrorCode::kInvalidArgument, "'z'");
    row("nothing at all", "g () => () { }", ErrorCode::kInvalidGraph, "empty");
    row("an operator that does not exist", "g (float[2] x) => (y) { y = Rolu (x) }", ErrorCode::kNotImplemented,
        "no operator Rolu");
    row("an operator of a later opset",
        "<ir_version: 8, opset_import: [\"\" : 11]> g (float[2] x) => (y) { y = HardSwish (x) }",
        ErrorCode::kNotImplemented, "later opset");
    row("a withdrawn operator",
        "<ir_version: 8, opset_import: [\"\" : 10]> g (float[1,1,2,2] x, float[4] s) => (y) { y = Upsample (x, s) }",
        ErrorCode::kNotImplemented, "withdrawn");
    row("functions that call each other",
        "<ir_version: 8, opset_import: [\"\" : 17, \"f\" : 1]> g (float[2] x) => (y) { y = f.A (x) } <domain: \"f\", "
        "opset_import: [\"f\" : 1]> A (a) => (b) { b = f.B (a) } <domain: \"f\", opset_import: [\"f\" : 1]> B (a) => "
        "(b) { b = f.A (a) }",
        ErrorCode::kFail, "calls itself");
  }
  void brokenModelsAreExplained() {
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(QByteArray, part);
    auto loaded = loadBytes(modelBytes(text));
    Error error;
    if (!loaded) {
      error = loaded.error();
    } else {
      Progress progress;
      const auto resolved = resolve::resolve(loaded->model, {}, progress);
      QVERIFY2(!resolved, "neither load nor resolve refused it");
      error = resolved.error();
    }
    QVERIFY2(QByteArray::fromStdString(error.message).contains(part), error.message.c_str());
    QCOMPARE(static_cast<int>(error.code), code);
  }
};

QTEST_GUILESS_MAIN(TestLoadDamaged)
#include "tst_load_damaged.moc"
