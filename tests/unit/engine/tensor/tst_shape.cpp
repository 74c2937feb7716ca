#include <QtTest/QtTest>

#include "engine/tensor/shape.h"

using namespace cutaway;

namespace {

constexpr int64_t kHuge = int64_t{1} << 40;

ValueType tensorOf(std::initializer_list<Dim> dims) {
  return ValueType::tensor(ElementType::kFloat, Shape(dims));
}

}  // namespace

class TestShape : public QObject {
  Q_OBJECT

 private slots:
  void typesAsText_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("index");
    int index = 0;
    for (const char* text :
         {"float[batch,3,?]", "float[]", "float", "seq(float[?])", "optional(seq(float))", "map(int64,float)",
          "sparse_tensor(float[4])", "opaque", "unknown", "float[\"a b\"]", "float[1,8]@blocked8", "seq(unknown)"}) {
      QTest::newRow(text) << QByteArray(text) << index++;
    }
  }
  void typesAsText() {
    QFETCH(QByteArray, text);
    QFETCH(int, index);
    std::vector<ValueType> types = {
        tensorOf({Dim("batch"), Dim(3), Dim()}), tensorOf({}), ValueType::tensor(ElementType::kFloat, std::nullopt),
        ValueType::sequence(tensorOf({Dim()})),
        ValueType::optional(ValueType::sequence(ValueType::tensor(ElementType::kFloat, std::nullopt)))};
    ValueType map;
    map.kind = TypeKind::kMap;
    map.key = ElementType::kInt64;
    map.inner = std::make_shared<const ValueType>(ValueType::tensor(ElementType::kFloat, std::nullopt));
    types.push_back(map);
    ValueType sparse = tensorOf({Dim(4)});
    sparse.kind = TypeKind::kSparseTensor;
    types.push_back(sparse);
    ValueType opaque;
    opaque.kind = TypeKind::kOpaque;
    types.push_back(opaque);
    types.push_back({});
    types.push_back(tensorOf({Dim("a b")}));
    ValueType blocked = tensorOf({Dim(1), Dim(8)});
    blocked.layout = Layout::kBlocked8;
    types.push_back(blocked);
    types.push_back(ValueType::sequence({}));
    QCOMPARE(QByteArray::fromStdString(toText(types[static_cast<size_t>(index)])), text);
    for (size_t other = 0; other < types.size(); ++other)
      QCOMPARE(types[static_cast<size_t>(index)] == types[other], static_cast<size_t>(index) == other);
  }

  void deepTypesNeedNoStack() {
    const auto nested = [] {
      ValueType type = tensorOf({});
      for (int i = 0; i < 2000; ++i)
        type = ValueType::sequence(type);
      return type;
    };
    QVERIFY(nested() == nested());
    QCOMPARE(toText(nested()).size(), size_t{2000 * 5 + 7});
  }

  void dimensions() {
    QVERIFY(Dim(3).sameAs(Dim(3)));
    QVERIFY(!Dim(3).sameAs(Dim(4)));
    QVERIFY(Dim("n").sameAs(Dim("n")));
    QVERIFY(!Dim("n").sameAs(Dim("m")));
    QVERIFY(!Dim().sameAs(Dim()));
    QVERIFY(!Dim("n").sameAs(Dim(3)));
    QVERIFY((Shape{Dim(2), Dim(3)}).elementCount() == 6);
    QVERIFY(!(Shape{Dim(2), Dim("n")}).elementCount());
    QVERIFY(!(Shape{Dim(kHuge), Dim(kHuge)}).elementCount());
    QVERIFY((Shape{Dim(kHuge), Dim(kHuge), Dim(0)}).elementCount() == 0);
    QVERIFY(Shape().elementCount() == 1);
    QVERIFY(Shape::of(std::vector<int64_t>{2, 3}).staticDims() == (std::vector<int64_t>{2, 3}));
  }

  void sizes_data() {
    QTest::addColumn<int>("type");
    QTest::addColumn<QList<qint64>>("dims");
    QTest::addColumn<int>("layout");
    QTest::addColumn<qint64>("bytes");  // -1: refused
    const auto row = [](const char* name, ElementType type, QList<qint64> dims, Layout layout, qint64 bytes) {
      QTest::newRow(name) << static_cast<int>(type) << dims << static_cast<int>(layout) << bytes;
    };
    using enum ElementType;
    row("scalar", kFloat, {}, Layout::kPlain, 4);
    row("floats", kFloat, {2, 3}, Layout::kPlain, 24);
    row("empty", kFloat, {2, 0}, Layout::kPlain, 0);
    row("empty and huge", kFloat, {kHuge, kHuge, 0}, Layout::kPlain, 0);
    row("3 of 4 bits", kInt4, {3}, Layout::kPlain, 2);
    row("5 of 2 bits", kUint2, {5}, Layout::kPlain, 2);
    row("complex", kComplex128, {2}, Layout::kPlain, 32);
    row("strings", kString, {2}, Layout::kPlain, 2 * static_cast<qint64>(sizeof(std::string)));
    row("negative", kFloat, {2, -1}, Layout::kPlain, -1);
    row("negative beside zero", kFloat, {0, -1}, Layout::kPlain, -1);
    row("too many elements", kFloat, {kHuge, kHuge}, Layout::kPlain, -1);
    row("too many bytes", kDouble, {int64_t{1} << 61}, Layout::kPlain, -1);
    row("undefined", kUndefined, {1}, Layout::kPlain, -1);
    row("channels last", kFloat, {1, 3, 2, 2}, Layout::kChannelsLast, 48);
    row("blocks of 8", kFloat, {1, 3, 2, 2}, Layout::kBlocked8, 128);
    row("blocks of 16", kFloat, {1, 17, 2, 2}, Layout::kBlocked16, 512);
    row("whole blocks", kFloat, {2, 16}, Layout::kBlocked16, 128);
    row("blocks of an empty tensor", kFloat, {1, 0, 5}, Layout::kBlocked8, 0);
    row("blocks need two axes", kFloat, {8}, Layout::kBlocked8, -1);
    row("blocks that overflow", kFloat, {1, std::numeric_limits<qint64>::max()}, Layout::kBlocked8, -1);
  }
  void sizes() {
    QFETCH(int, type);
    QFETCH(QList<qint64>, dims);
    QFETCH(int, layout);
    QFETCH(qint64, bytes);
    const std::vector<int64_t> list(dims.begin(), dims.end());
    const auto size = byteSize(static_cast<ElementType>(type), list, static_cast<Layout>(layout));
    QCOMPARE(qint64{size.value_or(-1)}, bytes);
    if (!size) {
      QVERIFY(size.error().code == ErrorCode::kInvalidArgument);
    } else {
      ValueType asType = ValueType::tensor(static_cast<ElementType>(type), Shape::of(list));
      asType.layout = static_cast<Layout>(layout);
      QCOMPARE(qint64{staticByteSize(asType).value_or(-1)}, asType.element == ElementType::kString ? -1 : bytes);
    }
  }
};

QTEST_GUILESS_MAIN(TestShape)
#include "tst_shape.moc"
