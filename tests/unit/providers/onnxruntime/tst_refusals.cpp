// Why plug-ins left nodes out, read from recorded logs and from lines that nobody should write.
#include <fstream>

#include <QtTest/QtTest>

#include "providers/onnxruntime/refusals/log_lines.h"
#include "providers/onnxruntime/refusals/refusals.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

// A file of refusal_logs: severity, location and message in columns, with \n, \t and \\ in it escaped.
std::vector<LogLine> recorded(const QString& name) {
  std::ifstream file(CUTAWAY_SOURCE_DIR "/tests/unit/providers/onnxruntime/refusal_logs/" + name.toStdString() +
                     ".tsv");
  std::vector<LogLine> log;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find('\t');
    const size_t second = line.find('\t', first + 1);
    LogLine row{line[0] - '0', line.substr(first + 1, second - first - 1), {}};
    for (size_t i = second + 1; i < line.size(); ++i) {
      if (line[i] != '\\') {
        row.message += line[i];
      } else {
        const char code = line[++i];
        row.message += code == 'n' ? '\n' : code == 't' ? '\t' : code;
      }
    }
    log.push_back(std::move(row));
  }
  return log;
}

LogLine verdict(const std::string& message) {
  return {0, "qnn_execution_provider.cc:1713 LogNodeSupport", message};
}

