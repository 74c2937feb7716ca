// The query language: how lines are read, what they find, and what is said when they cannot be read.
#include <QTest>

#include "tests/unit/ui/walk_fixture.h"
#include "ui/canvas/find_index.h"
#include "ui/canvas/find_tests.h"
#include "ui/document/node_facts.h"

using namespace cutaway;
using namespace cutaway::ui;

namespace {

FindFacts factsOf(const WalkReport& walk, GraphVersion version, size_t graphs) {
  FindFacts facts;
  for (size_t g = 0; g < graphs; ++g)
    facts.push_back(makeNodeFacts(walk, version, static_cast<int>(g)));
  return facts;
}

}  // namespace

class TestFind : public QObject {
  Q_OBJECT

 private slots:
  void linesFindNodes_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("names");  // of the loaded sample
    QTest::newRow("word") << "conv"
                          << "stem/conv body/conv";
    QTest::newRow("two words") << "conv kernel_shape"
                               << "stem/conv";
    QTest::newRow("upper case") << "CONV stem_out"
                                << "stem/conv";
    QTest::newRow("phrase") << "\"3, 3\""
                            << "stem/conv";
    QTest::newRow("not") << "conv -stem_out"
                         << "body/conv";
    QTest::newRow("or") << "op:Gemm OR op:Flatten"
                        << "head/flatten head/gemm";
    QTest::newRow("or binds closer") << "head op:Gemm OR op:Conv"
                                     << "head/gemm";
    QTest::newRow("expression") << "/^(stem|body)/conv$/"
                                << "stem/conv body/conv";
    QTest::newRow("expression of a field") << "name:/relu$/"
                                           << "stem/relu body/relu";
    QTest::newRow("path is no expression") << "/conv"
                                           << "stem/conv body/conv";
    QTest::newRow("operator") << "op:Conv"
                              << "stem/conv body/conv";
    QTest::newRow("operator being typed") << "op:flat"
                                          << "head/flatten";
    QTest::newRow("operator is not") << "scope:stem op!=Conv"
                                     << "stem/bn stem/relu";
    QTest::newRow("wildcard") << "name:body/*"
                              << "body/conv body/relu body/add";
    QTest::newRow("wildcard in a word") << "stem*relu"
                                        << "stem/relu body/conv body/add";
    QTest::newRow("whole name") << "name:\"head/pool\""
                                << "head/pool";
    QTest::newRow("type") << "type:bool"
                          << "gate/max gate/if";
    QTest::newRow("type by another name") << "type:fp32 op:Relu"
                                          << "stem/relu body/relu";
    QTest::newRow("shape") << "shape:[1,16,1,1]"
                           << "head/pool head/flatten";
    QTest::newRow("shape with wildcards") << "shape:[1,3,*,*]"
                                          << "stem/conv";
    QTest::newRow("shape with rest") << "shape:[16,...] op:Conv"
                                     << "stem/conv body/conv";
    QTest::newRow("shape by x") << "shape:1x10"
                                << "head/gemm gate/max gate/if";
    QTest::newRow("one dimension") << "shape:3"
                                   << "stem/conv body/conv";
    QTest::newRow("attribute") << "attr:pads"
                               << "stem/conv";
    QTest::newRow("attribute value") << "attr:pads=1"
                                     << "stem/conv";
    QTest::newRow("attribute list") << "attr:kernel_shape=3,3"
                                    << "stem/conv";
    QTest::newRow("attribute other value") << "attr:pads=2"
                                           << "";
    QTest::newRow("input") << "input:stem_relu"
                           << "body/conv body/add";
    QTest::newRow("output") << "out:logits"
                            << "head/gemm";
    QTest::newRow("value") << "value:\"features\""
                           << "head/flatten head/gemm";
    QTest::newRow("scope") << "scope:head"
                           << "head/pool head/flatten head/gemm";
    QTest::newRow("scope wholly") << "scope:hea"
                                  << "";
    QTest::newRow("provider") << "provider:cpu op:Gemm"
                              << "head/gemm";
    QTest::newRow("refused") << "refused:operator scope:head"
                             << "head/pool head/flatten head/gemm";
    QTest::newRow("rewrite") << "rewrite:conv_bn"
                             << "stem/conv stem/bn";
    QTest::newRow("group") << "group:skeleton_0 op:Add"
                           << "body/add";
    QTest::newRow("time") << "time>30us"
                          << "head/pool head/gemm";
    QTest::newRow("time range") << "time:5us..35us"
                                << "head/gemm gate/max gate/if";
    QTest::newRow("step") << "step<1 op:Relu"
                          << "stem/relu body/relu";
    QTest::newRow("value index") << "idx:3"
                                 << "head/pool head/flatten";
    QTest::newRow("memory") << "memory<=64B scope:head"
                            << "head/pool head/flatten head/gemm";
    QTest::newRow("number of inputs") << "inputs>=3"
                                      << "head/gemm";
    QTest::newRow("colon of a name") << "conv:0"
                                     << "";
  }
  void linesFindNodes() {
    QFETCH(QString, line);
    QFETCH(QString, names);
    const auto walk = test::sampleWalk();
    const FindIndex index(walk->loadedGraphs);
    const FindQuery query = FindQuery::parse(line);
    QVERIFY2(!query.problem(), query.problem() ? qPrintable(query.problem()->text) : "");
    QStringList found;
    for (const FindHit& hit : index.search(query, factsOf(*walk, GraphVersion::kLoaded, 3)))
      if (hit.graph == 0)
        found << QString::fromStdString(walk->loadedGraphs->graphs[0].nodes[static_cast<size_t>(hit.node)].name);
    QCOMPARE(found.join(' '), names);
  }

  void bodiesAreSearchedToo() {
    const auto walk = test::sampleWalk();
    const FindIndex index(walk->loadedGraphs);
    QCOMPARE(index.search(FindQuery::parse("op:Softmax")), (std::vector<FindHit>{{1, 0}}));
    QCOMPARE(index.search(FindQuery::parse("graph:else")), (std::vector<FindHit>{{2, 0}}));
    QVERIFY(index.search(FindQuery::parse("")).empty());
  }

  // A node without a name is found by what every table and message calls it.
  void unnamedNodesAreFoundByWhatTheyAreCalled() {
    ModelGraphs graphs;
    graphs.graphs.resize(1);
    for (const char* opType : {"Conv", "Relu", "Conv"})
      graphs.graphs[0].nodes.push_back({.name = {}, .opType = opType, .domain = {}});
    const FindIndex index(std::make_shared<const ModelGraphs>(graphs));
    for (const char* line : {"conv_2", "Conv_2", "name:Conv_2"})
      QCOMPARE(index.search(FindQuery::parse(QString::fromLatin1(line))), (std::vector<FindHit>{{0, 2}}));
    QCOMPARE(index.search(FindQuery::parse("Relu_1")), (std::vector<FindHit>{{0, 1}}));
  }

  void problemsSayWhere_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("words");
    QTest::addColumn<int>("at");
    QTest::newRow("expression") << "conv /a(b/"
                                << "expression" << 5;
    QTest::newRow("field") << "op:Conv colour:red"
                           << "no field" << 8;
    QTest::newRow("unit") << "time>3kg"
                          << "units are ns, us, ms, s" << 0;
    QTest::newRow("number") << "step>abc"
                            << "not a number" << 0;
    QTest::newRow("relation") << "op>Conv"
                              << "is text" << 0;
  }
  void problemsSayWhere() {
    QFETCH(QString, line);
    QFETCH(QString, words);
    QFETCH(int, at);
    const FindQuery query = FindQuery::parse(line);
    QVERIFY(query.problem() && query.empty());
    QVERIFY2(query.problem()->text.contains(words), qPrintable(query.problem()->text));
    QCOMPARE(query.problem()->at, at);
    QVERIFY(query.problem()->at + query.problem()->length <= line.size());
  }

  void whatIsBeingTypedIsNoProblem() {
    for (const char* line : {"op:", "time>", "-", "\"", "shape:[1,", "attr:", "step:1..", "/", "conv OR", "time:>"}) {
      const FindQuery query = FindQuery::parse(QString::fromLatin1(line));
      QVERIFY2(!query.problem(), line);
    }
  }

  void anythingCanBeTyped() {
    const auto walk = test::sampleWalk();
    const FindIndex index(walk->loadedGraphs);
    const QString alphabet = QStringLiteral("ab\"/-*[]().:=<>! ORopshape,1x\u00d7\u4e2d|\\");
    uint32_t seed = 7;
    for (int round = 0; round < 3000; ++round) {
      QString line;
      for (int i = 0; i < 12; ++i)
        line += alphabet[static_cast<qsizetype>((seed = seed * 1664525u + 1013904223u) >> 8) % alphabet.size()];
      const FindQuery query = FindQuery::parse(line);
      QVERIFY(index.search(query).size() <= index.size());
      query.matches(line);
    }
  }

  void tablesTakeFieldsAsWords() {
    QVERIFY(FindQuery::parse("device:cpu").matches("x device:cpu y"));
    QVERIFY(!FindQuery::parse("device:cpu").matches("x cpu y"));
    QVERIFY(FindQuery::parse("conv -relu").matches("Conv 1"));
    QVERIFY(!FindQuery::parse("conv -relu").matches("Conv Relu"));
    QVERIFY(FindQuery::parse("/c.nv/").matches("a Conv"));
  }

  void manyNodesAreSearchedWhileTyping_data() {
    QTest::addColumn<QString>("line");
    for (const char* line :
         {"relu", "r", "op:Conv", "name:*12*", "/conv_\\d+7/", "shape:[1,*,56,56] -relu", "input:value_99"})
      QTest::newRow(line) << QString::fromLatin1(line);
  }
  void manyNodesAreSearchedWhileTyping() {
    QFETCH(QString, line);
    static const auto walk = test::flatWalk(50'000);
    static const FindIndex index(walk->loadedGraphs);
    const FindQuery query = FindQuery::parse(line);
    std::vector<FindHit> hits;
    QBENCHMARK {
      hits = index.search(query);
    }
    QVERIFY(hits.size() < index.size());
  }
};

QTEST_APPLESS_MAIN(TestFind)
#include "tst_find.moc"
