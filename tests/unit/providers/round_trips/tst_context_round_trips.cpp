// Every group that a provider compiles in the backend cases, written to a context binary and restored: the same bits as
// the group itself.
#include <filesystem>
#include <set>

#include <QtTest/QtTest>

#include "engine/session/session.h"
#include "engine/stages/load/tensor_file.h"
#include "providers/cpu/provider.h"
#include "providers/declared/provider.h"
#include "providers/onednn/provider.h"
#include "providers/openvino/provider.h"
#include "tests/unit/providers/round_trips/round_trip_provider.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

RoundTripCounts g_counts;

template <ProviderEntry (*kEntry)()>
ProviderEntry roundTrip() {
  ProviderEntry entry = kEntry();
  entry.create = [](const ProviderRequest& request) -> Result<std::unique_ptr<ExecutionProvider>> {
    CUTAWAY_TRY(std::unique_ptr<ExecutionProvider> inner, kEntry().create(request));
    return std::make_unique<RoundTripProvider>(std::move(inner), g_counts);
  };
  return entry;
}

Result<std::unique_ptr<session::Session>> open(const std::filesystem::path& folder, const std::string& provider,
                                               const ProviderTable& table) {
  session::SessionOptions options;
  options.providers = {provider};
  options.threads = 2;
  Progress progress;
  return session::Session::create(load::ModelSource::file(folder / "model.onnx"), options, table, progress);
}

Result<std::vector<execute::Feed>> feedsOf(const session::Session& session, const std::filesystem::path& folder) {
  std::vector<execute::Feed> feeds;
  for (const execute::NamedType& input : session.inputs()) {
    const std::filesystem::path file = folder / "test_data_set_0" / fmt::format("input_{}.pb", feeds.size());
    if (!std::filesystem::exists(file)) break;
    CUTAWAY_TRY(load::NamedValue value, load::readTensorFile(file, input.type));
    feeds.push_back({input.name, std::move(value.value)});
  }
  return feeds;
}

bool sameBits(const RuntimeValue& a, const RuntimeValue& b) {
  if (!a.isTensor() || !b.isTensor()) return a.isTensor() == b.isTensor();
  const Tensor& x = a.tensor();
  const Tensor& y = b.tensor();
  if (x.type() != y.type() || !(x.dims() == y.dims())) return false;
  if (x.type() == ElementType::kString) return std::ranges::equal(x.span<std::string>(), y.span<std::string>());
  return std::ranges::equal(x.bytes(), y.bytes());
}

// Empty: the same. Cases that the provider does not run either way are not about contexts.
std::string compare(const std::filesystem::path& folder, const std::string& provider, const ProviderTable& plain,
                    const ProviderTable& roundTrips) {
  const auto before = open(folder, provider, plain);
  if (!before) return {};
  const auto after = open(folder, provider, roundTrips);
  if (!after) return describe(after.error());
  const auto feeds = feedsOf(**before, folder);
  if (!feeds) return {};
  const auto wanted = (*before)->run(*feeds, {});
  const auto got = (*after)->run(*feeds, {});
  if (!wanted) return got ? "runs after the round trip, and did not before" : "";
  if (!got) return describe(got.error());
  for (size_t i = 0; i < wanted->outputs.size(); ++i) {
    if (!sameBits(wanted->outputs[i].value, got->outputs[i].value))
      return "other bits in output " + wanted->outputs[i].name;
  }
  return {};
}

}  // namespace

class TestContextRoundTrips : public QObject {
  Q_OBJECT
 private slots:
  void sameBits_data() {
    QTest::addColumn<QString>("provider");
    QTest::addColumn<QString>("kind");
    QTest::addColumn<int>("every");   // how many cases there are to one that is taken
    QTest::addColumn<int>("fewest");  // groups that must have come back
    QTest::newRow("onednn, node") << "onednn{claim_all=1}" << "node" << 1 << 500;
    QTest::newRow("openvino, node") << "openvino{minimum_nodes=1}" << "node" << 8 << 100;
    QTest::newRow("declared, node") << "declared(TensorRT)" << "node" << 1 << 500;
    QTest::newRow("onednn, converted") << "onednn{claim_all=1}" << "pytorch-converted" << 1 << 30;
    QTest::newRow("openvino, converted") << "openvino{minimum_nodes=1}" << "pytorch-converted" << 2 << 20;
    QTest::newRow("declared, converted") << "declared(TensorRT)" << "pytorch-converted" << 1 << 30;
    QTest::newRow("declared, channels last") << "declared(QNN-HTP)" << "pytorch-operator" << 1 << 1;
  }
  void sameBits() {
    QFETCH(QString, provider);
    QFETCH(QString, kind);
    QFETCH(int, every);
    QFETCH(int, fewest);
    const std::filesystem::path root = std::filesystem::path(CUTAWAY_TEST_DATA_DIR) / "backend" / kind.toStdString();
    QVERIFY2(std::filesystem::exists(root), "the backend cases are not written: run tests/conformance/export_cases.py");
    const ProviderTable plain{onednnProvider(), openvinoProvider(), declaredProvider(), cpuProvider()};
    const ProviderTable roundTrips{roundTrip<onednnProvider>(), roundTrip<openvinoProvider>(),
                                   roundTrip<declaredProvider>(), cpuProvider()};
    if (provider.startsWith("openvino") && !openvinoProvider().probe().usable) {
      qInfo("left out: OpenVINO is not here");
      return;
    }
    g_counts = {};
    std::set<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root))
      folders.insert(entry.path());
    QStringList failures;
    int number = 0;
    for (const std::filesystem::path& folder : folders) {
      if (number++ % every != 0) continue;
      const std::string problem = compare(folder, provider.toStdString(), plain, roundTrips);
      if (!problem.empty()) failures << QString::fromStdString(folder.filename().string() + ": " + problem);
      for (const std::string& failure : std::exchange(g_counts.failures, {}))
        failures << QString::fromStdString(folder.filename().string() + ": " + failure);
    }
    qInfo("%d groups came back (%lld bytes), %d have borders that contexts do not keep", g_counts.groups,
          static_cast<long long>(g_counts.bytes), g_counts.notTensors);
    QVERIFY2(failures.isEmpty(), qPrintable(QString("%1:\n").arg(failures.size()) + failures.join('\n')));
    QVERIFY2(g_counts.groups >= fewest, qPrintable(QString::number(g_counts.groups)));
  }
};

QTEST_GUILESS_MAIN(TestContextRoundTrips)
#include "tst_context_round_trips.moc"
