// What is wrong with a profile is told with path, line and what is allowed; hostile files end in an error.
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest/QtTest>

#include "providers/declared/profile_store.h"
#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;
using namespace cutaway::declared;
using namespace cutaway::testing;

namespace {

QString errorsOf(const std::string& text) {
  QStringList lines;
  for (const std::string& line : checkProfileText(text))
    lines << QString::fromStdString(line);
  return lines.join('\n');
}

struct Row {
  const char* name;
  const char* operators;  // stands in line 6
  const char* extra;      // stands in line 5
  const char* error;      // the beginning of the first error
};

const Row kRows[] = {
    {"good", R"([{"op": "Relu"}])", "", ""},
    {"unknown member", R"([{"op": "Relu"}])", R"("colour": "red",)",
     "colour: is not known; allowed here are schema, name, title,"},
    {"unknown member of groups", R"([])", R"("groups": {"min_nodes": 1},)",
     "groups.min_nodes: is not known; allowed here are compiled, minimum_nodes,"},
    {"unknown member of an operator", R"([{"op": "Relu", "type": {}}])", "",
     "operators[0].type: is not known; allowed here are op, domain, versions,"},
    {"wrong kind", R"([{"op": 3}])", "", "operators[0].op: is a number (3), and a string is wanted, line 6"},
    {"no object", R"(["Relu"])", "", "operators[0]: is a string, and an object is wanted, line 6"},
    {"missing operator", R"([{"domain": ""}])", "", "operators[0].op: is missing; a string is wanted, line 6"},
    {"unknown operator", R"([{"op": "Rellu"}])", "",
     "operators[0].op: ai.onnx has no operator Rellu in any version, line 6"},
    {"operator of another domain", R"([{"op": "Rellu", "domain": "com.toy"}])", "", ""},
    {"withdrawn operator", R"([{"op": "Scatter"}, {"op": "Upsample"}])", "", ""},
    {"unknown attribute", R"([{"op": "Conv", "attributes": {"padding": {"equals": 1}}}])", "",
     "operators[0].attributes.padding: Conv has no attribute of this name in any version, line 6"},
    {"attribute of an old version",
     R"([{"op": "Softmax", "attributes": {"axis": {"equals": 1}}}, {"op": "Upsample", "attributes": {"scales": {"absent": true}}}])",
     "", ""},

    {"twice", R"([{"op": "Relu"}, {"op": "Relu"}])", "",
     "operators[1]: Relu stands in operators[0] too, and all versions there overlap all versions here, line 6"},
    {"overlapping versions", R"([{"op": "Relu", "versions": [1, 13]}, {"op": "Relu", "versions": [13, null]}])", "",
     "operators[1]: Relu stands in operators[0] too, and versions 1 to 13 there overlap versions at least 13 here"},
    {"versions side by side", R"([{"op": "Relu", "versions": [1, 13]}, {"op": "Relu", "versions": [14, null]}])", "",
     ""},
    {"spans that overlap", R"([{"op": "Relu", "versions": [[1, 13], [6, 14]]}])", "",
     "operators[0].versions[1]: overlaps the span before it"},
    {"versions the wrong way", R"([{"op": "Relu", "versions": [13, 6]}])", "",
     "operators[0].versions: its smallest 13 is above its largest 6, line 6"},
    {"version 0", R"([{"op": "Relu", "versions": [0, 6]}])", "",
     "operators[0].versions: is [0, 6], and [smallest, largest] of whole numbers from 1 on is wanted"},
    {"listed and refused", R"([{"op": "Relu"}])", R"("refused": [{"op": "Relu", "reason": "no"}],)",
     "refused[0]: Relu is listed in operators[0] as supported; it can be one of the two, line 5"},
    {"refused twice", R"([])", R"("refused": [{"op": "Relu", "reason": "no"}, {"op": "Relu", "reason": "no"}],)",
     "refused[1]: Relu stands in refused[0] too, line 5"},
    {"refused without reason", R"([])", R"("refused": [{"op": "Relu"}],)",
     "refused[0].reason: is missing; a string is wanted, line 5"},

    {"empty types", R"([])", R"("types": [],)",
     "types: is [], and a list of element types with at least one is wanted, line 5"},
    {"unknown type", R"([{"op": "Relu", "types": {"0": ["float33"]}}])", "",
     "operators[0].types.0[0]: \"float33\" is no element type; those are float32, uint8"},
    {"both spellings of types", R"([{"op": "Relu", "types": {"0": ["float", "float32", "double", "float64"]}}])", "",
     ""},
    {"unknown slot", R"([{"op": "Relu", "types": {"first": ["float32"]}}])", "",
     "operators[0].types.first: is no slot; slots are written"},
    {"ranks the wrong way", R"([{"op": "Relu", "ranks": {"0": [5, 3]}}])", "",
     "operators[0].ranks.0: its smallest 5 is above its largest 3, line 6"},
    {"counts the wrong way", R"([{"op": "Clip", "inputs": {"minimum": 3, "maximum": 1}}])", "",
     "operators[0].inputs: its minimum 3 is above its maximum 1, line 6"},
    {"forbidden and constant", R"([{"op": "Clip", "forbidden_inputs": [2], "constant_inputs": [2]}])", "",
     "operators[0].constant_inputs: speaks of input 2, which forbidden_inputs rules out, line 6"},
    {"forbidden and typed", R"([{"op": "Clip", "forbidden_inputs": [2], "types": {"2": ["int8"]}}])", "",
     "operators[0].types: speaks of input 2, which forbidden_inputs rules out"},
    {"forbidden and needed", R"([{"op": "Clip", "forbidden_inputs": [1], "inputs": {"minimum": 2}}])", "",
     "operators[0].forbidden_inputs: rules out input 1, and inputs.minimum asks for 2"},
    {"rule for an input too many", R"([{"op": "Clip", "ranks": {"2": [0, 0]}, "inputs": {"maximum": 2}}])", "",
     "operators[0].ranks: speaks of input 2, and inputs.maximum is 2"},
    {"slot twice", R"([{"op": "Clip", "constant_inputs": [1, 1]}])", "",
     "operators[0].constant_inputs[1]: input 1 stands here twice"},
    {"axis that ranks rule out",
     R"([{"op": "Relu", "ranks": {"0": [2, 3]}, "shapes": [{"input": 0, "axis": 3, "known": true}]}])", "",
     "operators[0].shapes: speaks of axis 3, and ranks allow 3 axes"},

    {"attribute rules mixed", R"([{"op": "Conv", "attributes": {"group": {"equals": 1, "minimum": 1}}}])", "",
     "operators[0].attributes.group: mixes rules; one of one_of, equals, absent, or minimum and maximum is wanted, "
     "line 6"},
    {"attribute without rule", R"([{"op": "Conv", "attributes": {"group": {}}}])", "",
     "operators[0].attributes.group: says nothing; one of"},
    {"attribute bounds the wrong way", R"([{"op": "Conv", "attributes": {"group": {"minimum": 2, "maximum": 1}}}])", "",
     "operators[0].attributes.group: its minimum 2 is above its maximum 1"},
    {"attribute of nothing", R"([{"op": "Conv", "attributes": {"group": {"one_of": []}}}])", "",
     "operators[0].attributes.group.one_of: is empty"},
    {"attribute not absent", R"([{"op": "Conv", "attributes": {"group": {"absent": false}}}])", "",
     "operators[0].attributes.group.absent: can only be true"},
    {"attribute of objects", R"([{"op": "Conv", "attributes": {"group": {"equals": {}}}}])", "",
     "operators[0].attributes.group.equals: is {...}, and a number, a string or a list of them is wanted"},

    {"shape without slot", R"([{"op": "Relu", "shapes": [{"axis": 0, "known": true}]}])", "",
     "operators[0].shapes[0]: needs either input or output"},
    {"shape without axis", R"([{"op": "Relu", "shapes": [{"input": 0, "known": true}]}])", "",
     "operators[0].shapes[0].axis: is missing"},
    {"shape without rule", R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 0}]}])", "",
     "operators[0].shapes[0]: says nothing; minimum, maximum, multiple_of or known is wanted"},
    {"shape the wrong way", R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 0, "minimum": 4, "maximum": 3}]}])", "",
     "operators[0].shapes[0]: its minimum 4 is above its maximum 3"},
    {"multiple of 0", R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 0, "multiple_of": 0}]}])", "",
     "operators[0].shapes[0].multiple_of: is 0, and a whole number of at least 1 is wanted"},

    {"unknown source", R"([{"op": "Relu", "source": "hearsay"}])", "",
     "operators[0].source: \"hearsay\" is not among the sources; those are manual, blog, line 6"},
    {"layout", R"([])", R"("preferred_layout": "nchw8c",)",
     "preferred_layout: \"nchw8c\" is not known; allowed are nchw, nhwc, line 5"},
    {"device type", R"([])", R"("device": {"type": "abacus"},)",
     "device.type: \"abacus\" is not known; allowed are gpu, npu, cpu, fpga"},
    {"negative speed", R"([])", R"("device": {"link_bytes_per_second": -1},)",
     "device.link_bytes_per_second: is -1, and a number of 0 (not known) or more is wanted"},
    {"speed of no type", R"([])", R"("device": {"flops_per_second": {"words": 1}},)",
     "device.flops_per_second.words: is no element type"},
    {"group rules without groups", R"([])", R"("groups": {"compiled": false, "minimum_nodes": 2},)",
     "groups.minimum_nodes: asks something of compiled groups, and groups.compiled is false, line 5"},
    {"minimum 0", R"([])", R"("groups": {"minimum_nodes": 0},)",
     "groups.minimum_nodes: is 0, and a whole number of at least 1 is wanted"},
};

}  // namespace

