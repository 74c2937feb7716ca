// What operator new of programs throws tells the size and the node, also through libraries that know nothing of it.
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <QtTest/QtTest>

#include "engine/base/short_memory.h"
#include "engine/graph/doing_node.h"

using namespace cutaway;

namespace {

constexpr size_t kTooMuch = size_t{1} << 62;

using Ask = void (*)();

std::string refusalOf(Ask ask) {
  try {
    ask();
  } catch (const std::bad_alloc& refused) {
    return outOfMemory(refused, "in a test").message;
  }
  return "it was given";
}

volatile size_t g_size = kTooMuch;  // no compiler warns of it

}  // namespace

class TestProgramHeap : public QObject {
  Q_OBJECT

 private slots:
  void refusedMemoryTellsSizeAndNode_data() {
    QTest::addColumn<Ask>("ask");
    QTest::addColumn<QString>("bytes");
    const auto add = [](const char* name, Ask ask, size_t bytes) {
      QTest::newRow(name) << ask << QString::number(bytes);
    };
    add("plain", [] { ::operator delete(::operator new(g_size)); }, kTooMuch);
    add("array", [] { ::operator delete[](::operator new[](g_size)); }, kTooMuch);
    add(
        "aligned", [] { ::operator delete(::operator new(g_size, std::align_val_t{64}), std::align_val_t{64}); },
        kTooMuch);
    add("list", [] { std::vector<double>(g_size / 8); }, kTooMuch);
    add("text", [] { std::string(g_size - 1, ' '); }, kTooMuch);
  }
  void refusedMemoryTellsSizeAndNode() {
    QFETCH(Ask, ask);
    QFETCH(QString, bytes);
    Graph graph;
    Node node;
    node.opType = "Conv";
    node.name = "stem";
    const NodeId id = graph.addNode(std::move(node), {}, {});
    const DoingNode doing(graph, id);
    QVERIFY2(QString::fromStdString(refusalOf(ask))
                 .startsWith("out of memory in a test (" + bytes + " bytes, in Conv 'stem'): give"),
             refusalOf(ask).c_str());
  }

  void withoutANodeTheSizeStands() {
    QVERIFY(refusalOf([] {
              ::operator delete(::operator new(g_size));
            }).starts_with("out of memory in a test (" + std::to_string(kTooMuch) + " bytes): give"));
  }

  void whoAsksForNullGetsIt() {
    QVERIFY(::operator new(g_size, std::nothrow) == nullptr);
    QVERIFY(::operator new(g_size, std::align_val_t{64}, std::nothrow) == nullptr);
  }

  // oneDNN's own call is tried by tests/fuzz/allocations: a library of its name is wanted.
  void callersOfTheCLibraryGetItsError() {
    void* block = nullptr;
    QCOMPARE(::posix_memalign(&block, 64, g_size), ENOMEM);
    QCOMPARE(::posix_memalign(&block, 24, 100), EINVAL);
    QCOMPARE(::posix_memalign(&block, 4096, 100), 0);
    QCOMPARE(reinterpret_cast<uintptr_t>(block) % 4096, uintptr_t{0});
    std::free(block);
  }

  void blocksAreAligned() {
    for (const size_t alignment : {16, 64, 4096}) {
      void* const block = ::operator new(24, std::align_val_t{alignment});
      QCOMPARE(reinterpret_cast<uintptr_t>(block) % alignment, uintptr_t{0});
      ::operator delete(block, std::align_val_t{alignment});
    }
    std::unique_ptr<char[]> none(new char[0]);
    QVERIFY(none != nullptr);
  }
};

QTEST_GUILESS_MAIN(TestProgramHeap)
#include "tst_program_heap.moc"
