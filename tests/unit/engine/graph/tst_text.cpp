#include <cmath>
#include <cstring>
#include <random>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/tensor/packed_bits.h"
#include "tests/unit/engine/graph/graph_consistency.h"

using namespace cutaway;

namespace {

// Every code of the type in a row, or random bytes for wide types: whatever bits a file may hold must survive printing
// and parsing.
Tensor everyCode(ElementType type) {
  std::mt19937 random(static_cast<uint32_t>(type));
  const int64_t count = bitsOf(type) <= 8 ? int64_t{1} << bitsOf(type) : 300;
  Tensor tensor = Tensor::create(type, {count}).value();
  if (type == ElementType::kString) {
    for (std::string& each : tensor.span<std::string>()) {
      for (size_t i = random() % 12; i > 0; --i)
        each += static_cast<char>(random() % 256);
    }
    return tensor;
  }
  for (std::byte& byte : tensor.mutableBytes())
    byte = static_cast<std::byte>(random() % 256);
  if (type == ElementType::kBool) {
    for (uint8_t& each : tensor.span<uint8_t>())
      each &= 1;
  } else if (bitsOf(type) <= 8) {
    for (int64_t i = 0; i < count; ++i) {
      if (isSubByte(type))
        setPackedBits(static_cast<uint8_t*>(tensor.mutableData()), i, bitsOf(type), static_cast<uint8_t>(i));
      else
        static_cast<uint8_t*>(tensor.mutableData())[i] = static_cast<uint8_t>(i);
    }
  }
  return tensor;
}

template <typename T, typename ToDouble>
bool sameNumbers(const Tensor& a, const Tensor& b, size_t count, ToDouble&& toDouble) {
  const T* left = static_cast<const T*>(a.data());
  const T* right = static_cast<const T*>(b.data());
  for (size_t i = 0; i < count; ++i) {
    const double x = toDouble(left[i]);
    const double y = toDouble(right[i]);
    if (std::isnan(x) ? !std::isnan(y) : std::memcmp(&left[i], &right[i], sizeof(T)) != 0) return false;
  }
  return true;
}

// Bit for bit, but any NaN is as good as another.
bool sameTensor(const Tensor& a, const Tensor& b) {
  if (a.type() != b.type() || !(a.dims() == b.dims())) return false;
  const auto count = static_cast<size_t>(a.elementCount());
  const auto plain = [](auto value) { return static_cast<double>(value); };
  const auto narrow = [&](uint8_t code) { return static_cast<double>(narrowToFloat(a.type(), code)); };
  switch (a.type()) {
    case ElementType::kFloat:
      return sameNumbers<float>(a, b, count, plain);
    case ElementType::kDouble:
      return sameNumbers<double>(a, b, count, plain);
    case ElementType::kComplex64:
      return sameNumbers<float>(a, b, 2 * count, plain);
    case ElementType::kComplex128:
      return sameNumbers<double>(a, b, 2 * count, plain);
    case ElementType::kFloat16:
      return sameNumbers<Float16>(a, b, count, [](Float16 value) { return static_cast<double>(value.toFloat()); });
    case ElementType::kBfloat16:
      return sameNumbers<Bfloat16>(a, b, count, [](Bfloat16 value) { return static_cast<double>(value.toFloat()); });
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
    case ElementType::kFloat8E8M0:
      return sameNumbers<uint8_t>(a, b, count, narrow);
    case ElementType::kString:
      return std::ranges::equal(a.span<std::string>(), b.span<std::string>());
    default:
      return std::memcmp(a.data(), b.data(), static_cast<size_t>(a.sizeBytes())) == 0;
  }
}

QByteArray failureOf(const QByteArray& text) {
  const auto model = parseModelText(std::string_view(text.constData(), static_cast<size_t>(text.size())));
  return model ? QByteArray() : QByteArray::fromStdString(describe(model.error()));
}

QByteArray nestedBodies(int depth) {
  QByteArray text = "g (c) => () { ";
  for (int i = 0; i < depth; ++i)
    text += "y = If <b = g () => () { ";
  for (int i = 0; i < depth; ++i)
    text += "}> (c) ";
  return text + "}";
}

constexpr TextOptions kAll{.showOrigins = false, .showProvider = true, .maxInlineElements = 1000};

}  // namespace

