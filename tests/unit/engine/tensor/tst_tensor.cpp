#include <sys/resource.h>

#include <QtTest/QtTest>

#include "engine/base/sanitized.h"
#include "engine/tensor/runtime_value.h"
#include "engine/tensor/tensor.h"

using namespace cutaway;

namespace {

// Counts what is taken and given back; gives nothing above its limit.
class CountingAllocator final : public Allocator {
 public:
  explicit CountingAllocator(Device device = {}) : m_device(std::move(device)) {}
  void* allocate(size_t sizeBytes) override {
    if (sizeBytes > 1 << 20) return nullptr;
    ++live;
    return heapAllocator().allocate(sizeBytes);
  }
  void release(void* block) override {
    --live;
    heapAllocator().release(block);
  }
  const Device& device() const override { return m_device; }
  int live = 0;

 private:
  Device m_device;
};

}  // namespace

// Of the mapping that holds this address, as proc_pid_smaps(5) writes them: "rd wr mr mw me ac hg".
QByteArrayList mappingFlags(const void* address) {
  QFile file("/proc/self/smaps");
  if (!file.open(QIODevice::ReadOnly)) return {};
  const auto wanted = reinterpret_cast<quint64>(address);
  bool inside = false;
  for (const QByteArray& line : file.readAll().split('\n')) {
    const QByteArrayList ends = line.left(line.indexOf(' ')).split('-');
    if (ends.size() == 2)
      inside = ends[0].toULongLong(nullptr, 16) <= wanted && wanted < ends[1].toULongLong(nullptr, 16);
    if (inside && line.startsWith("VmFlags:")) return line.mid(8).simplified().split(' ');
  }
  return {};
}

