// Compiled groups that are kept and restored: the same bits, from the same bytes, also with other threads and other
// shapes; whatever was changed on the way is refused.
#include <random>

#include <QtTest/QtTest>

#include "engine/base/parallel.h"
#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/binary_writer.h"
#include "engine/math/precision.h"
#include "engine/tensor/allocator.h"
#include "providers/onednn/group_kernel.h"
#include "providers/onednn/provider.h"
#include "tests/unit/providers/onednn/group_cases.h"
#include "tests/unit/providers/onednn/stored_group.h"

using namespace cutaway;

namespace {

QString problemOf(const auto& result) {
  return result ? QString("no error") : QString::fromStdString(describe(result.error()));
}

// Same numbers up to rounding; for plans of another number of threads.
double worst(const Outputs& a, const Outputs& b) {
  double error = a.size() == b.size() ? 0 : 1e9;
  for (size_t slot = 0; slot < std::min(a.size(), b.size()); ++slot) {
    if (a[slot].size() != b[slot].size()) return 1e9;
    const auto* left = reinterpret_cast<const float*>(a[slot].data());
    const auto* right = reinterpret_cast<const float*>(b[slot].data());
    for (size_t i = 0; i < a[slot].size() / 4; ++i)
      error = std::max(error, std::fabs(static_cast<double>(left[i]) - right[i]) / (1e-2 + std::fabs(right[i])));
  }
  return error;
}

const std::string kSmall = modelText("2,5,9,9",
                                     weightsText("w1", {40, 5, 3, 3}, 1) + ", " + weightsText("w2", {3, 40, 3, 3}, 2) +
                                         ", " + weightsText("b", {1, 3, 5, 5}, 3),
                                     "a = Conv (x, w1)\nr = Clip <min = -1.0> (a)\nc = Conv (r, w2)\ny = Add (c, b)");

}  // namespace