class TestText : public QObject {
  Q_OBJECT

 private slots:
  // What stands here is exactly what the printer writes.
  void printsAsItReads_data() {
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char* name, const char* text) { QTest::newRow(name) << QByteArray(text); };
    row("smallest", "<ir_version: 10, opset_import: [\"\" : 21]>\ng () => () {\n}\n");
    row("the header's example",
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n,4] x) => (float[n,2] y) <float[4,2] w = "
        "{1,2,3,4,5,6,7,8}, float[n,4] h> {\n"
        "  [relu1] h = Relu (x)\n  y = MatMul (h, w)\n}\n");
    row("every property",
        "<ir_version: 11, opset_import: [\"\" : 22, \"ai.onnx.ml\" : 5], producer_name: \"p \\\"q\\\"\", "
        "producer_version: \"1\", domain: \"d\", model_version: -3, doc_string: \"two\\nlines\", "
        "metadata_props: [\"a\" : \"1\", \"b\" : \"\"]>\ng () => () {\n}\n");
    row("types",
        "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float a, float[] b, float16[?,\"x y\",3] c, "
        "seq(optional(int64[2])) d, map(string,seq(float)) e, sparse_tensor(double[4,4]) f, opaque h, i, "
        "float[1,16,2]@blocked16 j) => () {\n}\n");
    row("odd names",
        "<ir_version: 10, opset_import: [\"\" : 21]>\n\"my graph\" (\"a/b:0\", \"float\", \"\\x01\") => (\"1\") {\n  "
        "[\"n/1\"] \"1\", \"\" = com.microsoft.Op (\"a/b:0\", \"\", \"float\")\n"
        "  \"out 2\" = \"my-domain\".\"Op!\":\"v 2\" ()\n  = Print (\"out 2\")\n}\n");
    row("attributes",
        "<ir_version: 10, opset_import: [\"\" : 21]>\ng () => () {\n  y = Op <i = -9223372036854775808, f = 0.1, g = "
        "2.0, h = 1e-45, low: float = -inf, odd: float = nan, s = \"text\", "
        "is = [1, 2], fs = [1.0, 2.5], more: floats = [inf, 0.0], ss = [\"a\", \"\"], none: ints = [], no: floats = "
        "[], nil: strings = [], t = float[2] {1,2}, ts: tensors = [int8[] {1}, string[1] {\"x\"}], "
        "ty: type_proto = seq(float[n]), tys: type_protos = [float, int64[2]], sp: sparse_tensor = {dims = [3,4], "
        "values = float[1] {1}, indices = int64[1] {5}}, "
        "sps: sparse_tensors = [{dims = [1], values = float[0] {}, indices = int64[0] {}}], u: undefined = none> "
        "()\n}\n");
    row("bodies",
        "<ir_version: 10, opset_import: [\"\" : 21]>\ng (x, bool[] c) => (y) {\n  y = If <then_branch = t () => "
        "(float[2] r) <float[1] k = {1}> {\n      r = Add (x, k)\n    }, else_branch = e () => (x) {\n"
        "    }> (c)\n  z = Switch <cases: graphs = [a () => () {\n    }, b () => () {\n    }]> (c)\n}\n");
    row("functions",
        "<ir_version: 10, opset_import: [\"\" : 21, \"local\" : 1]>\ng (x) => (y) {\n  y = local.f <alpha = 1.0> "
        "(x)\n}\n"
        "<domain: \"local\", opset_import: [\"\" : 21], overload: \"o\", doc_string: \"what\">\nf <alpha, beta = 1.0, "
        "gamma: ints = []> (x) => (y) {\n  y = LeakyRelu <alpha = @alpha> (x)\n}\n");
    row("providers", "<ir_version: 10, opset_import: [\"\" : 21]>\ng (x) => (y) {\n  y = Relu @cpu <a = 1> (x)\n}\n");
    row("long declarations stand below each other",
        "<ir_version: 10, opset_import: [\"\" : 21]>\ng () => () <\n  float[2] a_rather_long_name_for_a_value = "
        "{1,2},\n  float[2] another_rather_long_name_for_a_value = {3,4},\n  float[n] "
        "and_a_third_one_without_values> {\n  and_a_third_one_without_values = Op ()\n}\n");
    row("an input with a default",
        "<ir_version: 10, opset_import: [\"\" : 21]>\ng (float[n] x) => () <float[2] x = {1,2}> {\n}\n");
  }
  void printsAsItReads() {
    QFETCH(QByteArray, text);
    const auto model = parseModelText(text.toStdString());
    QVERIFY2(model.has_value(), model ? "" : describe(model.error()).c_str());
    QCOMPARE(QByteArray::fromStdString(printModel(*model, kAll)), text);
    QCOMPARE(QString::fromStdString(deepInconsistencyOf(model->graph)), QString());
  }

  void otherSpellingsAreRead_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("printed");
    const auto row = [](const char* name, const char* text, const char* printed) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(printed);
    };
    row("comments and white space", "g(x)=>(y){ # a comment\n// another\ny=Relu(x)}",
        "g (x) => (y) {\n  y = Relu (x)\n}\n");
    row("attributes after the inputs", "g (x) => (y) { y = Elu (x) <alpha = 2.0> }",
        "g (x) => (y) {\n  y = Elu <alpha = 2.0> (x)\n}\n");
    row("kinds that need not be written",
        "g () => () { = Op <a: int = 1, b: float = 1, c: ints = [1], d: string = \"s\", e: tensor = float {1}> () }",
        "g () => () {\n  = Op <a = 1, b = 1.0, c = [1], d = \"s\", e = float[] {1}> ()\n}\n");
    row("numbers", "g () => () <float[3] f = {+1, .5, 1E2}, bool[2] b = {true, false}> {}",
        "g () => () <float[3] f = {1,0.5,100}, bool[2] b = {1,0}> {\n}\n");
    row("body with a quoted name", "g () => () { = If <b = \"my body\" () => () {}> () }",
        "g () => () {\n  = If <b = \"my body\" () => () {\n    }> ()\n}\n");
  }
  void otherSpellingsAreRead() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, printed);
    const auto model = parseModelText(text.toStdString());
    QVERIFY2(model.has_value(), model ? "" : describe(model.error()).c_str());
    QCOMPARE(QByteArray::fromStdString(printGraph(model->graph)), printed);
  }

  void everyElementTypeSurvives_data() {
    QTest::addColumn<int>("type");
    for (int type = 1; type < kElementTypeCount; ++type)
      QTest::newRow(elementTypeName(static_cast<ElementType>(type)).data()) << type;
  }
  void everyElementTypeSurvives() {
    QFETCH(int, type);
    Model model;
    model.irVersion = 10;
    const Tensor tensor = everyCode(static_cast<ElementType>(type));
    model.graph.addInitializer("w", tensor);
    Node node{.opType = "Constant"};
    node.setAttribute("value", tensor);
    model.graph.addNode(std::move(node), {}, {"c"});
    const auto back = parseModelText(printModel(model, kAll));
    QVERIFY2(back.has_value(), back ? "" : describe(back.error()).c_str());
    QVERIFY(sameTensor(*back->graph.value(back->graph.findValue("w")).initializer, tensor));
    QVERIFY(sameTensor(back->graph.node(NodeId{0}).attributeOr<Tensor>("value", {}), tensor));
  }

  void errorsSayWhere_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const QByteArray& text, const char* message) {
      QTest::newRow(name) << text << QByteArray(message);
    };
    row("nothing", "", "line 1, column 1: expected a graph's name but the text ends");
    row("no arrow", "g (x)\n  (y) {}", "line 2, column 3: expected '=>' but found '('");
    row("cut short", "g (x) => (y) {\n y = Relu (x", "line 2, column 13: expected ')' but the text ends");
    row("not a node", "g () => () { y = }", "line 1, column 18: expected an operator but found '}'");
    row("unknown type", "g () => () <floot[1] w> {}", "line 1, column 13: expected a type but found 'floot'");
    row("negative dimension", "g (float[-1] x) => () {}", "line 1, column 10: a dimension cannot be negative");
    row("too few elements", "g () => () <float[2] w = {1}> {}", "line 1, column 26: float[2] has 2 elements, not 1");
    row("an enormous tensor", "g () => () <float[1000000000000] w = {1}> {}",
        "line 1, column 38: float[1000000000000] has 1000000000000 elements, not 1");
    row("an impossible tensor", "g () => () <float[9223372036854775807,9] w = {1}> {}",
        "line 1, column 46: the element count of [9223372036854775807,9] does not fit in 64 bits");
    row("values of a symbolic shape", "g () => () <float[n] w = {1}> {}",
        "line 1, column 26: values need a tensor type whose dimensions are numbers");
    row("out of range", "g () => () <int8[1] w = {128}> {}", "line 1, column 25: 128 is out of range");
    row("out of 4 bits", "g () => () <int4[1] w = {8}> {}", "line 1, column 25: 8 is out of range for int4");
    row("not a number", "g () => () <int8[1] w = {1.5}> {}", "line 1, column 25: '1.5' is not a number of this type");
    row("string among numbers", "g () => () <int8[1] w = {\"a\"}> {}", "line 1, column 25: 'a' is not a int8");
    row("left out", "g () => () <int8[99] w = {...}> {}",
        "line 1, column 27: the values of 'w' were left out when this text was printed");
    row("open string", "g () => () { = Op <s = \"abc> () }", "line 1, column 24: this string has no end");
    row("bad escape", "g () => () { = Op <s = \"\\q\"> () }", "line 1, column 24: this string has an unknown escape");
    row("short escape", "g () => () { = Op <s = \"\\x1\"> () }",
        "line 1, column 24: \\x in this string needs two hexadecimal digits");
    row("odd character", "g () => () { ! }", "line 1, column 14: this character has no meaning here");
    row("mixed list", "g () => () { = Op <a = [1, \"b\"]> () }",
        "line 1, column 24: the items of this list are not of one kind");
    row("empty list", "g () => () { = Op <a = []> () }",
        "line 1, column 24: an empty list needs its kind, such as axes: ints = []");
    row("unknown kind", "g () => () { = Op <a: number = 1.5> () }",
        "line 1, column 32: there is no attribute kind 'number' for a value like this");
    row("list of a scalar kind", "g () => () { = Op <a: int = [1]> () }",
        "line 1, column 29: an attribute of kind 'int' is no list");
    row("half a sparse tensor", "g () => () { = Op <a: sparse_tensor = {dims = [1]}> () }",
        "line 1, column 39: a sparse tensor needs values and indices");
    row("integer too large", "g () => () { = Op <a = 9223372036854775808> () }",
        "line 1, column 24: 9223372036854775808 is out of range");
    row("unknown property", "<flavour: 1> g () => () {}", "line 1, column 2: a model has no property 'flavour'");
    row("text behind the end", "g () => () {} h", "line 1, column 15: expected a function or the end but found 'h'");
    row("bodies too deep", nestedBodies(100), "line 1, column 1604: graphs nest deeper than 64");
    row("types too deep", QByteArray("g (") + QByteArray("seq(").repeated(100000),
        "line 1, column 264: types nest deeper than 64");
  }
  void errorsSayWhere() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, message);
    QCOMPARE(failureOf(text), "INVALID_PROTOBUF: " + message);
  }

  void deepBodiesWithinTheLimitAreFine() { QCOMPARE(failureOf(nestedBodies(60)), QByteArray()); }

  void capturedNamesComeFromAround() {
    const auto model = parseModelText(
        "g (c) => (y) { y = If <b = t () => (r) { r = Add (later, k) k = Neg (s) s = Op () }> (c) later = Op () }");
    QVERIFY2(model.has_value(), model ? "" : describe(model.error()).c_str());
    const Graph& graph = model->graph;
    const Graph& body = *std::get<GraphBox>(graph.node(NodeId{0}).attributes[0].value);
    QVERIFY(body.value(body.findValue("later")).outerScope);
    QVERIFY(!body.value(body.findValue("k")).outerScope);
    QVERIFY(!graph.value(graph.findValue("later")).outerScope);
    QVERIFY(graph.node(NodeId{0}).implicitInputs == std::vector<ValueId>{graph.findValue("later")});
  }

  void headersDecideDefaults() {
    const Model bare = parseModelText("g () => () {}").value();
    QCOMPARE(bare.irVersion, int64_t{10});
    QVERIFY((bare.opsets == std::vector<OpsetImport>{{"", 21}}));
    QVERIFY(bare.graph.loadedFromFile && bare.graph.overridableInitializers);
    QVERIFY(!parseModelText("<ir_version: 3> g () => () {}").value().graph.overridableInitializers);
  }

  void longTensorsAndOriginsAreForPeople() {
    Model model = parseModelText("g () => (y) { y = Relu (w) }").value();
    model.graph.addInitializer("w", Tensor::create(ElementType::kFloat, {64, 3}).value());
    const std::string text = printGraph(model.graph, {.showOrigins = true});
    QCOMPARE(text.c_str(), "g () => (y) <float[64,3] w = {...}> {\n  y = Relu (w)  # origins 0\n}\n");
  }

  // Any damage to a good text gives a graph or an error, nothing else.
  void damagedTextsAreSurvived() {
    const std::string good =
        "<ir_version: 8, opset_import: [\"\" : 17]>\nmain (float[n,4] x) => (seq(float[n,2]) y) <float[2] w = {1,2}, "
        "float16[n] h> {\n[r] h = a.Relu:o @p <b = @c, d: floats = [1.0, inf]> (x)\n"
        "y = If <t = g () => (x) {}, s = float[1] {nan}, q: sparse_tensor = {dims = [3], values = float[1] {1}, "
        "indices = int64[1] {0}}> (h, w)}\n<domain: \"l\"> f <a, b = 1> (x) => (y) {y = Neg (x)}";
    QVERIFY(parseModelText(good).has_value());
    std::mt19937 random(3);
    int parsed = 0;
    for (int round = 0; round < 20000; ++round) {
      std::string text = good;
      for (uint32_t edits = 1 + random() % 3; edits > 0; --edits) {
        const size_t at = random() % text.size();
        switch (random() % 4) {
          case 0:
            text.erase(at, 1 + random() % 8);
            break;
          case 1:
            text.insert(at, 1, "()[]{}<>=,:.?@\"\\-1ex\n"[random() % 22]);
            break;
          case 2:
            text[at] = static_cast<char>(random() % 256);
            break;
          default:
            text.insert(at, text.substr(random() % text.size(), random() % 12));
            break;
        }
        if (text.empty()) text = "g";
      }
      const auto model = parseModelText(text);
      if (!model) {
        QVERIFY(model.error().code == ErrorCode::kInvalidProtobuf);
        QVERIFY2(model.error().message.starts_with("line "), model.error().message.c_str());
        continue;
      }
      ++parsed;
      const std::string printed = printModel(*model, kAll);
      const auto again = parseModelText(printed);
      QVERIFY2(again.has_value(), (printed + (again ? "" : describe(again.error()))).c_str());
      QCOMPARE(printModel(*again, kAll), printed);
    }
    QVERIFY(parsed > 100);
  }
};

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
