// Concat and Split leave alone what lies in its place already: the memory of the output is made read-only before they
// run.

#include <cstring>

#include <sys/mman.h>
#include <unistd.h>

#include <QtTest>

#include "engine/provider/kernel_contexts.h"
#include "providers/cpu/kernels/kernel_table.h"

using namespace cutaway;

namespace {

class Page {
 public:
  Page()
      : m_bytes(static_cast<size_t>(sysconf(_SC_PAGESIZE))),
        m_data(mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Page() { munmap(m_data, m_bytes); }
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;
  float* data() { return static_cast<float*>(m_data); }
  void protect() { mprotect(m_data, m_bytes, PROT_READ); }

 private:
  size_t m_bytes;
  void* m_data;
};

// Outputs lie where the test says.
struct PlacedCall {
  std::vector<RuntimeValue> inputs;
  std::vector<void*> places;
  std::vector<RuntimeValue> outputs;

  Result<void> run(const Kernel& kernel) {
    LoneCall call{.outputs = std::vector(places.size(), LoneOutput{.type = ElementType::kFloat}),
                  .makeOutput = [this](size_t slot, ElementType type, std::span<const int64_t> dims) -> Result<Tensor> {
                    return Tensor::wrap(type, dims, places[slot]);
                  },
                  .mostScratchBytes = 0};
    for (const RuntimeValue& input : inputs)
      call.inputs.push_back(&input);
    LoneContext context(std::move(call), nullptr);
    CUTAWAY_CHECK(kernel.run(context));
    outputs = context.takeOutputs();
    return {};
  }
};

Tensor tensorAt(float* data, std::initializer_list<int64_t> dims) {
  return Tensor::wrap(ElementType::kFloat, Dims(dims), data, {});
}

struct Made {
  Graph graph{"pieces"};
  std::unique_ptr<Kernel> kernel;
};

Made makeKernelOf(const char* opType, int inputs, std::vector<std::string> outputs, int64_t axis) {
  Made made;
  Node node;
  node.opType = opType;
  node.sinceVersion = node.opsetVersion = 13;
  node.setAttribute("axis", axis);
  std::vector<ValueId> ids;
  for (int i = 0; i < inputs; ++i)
    ids.push_back(made.graph.addInput("i" + std::to_string(i), ValueType::tensor(ElementType::kFloat, std::nullopt)));
  const NodeId id = made.graph.addNode(std::move(node), ids, outputs);
  auto kernel = cpu::cpuKernels().create(KernelInfo(made.graph, id));
  if (!kernel) qFatal("%s", kernel.error().message.c_str());
  made.kernel = *std::move(kernel);
  return made;
}

}  // namespace

class TestPiecesInPlace : public QObject {
  Q_OBJECT
 private slots:
  void concatOfPartsInPlaceWritesNothing() {
    Page page;
    for (int i = 0; i < 40; ++i)
      page.data()[i] = static_cast<float>(i);
    page.protect();
    PlacedCall context;
    context.inputs = {tensorAt(page.data(), {1, 4, 4}), tensorAt(page.data() + 16, {1, 6, 4})};
    context.places = {page.data()};
    const Made made = makeKernelOf("Concat", 2, {"y"}, 1);
    QVERIFY(context.run(*made.kernel).has_value());
    QVERIFY(context.outputs[0].tensor().dims() == (Dims{1, 10, 4}));
    QCOMPARE(page.data()[39], 39.0f);
  }

  void concatMovesWhatLiesElsewhere() {
    Page page;
    float elsewhere[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    for (int i = 0; i < 16; ++i)
      page.data()[i] = static_cast<float>(100 + i);
    PlacedCall context;
    context.inputs = {tensorAt(page.data(), {4, 2}), tensorAt(elsewhere, {4, 2})};
    context.places = {page.data()};
    const Made made = makeKernelOf("Concat", 2, {"y"}, 0);
    QVERIFY(context.run(*made.kernel).has_value());
    QCOMPARE(page.data()[7], 107.0f);
    QCOMPARE(std::memcmp(page.data() + 8, elsewhere, sizeof elsewhere), 0);
  }

  // Of two inputs of several rows the first begins where the output begins, but its later rows do not: nothing may be
  // skipped then.
  void concatOfSeveralRowsIsNeverSkipped() {
    Page page;
    float left[4] = {1, 2, 3, 4}, right[4] = {5, 6, 7, 8};
    PlacedCall context;
    context.inputs = {tensorAt(left, {2, 2}), tensorAt(right, {2, 2})};
    context.places = {page.data()};
    const Made made = makeKernelOf("Concat", 2, {"y"}, 1);
    QVERIFY(context.run(*made.kernel).has_value());
    const float expected[] = {1, 2, 5, 6, 3, 4, 7, 8};
    QCOMPARE(std::memcmp(page.data(), expected, sizeof expected), 0);
  }

  void splitIntoViewsWritesNothing() {
    Page page;
    for (int i = 0; i < 32; ++i)
      page.data()[i] = static_cast<float>(i);
    page.protect();
    PlacedCall context;
    context.inputs = {tensorAt(page.data(), {1, 2, 16})};
    context.places = {page.data(), page.data() + 16};
    const Made made = makeKernelOf("Split", 1, {"a", "b"}, 1);
    QVERIFY(context.run(*made.kernel).has_value());
    QCOMPARE(context.outputs[1].tensor().span<float>()[0], 16.0f);
  }

  void splitMovesWhatLiesElsewhere() {
    Page page;
    float elsewhere[16] = {};
    for (int i = 0; i < 32; ++i)
      page.data()[i] = static_cast<float>(i);
    PlacedCall context;
    context.inputs = {tensorAt(page.data(), {2, 16})};
    context.places = {page.data(), elsewhere};
    const Made made = makeKernelOf("Split", 1, {"a", "b"}, 0);
    QVERIFY(context.run(*made.kernel).has_value());
    QCOMPARE(elsewhere[15], 31.0f);
  }
};

QTEST_GUILESS_MAIN(TestPiecesInPlace)
#include "tst_pieces_in_place.moc"