class TestOnednnContext : public QObject {
  Q_OBJECT
 private slots:
  void sameBits_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("channels");
    QTest::addColumn<int>("rows");
    for (const GroupCase& each : groupCases())
      QTest::newRow(each.name) << QByteArray::fromStdString(each.text) << each.channels << each.rows;
    QTest::newRow("integers") << QByteArray::fromStdString(integerConvolution()) << 4 << 9;
  }
  void sameBits() {
    QFETCH(QByteArray, text);
    QFETCH(int, channels);
    QFETCH(int, rows);
    const std::vector<int64_t> dims{2, channels, rows, rows};
    for (const char* fuse : {"1", "0"}) {
      for (const int threads : {1, 2}) {
        const ThreadShare share(threads);
        StoredGroup stored = exportOf(text.toStdString(), {{"fuse", fuse}, {"int8", "1"}});
        // The provider that restores has other options: those of the export count.
        const auto other = *onednnProvider().create({});
        const auto kernel = stored.restore(other.get());
        QVERIFY2(kernel, qPrintable(problemOf(kernel)));
        QCOMPARE((*kernel)->variant(), stored.compiled->variant());
        const auto expected = runKernel(*stored.compiled, stored.partition, dims),
                   found = runKernel(**kernel, stored.partition, dims);
        QVERIFY2(found, qPrintable(problemOf(found)));
        QVERIFY(*found == *expected);
        // Made for these threads, restored and run with others.
        const ThreadShare others(3 - threads);
        const auto again = stored.restore();
        QVERIFY2(again, qPrintable(problemOf(again)));
        const auto near = runKernel(**again, stored.partition, dims);
        QVERIFY2(near, qPrintable(problemOf(near)));
        QVERIFY(worst(*near, *expected) < 1e-3);
      }
    }
  }

  // Formulas of open dimensions come from the whole model; what restores a group needs them as much as what took it.
  void openDimensions() {
    const std::string text = modelText(
        "N,4,H,W", weightsText("w", {8, 4, 3, 3}, 1) + ", float[N,8,P,Q] a, float[N,8,P,Q] s, float[N,8,P,Q] m",
        "a = Conv <strides = [2, 2], pads = [1, 1, 1, 1]> (x, w)\ns = Sigmoid (a)\nm = Mul (a, s)\ny = Add (m, a)");
    StoredGroup stored = exportOf(text, {});
    const auto kernel = stored.restore();
    QVERIFY2(kernel, qPrintable(problemOf(kernel)));
    for (const int64_t size : {9, 12})
      QVERIFY(*runKernel(**kernel, stored.partition, {1, 4, size, size}) ==
              *runKernel(*stored.compiled, stored.partition, {1, 4, size, size}));
  }

  // Large enough that every constant has a section of its own.
  void weightsAreUsedWhereTheyLie() {
    const ThreadShare share(1);
    const std::string text =
        modelText("1,16,9,9",
                  weightsText("w1", {80, 16, 3, 3}, 1) + ", " + weightsText("w", {80, 90}, 8) + ", " +
                      weightsText("w2", {90, 90}, 9),
                  "a = Conv (x, w1)\ng = GlobalMaxPool (a)\nf = Flatten (g)\np = MatMul (f, w)\ny = MatMul (p, w2)");
    const StoredGroup stored = exportOf(text, {{"precision", "exact"}});
    std::string file;
    context_binary::ContextBinaryWriter writer(context_binary::sinkOf(file));
    context_binary::ContextPartition partition = stored.partition;
    partition.name = "onednn_0";
    partition.source = "onednn";
    for (size_t i = 0; i < stored.bytes.size(); ++i)
      partition.sections[i].bytes = std::as_bytes(std::span(*stored.bytes[i]));
    const Progress progress;
    QVERIFY2(writer.add(partition, progress), "the partition is not written");
    QVERIFY(writer.finish());
    const std::shared_ptr<void> mapped(heapAllocator().allocate(file.size()),
                                       [](void* block) { heapAllocator().release(block); });
    std::memcpy(mapped.get(), file.data(), file.size());
    const auto* begin = static_cast<const std::byte*>(mapped.get());
    const auto binary = context_binary::ContextBinary::open({begin, file.size()}, mapped, "memory");
    QVERIFY2(binary, qPrintable(problemOf(binary)));
    const context_binary::ContextPartition* found = (*binary)->find("onednn", "onednn_0");
    QVERIFY(found != nullptr);
    QVERIFY((*binary)->verify(*found, progress));
    const auto restored = stored.provider->restoreContext({*found, mapped, "node"}, progress);
    QVERIFY2(restored, qPrintable(problemOf(restored)));
    const auto& kernel = dynamic_cast<const onednn::GroupKernel&>(*restored->kernel);
    const auto liesInFile = [&](const void* bytes) { return bytes >= begin && bytes < begin + file.size(); };
    QCOMPARE(kernel.packedConstants().size(), size_t{1});
    QCOMPARE(kernel.packedBytes(), int64_t{0});
    QVERIFY(stored.compiled->packedBytes() > 0);
    for (const auto& entry : kernel.packedConstants())
      QVERIFY(liesInFile(entry.bytes.get()));
    for (const ValueId id : kernel.graph().initializers()) {
      const Tensor& tensor = *kernel.graph().value(id).initializer;
      QVERIFY(tensor.data() == nullptr ? kernel.graph().value(id).name == "w1"
                                       : tensor.sizeBytes() <= 4096 || liesInFile(tensor.data()));
    }
    QVERIFY(*runKernel(kernel, *found, {1, 16, 9, 9}) == *runKernel(*stored.compiled, *found, {1, 16, 9, 9}));
  }

  // Our own loops transform the constant as the model has it, so the context keeps that; and the option is kept.
  void winogradIsMadeAgain() {
    const std::string text = modelText("1,16,9,9", weightsText("w1", {80, 16, 3, 3}, 1),
                                       "a = Conv <pads = [1,1,1,1]> (x, w1)\nb = Add (a, a)\ny = Relu (b)");
    for (const char* precision : {"fast", "exact"}) {
      StoredGroup stored = exportOf(text, {{"precision", precision}});
      const auto kernel = stored.restore();
      QVERIFY2(kernel, qPrintable(problemOf(kernel)));
      const bool own = std::string((*kernel)->variant()).find("winograd") != std::string::npos;
      QCOMPARE(own, std::string(precision) == "fast");
      const std::vector<int64_t> dims{1, 16, 9, 9};
      QVERIFY(*runKernel(**kernel, stored.partition, dims) == *runKernel(*stored.compiled, stored.partition, dims));
    }
  }

  // What was compiled for other products than the session asks for is compiled again; sums of products of floats give
  // up nothing.
  void precisionIsTheSessions_data() {
    QTest::addColumn<QString>("compiled");
    QTest::addColumn<QString>("asked");
    QTest::addColumn<bool>("taken");
    QTest::newRow("exact for fast") << "exact" << "fast" << true;
    QTest::newRow("fast for exact") << "fast" << "exact" << false;
    for (const char* other : {"fast", "exact"}) {
      QTest::addRow("bf16 for %s", other) << "bf16" << other << false;
      QTest::addRow("%s for bf16", other) << other << "bf16" << false;
    }
    QTest::newRow("bf16 for bf16") << "bf16" << "bf16" << true;
  }
  void precisionIsTheSessions() {
    QFETCH(QString, compiled);
    QFETCH(QString, asked);
    QFETCH(bool, taken);
    if ((compiled == "bf16" || asked == "bf16") && !math::multipliesBfloat16()) {
      QVERIFY(!onednnProvider().create({.options = {{"precision", "bf16"}}}));
      return;
    }
    const std::string text =
        modelText("1,64,9,9", weightsText("w1", {80, 64, 1, 1}, 1) + ", " + weightsText("w", {80, 96}, 2),
                  "a = Conv (x, w1)\nr = Relu (a)\ng = GlobalAveragePool (r)\nf = Flatten (g)\n"
                  "y = MatMul (f, w)");
    const std::vector<int64_t> dims{1, 64, 9, 9};
    const ThreadShare share(1);
    StoredGroup stored = exportOf(text, {{"precision", compiled.toStdString()}});
    const auto other = *onednnProvider().create({.options = {{"precision", asked.toStdString()}}});
    const auto kernel = stored.restore(other.get());
    QCOMPARE(kernel.has_value(), taken);
    if (!taken) {
      QCOMPARE(kernel.error().code, ErrorCode::kEpFail);
      QVERIFY2(problemOf(kernel).contains("onednn{precision=" + compiled + "}"), qPrintable(problemOf(kernel)));
    } else {
      QVERIFY(*runKernel(**kernel, stored.partition, dims) == *runKernel(*stored.compiled, stored.partition, dims));
    }
    if (compiled != "bf16") return;
    QVERIFY(stored.compiled->variant().find("bf16") != std::string_view::npos);
    const Outputs rounded = *runKernel(*stored.compiled, stored.partition, dims);
    const StoredGroup floats = exportOf(text, {});
    const double error = worst(rounded, *runKernel(*floats.compiled, floats.partition, dims));
    QVERIFY2(error > 1e-5 && error < 0x1p-4, qPrintable(QString::number(error)));
    for (const int threads : {2, 3}) {
      const ThreadShare more(threads);
      QVERIFY(*runKernel(*exportOf(text, {{"precision", "bf16"}}).compiled, stored.partition, dims) == rounded);
    }
  }

  void openShapesArePlannedWhenTheyAreSeen() {
    const std::string text = modelText("n,16,h,w", weightsText("w1", {80, 16, 3, 3}, 1),
                                       "a = Conv (x, w1)\nb = Relu (a)\ny = GlobalAveragePool (b)");
    StoredGroup stored = exportOf(text, {});
    const auto kernel = stored.restore();
    QVERIFY2(kernel, qPrintable(problemOf(kernel)));
    for (const int64_t size : {5, 9, 5}) {
      const auto expected = runKernel(*stored.compiled, stored.partition, {2, 16, size, size}),
                 found = runKernel(**kernel, stored.partition, {2, 16, size, size});
      QVERIFY2(found, qPrintable(problemOf(found)));
      QVERIFY(*found == *expected);
    }
  }

  void damaged_data() {
    QTest::addColumn<QByteArray>("section");
    QTest::addColumn<int>("at");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("revision") << QByteArray("plan") << 0 << QByteArray("revision");
    QTest::newRow("fuse") << QByteArray("plan") << 8 << QByteArray("damaged");
    QTest::newRow("int8") << QByteArray("plan") << 16 << QByteArray("damaged");
    QTest::newRow("number of nodes") << QByteArray("plan") << 24 << QByteArray("nodes");
    QTest::newRow("number of packed constants") << QByteArray("plan") << 36 << QByteArray("ends too early");
  }
  void damaged() {
    QFETCH(QByteArray, section);
    QFETCH(int, at);
    QFETCH(QByteArray, word);
    StoredGroup stored = exportOf(kSmall, {});
    std::string& bytes = stored.section(section.toStdString());
    bytes[static_cast<size_t>(at)] = static_cast<char>(bytes[static_cast<size_t>(at)] + 2);
    const auto kernel = stored.restore();
    QVERIFY(!kernel);
    QCOMPARE(kernel.error().code, ErrorCode::kEpFail);
    QVERIFY2(kernel.error().message.find(word.toStdString()) != std::string::npos, kernel.error().message.c_str());
  }

  void missingSections() {
    const size_t count = exportOf(kSmall, {}).bytes.size();
    QVERIFY(count >= 3);
    for (size_t i = 0; i < count; ++i) {
      for (const bool renamed : {true, false}) {
        StoredGroup stored = exportOf(kSmall, {});
        if (renamed) {
          stored.partition.sections[i].name = "nobody";
        } else {
          stored.bytes[i]->clear();
        }
        const auto kernel = stored.restore();
        QVERIFY2(!kernel, stored.partition.sections[i].name.c_str());
        QCOMPARE(kernel.error().code, ErrorCode::kEpFail);
      }
    }
  }

  void otherPorts() {
    StoredGroup stored = exportOf(kSmall, {});
    const context_binary::ContextPartition good = stored.partition;
    stored.partition.inputs[0].type.element = ElementType::kDouble;
    QCOMPARE(stored.restore().error().code, ErrorCode::kEpFail);
    stored.partition.inputs = good.inputs;
    stored.partition.outputs.push_back(good.outputs[0]);
    QCOMPARE(stored.restore().error().code, ErrorCode::kEpFail);
    stored.partition.outputs = good.outputs;
    stored.partition.inputs[0].name = "z";
    QCOMPARE(stored.restore().error().code, ErrorCode::kEpFail);
  }

  // Whatever bytes come: an error, or a kernel that runs without harm (asan watches). CUTAWAY_FUZZ_ROUNDS and
  // CUTAWAY_FUZZ_SEED make it longer and different.
  void anyBytes() {
    std::mt19937 generator(
        qEnvironmentVariableIsSet("CUTAWAY_FUZZ_SEED") ? qEnvironmentVariableIntValue("CUTAWAY_FUZZ_SEED") : 11);
    const int rounds =
        qEnvironmentVariableIsSet("CUTAWAY_FUZZ_ROUNDS") ? qEnvironmentVariableIntValue("CUTAWAY_FUZZ_ROUNDS") : 1500;
    for (const std::string& text : {kSmall, groupCases()[8].text, integerConvolution()}) {
      StoredGroup stored = exportOf(text, {{"int8", "1"}});
      const int64_t channels = text == kSmall ? 5 : text == integerConvolution() ? 4 : 16;
      const std::vector<std::shared_ptr<std::string>> good = stored.bytes;
      int refused = 0;
      for (int round = 0; round < rounds; ++round) {
        const size_t section = round % 3 != 0 ? generator() % 8 : generator();
        stored.bytes = good;
        auto& bytes = stored.bytes[section % good.size()];
        bytes = std::make_shared<std::string>(*bytes);
        if (bytes->empty()) continue;
        for (unsigned change = 0; change <= generator() % 3; ++change) {
          const size_t at = generator() % bytes->size();
          if (generator() % 16 == 0) {
            bytes->resize(at + 1);
          } else {
            (*bytes)[at] = generator() % 2 == 0 ? static_cast<char>(generator())
                                                : static_cast<char>((*bytes)[at] ^ (1 << generator() % 8));
          }
        }
        const auto kernel = stored.restore();
        if (!kernel) {
          QCOMPARE(kernel.error().code, ErrorCode::kEpFail);
          ++refused;
          continue;
        }
        (void)runKernel(**kernel, stored.partition, {2, channels, 9, 9});
      }
      QVERIFY(refused > rounds / 20);
    }
  }

  void compatibility_data() {
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<int>("verdict");
    const auto row = [](const char* name, const char* from, const char* to, ContextCompatibility verdict) {
      QTest::newRow(name) << QByteArray(from) << QByteArray(to) << static_cast<int>(verdict);
    };
    row("same", "", "", ContextCompatibility::kOptimal);
    row("newer revision", "revision=1", "revision=2", ContextCompatibility::kUnsupported);
    row("no revision", "revision=1", "revision=", ContextCompatibility::kUnsupported);
    row("other library", "library=", "library=9", ContextCompatibility::kUnsupported);
    row("other machine", "machine=", "machine=abacus", ContextCompatibility::kUnsupported);
    row("other instructions", "isa=", "isa=mmx", ContextCompatibility::kUnsupported);
  }
  void compatibility() {
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QFETCH(int, verdict);
    const auto provider = *onednnProvider().create({});
    const QByteArray info = QByteArray::fromStdString(provider->compatibilityInfo());
    QVERIFY(info.contains(from));
    const auto judged =
        provider->checkCompatibility(QByteArray(info).replace(from, from.isEmpty() ? from : to).toStdString());
    QCOMPARE(static_cast<int>(judged.verdict), verdict);
    QCOMPARE(judged.reason.empty(), judged.verdict == ContextCompatibility::kOptimal);
  }

  void saysWhatItCompilesFor() {
    const auto provider = *onednnProvider().create({});
    const ContextSupport support = provider->contextSupport();
    QVERIFY(support.kind == ContextKind::kCompiled);
    QVERIFY(support.sdkVersion.find(onednnProvider().probe().version) != std::string::npos);
    QVERIFY(!support.hardware.empty());
  }
};

QTEST_GUILESS_MAIN(TestOnednnContext)
#include "tst_onednn_context.moc"
