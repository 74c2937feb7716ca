// Thousands of random models, partitioned by providers that answer at random, judged by an independent checker; a
// sample is run and gives what cpu alone gives.
#include <cstring>

#include <QtTest/QtTest>

#include "engine/base/log.h"
#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "engine/stages/resolve/resolve.h"
#include "providers/cpu/provider.h"
#include "tests/checker/partition_checker.h"
#include "tests/unit/engine/stages/partition/random_models.h"

using namespace cutaway;

namespace {

const KernelRegistry* kernelsOfCpu() {
  static const std::unique_ptr<ExecutionProvider> provider = *cpuProvider().create({});
  return provider->kernels();
}

Model randomModel(uint32_t seed) {
  const std::string text = randomModelText(
      {.seed = seed, .nodes = 4 + static_cast<int>(seed % 23), .bodies = seed % 3 == 1, .quantized = seed % 4 == 2});
  Result<Model> model = parseModelText(text);
  if (!model) qFatal("seed %u: %s\n%s", seed, describe(model.error()).c_str(), text.c_str());
  return *std::move(model);
}

// Two to four providers, cpu last. The same seed gives the same.
std::vector<TestProviderPlan> randomPlans(uint32_t seed, bool takesBodies) {
  std::vector<TestProviderPlan> plans;
  const uint32_t others = 1 + seed % 3;
  for (uint32_t i = 0; i < others; ++i)
    plans.push_back(randomProvider(
        "p" + std::to_string(i),
        {.seed = seed * 7 + i, .nonsense = (seed / 5 + i) % 2 == 1, .takesBodies = takesBodies}, kernelsOfCpu()));
  return plans;
}

std::vector<std::string> namesOf(const std::vector<TestProviderPlan>& plans) {
  std::vector<std::string> names;
  for (const TestProviderPlan& plan : plans)
    names.push_back(plan.name);
  names.push_back("cpu");
  return names;
}

// Sessions make providers from a table of plain functions.
std::vector<TestProviderPlan> sessionPlans;
template <size_t kIndex>
Result<std::unique_ptr<ExecutionProvider>> makePlanned(const ProviderRequest&) {
  return makeTestProvider(sessionPlans[kIndex]);
}
ProviderTable table() {
  return {{.name = "p0", .displayName = "", .description = "", .create = makePlanned<0>},
          {.name = "p1", .displayName = "", .description = "", .create = makePlanned<1>},
          {.name = "p2", .displayName = "", .description = "", .create = makePlanned<2>},
          cpuProvider()};
}

Result<std::vector<execute::Feed>> outputsOf(const std::shared_ptr<const Model>& model,
                                             const std::vector<std::string>& providers) {
  Progress progress;
  session::SessionOptions options;
  options.providers = providers;
  options.optimizationLevel = 0;
  options.threads = 1;
  CUTAWAY_TRY(const std::unique_ptr<session::Session> session,
              session::Session::create(load::ModelSource::loaded(model), options, table(), progress));
  CUTAWAY_TRY(const std::vector<execute::Feed> feeds, session::randomFeeds(*session, 1, {}, {}));
  CUTAWAY_TRY(execute::RunResult result, session->run(feeds, {}));
  return std::move(result.outputs);
}

}  // namespace

class TestRandomPartitions : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (const Result<void> set = cutaway::log::setLevel("error"); !set) QFAIL("log level");
  }

  void invariantsHold() {
    size_t groups = 0, rejected = 0, failed = 0, claimedByOthers = 0;
    for (uint32_t seed = 0; seed < 3000; ++seed) {
      Model model = randomModel(seed);
      Progress progress;
      const Result<ResolveReport> resolved = resolve::resolve(model, {}, progress);
      if (!resolved) QFAIL(describe(resolved.error()).c_str());
      std::vector<TestProviderPlan> plans = randomPlans(seed, seed % 4 == 3);
      const std::vector<std::string> names = namesOf(plans);
      std::vector<std::unique_ptr<ExecutionProvider>> providers;
      for (TestProviderPlan& plan : plans)
        providers.push_back(makeTestProvider(std::move(plan)));
      providers.push_back(*cpuProvider().create({}));
      const Result<partition::Partition> partition = partition::partitionModel(
          model, providers, {.optimizationLevel = 0, .compile = seed % 4 != 3, .minimumGroupNodes = 1 + seed % 3},
          progress);
      if (!partition) QFAIL(qPrintable(QString("seed %1: %2").arg(seed).arg(describe(partition.error()).c_str())));
      const std::vector<std::string> complaints = checkPartition({*partition, model, names});
      QVERIFY2(complaints.empty(), fmt::format("seed {}: {}", seed, fmt::join(complaints, "; ")).c_str());
      for (const NodePlacement& node : partition->report.nodes) {
        claimedByOthers += node.provider != "cpu";
        for (const ProviderAnswer& answer : node.answers) {
          rejected += answer.verdict == Verdict::kGroupRejected;
          failed += answer.verdict == Verdict::kCompileFailed;
        }
      }
      groups += partition->compiled.size();
    }
    // The random answers must reach what is tested here.
    qInfo("%zu groups, %zu nodes with others, %zu rejected, %zu failed to compile", groups, claimedByOthers, rejected,
          failed);
    QVERIFY(groups > 3000 && claimedByOthers > 10000 && rejected > 1000 && failed > 300);
  }

  void theSameAnswersGiveTheSamePartition() {
    for (uint32_t seed = 0; seed < 60; ++seed) {
      QString texts[2];
      for (QString& text : texts) {
        Model model = randomModel(seed);
        Progress progress;
        QVERIFY(resolve::resolve(model, {}, progress).has_value());
        std::vector<std::unique_ptr<ExecutionProvider>> providers;
        for (TestProviderPlan& plan : randomPlans(seed, false))
          providers.push_back(makeTestProvider(std::move(plan)));
        providers.push_back(*cpuProvider().create({}));
        const Result<partition::Partition> partition =
            partition::partitionModel(model, providers, {.optimizationLevel = 0}, progress);
        QVERIFY(partition);
        text = QString::fromStdString(printModel(model, {.showOrigins = true, .showProvider = true}));
      }
      QCOMPARE(texts[0], texts[1]);
    }
  }

  void resultsAreThoseOfCpuAlone() {
    int compared = 0;
    for (uint32_t seed = 0; seed < 3000; seed += 11) {
      const auto model = std::make_shared<const Model>(randomModel(seed));
      sessionPlans = randomPlans(seed, false);
      const Result<std::vector<execute::Feed>> alone = outputsOf(model, {"cpu"});
      const Result<std::vector<execute::Feed>> shared = outputsOf(model, namesOf(sessionPlans));
      if (!alone || !shared)
        QFAIL(qPrintable(QString("seed %1: %2").arg(seed).arg(describe((alone ? shared : alone).error()).c_str())));
      QCOMPARE(shared->size(), alone->size());
      for (size_t i = 0; i < alone->size(); ++i) {
        const Tensor& a = (*alone)[i].value.tensor();
        const Tensor& b = (*shared)[i].value.tensor();
        QCOMPARE(a.sizeBytes(), b.sizeBytes());
        QVERIFY2(std::memcmp(a.data(), b.data(), static_cast<size_t>(a.sizeBytes())) == 0,
                 fmt::format("seed {}: output {}", seed, (*alone)[i].name).c_str());
        ++compared;
      }
    }
    QVERIFY(compared > 300);
  }
};

QTEST_GUILESS_MAIN(TestRandomPartitions)
#include "tst_random_partitions.moc"