class TestProfileReader : public QObject {
  Q_OBJECT
 private slots:
  void rows_data() {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < std::size(kRows); ++i)
      QTest::newRow(kRows[i].name) << static_cast<int>(i);
  }
  void rows() {
    QFETCH(int, index);
    const Row& row = kRows[index];
    const QString errors = errorsOf(toyProfile(row.operators, row.extra));
    if (row.error[0] == 0) {
      QCOMPARE(errors, QString());
    } else {
      QVERIFY2(errors.startsWith(row.error), qPrintable(errors));
    }
  }

  void everyErrorIsToldAtItsLine() {
    const QString errors =
        errorsOf(toyProfile("[\n{\"op\": \"Relu\",\n \"inputs\": 4},\n{\"op\": \"Tanhh\"}\n]", "\"bodies\": 1,"));
    QCOMPARE(errors, QString("bodies: is a number (1), and true or false is wanted, line 5\n"
                             "operators[0].inputs: is a number (4), and an object is wanted, line 8\n"
                             "operators[1].op: ai.onnx has no operator Tanhh in any version, line 9"));
  }

  void headIsNeeded() {
    const QString errors = errorsOf("{}");
    for (const char* member : {"schema", "name", "title", "version", "date", "sources", "operators"})
      QVERIFY2(errors.contains(QString("%1: is missing").arg(member)), qPrintable(errors));
    QVERIFY(errorsOf(QString::fromStdString(toyProfile("[]")).replace("profile/1", "profile/9").toStdString())
                .startsWith("schema: \"cutaway.profile/9\" is not read here"));
    QVERIFY(errorsOf(QString::fromStdString(toyProfile("[]")).replace("\"Toy\"", "\"Toy (1)\"").toStdString())
                .startsWith("name: \"Toy (1)\" is no name"));
    QVERIFY(errorsOf(QString::fromStdString(toyProfile("[]")).replace("2026-11-21", "yesterday").toStdString())
                .startsWith("date: \"yesterday\" is no date"));
    QVERIFY(errorsOf(QString::fromStdString(toyProfile("[]")).replace("2026-11-21", "2026-13-01").toStdString())
                .startsWith("date: "));
  }

  void brokenTextNamesItsLine() {
    QVERIFY(errorsOf("").startsWith("line 1: "));
    QVERIFY(errorsOf("{\n\"a\": 1,\n\"b\" 2}").startsWith("line 3: "));
    QCOMPARE(errorsOf("{\n\"a\": 1,\n\"a\": 2}"), QString("line 3: member \"a\" stands here twice"));
    QCOMPARE(errorsOf("[1]"), QString("the profile: is an array, and an object is wanted, line 1"));
    QVERIFY(errorsOf("{\"a\": \"\xff\"}").startsWith("line 1: "));
  }

  void numbersAtTheEndOfALineCountForIt() {
    QVERIFY(errorsOf(toyProfile("[]", R"("bodies": true, "main_graph_only": true,)")).startsWith("main_graph_only: "));
    QVERIFY(errorsOf(toyProfile("[]", "\"bodies\": 12\n,"))
                .startsWith("bodies: is a number (12), and true or false is wanted, line 5"));
  }

  void hostileFilesEndInAnError() {
    QVERIFY(errorsOf(std::string(1'000'000, '[')).contains("more than 16 levels of brackets"));
    QVERIFY(errorsOf(std::string(kLargestFile + 1, ' ')).contains("a profile may have 8388608 bytes"));
    std::string many = "[1";
    for (size_t i = 0; i < kMostValues; ++i)
      many += ",1";
    QVERIFY(errorsOf(many + "]").contains("more than 400000 values"));
    std::string deep;
    for (int i = 0; i < 17; ++i)
      deep += "{\"a\":";
    QVERIFY(errorsOf(deep).contains("levels of brackets"));
    QVERIFY(errorsOf(toyProfile(R"([{"op": "Relu", "versions": [1, 1e99]}])")).startsWith("operators[0].versions: "));
    QVERIFY(errorsOf(toyProfile(R"([{"op": "Relu", "versions": [1, 99999999999999999999]}])"))
                .startsWith("operators[0].versions: "));
    QVERIFY(errorsOf(toyProfile(R"([{"op": "Relu", "constant_inputs": [-1, 5000000000, 1.5]}])"))
                .startsWith("operators[0].constant_inputs[0]: "));
  }

  void damagedProfilesAreRefusedOrRead() {
    const std::string good = toyProfile(
        R"([{"op": "Conv", "versions": [[1, 10], [11, null]], "types": {"*": ["float32"], "out0": ["int8"]}, "ranks": {"0": [3, 5]},
      "attributes": {"auto_pad": {"one_of": ["NOTSET"]}, "group": {"minimum": 1}, "dilations": {"equals": [1, 1]}}, "constant_inputs": [1],
      "shapes": [{"input": 0, "axis": -1, "minimum": 1, "maximum": 9, "multiple_of": 2, "known": true}], "inputs": {"minimum": 2}}])",
        R"("device": {"memory_bytes": 100}, "groups": {"minimum_nodes": 1}, "refused": [{"op": "Relu", "reason": "no"}],)");
    QVERIFY(checkProfileText(good).empty());
    Asked asked(
        "main (float[1,1,4,4] x) => (float[1,1,4,4] y) <float[1,1,1,1] w = {1}> { [n] y = Conv <auto_pad = \"VALID\", "
        "group = 1> (x, w) }");
    uint32_t seed = 7;
    const auto draw = [&](size_t below) {
      return (seed = seed * 1664525u + 1013904223u, static_cast<size_t>(seed >> 8) % below);
    };
    const std::string letters = "{}[]\",:0-9eE.tfn\\ \n\xff";
    int readable = 0;
    for (int round = 0; round < 3000; ++round) {
      std::string text = good;
      for (size_t edits = 1 + draw(3); edits > 0; --edits) {
        const size_t at = draw(text.size());
        if (draw(3) == 0) {
          text.erase(at, 1 + draw(8));
        } else if (draw(2) == 0) {
          text.insert(at, 1, letters[draw(letters.size())]);
        } else {
          text[at] = letters[draw(letters.size())];
        }
      }
      if (!checkProfileText(text).empty()) continue;
      ++readable;
      const CapabilityAnswer answer = asked.answerOf(*declaredFrom(text));
      QCOMPARE(answer.claims.size() + answer.refusals.size(), size_t{1});
    }
    QVERIFY(readable > 0);
  }

  // What the schema file names is what the reader knows, in every object.
  void schemaFileAgrees_data() {
    QTest::addColumn<QString>("place");
    QTest::addColumn<QString>("operators");
    QTest::addColumn<QString>("extra");
    QTest::newRow("profile") << "properties" << "[]" << "\"x\": 1,";
    QTest::newRow("device") << "properties.device.properties" << "[]" << R"("device": {"x": 1},)";
    QTest::newRow("groups") << "properties.groups.properties" << "[]" << R"("groups": {"x": 1},)";
    QTest::newRow("refused") << "properties.refused.items.properties" << "[]"
                             << R"("refused": [{"op": "Relu", "reason": "no", "x": 1}],)";
    QTest::newRow("operator") << "$defs.operator.properties" << R"([{"op": "Relu", "x": 1}])" << "";
    QTest::newRow("attribute") << "$defs.attribute.properties"
                               << R"([{"op": "Conv", "attributes": {"group": {"equals": 1, "x": 1}}}])" << "";
    QTest::newRow("shape") << "$defs.shape.properties"
                           << R"([{"op": "Relu", "shapes": [{"input": 0, "axis": 0, "known": true, "x": 1}]}])" << "";
    QTest::newRow("count") << "$defs.count.properties" << R"([{"op": "Relu", "inputs": {"maximum": 1, "x": 1}}])" << "";
  }
  void schemaFileAgrees() {
    QFETCH(QString, place);
    QFETCH(QString, operators);
    QFETCH(QString, extra);
    QFile file(CUTAWAY_SOURCE_DIR "/resources/profiles/schema.json");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
    for (const QString& step : place.split('.'))
      object = object.value(step).toObject();
    QStringList named = object.keys();
    named.sort();
    const QString error = errorsOf(toyProfile(operators.toStdString(), extra.toStdString()));
    QVERIFY2(error.contains("x: is not known; allowed here are "), qPrintable(error));
    QStringList known = error.section("allowed here are ", 1).section(", line", 0, 0).split(", ");
    known.sort();
    QCOMPARE(known, named);
  }

  void manyErrorsAreCounted() {
    std::string operators = "[";
    for (int i = 0; i < 1200; ++i)
      operators += fmt::format("{}{{\"op\": \"Nothing{}\"}}", i == 0 ? "" : ",", i);
    const std::vector<std::string> errors = checkProfileText(toyProfile(operators + "]"));
    QCOMPARE(errors.size(), ProfileErrors::kMost + 1);
    QCOMPARE(QString::fromStdString(errors.back()), QString("and 200 more"));
  }
};

QTEST_GUILESS_MAIN(TestProfileReader)
#include "tst_profile_reader.moc"
