#include <limits>

#include <QTest>

#include "engine/tensor/size_polynomial.h"

using namespace cutaway;

namespace {

SizePolynomial read(const char* text) {
  return *polynomialOf(Dim(std::string(text)));
}

QStringList symbols(int count) {
  QStringList names;
  for (int i = 0; i < count; ++i)
    names << QString("s%1").arg(i, 2, 10, QChar('0'));
  return names;
}

constexpr int64_t kLargest = std::numeric_limits<int64_t>::max();

}  // namespace

class TestSizePolynomial : public QObject {
  Q_OBJECT
 private slots:
  void expressions_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical");
    QTest::newRow("symbol") << "batch" << "batch";
    QTest::newRow("sum") << "past + seq" << "past + seq";
    QTest::newRow("sorted") << "seq+past" << "past + seq";
    QTest::newRow("product") << "S*2*B" << "2*B*S";
    QTest::newRow("power") << "n*m*n" << "m*n*n";
    QTest::newRow("collected") << "2*a + 3 - a + 4" << "a + 7";
    QTest::newRow("cancelled") << "a - a" << "0";
    QTest::newRow("negative") << "1 - a" << "-a + 1";
    QTest::newRow("minus a number") << "seq-1" << "seq - 1";
    QTest::newRow("leading minus") << "-3 + a" << "a - 3";
    QTest::newRow("hyphen in a name") << "batch-size" << "\"batch-size\"";
    QTest::newRow("other operators are one symbol") << "floor(h/2) + 1" << "\"floor(h/2) + 1\"";
    QTest::newRow("space in a name") << "batch size" << "\"batch size\"";
    QTest::newRow("dangling operator") << "a +" << "\"a +\"";
    QTest::newRow("number too large") << "a + 99999999999999999999" << "\"a + 99999999999999999999\"";
  }
  void expressions() {
    QFETCH(QString, text);
    QFETCH(QString, canonical);
    QCOMPARE(QString::fromStdString(read(text.toUtf8().constData()).toText()), canonical);
  }

  void limitsOfExpressions_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isRead");
    const QString longName(1019, 'z');
    QTest::newRow("64 terms") << symbols(64).join('+') << true;
    QTest::newRow("65 terms") << symbols(65).join('+') << false;
    QTest::newRow("more terms than that, which cancel") << symbols(64).join('+') + " - s00 + s64" << true;
    QTest::newRow("product of 32 symbols") << symbols(32).join('*') << true;
    QTest::newRow("product of 33 symbols") << symbols(33).join('*') << false;
    QTest::newRow("33 symbols in a later term") << "s00+" + symbols(33).join('*') << false;
    QTest::newRow("powers count") << symbols(16).join('*') + "*" + symbols(16).join('*') << true;
    QTest::newRow("powers count, one more") << symbols(16).join('*') + "*" + symbols(16).join('*') + "*n" << false;
    QTest::newRow("power of 16") << QStringList(16, "n").join('*') << true;
    QTest::newRow("power of 17") << QStringList(17, "n").join('*') << false;
    QTest::newRow("1024 characters") << longName + "+n*mm" << true;
    QTest::newRow("1025 characters") << longName + "+n*mmm" << false;
    QTest::newRow("a thousand terms") << symbols(1000).join(" + ") << false;
  }
  // What is not read stays one symbol: a dimension of the same text is the same, and a value for all of it counts.
  void limitsOfExpressions() {
    QFETCH(QString, text);
    QFETCH(bool, isRead);
    const std::string whole = text.toStdString();
    const auto polynomial = polynomialOf(Dim(whole));
    QVERIFY(polynomial.has_value());
    QCOMPARE(*polynomial == SizePolynomial::symbol(whole), !isRead);
    QCOMPARE(polynomial->evaluate({{whole, 7}}), isRead ? std::nullopt : std::optional<int64_t>(7));
    QVERIFY(*polynomial == *polynomialOf(Dim(whole)));
  }

  void unknownDimensionsHaveNone() { QVERIFY(!polynomialOf(Dim()).has_value()); }

  void bytes_data() {
    QTest::addColumn<int>("element");
    QTest::addColumn<QStringList>("dims");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, ElementType element, const QStringList& dims, const char* expected) {
      QTest::newRow(name) << static_cast<int>(element) << dims << expected;
    };
    row("float", ElementType::kFloat, {"batch", "768", "seq"}, "3072*batch*seq");
    row("the other way round", ElementType::kFloat, {"seq", "768", "batch"}, "3072*batch*seq");
    row("static", ElementType::kFloat, {"2", "3"}, "24");
    row("scalar", ElementType::kInt64, {}, "8");
    row("sum", ElementType::kFloat16, {"past + seq", "4"}, "8*past + 8*seq");
    row("half bytes, even", ElementType::kInt4, {"n", "16"}, "8*n");
    row("half bytes, perhaps odd", ElementType::kInt4, {"n", "3"}, "none");
    row("half bytes, constant", ElementType::kInt4, {"3"}, "2");
    row("strings", ElementType::kString, {"3"}, "none");
    row("unknown", ElementType::kFloat, {"3", ""}, "none");
    row("numbers and sums in any order", ElementType::kFloat, {"a + b", "3", "n", "2", "a - b"}, "24*a*a*n - 24*b*b*n");
    row("a zero among symbols", ElementType::kFloat, {"a + b", "0", "n"}, "0");
    row("below zero", ElementType::kFloat, {"n", "2 - 3"}, "none");
    row("32 symbols", ElementType::kUint8, symbols(32), symbols(32).join('*').toLatin1().constData());
    row("33 symbols", ElementType::kUint8, symbols(33), "none");
    row("64 terms", ElementType::kUint8, {symbols(64).join('+')}, symbols(64).join(" + ").toLatin1().constData());
    row("66 terms", ElementType::kUint8, {symbols(33).join('+'), "n + m"}, "none");
    row("no room for the product", ElementType::kFloat, {"n", "4611686018427387904", "4"}, "none");
  }
  void bytes() {
    QFETCH(int, element);
    QFETCH(QStringList, dims);
    QFETCH(QString, expected);
    std::vector<Dim> shape;
    for (const QString& dim : dims) {
      bool isNumber = false;
      const qlonglong value = dim.toLongLong(&isNumber);
      shape.push_back(isNumber ? Dim(value) : Dim(dim.toStdString()));
    }
    const auto size = byteSizeOf(ValueType::tensor(static_cast<ElementType>(element), Shape(shape)));
    QCOMPARE(size ? QString::fromStdString(size->toText()) : QString("none"), expected);
  }

  void elementsAreCounted() {
    QCOMPARE(elementCountOf(Shape{Dim("n"), Dim(3), Dim("a + b")})->toText(), std::string("3*a*n + 3*b*n"));
    QCOMPARE(elementCountOf(Shape())->toText(), std::string("1"));
    QVERIFY(!elementCountOf(Shape{Dim("n"), Dim()}).has_value());
    QVERIFY(!elementCountOf(Shape{Dim("2 - 3"), Dim("2 - 3")}).has_value());
  }

  void blockedLayoutsPadChannels() {
    ValueType type = ValueType::tensor(ElementType::kFloat, Shape{Dim("n"), Dim(20), Dim(2)});
    type.layout = Layout::kBlocked16;
    QCOMPARE(byteSizeOf(type)->toText(), std::string("256*n"));
    (*type.shape)[1] = Dim("c");
    QVERIFY(!byteSizeOf(type).has_value());
  }

  void overflowIsNoResult() {
    const SizePolynomial large = SizePolynomial::constant(kLargest);
    QVERIFY(!large.plus(SizePolynomial::constant(1)).has_value());
    QVERIFY(!large.times(SizePolynomial::constant(2)).has_value());
    QVERIFY(!large.times(SizePolynomial::symbol("n"))->evaluate({{"n", 2}}).has_value());
    QCOMPARE(
        large.times(SizePolynomial::symbol("n"))->times(SizePolynomial::symbol("m"))->evaluate({{"n", 2}, {"m", 0}}),
        std::optional<int64_t>(0));
    QVERIFY(
        !SizePolynomial::constant(std::numeric_limits<int64_t>::min()).times(SizePolynomial::constant(-1)).has_value());
  }

  void termsAndTheirSymbolsAreBounded() {
    const SizePolynomial most = read(symbols(64).join('+').toLatin1().constData());
    QVERIFY(!most.plus(SizePolynomial::symbol("n")).has_value());
    QVERIFY(most.plus(SizePolynomial::symbol("s00")).has_value());
    const SizePolynomial longest = read(symbols(32).join('*').toLatin1().constData());
    QVERIFY(longest.times(SizePolynomial::constant(2)).has_value());
    QVERIFY(!longest.times(SizePolynomial::symbol("n")).has_value());
    QVERIFY(!longest.times(SizePolynomial::symbol("s00")).has_value());
    QCOMPARE(longest.degree(), 32);
    QCOMPARE(read("2*a*a*b + c").degree(), 3);
    QCOMPARE(SizePolynomial::constant(5).degree(), 0);
  }

  void evaluation() {
    const SizePolynomial size = *read("past + seq").times(SizePolynomial::constant(8));
    QCOMPARE(size.evaluate({{"past", 3}, {"seq", 1}}), std::optional<int64_t>(32));
    QVERIFY(!size.evaluate({{"past", 3}}).has_value());
    QVERIFY(!size.evaluate({{"past", -3}, {"seq", 1}}).has_value());
    QVERIFY(!read("seq - 4").evaluate({{"seq", 3}}).has_value());
    QCOMPARE(read("n*n").evaluate({{"n", 9}}), std::optional<int64_t>(81));
  }

  void substitutionAndDivision() {
    QCOMPARE(read("2*a*b + a").with({{"a", 3}})->toText(), std::string("6*b + 3"));
    QCOMPARE(read("64*a + 128").dividedBy(64)->toText(), std::string("a + 2"));
    QVERIFY(!read("64*a + 32").dividedBy(64).has_value());
    QVERIFY(!read("a").dividedBy(0).has_value());
  }

  void comparison_data() {
    QTest::addColumn<QString>("larger");
    QTest::addColumn<QString>("smaller");
    QTest::addColumn<bool>("bounded");
    QTest::addColumn<bool>("expected");
    QTest::newRow("equal") << "a*b" << "b*a" << false << true;
    QTest::newRow("more of the same") << "2*a" << "a" << false << true;
    QTest::newRow("less of the same") << "a" << "2*a" << false << false;
    QTest::newRow("different symbols") << "a" << "b" << false << false;
    QTest::newRow("plus something") << "a + b" << "a" << false << true;
    QTest::newRow("plus a number") << "a + 1" << "a" << false << true;
    QTest::newRow("a factor may be zero") << "a*b" << "b" << false << false;
    QTest::newRow("a factor of at least one") << "a*b" << "b" << true << true;  // a in 1..8
    QTest::newRow("up to the bound") << "8*b" << "a*b" << true << true;
    QTest::newRow("beyond the bound") << "7*b" << "a*b" << true << false;
    QTest::newRow("between the ends") << "8*a" << "a*a" << true
                                      << false;  // true, but not provable this way: never claimed
    QTest::newRow("square of at least one") << "a*a" << "a" << true << true;
    QTest::newRow("square that may be zero") << "a*a" << "a" << false << false;
    QTest::newRow("cube of an unbounded symbol from 2 on") << "s*s*s" << "4*s" << true << true;
    QTest::newRow("cube that is less at 2") << "s*s*s + 3*s" << "5*s*s + 1" << true << false;
    QTest::newRow("square that meets at 2") << "s*s*b + 4*b" << "4*s*b" << true << true;         // b*(s - 2)^2
    QTest::newRow("square of an unbounded symbol from 2 on") << "s*s" << "2*s" << true << true;  // s >= 2
  }
  void comparison() {
    QFETCH(QString, larger);
    QFETCH(QString, smaller);
    QFETCH(bool, bounded);
    QFETCH(bool, expected);
    const SymbolBounds bounds = bounded ? SymbolBounds{{{"a", 1}, {"s", 2}}, {{"a", 8}}} : SymbolBounds{};
    QCOMPARE(read(larger.toUtf8().constData()).atLeast(read(smaller.toUtf8().constData()), bounds), expected);
  }
};

QTEST_GUILESS_MAIN(TestSizePolynomial)
#include "tst_size_polynomial.moc"
