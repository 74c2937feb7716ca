// The provider object: what it says of itself, its kernel table, its copies.

#include <QTest>

#include "engine/schema/schema.h"
#include "providers/cpu/kernels/kernel_table.h"
#include "providers/cpu/provider.h"

using namespace cutaway;

class TestCpuProvider : public QObject {
  Q_OBJECT

 private slots:
  void describesItself() {
    const ProviderEntry entry = cpuProvider();
    QCOMPARE(entry.name, std::string("cpu"));
    QVERIFY(entry.probe().usable);
    auto provider = entry.create({});
    QVERIFY(provider.has_value());
    QCOMPARE((*provider)->name(), std::string("cpu"));
    QVERIFY((*provider)->kernels() != nullptr);
    QVERIFY((*provider)->device() == heapAllocator().device());
  }

  void readsItsOptions() {
    const auto made = [](const char* name, const char* value) {
      return cpuProvider().create({.options = {{name, value}}});
    };
    QVERIFY((*made("precision", "fast"))->kernels() == &cpu::cpuKernels());
    const auto exact = *made("precision", "exact");
    QVERIFY(exact->kernels() == &cpu::cpuKernels(math::Precision::kExact));
    QCOMPARE(exact->kernels()->rows().size(), cpu::cpuKernels().rows().size());
    const auto rounding = made("precision", "bf16");
    QCOMPARE(rounding.has_value(), math::multipliesBfloat16());
    if (rounding) QVERIFY((*rounding)->kernels() == &cpu::cpuKernels(math::Precision::kBfloat16));
    const auto badValue = made("precision", "half"), badName = made("presicion", "exact");
    QVERIFY(!badValue && badValue.error().code == ErrorCode::kInvalidArgument);
    QVERIFY(QString::fromStdString(badValue.error().message).contains("'half'"));
    QVERIFY(!badName && QString::fromStdString(badName.error().message).contains("it has precision"));
  }

  // A misspelt operator name would be a row that never matches.
  void rowsNameKnownOperators() {
    for (const KernelRow* row : cpu::cpuKernels().rows()) {
      if (!row->domain.empty() && row->domain != "ai.onnx.ml") continue;
      const bool known = findSchema(row->opType, row->domain, newestOpset(row->domain)) != nullptr ||
                         findSchema(row->opType, row->domain, row->versions.first) != nullptr;
      QVERIFY2(known, std::string(row->opType).c_str());
      QVERIFY(row->create != nullptr);
    }
  }

  void copiesNumbersAndStrings() {
    auto provider = *cpuProvider().create({});
    const std::vector<float> numbers{1, 2, 3};
    Tensor target = *Tensor::create(ElementType::kFloat, {3});
    QVERIFY(provider->copy(Tensor::of<float>(numbers), target).has_value());
    QVERIFY(std::ranges::equal(target.span<float>(), numbers));
    const std::vector<std::string> words{"a", std::string(100, 'b')};
    Tensor text = *Tensor::create(ElementType::kString, {2});
    QVERIFY(provider->copy(Tensor::of<std::string>(words), text).has_value());
    QVERIFY(std::ranges::equal(text.span<std::string>(), words));
    QVERIFY(!provider->copy(Tensor::of<float>(numbers), text).has_value());
  }
};

QTEST_GUILESS_MAIN(TestCpuProvider)
#include "tst_cpu_provider.moc"