// What is kept of a plug-in's log, as the recorder keeps it.
std::vector<LogLine> kept(const std::vector<LogLine>& log) {
  LineFilter filter;
  std::vector<LogLine> lines;
  for (const LogLine& line : log) {
    const std::string function = line.location.substr(line.location.rfind(' ') + 1);
    if (line.severity == 0 && filter.isHeld(function, line.message)) {
      filter.hold(line.message, line.location, 0, function);
      continue;
    }
    if (line.severity == 0 && !filter.isKept(function, line.message)) continue;
    if (const auto held = filter.takeHeld(function)) lines.push_back({0, held->file, held->message});
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

class TestRefusals : public QObject {
  Q_OBJECT
 private slots:
  void recorded_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("rows");
    QTest::addColumn<QString>("node");
    QTest::addColumn<QString>("opType");
    QTest::addColumn<QString>("unit");
    QTest::addColumn<int>("pass");
    QTest::addColumn<QString>("code");
    QTest::addColumn<int>("error");
    QTest::addColumn<QString>("reason");
    const auto row = [](const char* file, int rows, const char* node, const char* opType, const char* unit, int pass,
                        const char* code, int error, const char* reason) {
      QTest::addRow("%s %s %s", file, node, opType)
          << file << rows << node << opType << unit << pass << code << error << reason;
    };
    row("qnn_reason", 2, "lstm_4", "LSTM", "LSTM", 1, "attribute", 0, "non-default activations");
    row("qnn_rank", 6, "Gather_67", "Gather", "Gather", 1, "rank", 3110, "'onnx::Transpose_353' has rank 6");
    row("qnn_rank", 6, "Transpose_68", "Transpose", "Transpose", 1, "rank", 3110, "Transpose it becomes (error 3110)");
    row("qnn_rank", 6, "Reshape_69_new_reshape", "Reshape", "Reshape", 1, "rank", 3110, "at most 5");
    row("qnn_compiler", 2, "Gather_67", "Gather", "Gather", 1, "rank", 3110, "has rank 6");
    row("qnn_types", 1, "n0", "Relu", "Relu", 1, "element type", 3110,
        "for FLOAT_64 -> FLOAT_64; it takes BF16: BFLOAT_16 -> BFLOAT_16; FP16: FLOAT_16 -> FLOAT_16 or FLOAT_32 -> "
        "FLOAT_32; INT16: UFIXED_POINT_16");
    row("qnn_unit", 6, "Relu_306", "Relu", "Conv", 1, "open shape", 0, "Cannot get shape");
    row("qnn_unit", 6, "DequantizeLinear_302", "DequantizeLinear", "Conv", 1, "open shape", 0, "Cannot get shape");
    row("qnn_border", 2, "QuantizeLinear_300", "QuantizeLinear", "QuantizeLinear", 1, "option", 0, "graph input");
    row("qnn_operator", 4, "/model/layers.0/attn/MultiHeadAttention", "MultiHeadAttention", "MultiHeadAttention", 1,
        "operator", 0, "Operators of type `MultiHeadAttention` are not supported by QNN EP.");
    row("qnn_unnamed", 1, "", "BatchNormalization", "BatchNormalization", 1, "not constant", 0, "dynamic scale");
    row("webgpu", 14, "Gather_9", "Gather", "Gather", 0, "no kernel", 0, "no kernel");
    row("webgpu_cpu", 7, "model_1/normalized_log_1/Reshape_2;model_1/normalized_log_1/Reshape_2__341", "", "", 0,
        "CPU is faster", 0, "copying");
  }
  void recorded() {
    QFETCH(QString, file);
    QFETCH(int, rows);
    QFETCH(QString, node);
    QFETCH(QString, opType);
    const std::vector<LogLine> log = ::recorded(file);
    QVERIFY(!log.empty());
    const std::vector<Refusal> refusals = readRefusals(log);
    QCOMPARE(static_cast<int>(refusals.size()), rows);
    const auto found = std::ranges::find_if(refusals, [&](const Refusal& each) {
      return each.node == node.toStdString() && each.opType == opType.toStdString();
    });
    QVERIFY(found != refusals.end());
    QTEST(QString::fromStdString(found->unit), "unit");
    QTEST(found->pass, "pass");
    QTEST(QString::fromUtf8(refusalCodeName(found->code).data()), "code");
    QTEST(found->vendorError, "error");
    QFETCH(QString, reason);
    QVERIFY2(QString::fromStdString(found->reason).contains(reason), found->reason.c_str());
  }

  // Of the lines that a provider writes most are dropped on the way, and the rest tells the same.
  void keptLinesTellTheSame_data() { recorded_data(); }
  void keptLinesTellTheSame() {
    QFETCH(QString, file);
    const std::vector<LogLine> all = ::recorded(file);
    const std::vector<Refusal> expected = readRefusals(all);
    const std::vector<Refusal> seen = readRefusals(kept(all));
    QCOMPARE(seen.size(), expected.size());
    for (size_t i = 0; i < seen.size(); ++i) {
      QCOMPARE(seen[i].node, expected[i].node);
      QCOMPARE(seen[i].reason, expected[i].reason);
      QCOMPARE(seen[i].vendorError, expected[i].vendorError);
      QCOMPARE(seen[i].pass, expected[i].pass);
    }
  }
  void linesOfNodesThatPassAreDropped() {
    const LogLine node{0, "qnn_model_wrapper.cc:557 CreateQnnNode", "Qnn_OpConfig node name: a QNN_op_type: Relu "};
    const LogLine passed = verdict(
        "Validation PASSED for 1 nodes in OrtNodeUnit (Relu) :\n\tOperator type: Relu Node name: a Node index: 1\n");
    QVERIFY(kept({node, passed, {0, "base_op_builder.cc:113 ProcessInput", "input"}}).empty());
    // A warning is kept with the node that it is about, and so is the verdict that ends what it said.
    const LogLine warning{2, "qnn_model_wrapper.cc:600 CreateQnnNode", "failed with error code 3110"};
    QCOMPARE(kept({node, warning, passed, node, passed}).size(), size_t{3});
  }

  // Nodes that passed are no rows, and what the compiler said of one is not said of the next.
  void whatPassedIsNoRefusal() {
    for (const Refusal& refusal : readRefusals(::recorded("qnn_rank")))
      QVERIFY(refusal.node != "Conv_75");
    std::vector<LogLine> log = ::recorded("qnn_rank");
    const auto error = std::ranges::find_if(log, [](const LogLine& each) { return each.severity == 2; });
    QVERIFY(error != log.end());
    log.erase(std::next(error), log.end());
    log.push_back(
        verdict("Validation PASSED for 1 nodes in OrtNodeUnit (Gather) :\n\tOperator type: Gather Node name: "
                "a Node index: 1\n"));
    log.push_back(
        verdict("Validation FAILED for 1 nodes in OrtNodeUnit (Gather) :\n\tOperator type: Gather Node name: "
                "b Node index: 2\n\tREASON : Failed to add node.\n"));
    const std::vector<Refusal> refusals = readRefusals(log);
    QCOMPARE(refusals.size(), size_t{1});
    QCOMPARE(refusals[0].vendorError, 0);
    QCOMPARE(refusals[0].reason, std::string("Failed to add node."));
  }

  void bothPassesAreTold() {
    const std::vector<Refusal> refusals = readRefusals(::recorded("qnn_compiler"));
    QCOMPARE(refusals.size(), size_t{2});
    QCOMPARE(refusals[0].pass, 1);
    QCOMPARE(refusals[1].pass, 2);
  }

  void namesMayHoldAnything_data() {
    QTest::addColumn<QString>("name");
    for (const char* const name : {"a Node index: 7", "Node name: b", "x) :", "", "a b", "\tREASON"})
      QTest::newRow(name) << name;
  }
  void namesMayHoldAnything() {
    QFETCH(QString, name);
    const std::string text = name.toStdString();
    const std::vector<Refusal> refusals = readRefusals(
        {{verdict("Validation FAILED for 1 nodes in OrtNodeUnit (Erf) :\n\tOperator type: Erf Node name: " + text +
                  " Node index: 3\n\tREASON : no\n")}});
    QCOMPARE(refusals.size(), size_t{1});
    QCOMPARE(refusals[0].node, text);
    QCOMPARE(refusals[0].index, int64_t{3});
    QCOMPARE(refusals[0].reason, std::string("no"));
  }

  // Lines of the right place and another text give no row and no harm.
  void brokenLines_data() {
    QTest::addColumn<QString>("function");
    QTest::addColumn<QString>("message");
    int number = 0;
    for (const char* const function :
         {"LogNodeSupport", "CreateQnnNode", "QnnLogging", "GetCapabilityImpl", "GetCpuPreferredNodes", ""}) {
      for (const char* const message :
           {"", "Validation FAILED", "Validation FAILED for 1 nodes in OrtNodeUnit (", "\tREASON : x",
            "Validation FAILED\n\tOperator type: A Node name: B", "Validation FAILED\n Node index: 4",
            "Qnn_OpConfig node name: ", "Qnn_OpConfig node name: a\n name=b id=0 rank=", " <E> [", " <E> [1",
            " <E> Supported I/O datatype sets", "GetCapability pass ", "GetCapability pass 99999999999999999999",
            "backendValidateOpConfig() failed with error code 99999999999999999999",
            "webgpu kernel not found in registries for Op type: A", "Force fallback to CPU execution for node"})
        QTest::addRow("%d", number++) << function << message;
    }
  }
  void brokenLines() {
    QFETCH(QString, function);
    QFETCH(QString, message);
    const LogLine line{0, ("a.cc:1 " + function).toStdString(), message.toStdString()};
    QVERIFY(readRefusals({{line}}).empty());
    QCOMPARE(readRefusals({{line, verdict("Validation FAILED for 1 nodes in OrtNodeUnit (Erf) :\n\tOperator type: Erf "
                                          "Node name: a Node index: 3\n\tREASON : Failed to add node.\n")}})
                 .size(),
             size_t{1});
  }
};

QTEST_APPLESS_MAIN(TestRefusals)
#include "tst_refusals.moc"
