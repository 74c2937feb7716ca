#include <fstream>

#include <QtTest/QtTest>

#include "engine/context_binary/context_catalog.h"
#include "engine/context_binary/shared_contexts.h"
#include "tests/unit/engine/context_binary/binaries.h"

using namespace cutaway;
using namespace cutaway::test;
namespace fs = std::filesystem;

namespace {

struct Wanted {
  std::string name;
  context_binary::ContextNode context;
};

// A chain of EPContext nodes.
Model modelOf(const std::vector<Wanted>& nodes) {
  Model model;
  ValueId last = model.graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim(2)}));
  for (const Wanted& each : nodes) {
    Node node{.name = each.name};
    context_binary::writeContextNode(each.context, node);
    const NodeId id = model.graph.addNode(std::move(node), std::initializer_list<ValueId>{last}, {each.name + "_out"});
    last = model.graph.node(id).outputs[0];
  }
  model.graph.addOutput(last);
  return model;
}

context_binary::ContextNode embedded(const std::string& bytes, std::string source = "onednn") {
  return {.cache = bytes, .hasCache = true, .source = std::move(source)};
}
context_binary::ContextNode inFile(std::string_view file, std::string source = "onednn") {
  return {.isEmbedded = false, .cache = file, .hasCache = true, .source = std::move(source)};
}
context_binary::ContextNode dependent(std::string source = "onednn") {
  return {.isMain = false, .isEmbedded = false, .source = std::move(source)};
}

}  // namespace

class TestContextCatalog : public QObject {
  Q_OBJECT

