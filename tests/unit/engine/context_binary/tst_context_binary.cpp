#include <fstream>

#include <sys/stat.h>

#include <QtTest/QtTest>

#include "engine/base/mapped_file.h"
#include "tests/unit/engine/context_binary/binaries.h"

using namespace cutaway;
using namespace cutaway::test;

class TestContextBinary : public QObject {
  Q_OBJECT

 private slots:
  void whatIsWrittenIsRead() {
    const std::string bytes =
        writeBinary({partition("onednn", "first"), partition("openvino", "first"), partition("onednn", "second")});
    QVERIFY(context_binary::ContextBinary::isOurs(bytesOf(bytes)));
    const auto opened = openBinary(bytes);
    if (!opened) QFAIL(describe(opened.error()).c_str());
    const context_binary::ContextBinary& binary = **opened;
    QCOMPARE(binary.partitions().size(), size_t{3});
    QCOMPARE(binary.fileBytes(), static_cast<int64_t>(bytes.size()));
    QCOMPARE(binary.sectionBytes(), int64_t{3 * (5000 + 16)});
    const context_binary::ContextPartition* found = binary.find("openvino", "first");
    QVERIFY(found != nullptr);
    const context_binary::ContextPartition expected = partition("openvino", "first");
    QCOMPARE(found->source, expected.source);
    QCOMPARE(found->sdkVersion, expected.sdkVersion);
    QCOMPARE(found->hardware, expected.hardware);
    QCOMPARE(found->notes, expected.notes);
    QCOMPARE(found->inputs.size(), size_t{1});
    QCOMPARE(found->inputs[0].name, std::string("x"));
    QVERIFY(found->inputs[0].type == expected.inputs[0].type);
    QVERIFY(found->outputs[0].type == expected.outputs[0].type);
    const context_binary::ContextSection* weights = found->find("weights");
    QVERIFY(weights != nullptr && found->find("none") == nullptr);
    QVERIFY(std::ranges::equal(weights->bytes, expected.find("weights")->bytes));
    QVERIFY(weights->keepAlive != nullptr);
    QVERIFY(binary.verify(*found, Progress()).has_value());
    QVERIFY(binary.verifyAll(Progress()).has_value());
  }

  void portsKeepEveryType() {
    context_binary::ContextPartition all = partition("onednn", "types");
    all.inputs.clear();
    for (int type = 1; type < kElementTypeCount; ++type)
      all.inputs.push_back({std::to_string(type),
                            ValueType::tensor(static_cast<ElementType>(type), Shape{Dim(type), Dim("s\xC3\xBC")})});
    all.inputs.push_back({"", ValueType::tensor(ElementType::kFloat, Shape())});
    all.inputs.push_back(
        {"", ValueType::tensor(ElementType::kFloat, Shape(std::vector<Dim>(100, Dim(int64_t{1} << 62))))});
    all.inputs.back().type.denotation = "IMAGE";
    const auto opened = openBinary(writeBinary({all}));
    if (!opened) QFAIL(describe(opened.error()).c_str());
    const context_binary::ContextPartition& read = (*opened)->partitions()[0];
    QCOMPARE(read.inputs.size(), all.inputs.size());
    for (size_t i = 0; i < all.inputs.size(); ++i)
      QVERIFY2(read.inputs[i].type == all.inputs[i].type, toText(read.inputs[i].type).c_str());
    QCOMPARE(read.inputs.back().type.denotation, std::string("IMAGE"));
  }

  void sectionsLieAligned() {
    const std::string bytes = writeBinary({partition("onednn", "first")});
    // At every place in memory, mapped or not.
    for (size_t shift = 0; shift < 3; ++shift) {
      const auto held = std::make_shared<std::string>(std::string(shift * 8, ' ') + bytes);
      const auto opened = context_binary::ContextBinary::open(bytesOf(*held).subspan(shift * 8), held, "x");
      QVERIFY(opened.has_value());
      for (const context_binary::ContextSection& each : (*opened)->partitions()[0].sections)
        QCOMPARE(reinterpret_cast<uintptr_t>(each.bytes.data()) % 64, uintptr_t{0});
      QVERIFY((*opened)->verifyAll(Progress()).has_value());
    }
    const auto opened = openBinary(bytes).value();
    const auto offset = [&](const char* name) {
      return opened->partitions()[0].find(name)->bytes.data() - opened->bytes().data();
    };
    QCOMPARE(offset("graph"), ptrdiff_t{64});
    QCOMPARE(offset("weights"), ptrdiff_t{4096});
  }