QByteArray contentOf(const char* path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool wantsHugePages() {
  return !contentOf("/proc/cpuinfo").contains(" hypervisor");
}

class TestTensor : public QObject {
  Q_OBJECT

 private slots:
  // Not in a virtual machine, whose host is slow to give them.
  void largeBlocksAskForHugePages() {
    constexpr size_t kHuge = size_t{1} << 21;
    void* const block = heapAllocator().allocate(2 * kHuge + kHuge / 2);
    QVERIFY(block != nullptr);
    const bool wanted = wantsHugePages();
    QCOMPARE(reinterpret_cast<uintptr_t>(block) % (wanted ? kHuge : kBlockAlignment), uintptr_t{0});
    const bool systemHasThem = QFile::exists("/sys/kernel/mm/transparent_hugepage/enabled");
    QCOMPARE(mappingFlags(block).contains("hg"), wanted && systemHasThem);
    // No page is made for what nobody asked for.
    QVERIFY(!mappingFlags(static_cast<char*>(block) + 2 * kHuge).contains("hg"));
    heapAllocator().release(block);
  }

  // The outputs of every run: pages that were made once are there for the next one, or they are few and huge.
  void pagesOfLargeBlocksAreNotMadeAnew() {
    if (kSanitized) return;  // what was freed is kept out of use for a while
    if (wantsHugePages() && contentOf("/sys/kernel/mm/transparent_hugepage/enabled").contains("[never]")) return;
    constexpr size_t kBytes = size_t{4} << 20, kPages = kBytes / 4096, kRounds = 20;
    const auto faults = [] {
      rusage usage{};
      ::getrusage(RUSAGE_THREAD, &usage);
      return usage.ru_minflt;
    };
    const long before = faults();
    for (size_t round = 0; round < kRounds; ++round) {
      void* const block = heapAllocator().allocate(kBytes);
      QVERIFY(block != nullptr);
      for (size_t at = 0; at < kBytes; at += 4096)
        static_cast<volatile char*>(block)[at] = 1;
      heapAllocator().release(block);
    }
    QVERIFY2(faults() - before < static_cast<long>(kPages * kRounds / 4),
             qPrintable(QString::number(faults() - before)));
  }

  void blocksAreAlignedAndShared() {
    CountingAllocator allocator;
    {
      Tensor tensor = Tensor::create(ElementType::kFloat, std::vector<int64_t>{2, 3}, allocator).value();
      QCOMPARE(reinterpret_cast<uintptr_t>(tensor.data()) % kBlockAlignment, uintptr_t{0});
      QCOMPARE(tensor.sizeBytes(), int64_t{24});
      QCOMPARE(tensor.span<float>().size(), size_t{6});
      const Tensor copy = tensor;
      QVERIFY(copy.data() == tensor.data());
      const Tensor deep = copy.clone(allocator).value();
      QVERIFY(deep.data() != tensor.data());
      QCOMPARE(allocator.live, 2);
    }
    QCOMPARE(allocator.live, 0);
  }

  void stringsAreObjects() {
    CountingAllocator allocator;
    {
      Tensor tensor = Tensor::create(ElementType::kString, std::vector<int64_t>{3}, allocator).value();
      for (const std::string& each : tensor.span<std::string>())
        QVERIFY(each.empty());
      tensor.span<std::string>()[1] = std::string(100, 'x');
      Tensor copy = tensor.clone().value();
      tensor.span<std::string>()[1] = "changed";
      QCOMPARE(copy.span<std::string>()[1].size(), size_t{100});
    }
    QCOMPARE(allocator.live, 0);
    CountingAllocator gpu(Device{DeviceType::kGpu, 0, "gpu"});
    QVERIFY(!Tensor::create(ElementType::kString, std::vector<int64_t>{3}, gpu).has_value());
  }

  void badRequestsAreRefused() {
    CountingAllocator allocator;
    QVERIFY(!Tensor::create(ElementType::kFloat, std::vector<int64_t>{-1}, allocator).has_value());
    QVERIFY(!Tensor::create(ElementType::kUndefined, std::vector<int64_t>{1}, allocator).has_value());
    QVERIFY(!Tensor::create(ElementType::kFloat, std::vector<int64_t>{1 << 20}, allocator).has_value());
    QVERIFY(!Tensor().clone().has_value());
    QCOMPARE(allocator.live, 0);
  }

  void emptyTensorsWork() {
    const Tensor tensor = Tensor::create(ElementType::kFloat, {0, 3}).value();
    QVERIFY(tensor.data() != nullptr);
    QCOMPARE(tensor.sizeBytes(), int64_t{0});
    QVERIFY(tensor.clone().has_value());
  }

  void packedTypesKnowTheirBytes() {
    const Tensor tensor = Tensor::create(ElementType::kInt4, {3}).value();
    QCOMPARE(tensor.bytes().size(), size_t{2});
    QCOMPARE(tensor.elementCount(), int64_t{3});
  }

  void wrappedBytesAreKeptAlive() {
    auto owner = std::make_shared<std::vector<float>>(4, 1.5f);
    const std::weak_ptr<std::vector<float>> watch = owner;
    Tensor tensor = Tensor::wrapConst(ElementType::kFloat, Dims{2, 2}, owner->data(), owner);
    owner.reset();
    QVERIFY(!watch.expired());
    const Tensor flat = tensor.reshaped(Dims{4});
    QVERIFY(!tensor.reshaped(Dims{5}).valid());
    tensor = {};
    QCOMPARE(flat.span<float>()[3], 1.5f);
    QCOMPARE(flat.rank(), size_t{1});
    float other = 2;
    Tensor bound = flat;
    bound.rebind(ElementType::kFloat, Dims{}, &other);
    QCOMPARE(bound.span<float>()[0], 2.0f);
    QVERIFY(bound.keepAlive() == nullptr);
  }

  void devicesAreRemembered() {
    const Device gpu{DeviceType::kGpu, 1, "gpu 1"};
    const Tensor a = Tensor::wrap(ElementType::kFloat, Dims{1}, nullptr, {}, gpu);
    const Tensor b = Tensor::wrap(ElementType::kFloat, Dims{1}, nullptr, {}, gpu);
    QVERIFY(a.device() == gpu);
    QVERIFY(&a.device() == &b.device());
    QVERIFY(Tensor().device() == Device{});
    QVERIFY(!a.clone().has_value());
  }

  void dimsOfAnyRank() {
    Dims dims{1, 2, 3};
    QCOMPARE(dims.size(), size_t{3});
    std::vector<int64_t> many(12);
    for (size_t i = 0; i < many.size(); ++i)
      many[i] = static_cast<int64_t>(i);
    dims.assign(many);
    QVERIFY(dims == Dims(many));
    const Dims copy = dims;
    // Views of itself, shorter and shorter.
    dims.assign(std::span<const int64_t>(dims.data() + 1, 10));
    QCOMPARE(dims[0], int64_t{1});
    QCOMPARE(dims[9], int64_t{10});
    dims.assign(std::span<const int64_t>(dims.data() + 2, 3));
    QVERIFY((dims == Dims{3, 4, 5}));
    dims.assign(std::span<const int64_t>(dims.data() + 1, 2));
    QVERIFY((dims == Dims{4, 5}));
    QCOMPARE(copy.size(), size_t{12});
  }

  void valuesOfCppTypes() {
    const Tensor tensor = Tensor::of<int64_t>(std::vector<int64_t>{1, 2, 3});
    QVERIFY(tensor.type() == ElementType::kInt64);
    QCOMPARE(tensor.span<int64_t>()[2], int64_t{3});
    QCOMPARE(Tensor::scalar(2.5).span<double>()[0], 2.5);
    QCOMPARE(Tensor::scalar(std::string("s")).rank(), size_t{0});
  }

  void runtimeValues() {
    RuntimeValue value;
    QVERIFY(value.empty());
    value.asTensor() = Tensor::scalar(1.0f);
    QVERIFY(value.isTensor());
    const void* bytes = value.tensor().data();
    QVERIFY(value.asTensor().data() == bytes);
    RuntimeValue sequence(SequenceValue{ValueType::tensor(ElementType::kFloat, std::nullopt), {value}});
    QVERIFY(sequence.isSequence());
    QCOMPARE(sequence.sequence().items.size(), size_t{1});
    sequence.reset();
    QVERIFY(sequence.empty());
  }
};

QTEST_GUILESS_MAIN(TestTensor)
#include "tst_tensor.moc"
