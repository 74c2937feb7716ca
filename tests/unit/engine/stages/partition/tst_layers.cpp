// Layer assignment by annotation and by name: grammar, precedence, devices, bodies, and what happens when the chosen
// provider refuses.
#include <QtTest/QtTest>

#include "engine/stages/partition/device_words.h"
#include "engine/stages/partition/layers.h"
#include "tests/unit/engine/stages/partition/partition_bench.h"

using namespace cutaway;
using namespace cutaway::bench;

namespace {

constexpr const char* kChain = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[2,4] x) => (float[2,4] y) {
  [a] va = Relu (x)
  [b] vb = Sigmoid (va)
  [c] vc = Tanh (vb)
  [d] y = Add (vc, va)
})";

// Annotations by node name, as the loader keeps them by origin.
std::map<int32_t, std::string> annotated(const Model& model, const std::map<std::string, std::string>& byName) {
  std::map<int32_t, std::string> result;
  for (size_t i = 0; i < model.origins.size(); ++i) {
    if (const auto found = byName.find(model.origins[i].name); found != byName.end())
      result[static_cast<int32_t>(i)] = found->second;
  }
  return result;
}

Providers twoDevices() {
  TestProviderPlan npu = taking("npu", {"Relu", "Sigmoid", "Tanh", "Add"});
  npu.deviceWords = {"npu"};
  TestProviderPlan cuda = taking("cuda0", {"Relu", "Sigmoid"});
  cuda.deviceWords = {"gpu", "cuda", "gpu:nvidia"};
  return withCpu({npu, cuda});
}

}  // namespace

