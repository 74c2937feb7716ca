// The skeleton provider keeps its word: it answers for every node and takes none.
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
    const Result<CapabilityAnswer> answer = provider->capability({.model = model, .graph = model.graph, .free = free, .progress = progress});
    QVERIFY(answer);
    QVERIFY(answer->claims.empty());
    QCOMPARE(answer->refusals.size(), free.size());
    for (const Refusal& refusal : answer->refusals) QVERIFY(!refusal.reason.empty());
  }

  void unknownOptionsAreRefusedByName() {
    const auto created = skeletonProvider().create({{"colour", "red"}});
    QVERIFY(!created);
    QVERIFY(created.error().message.find("colour") != std::string::npos);
  }
};

QTEST_GUILESS_MAIN(TestSkeleton)
#include "tst_skeleton.moc"
