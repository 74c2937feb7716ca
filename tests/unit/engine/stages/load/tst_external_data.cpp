#include <QtCore/QDir>
#include <QtTest/QtTest>

#include "engine/stages/load/external_data.h"
#include "tests/unit/engine/stages/load/model_bytes.h"

using namespace cutaway;

class TestExternalData : public QObject {
  Q_OBJECT

 private slots:
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    QVERIFY(QDir(m_folder->path()).mkpath("model/sub"));
    QByteArray data;
    for (int i = 0; i < 64; ++i)
      data.append(static_cast<char>(i));
    writeFile(path("model/data.bin"), data);
    writeFile(path("model/sub/data.bin"), data);
    writeFile(path("outside.bin"), data);
  }

  void rules_data() {
    QTest::addColumn<QByteArray>("location");
    QTest::addColumn<QByteArray>("offset");
    QTest::addColumn<QByteArray>("length");
    QTest::addColumn<QByteArray>("part");  // of the message; empty: fine
    const auto row = [](const char* name, const char* location, const char* offset, const char* length,
                        const char* part) {
      QTest::newRow(name) << QByteArray(location) << QByteArray(offset) << QByteArray(length) << QByteArray(part);
    };
    row("plain", "data.bin", "", "", "");
    row("offset and length", "data.bin", "48", "16", "");
    row("a folder below", "sub/data.bin", "0", "16", "");
    row("up and down again inside", "sub/../data.bin", "0", "16", "");
    row("missing", "none.bin", "", "", "should lie beside the model");
    row("absolute", "/etc/passwd", "", "", "absolute path");
    row("windows drive", "C:\\data.bin", "", "", "absolute path");
    row("up", "../outside.bin", "", "", "leaves the model's folder");
    row("up from below", "sub/../../outside.bin", "", "", "leaves the model's folder");
    row("up through a folder that is not there", "nowhere/../../outside.bin", "", "", "leaves the model's folder");
    row("a link that leads out", "link.bin", "", "", "leaves the model's folder");
    row("a link that stays inside", "inside.bin", "", "", "");
    row("a folder", "sub", "", "", "regular file");
    row("no location", "", "", "", "location");
    row("another program's memory", "*/_ORT_MEM_ADDR_/*", "0", "16", "memory");
    row("negative offset", "data.bin", "-1", "16", "not a count");
    row("offset that is no number", "data.bin", "1x", "16", "not a count");
    row("offset beyond 64 bits", "data.bin", "99999999999999999999", "16", "not a count");
    row("past the end", "data.bin", "49", "16", "which has only 64");
    row("far past the end", "data.bin", "9223372036854775807", "16", "which has only 64");
    row("wrong length", "data.bin", "0", "15", "needs 16 bytes");
  }
  void rules() {
    QFETCH(QByteArray, location);
    QFETCH(QByteArray, offset);
    QFETCH(QByteArray, length);
    QFETCH(QByteArray, part);
    QVERIFY(QFile::link(path("outside.bin"), path("model/link.bin")));
    QVERIFY(QFile::link(path("model/data.bin"), path("model/inside.bin")));
    load::ExternalFiles files(path("model").toStdString(), {}, false);
    const auto tensor = files.read(reference(location, offset, length));
    if (part.isEmpty()) {
      if (!tensor) QFAIL(describe(tensor.error()).c_str());
      QCOMPARE(tensor->elementCount(), int64_t{4});
      QCOMPARE(static_cast<int>(*static_cast<const uint8_t*>(tensor->data())), offset.isEmpty() ? 0 : offset.toInt());
      return;
    }
    QVERIFY(!tensor);
    QVERIFY(tensor.error().code == ErrorCode::kInvalidGraph);
    QVERIFY2(QByteArray::fromStdString(tensor.error().message).contains(part), tensor.error().message.c_str());
  }

  void missingFilesNameTensorAndFile() {
    load::ExternalFiles files(path("model").toStdString(), {}, false);
    const auto tensor = files.read(reference("none.bin", "", ""));
    QVERIFY(!tensor);
    QVERIFY(tensor.error().message.find("'weights'") != std::string::npos &&
            tensor.error().message.find("'none.bin'") != std::string::npos);
    load::ExternalFiles lenient(path("model").toStdString(), {}, true);
    const auto absent = lenient.read(reference("none.bin", "", ""));
    QVERIFY(absent.has_value() && !absent->valid());
  }

  void filesAreMappedOnceAndUnalignedDataIsCopied() {
    load::ExternalFiles files(path("model").toStdString(), {}, false);
    const auto first = files.read(reference("data.bin", "0", "16"));
    const auto second = files.read(reference("sub/../data.bin", "8", "16"));
    const auto third = files.read(reference("data.bin", "1", "16"));
    QVERIFY(first && second && third);
    QCOMPARE(static_cast<const std::byte*>(second->data()) - static_cast<const std::byte*>(first->data()),
             std::ptrdiff_t{8});
    QCOMPARE(files.copiedBytes(), int64_t{16});
    QCOMPARE(static_cast<int>(*static_cast<const uint8_t*>(third->data())), 1);
    const auto reports = files.reports();
    QCOMPARE(reports.size(), size_t{1});
    QCOMPARE(reports[0].tensorCount, 3);
    QCOMPARE(reports[0].usedBytes, int64_t{48});
    QCOMPARE(reports[0].fileBytes, int64_t{64});
  }

  // Model caches keep a folder of links into a store: the data may lie where the model really is.
  void linkedModelsFindTheirData() {
    QDir(m_folder->path()).mkpath("store");
    QDir(m_folder->path()).mkpath("snapshot");
    const Model model = modelOf("g (float[2] x) => (y) <float[2] w = {1,2}> { y = Add (x, w) }");
    QVERIFY(load::save(model, path("store/m.onnx").toStdString(), {.externalThresholdBytes = 0}).has_value());
    QVERIFY(QFile::link(path("store/m.onnx"), path("snapshot/m.onnx")));
    QVERIFY(QFile::link(path("store/m.onnx.data"), path("snapshot/m.onnx.data")));
    const auto loaded = loadFile(path("snapshot/m.onnx"));
    if (!loaded) QFAIL(describe(loaded.error()).c_str());
  }

  void missingWeightsCanBecomeInputs() {
    const Model model = modelOf("g (float[2] x) => (y) <float[2] w = {1,2}> { y = Add (x, w) }");
    QVERIFY(load::save(model, path("m.onnx").toStdString(), {.externalThresholdBytes = 0}).has_value());
    QVERIFY(QFile::remove(path("m.onnx.data")));
    QVERIFY(!loadFile(path("m.onnx")));
    const auto loaded = loadFile(path("m.onnx"), {.allowMissingExternalData = true});
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->model.graph.inputs().size(), size_t{2});
    QVERIFY(!loaded->report.warnings.empty());
  }

 private:
  QString path(const char* name) const { return m_folder->filePath(name); }
  static ExternalReference reference(const QByteArray& location, const QByteArray& offset, const QByteArray& length) {
    ExternalReference reference{"weights", ElementType::kFloat, {4}, {}};
    if (!location.isEmpty()) reference.entries.emplace_back("location", location.toStdString());
    if (!offset.isEmpty()) reference.entries.emplace_back("offset", offset.toStdString());
    if (!length.isEmpty()) reference.entries.emplace_back("length", length.toStdString());
    return reference;
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(TestExternalData)
#include "tst_external_data.moc"