class TestLayers : public QObject {
  Q_OBJECT
 private slots:
  void patterns_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("annotation");
    QTest::addColumn<QString>("device");
    QTest::newRow("prefix") << "gpu(enc)" << "encoder" << "gpu";
    QTest::newRow("no prefix") << "gpu(enc)" << "my encoder" << "";
    QTest::newRow("whole") << "gpu(=enc)" << "enc" << "gpu";
    QTest::newRow("not whole") << "gpu(=enc)" << "encoder" << "";
    QTest::newRow("prefix wins over whole") << "gpu(=encoder); cpu(enc)" << "encoder" << "cpu";
    QTest::newRow("from left to right") << "gpu(enc); cpu(encoder)" << "encoder1" << "gpu";
    QTest::newRow("blanks") << " gpu ( a , = b ) ; cpu(c) ; " << "b" << "gpu";
  }
  void patterns() {
    QFETCH(QString, settings);
    QFETCH(QString, annotation);
    QFETCH(QString, device);
    Result<std::vector<partition::LayerPattern>> parsed =
        partition::LayerRules::parse("key", settings.toStdString(), partition::LayerRules::By::kAnnotation);
    CUTAWAY_VERIFY(parsed);
    const partition::LayerRules rules(*std::move(parsed), partition::LayerRules::By::kAnnotation);
    const std::string text = annotation.toStdString();
    const partition::LayerPattern* found = rules.find(text);
    QCOMPARE(found == nullptr ? QString() : QString::fromStdString(found->device), device);
  }

  void theLongestPartOfANameDecides() {
    Result<std::vector<partition::LayerPattern>> parsed =
        partition::LayerRules::parse("key", "gpu(layers.1); cpu(layers.12, embed)", partition::LayerRules::By::kName);
    CUTAWAY_VERIFY(parsed);
    const partition::LayerRules rules(*std::move(parsed), partition::LayerRules::By::kName);
    QCOMPARE(rules.find("/model/layers.12/Mul")->device, std::string("cpu"));
    QCOMPARE(rules.find("/model/layers.13/Mul")->device, std::string("gpu"));
    QVERIFY(rules.find("/model/norm") == nullptr);
  }

  void mistakesAreNamed_data() {
    QTest::addColumn<QString>("settings");
    QTest::addColumn<bool>("byName");
    QTest::addColumn<QString>("message");
    QTest::newRow("no brackets")
        << "gpu" << false << "session.layer_assignment_settings: 'gpu' is not written as device(pattern, pattern)";
    QTest::newRow("open bracket")
        << "gpu(a" << false << "session.layer_assignment_settings: 'gpu(a' is not written as device(pattern, pattern)";
    QTest::newRow("nested")
        << "gpu(a(b))" << false
        << "session.layer_assignment_settings: 'gpu(a(b))' is not written as device(pattern, pattern)";
    QTest::newRow("no device") << "(a)" << false
                               << "session.layer_assignment_settings: '(a)' is not written as device(pattern, pattern)";
    QTest::newRow("empty pattern")
        << "gpu(a,)" << false << "session.layer_assignment_settings: an empty pattern between the brackets of 'gpu'";
    QTest::newRow("twice") << "gpu(a); cpu(a)" << false
                           << "session.layer_assignment_settings: the pattern 'a' is given twice";
    QTest::newRow("whole names")
        << "gpu(=a)" << true
        << "session.name_based_layer_assignment: '=a': names are matched in part, '=' has no meaning here";
    QTest::newRow("unknown device")
        << "tpu(a)" << false
        << "session.layer_assignment_settings: 'tpu' is no device; devices are cpu, gpu, cuda, dml, npu, fpga, "
           "accelerator, gpu:nvidia, gpu:amd, gpu:intel, gpu:qualcomm, "
           "gpu:microsoft, gpu:<index>, or a provider's name";
  }
  void mistakesAreNamed() {
    QFETCH(QString, settings);
    QFETCH(bool, byName);
    QFETCH(QString, message);
    Model model = resolved(kChain);
    partition::PartitionOptions options;
    (byName ? options.rules.nameBasedAssignment : options.rules.layerAssignment) = settings.toStdString();
    const Result<partition::Partition> made = partitioned(model, twoDevices(), options);
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kInvalidArgument);
    QCOMPARE(QString::fromStdString(made.error().message), message);
  }

  void bothKeysExcludeEachOther() {
    Model model = resolved(kChain);
    partition::PartitionOptions options;
    options.rules.layerAssignment = "cpu(a)";
    options.rules.nameBasedAssignment = "cpu(a)";
    const Result<partition::Partition> made = partitioned(model, twoDevices(), options);
    QVERIFY(!made);
    QCOMPARE(made.error().code, ErrorCode::kInvalidArgument);
  }

  void devices_data() {
    QTest::addColumn<QString>("word");
    QTest::addColumn<int>("provider");
    QTest::newRow("kind") << "npu" << 0;
    QTest::newRow("name that tells") << "cuda" << 1;
    QTest::newRow("a cuda is a gpu") << "gpu" << 1;
    QTest::newRow("vendor") << "gpu:nvidia" << 1;
    QTest::newRow("index") << "gpu:0" << 1;
    QTest::newRow("index that is not here") << "gpu:3" << -1;
    QTest::newRow("upper case") << "GPU" << 1;
    QTest::newRow("provider's own name") << "cuda0" << 1;
    QTest::newRow("cpu") << "cpu" << 2;
    QTest::newRow("known, not here") << "fpga" << -1;
  }
  void devices() {
    QFETCH(QString, word);
    QFETCH(int, provider);
    const Providers providers = twoDevices();
    const Result<int32_t> found = partition::providerForDevice(word.toStdString(), providers);
    CUTAWAY_VERIFY(found);
    QCOMPARE(*found, provider);
  }

  // c goes to cuda0 first, which refuses: later providers are asked, earlier ones are not (npu would take it).
  void annotationsDecideWhoIsAskedFirst() {
    Model model = resolved(kChain);
    partition::PartitionOptions options;
    options.rules.layerAssignment = "cuda(enc); cpu(=head)";
    options.layerOfOrigin = annotated(model, {{"a", "encoder"}, {"c", "encoder"}, {"d", "head"}});
    const Result<partition::Partition> made = partitioned(model, twoDevices(), options);
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:cuda0 b:npu c:cpu d:cpu"));
    QCOMPARE(answerOf(*made, "a", "npu").reason, std::string("not asked: kept for cuda0 by layer rule cuda(enc)"));
    QCOMPARE(answerOf(*made, "c", "npu").cause, RefusalCause::kPin);
    QCOMPARE(answerOf(*made, "c", "cuda0").cause, RefusalCause::kOperator);
  }

  void namesDecideTheSameWay() {
    Model model = resolved(kChain);
    partition::PartitionOptions options;
    options.rules.nameBasedAssignment = "cuda(a, b)";
    const Result<partition::Partition> made = partitioned(model, twoDevices(), options);
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:cuda0 b:cuda0 c:npu d:npu"));
  }

  void pinsStandAboveLayers() {
    Model model = resolved(kChain);
    partition::PartitionOptions options;
    options.rules.nameBasedAssignment = "cuda(a, b)";
    options.pins = {{NodePin::Kind::kNode, "a", "cpu"}};
    const Result<partition::Partition> made = partitioned(model, twoDevices(), options);
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:cpu b:cuda0 c:npu d:npu"));
  }

  void whatFitsNothingAndWhatIsNotHereAreWarnings() {
    Model model = resolved(kChain);
    partition::PartitionOptions options;
    options.rules.nameBasedAssignment = "cuda(a, zzz); fpga(b)";
    const Result<partition::Partition> made = partitioned(model, twoDevices(), options);
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("a:cuda0 b:npu c:npu d:npu"));
    QCOMPARE(joined(made->report.warnings),
             QString("session.name_based_layer_assignment: no provider of this session is a 'fpga'; its layers go to "
                     "the other providers: npu, cuda0, cpu\n"
                     "layer rule cuda(zzz) fits no node\n"
                     "1 of 4 nodes are not on npu, the preferred provider: cuda0 1"));
  }

  void bodiesHaveTheAnnotationOfTheirNode() {
    Model model = resolved(R"(<ir_version: 8, opset_import: ["" : 17]>
main (bool[] cond, float[2] x) => (float[2] y) {
  [choose] y = If <then_branch = yes () => (float[2] t) { [inner] t = Relu (x) }, else_branch = no () => (float[2] e) { [other] e = Relu (x) }> (cond)
})");
    partition::PartitionOptions options;
    options.rules.layerAssignment = "cuda(enc); npu(head)";
    options.layerOfOrigin = annotated(model, {{"choose", "encoder"}, {"other", "head"}});
    const Result<partition::Partition> made = partitioned(model, twoDevices(), options);
    CUTAWAY_VERIFY(made);
    QCOMPARE(placements(*made), QString("choose:cpu inner:cuda0 other:npu"));
  }
};

QTEST_GUILESS_MAIN(TestLayers)
#include "tst_layers.moc"