  void equalPiecesAreKeptOnce() {
    std::string bytes;
    context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
    QVERIFY(writer.add(partition("onednn", "a"), Progress()).has_value());
    const int64_t before = writer.sizeBytes();
    QVERIFY(writer.add(partition("onednn", "b"), Progress()).has_value());
    QCOMPARE(writer.sizeBytes(), before);
    context_binary::ContextPartition other = partition("onednn", "c");
    other.sections[1] = section("weights", std::string(5000, 'v'));
    QVERIFY(writer.add(other, Progress()).has_value());
    const context_binary::ContextBinaryFigures figures = writer.finish().value();
    QCOMPARE(figures.partitions, int64_t{3});
    QCOMPARE(figures.sectionBytes, int64_t{3 * 5016});
    QCOMPARE(figures.sharedBytes, int64_t{5016 + 16});
    QCOMPARE(figures.fileBytes, static_cast<int64_t>(bytes.size()));
    const auto opened = openBinary(bytes).value();
    QCOMPARE(opened->find("onednn", "a")->find("weights")->bytes.data(),
             opened->find("onednn", "b")->find("weights")->bytes.data());
    QVERIFY(opened->find("onednn", "a")->find("weights")->bytes.data() !=
            opened->find("onednn", "c")->find("weights")->bytes.data());
  }

  void theHashStandsForTheContents() {
    const auto hashOf = [](const context_binary::ContextPartition& each) {
      return openBinary(writeBinary({each})).value()->contentHash();
    };
    const uint64_t hash = hashOf(partition("onednn", "a"));
    QCOMPARE(hashOf(partition("onednn", "a")), hash);
    QVERIFY(hashOf(partition("onednn", "b")) != hash);
    context_binary::ContextPartition other = partition("onednn", "a");
    other.sections[0] = section("graph", "what it computeS");
    QVERIFY(hashOf(other) != hash);
  }

  void emptyThingsAreFine() {
    QVERIFY(openBinary(writeBinary({})).has_value());
    const context_binary::ContextPartition bare{.name = "n", .source = "s"};
    context_binary::ContextPartition empty = bare;
    empty.name = "m";
    empty.sections = {section("nothing", ""), section("nothing too", "")};
    const auto opened = openBinary(writeBinary({bare, empty}));
    if (!opened) QFAIL(describe(opened.error()).c_str());
    QCOMPARE((*opened)->find("s", "m")->find("nothing")->bytes.size(), size_t{0});
    QVERIFY((*opened)->verifyAll(Progress()).has_value());
  }

  void sourcesHaveSeveralSpellings() {
    const auto opened =
        openBinary(writeBinary({partition("openvino", "a"), partition("onednn", "a"), partition("onednn", "b")}))
            .value();
    QCOMPARE(opened->find("OpenVINOExecutionProvider", "a")->source, std::string("openvino"));
    QVERIFY(opened->find("QNNExecutionProvider", "a") == nullptr);
    QVERIFY(opened->find("", "a") == nullptr);
    QVERIFY(opened->find("", "b") != nullptr);
    QVERIFY(opened->find("", "c") == nullptr);
  }

  void whatCannotBeWrittenIsRefused_data() {
    QTest::addColumn<int>("change");
    QTest::addColumn<QString>("part");
    QTest::newRow("no name") << 0 << "name of a partition is empty";
    QTest::newRow("no source") << 1 << "source of a partition is empty";
    QTest::newRow("no UTF-8") << 2 << "no UTF-8 text";
    QTest::newRow("section twice") << 3 << "the section 'graph' twice";
    QTest::newRow("sequence") << 4 << "tensors as inputs and outputs only";
    QTest::newRow("unknown type") << 5 << "tensors as inputs and outputs only";
    QTest::newRow("blocked") << 6 << "plain layout only";
    QTest::newRow("undefined element") << 7 << "element type is not known";
    QTest::newRow("long text") << 8 << "hold at most";
  }
  void whatCannotBeWrittenIsRefused() {
    QFETCH(int, change);
    QFETCH(QString, part);
    context_binary::ContextPartition bad = partition("onednn", "bad");
    ValueType& type = bad.outputs[0].type;
    switch (change) {
      case 0:
        bad.name.clear();
        break;
      case 1:
        bad.source.clear();
        break;
      case 2:
        bad.notes = "\xC3(";
        break;
      case 3:
        bad.sections.push_back(section("graph", "again"));
        break;
      case 4:
        type = ValueType::sequence(ValueType::tensor(ElementType::kFloat, std::nullopt));
        break;
      case 5:
        type = {};
        break;
      case 6:
        type.layout = Layout::kBlocked16;
        break;
      case 7:
        type.element = ElementType::kUndefined;
        break;
      case 8:
        bad.notes.assign(context_binary::kMostContextText + 1, 'n');
        break;
    }
    std::string bytes;
    context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
    const auto added = writer.add(bad, Progress());
    QVERIFY(!added);
    QCOMPARE(static_cast<int>(added.error().code), static_cast<int>(ErrorCode::kInvalidArgument));
    QVERIFY2(added.error().message.find(part.toStdString()) != std::string::npos, added.error().message.c_str());
  }

