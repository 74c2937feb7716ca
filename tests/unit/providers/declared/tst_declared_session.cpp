// A declared provider in a session: what it claims runs, and gives what cpu alone gives; copies to its device appear in
// the plan.
#include <filesystem>
#include <fstream>

#include <QtTest/QtTest>

#include "engine/graph/text.h"
#include "engine/session/session.h"
#include "providers/cpu/provider.h"
#include "providers/declared/provider.h"
#include "tests/unit/providers/declared/declared_fixture.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

constexpr const char* kModel = R"(<ir_version: 8, opset_import: ["" : 17]>
main (float[1,2,4,4] x, bool c) => (float[1,2,4,4] y, float[2] s) <float[2,2,1,1] w = {1,-2,3,4}, float[2] b = {0.5,-0.5}, float[2] one = {1,1}> {
  [conv] p = Conv (x, w, b)
  [relu] q = Relu (p)
  [tanh] r = Tanh (q)
  [pool] y = AveragePool <kernel_shape = [3,3], pads = [1,1,1,1]> (r)
  [if] s = If <else_branch = no () => (float[2] n) { [neg] n = Neg (one) }, then_branch = yes () => (float[2] t) { [add] t = Add (one, one) }> (c)
})";
constexpr const char* kOperators =
    R"([{"op": "Conv"}, {"op": "Relu"}, {"op": "AveragePool"}, {"op": "If"}, {"op": "Add"}, {"op": "Neg"}])";

class TestDeclaredSession : public QObject {
  Q_OBJECT

  std::unique_ptr<session::Session> open(const std::string& providers, const std::string& profile) {
    const std::filesystem::path folder = m_folder.path().toStdString();
    std::ofstream(folder / "toy.json") << profile;
    session::SessionOptions options;
    options.providers = {providers};
    options.optimizationLevel = 0;
    options.profileFolders = {folder};
    Progress progress;
    Result<std::unique_ptr<session::Session>> session =
        session::Session::create(load::ModelSource::loaded(std::make_shared<const Model>(*parseModelText(kModel))),
                                 options, {declaredProvider(), cpuProvider()}, progress);
    if (!session) qFatal("%s", describe(session.error()).c_str());
    return *std::move(session);
  }

  std::vector<float> outputsOf(session::Session& session) {
    Tensor x = *Tensor::create(ElementType::kFloat, {1, 2, 4, 4});
    for (size_t i = 0; i < x.span<float>().size(); ++i)
      x.span<float>()[i] = static_cast<float>(i % 7) - 3;
    Tensor c = *Tensor::create(ElementType::kBool, {});
    *static_cast<bool*>(c.mutableData()) = true;
    const std::vector<execute::Feed> feeds = {{"x", x}, {"c", c}};
    std::vector<float> all;
    for (int run = 0; run < 3; ++run) {
      const Result<execute::RunResult> result = session.run(feeds, {});
      if (!result) qFatal("%s", describe(result.error()).c_str());
      for (const execute::Feed& output : result->outputs) {
        const auto values = output.value.tensor().span<float>();
        all.insert(all.end(), values.begin(), values.end());
      }
    }
    return all;
  }

 private slots:
  void sameResultsAsOnTheCpu_data() {
    QTest::addColumn<QString>("extra");
    QTest::addColumn<int>("claimed");
    QTest::newRow("groups") << "" << 3;
    QTest::newRow("nodes") << R"("groups": {"compiled": false},)" << 3;
    QTest::newRow("bodies") << R"("bodies": true,)" << 6;
    QTest::newRow("channels last") << R"("preferred_layout": "nhwc",)" << 3;
    QTest::newRow("channels last, nodes") << R"("preferred_layout": "nhwc", "groups": {"compiled": false},)" << 3;
    QTest::newRow("constants as inputs") << R"("groups": {"constants_only_inputs": true},)" << 3;
  }
  void sameResultsAsOnTheCpu() {
    QFETCH(QString, extra);
    QFETCH(int, claimed);
    const std::string profile = toyProfile(kOperators, extra.toStdString());
    const std::vector<float> wanted = outputsOf(*open("cpu", profile));
    const std::unique_ptr<session::Session> session = open("declared(Toy)", profile);
    const PartitionReport& report = *session->report()->partition;
    QCOMPARE(QString::fromStdString(report.providers.at(0).name), QString("declared(Toy)"));
    // A lowered layout may add nodes of the provider's own.
    if (extra.contains("nhwc")) {
      QVERIFY(report.providers.at(0).claimedNodes >= claimed);
    } else {
      QCOMPARE(report.providers.at(0).claimedNodes, int64_t{claimed} + (extra.contains("bodies") ? 0 : 2));
    }
    QVERIFY(!report.copies.empty());
    for (const CopyReport& copy : report.copies)
      QVERIFY(copy.from == "Toy (simulated)" || copy.to == "Toy (simulated)");
    const std::vector<float> seen = outputsOf(*session);
    QCOMPARE(seen.size(), wanted.size());
    for (size_t i = 0; i < seen.size(); ++i)
      QVERIFY2(std::abs(seen[i] - wanted[i]) <= 1e-5f,
               qPrintable(QString("value %1: %2 instead of %3").arg(i).arg(seen[i]).arg(wanted[i])));
  }

 private:
  QTemporaryDir m_folder;
};

}  // namespace

QTEST_GUILESS_MAIN(TestDeclaredSession)
#include "tst_declared_session.moc"