  std::unique_ptr<QTemporaryDir> m_folder;
  fs::path path(const std::string& name) const { return fs::path(m_folder->path().toStdString()) / name; }
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
  }
  context_binary::ContextPlace place(bool share = false, bool stop = false, std::string group = "") const {
    return {path(""), share, stop, std::move(group)};
  }
  static Result<context_binary::FoundContext> findNode(context_binary::ContextCatalog& catalog, const Model& model,
                                                       size_t node, const char* provider = "onednn") {
    return catalog.find(model.graph.node(NodeId{node}), provider, Progress());
  }
  static void expect(const Result<context_binary::FoundContext>& found, ErrorCode code, const std::string& part) {
    QVERIFY(!found);
    QCOMPARE(static_cast<int>(found.error().code), static_cast<int>(code));
    QVERIFY2(found.error().message.find(part) != std::string::npos, found.error().message.c_str());
    QVERIFY(!found.error().where.node.empty());
  }

 private slots:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void embeddedBinariesAreShared() {
    const std::string bytes = writeBinary({partition("onednn", "a")});
    Model model = modelOf({{"a", embedded(bytes)}});
    context_binary::ContextCatalog catalog(model, place());
    QVERIFY(!catalog.empty());
    const auto found = findNode(catalog, model, 0);
    if (!found) QFAIL(describe(found.error()).c_str());
    QCOMPARE(found->partition->name, std::string("a"));
    QCOMPARE(found->place, std::string("inside the node"));
    // Where the copy of the graph has it, too: once in memory.
    const Model copy = model;
    QCOMPARE(static_cast<const void*>(context_binary::readContextNode(copy.graph.node(NodeId{0})).value().cache.data()),
             static_cast<const void*>(found->binary->bytes().data()));
    QCOMPARE(std::string(found->attributes.cache), bytes);
    // A second catalog of the same model.
    context_binary::ContextCatalog again(model, place());
    QVERIFY(findNode(again, model, 0).has_value());
    QCOMPARE(static_cast<const void*>(findNode(again, model, 0)->binary->bytes().data()),
             static_cast<const void*>(found->binary->bytes().data()));
  }

  void bytesOutliveModelAndCatalog() {
    Result<context_binary::FoundContext> found = fail(ErrorCode::kFail, "");
    {
      Model model = modelOf({{"a", embedded(writeBinary({partition("onednn", "a")}))}});
      context_binary::ContextCatalog catalog(model, place());
      found = findNode(catalog, model, 0);
    }
    QVERIFY(found.has_value());
    QVERIFY(std::ranges::equal(found->partition->find("weights")->bytes, bytesOf(std::string(5000, 'w'))));
  }

  void filesAreOpenedOnce() {
    put("c.bin", writeBinary({partition("onednn", "a"), partition("onednn", "b"), partition("onednn", "c")}));
    fs::create_symlink("c.bin", path("same.bin"));
    Model model = modelOf({{"c", dependent()}, {"a", inFile("c.bin")}, {"b", inFile("same.bin")}});
    context_binary::ContextCatalog catalog(model, place());
    const auto c = findNode(catalog, model, 0), a = findNode(catalog, model, 1), b = findNode(catalog, model, 2);
    for (const auto* each : {&a, &b, &c}) {
      if (!*each) QFAIL(describe(each->error()).c_str());
      QCOMPARE((*each)->binary.get(), a->binary.get());
      QCOMPARE((*each)->sharedBytes, int64_t{0});
    }
    QCOMPARE(a->place, std::string("c.bin"));
    QCOMPARE(c->partition->name, std::string("c"));
  }

  void mainNodesMayBeInsideBodies() {
    put("c.bin", writeBinary({partition("onednn", "main"), partition("onednn", "outer")}));
    Model model = modelOf({{"outer", dependent()}});
    Node holder{.name = "if", .opType = "If"};
    holder.setAttribute("then_branch", GraphBox(modelOf({{"main", inFile("c.bin")}}).graph));
    model.graph.addNode(std::move(holder), std::initializer_list<ValueId>{}, {"z"});
    context_binary::ContextCatalog catalog(model, place());
    QVERIFY(findNode(catalog, model, 0).has_value());
  }

  void partitionNamesDecide() {
    const std::string one = writeBinary({partition("onednn", "p")});
    context_binary::ContextNode named = embedded(one);
    named.partitionName = "p";
    context_binary::ContextNode wrong = embedded(one);
    wrong.partitionName = "q";
    const std::string two = writeBinary({partition("onednn", "p"), partition("onednn", "q")});
    Model model = modelOf({{"renamed", named}, {"renamed too", embedded(one)}, {"p", wrong}, {"r", embedded(two)}});
    context_binary::ContextCatalog catalog(model, place());
    QVERIFY(findNode(catalog, model, 0).has_value());
    QVERIFY(findNode(catalog, model, 1).has_value());  // the only one there is
    expect(findNode(catalog, model, 2), ErrorCode::kNotFound,
           "has no partition 'q' of onednn; there are: 'p' of onednn");
    expect(findNode(catalog, model, 3), ErrorCode::kNotFound, "there are: 'p' of onednn, 'q' of onednn");
  }

  void sourcesDecide() {
    const std::string both = writeBinary({partition("onednn", "p"), partition("openvino", "p")});
    context_binary::ContextNode legacy = embedded(both, "");
    Model model =
        modelOf({{"p", legacy}, {"p", embedded(both, "OpenVINOExecutionProvider")}, {"p", embedded(both, "QNN")}});
    context_binary::ContextCatalog catalog(model, place());
    QCOMPARE(findNode(catalog, model, 0, "openvino")->partition->source, std::string("openvino"));
    QCOMPARE(findNode(catalog, model, 0, "onednn")->partition->source, std::string("onednn"));
    QCOMPARE(findNode(catalog, model, 1, "openvino")->partition->source, std::string("openvino"));
    expect(findNode(catalog, model, 2), ErrorCode::kNotFound, "no partition 'p' of QNN");
  }

  void everythingWrongIsNamed() {
    const std::string good = writeBinary({partition("onednn", "a")});
    std::string changed = good;
    changed[5000] ^= 1;
    put("good.bin", good);
    put("changed.bin", changed);
    put("foreign.bin",
        "\x7F"
        "ELF and more");
    put("empty.bin", "");
    context_binary::ContextNode bad = inFile("good.bin");
    bad.maxSizeBytes = -1;
    Model model = modelOf({{"a", inFile("missing.bin")},
                           {"a", inFile("../good.bin")},
                           {"a", inFile("/good.bin")},
                           {"a", inFile("empty.bin")},
                           {"a", inFile("foreign.bin")},
                           {"a", inFile("changed.bin")},
                           {"a", embedded("nonsense")},
                           {"a", embedded(good.substr(0, 100))},
                           {"a", bad}});
    model.graph.mutableNode(NodeId{8}).setAttribute("max_size", int64_t{-1});
    context_binary::ContextCatalog catalog(model, place());
    expect(findNode(catalog, model, 0), ErrorCode::kInvalidGraph, "'missing.bin' is missing");
    expect(findNode(catalog, model, 1), ErrorCode::kInvalidGraph, "leaves the model's folder");
    expect(findNode(catalog, model, 2), ErrorCode::kInvalidGraph, "absolute path");
    expect(findNode(catalog, model, 3), ErrorCode::kInvalidGraph, "is empty");
    expect(findNode(catalog, model, 4), ErrorCode::kEpFail, "no context binary of this program");
    expect(findNode(catalog, model, 5), ErrorCode::kEpFail, "was changed");
    expect(findNode(catalog, model, 6), ErrorCode::kEpFail, "no context binary of this program");
    expect(findNode(catalog, model, 7), ErrorCode::kEpFail, "cut short");
    expect(findNode(catalog, model, 8), ErrorCode::kInvalidGraph, "max_size");
  }

  void dependentNodesNeedAMain() {
    put("c.bin", writeBinary({partition("onednn", "a")}));
    Model alone = modelOf({{"b", dependent()}});
    context_binary::ContextCatalog catalog(alone, place());
    expect(findNode(catalog, alone, 0), ErrorCode::kInvalidGraph, "depends on a main node");
    Model other = modelOf({{"q", inFile("q.bin", "QNN")}, {"b", dependent()}});
    context_binary::ContextCatalog foreign(other, place());
    expect(findNode(foreign, other, 1), ErrorCode::kInvalidGraph, "depends on a main node");
    Model without = modelOf({{"a", inFile("c.bin")}, {"b", dependent()}});
    context_binary::ContextCatalog second(without, place());
    expect(findNode(second, without, 1), ErrorCode::kNotFound, "no main node's binary has a partition 'b'");
    Model broken = modelOf({{"a", inFile("missing.bin")}, {"b", dependent()}});
    context_binary::ContextCatalog third(broken, place());
    expect(findNode(third, broken, 1), ErrorCode::kInvalidGraph, "'missing.bin' is missing");
    // One of two main nodes is enough.
    Model half = modelOf({{"x", inFile("missing.bin")}, {"y", inFile("c.bin")}, {"a", dependent()}});
    context_binary::ContextCatalog fourth(half, place());
    QVERIFY(findNode(fourth, half, 2).has_value());
  }

  void mainsAreOpenedOnceForAllDependents() {
    const std::string bytes = writeBinary({partition("onednn", "b"), partition("onednn", "c")});
    Model model = modelOf({{"a", inFile("late.bin")}, {"b", dependent()}, {"c", dependent()}});
    context_binary::ContextCatalog catalog(model, place());
    expect(findNode(catalog, model, 1), ErrorCode::kInvalidGraph, "'late.bin' is missing");
    put("late.bin", bytes);
    expect(findNode(catalog, model, 2), ErrorCode::kInvalidGraph, "'late.bin' is missing");  // it is not asked again
  }

  void theFirstMainWithThePartitionHasIt() {
    const std::string first = writeBinary({partition("onednn", "p"), partition("openvino", "q")});
    const std::string second = writeBinary({partition("onednn", "p"), partition("onednn", "q")});
    Model model = modelOf({{"1", embedded(first, "")},
                           {"2", embedded(second)},
                           {"q", dependent()},
                           {"p", dependent()},
                           {"q", dependent("OpenVINOExecutionProvider")},
                           {"r", dependent()}});
    context_binary::ContextCatalog catalog(model, place());
    QCOMPARE(findNode(catalog, model, 2)->place, std::string("inside node '2'"));
    QCOMPARE(findNode(catalog, model, 3)->place, std::string("inside node '1'"));
    QCOMPARE(findNode(catalog, model, 4)->place, std::string("inside node '1'"));
    expect(findNode(catalog, model, 5), ErrorCode::kNotFound,
           "there are: 'p' of onednn, 'q' of openvino; 'p' of onednn, 'q' of onednn");
  }

  void messagesListSomeBinaries() {
    std::vector<Wanted> nodes;
    std::vector<std::string> binaries;
    for (int i = 0; i < 7; ++i)
      binaries.push_back(writeBinary({partition("onednn", fmt::format("p{}", i))}));
    for (int i = 0; i < 7; ++i)
      nodes.push_back({fmt::format("n{}", i), embedded(binaries[static_cast<size_t>(i)])});
    nodes.push_back({"r", dependent()});
    Model model = modelOf(nodes);
    context_binary::ContextCatalog catalog(model, place());
    expect(findNode(catalog, model, 7), ErrorCode::kNotFound, "; 'p4' of onednn; those of 2 more");
  }

  void sessionsShare() {
    put("shared.bin",
        writeBinary({partition("onednn", "m1_a"), partition("onednn", "m2_a"), partition("onednn", "m3_a")}));
    context_binary::SharedContexts& group = context_binary::SharedContexts::group("catalog test");
    Model first = modelOf({{"m1_a", inFile("shared.bin")}}), second = modelOf({{"m2_a", inFile("shared.bin")}}),
          third = modelOf({{"m3_a", dependent()}});
    std::shared_ptr<const context_binary::ContextBinary> binary;
    {
      context_binary::ContextCatalog catalog(first, place(true, false, "catalog test"));
      const auto found = findNode(catalog, first, 0);
      QVERIFY(found.has_value());
      QCOMPARE(found->sharedBytes, int64_t{0});
      binary = found->binary;
    }
    QCOMPARE(group.heldBytes(), binary->fileBytes());
    {
      context_binary::ContextCatalog catalog(second, place(true, false, "catalog test"));
      const auto found = findNode(catalog, second, 0);
      QCOMPARE(found->binary.get(), binary.get());
      QCOMPARE(found->sharedBytes, int64_t{5016});
    }
    {
      // Another group sees nothing of it.
      context_binary::ContextCatalog catalog(third, place(true, false, "another"));
      expect(findNode(catalog, third, 0), ErrorCode::kInvalidGraph, "depends on a main node");
    }
    {
      context_binary::ContextCatalog catalog(third, place(true, true, "catalog test"));
      const auto found = findNode(catalog, third, 0);
      QVERIFY(found.has_value());
      QCOMPARE(found->sharedBytes, int64_t{5016});
      QCOMPARE(found->place, std::string("shared by group 'catalog test'"));
      // The last of its partitions is taken: the group lets the binary go, and who has it keeps it.
      QCOMPARE(group.heldBytes(), int64_t{0});
    }
    QCOMPARE(group.heldBytes(), int64_t{0});
    QVERIFY(binary->verifyAll(Progress()).has_value());
  }

  void aFileThatWasReplacedIsAnother() {
    put("shared.bin", writeBinary({partition("onednn", "a")}));
    Model model = modelOf({{"a", inFile("shared.bin")}});
    context_binary::ContextCatalog first(model, place(true, false, "replaced"));
    const auto before = findNode(first, model, 0);
    fs::remove(path("shared.bin"));
    put("shared.bin", writeBinary({partition("onednn", "a"), partition("onednn", "b")}));
    context_binary::ContextCatalog second(model, place(true, true, "replaced"));
    const auto after = findNode(second, model, 0);
    QVERIFY(before.has_value() && after.has_value());
    QVERIFY(before->binary != after->binary);
    QCOMPARE(after->binary->partitions().size(), size_t{2});
  }

  void modelsWithoutContextsAreEmpty() {
    Model model;
    QVERIFY(context_binary::ContextCatalog(model, place()).empty());
  }
};

QTEST_GUILESS_MAIN(TestContextCatalog)
#include "tst_context_catalog.moc"