  void theSameNameTwiceIsRefused() {
    std::string bytes;
    context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
    QVERIFY(writer.add(partition("onednn", "a"), Progress()).has_value());
    QVERIFY(writer.add(partition("openvino", "a"), Progress()).has_value());
    const auto again = writer.add(partition("onednn", "a"), Progress());
    QVERIFY(!again);
    QCOMPARE(static_cast<int>(again.error().code), static_cast<int>(ErrorCode::kModelLoaded));
    QVERIFY(again.error().message.find("ep.context_node_name_prefix") != std::string::npos);
  }

  void errorsOfTheSinkComeBack() {
    int left = 2;
    const auto write = [&](std::span<const std::byte>) -> Result<void> {
      if (left-- == 0) return fail(ErrorCode::kFail, "the disk is full");
      return {};
    };
    context_binary::ContextBinaryWriter writer(
        {write, [](int64_t, std::span<const std::byte>) -> Result<void> { return {}; }});
    const auto added = writer.add(partition("onednn", "a"), Progress());
    QVERIFY(!added);
    QCOMPARE(added.error().message, std::string("the disk is full"));
  }

  void cancelIsHeard() {
    const CancelToken token;
    token.cancel();
    const Progress progress(token);
    std::string bytes;
    context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
    const auto added = writer.add(partition("onednn", "a"), progress);
    QVERIFY(!added && added.error().code == ErrorCode::kModelLoadCanceled);
    const auto opened = openBinary(writeBinary({partition("onednn", "a")})).value();
    QVERIFY(opened->verifyAll(progress).error().code == ErrorCode::kModelLoadCanceled);
    QVERIFY(opened->verify(opened->partitions()[0], progress).error().code == ErrorCode::kModelLoadCanceled);
    QVERIFY(opened->verifyAll(Progress()).has_value());
  }

  void changedChunksAreNamed() {
    const std::string bytes =
        writeBinary({partition("onednn", "first"),
                     {.name = "other", .source = "onednn", .sections = {section("plan", "untouched")}}});
    std::string changed = bytes;
    changed[4096 + 4999] ^= 1;
    const auto opened = openBinary(changed, "model_ctx.bin").value();
    const auto verified = opened->verify(*opened->find("onednn", "first"), Progress());
    QVERIFY(!verified);
    QCOMPARE(static_cast<int>(verified.error().code), static_cast<int>(ErrorCode::kEpFail));
    for (const char* part : {"'model_ctx.bin' was changed", "section 'weights' of partition 'first'"})
      QVERIFY2(verified.error().message.find(part) != std::string::npos, verified.error().message.c_str());
    QVERIFY(opened->verify(*opened->find("onednn", "other"), Progress()).has_value());
    QVERIFY(!opened->verify(*opened->find("onednn", "first"), Progress()));
    QVERIFY(!opened->verifyAll(Progress()));
  }

  // A file with a hole: sections beyond 2 and 4 GB, without the bytes.
  void largeFilesAreMapped() {
    QTemporaryDir folder;
    const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "large.bin";
    constexpr int64_t kHole = (int64_t{1} << 32) + 4096;
    std::string start =
        writeBinary({{.name = "end",
                      .source = "onednn",
                      .sections = {section("hole", std::string(8192, '\0')), section("behind", "behind the hole")}}});
    const auto directory = numberAt<uint64_t>(start, kAtDirectory);
    std::string tail = start.substr(4096 + 8192);
    start.resize(4096);
    // The first chunk grows: 4096 .. 4096 + kHole, everything after it moves.
    const size_t moved = directory - (4096 + 8192);
    putNumber(tail, moved + 4 + 8, uint64_t{kHole});
    putNumber(tail, moved + 4 + 24, uint64_t{4096 + kHole});
    putNumber(start, kAtDirectory, uint64_t{directory + kHole - 8192});
    putNumber(start, kAtFileSize, uint64_t{4096 + kHole + tail.size()});
    putNumber(start, kAtDirectoryChecksum, context_binary::checksumOf(bytesOf(tail).subspan(moved)));
    repairHeader(start);
    std::ofstream file(path, std::ios::binary);
    file << start;
    file.seekp(4096 + kHole);
    file << tail;
    file.close();
    const auto mapped = MappedFile::open(path);
    QVERIFY(mapped.has_value());
    const auto opened = context_binary::ContextBinary::open((*mapped)->bytes(), *mapped, "large.bin");
    if (!opened) QFAIL(describe(opened.error()).c_str());
    const context_binary::ContextSection* behind = (*opened)->find("onednn", "end")->find("behind");
    QVERIFY(std::ranges::equal(behind->bytes, bytesOf("behind the hole")));
    QCOMPARE((*opened)->find("onednn", "end")->find("hole")->bytes.size(), size_t{kHole});
  }
};

QTEST_GUILESS_MAIN(TestContextBinary)
#include "tst_context_binary.moc"
