// The skeleton provider keeps its word: it answers for every node with a refusal that can be acted on, and takes none.
#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "providers/skeleton/provider.h"

using namespace cutaway;

class TestSkeleton : public QObject {
  Q_OBJECT
 private slots:
  void refusesEveryNodeWithAReason() {
    const Model model = *parseModelText("main (float[2] x) => (float[2] y) { h = Relu (x)\n y = Tanh (h) }");
    const std::unique_ptr<ExecutionProvider> provider = *skeletonProvider().create({});
    const std::vector<NodeId> free = model.graph.nodeIds();
    const Progress progress;
    const Result<CapabilityAnswer> answer =
        provider->capability({.model = model, .graph = model.graph, .free = free, .progress = progress});
    QVERIFY(answer);
    QVERIFY(answer->claims.empty());
    QCOMPARE(answer->refusals.size(), free.size());
    for (const Refusal& refusal : answer->refusals) {
      QVERIFY(!refusal.reason.empty());
      QVERIFY(!refusal.rule.empty());
      QVERIFY(!refusal.remedy.empty());
    }
    QCOMPARE(QString::fromStdString(answer->refusals[1].seen), QString("Tanh"));
  }

  void keepsNothingAndSaysWhy() {
    const auto provider = *skeletonProvider().create({});
    const ContextSupport support = provider->contextSupport();
    QVERIFY(support.kind == ContextKind::kNone && !support.reason.empty());
    QVERIFY(provider->compatibilityInfo().empty());
    const context_binary::ContextPartition nothing;
    const auto restored = provider->restoreContext({nothing, nullptr, "n"}, Progress());
    QVERIFY(!restored && !restored.error().message.empty());
  }

  void optionsAreRead() {
    QVERIFY(skeletonProvider().create({.options = {{"minimum_nodes", "3"}}}));
    for (const char* wrong : {"", "0", "-1", "many", "99999999999"}) {
      const auto created = skeletonProvider().create({.options = {{"minimum_nodes", wrong}}});
      QVERIFY2(!created && created.error().code == ErrorCode::kInvalidArgument, wrong);
    }
  }

  void unknownOptionsAreRefusedByName() {
    const auto created = skeletonProvider().create({.options = {{"colour", "red"}}});
    QVERIFY(!created);
    QVERIFY(created.error().message.find("colour") != std::string::npos);
    QVERIFY2(created.error().message.find("minimum_nodes") != std::string::npos, "what there is is named");
  }
};

QTEST_GUILESS_MAIN(TestSkeleton)
#include "tst_skeleton.moc"
