#include <optional>

#include "app/second_opinion/asking.h"
#include "app/second_opinion/last_bits.h"
#include "app/second_opinion/other_precision.h"
#include "engine/study/second_opinion/quantised_outputs.h"

namespace cutaway::opinion {

namespace ort = onnxruntime;

namespace {

constexpr uint64_t kRetries = 2;

}  // namespace

// How far rounding carries in this model: both engines once more with inputs and weights moved by their last bit, and
// ONNX Runtime without optimisation. Ours without optimisation is not asked: a wrong fusion of ours must not excuse
// itself. And ONNX Runtime with exact products of bytes, which saturate on CPUs without VNNI.
Result<void> Asking::askAgain() {
  for (uint64_t seed = 1; seed <= kRetries && !m_progress.cancelled(); ++seed)
    CUTAWAY_CHECK(askNudged(seed));
  ort::SessionRequest plain;
  plain.path = m_request.model;
  plain.settings = settings(ort::OptimizationLevel::kNone, m_request.options.dims);
  m_theirs.plainResults = resultsOf(std::move(plain), m_feeds);
  if (!m_theirs.plainResults.empty()) m_theirs.retries.push_back(m_theirs.plainResults);
  CUTAWAY_CHECK(runOnCpu());
  if (!m_ours.quantised.empty()) CUTAWAY_CHECK(runPlain());
  CUTAWAY_CHECK(runIn(ElementType::kDouble, m_ours.doubleResults));
  ort::SessionRequest exact;
  exact.path = m_request.model;
  exact.settings = settings(ort::OptimizationLevel::kAll, m_request.options.dims);
  exact.settings.keys.emplace_back("session.x64quantprecision", "1");
  m_theirs.exactProducts = resultsOf(std::move(exact), m_feeds);
  if (m_progress.cancelled()) return fail(cancelledError());
  return {};
}

session::SessionOptions Asking::trialOptions() const {
  session::SessionOptions options = m_request.options;
  if (!m_ours.simulated.empty()) options.providers = {"cpu"};
  options.prepareRun = true;
  options.lastStage = Stage::kPattern;
  return options;
}

// Whether a simulated provider is what makes the difference, and what half precision, in which such hardware computes,
// does to the model.
Result<void> Asking::runOnCpu() {
  if (m_ours.simulated.empty()) return {};
  const auto session =
      session::Session::create(load::ModelSource::file(m_request.model), trialOptions(), m_table, m_progress);
  if (!session) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  if (auto ran = (*session)->run(m_feeds, {.cancel = m_progress.token()})) m_ours.cpuResults = std::move(ran->outputs);
  return runIn(ElementType::kFloat16, m_ours.halfResults);
}

// Ours without optimisation: whether results of a quantised graph come from a fusion of ours.
Result<void> Asking::runPlain() {
  session::SessionOptions options = trialOptions();
  if (options.optimizationLevel == 0) {
    m_ours.plainResults = m_ours.simulated.empty() ? m_ours.results : m_ours.cpuResults;
    return {};
  }
  options.optimizationLevel = 0;
  const auto session = session::Session::create(load::ModelSource::file(m_request.model), options, m_table, m_progress);
  if (!session) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  if (auto ran = (*session)->run(m_feeds, {.cancel = m_progress.token()}))
    m_ours.plainResults = std::move(ran->outputs);
  return {};
}

Result<void> Asking::askNudged(uint64_t seed) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(load::ModelSource::file(m_request.model), {}, m_progress));
  m_ours.quantised = study::quantisedOutputs(loaded.model.graph);
  nudgeWeights(loaded.model.graph, seed);
  const std::vector<execute::Feed> feeds = nudgedFeeds(m_feeds, seed);
  const auto bytes = bytesOf(loaded.model);
  if (!bytes) return {};  // too large for one message: nothing is known then
  CUTAWAY_TRY(ort::SessionRequest request, requestOf(**bytes));
  request.settings = settings(ort::OptimizationLevel::kAll, m_request.options.dims);
  if (std::vector<execute::Feed> results = resultsOf(std::move(request), feeds); !results.empty())
    m_theirs.retries.push_back(std::move(results));
  const auto session =
      session::Session::create(load::ModelSource::memory(**bytes, *bytes), trialOptions(), m_table, m_progress);
  if (!session) return {};
  if (auto ran = (*session)->run(feeds, {.cancel = m_progress.token()}))
    m_ours.retries.push_back(std::move(ran->outputs));
  return {};
}

// Not optimised: a wrong fusion of ours must not be what both are measured by.
Result<void> Asking::runIn(ElementType type, std::vector<execute::Feed>& results) {
  CUTAWAY_TRY(load::LoadResult loaded, load::load(load::ModelSource::file(m_request.model), {}, m_progress));
  const auto feeds = retypedFeeds(m_feeds, type);
  if (!feeds || !retype(loaded.model, type)) return {};
  session::SessionOptions options{
      .dims = m_request.options.dims, .optimizationLevel = 0, .lastStage = Stage::kPattern, .prepareRun = true};
  const auto session = session::Session::create(
      load::ModelSource::loaded(std::make_shared<const Model>(std::move(loaded.model))), options, m_table, m_progress);
  if (!session) return m_progress.cancelled() ? Result<void>(fail(cancelledError())) : Result<void>();
  if (auto ran = (*session)->run(*feeds, {.cancel = m_progress.token()})) results = std::move(ran->outputs);
  return {};
}

// Empty where it does not run.
std::vector<execute::Feed> Asking::resultsOf(ort::SessionRequest request, const std::vector<execute::Feed>& feeds) {
  const auto session = open(std::move(request));
  const auto inputs = session ? inputsFor((*session)->facts().inputs, feeds) : std::nullopt;
  if (!inputs) return {};
  const auto ran = (*session)->runTensors(*inputs, {}, stopped());
  return ran ? namedResults((*session)->facts(), *ran) : std::vector<execute::Feed>();
}

}  // namespace cutaway::opinion
