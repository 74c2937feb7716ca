#include "engine/study/cure/prove.h"

#include <algorithm>
#include <exception>

#include "engine/base/exception_text.h"
#include "engine/base/hash.h"

namespace cutaway::study {
namespace {

// The same text: the same inputs. Nothing where an input is no tensor of numbers.
std::optional<std::string> keyOf(const std::vector<execute::Feed>& feeds) {
  std::string text;
  for (const execute::Feed& feed : feeds) {
    if (!feed.value.isTensor() || feed.value.tensor().type() == ElementType::kString) return std::nullopt;
    const Tensor& tensor = feed.value.tensor();
    text += fmt::format("{}\n{}{}\n{}\n", feed.name, elementTypeName(tensor.type()), dimsToText(tensor.dims()),
                        hash64(tensor.bytes()));
  }
  return text;
}

}  // namespace

Prover::Prover(std::shared_ptr<const Model> original, const session::SessionOptions& options,
               const ProviderTable& table, const ErrorTolerance& tolerance, uint64_t seed)
    : m_original(std::move(original)), m_options(options), m_table(table), m_tolerance(tolerance), m_seed(seed) {
  m_options.providers = {lastResort(table)};
  m_options.pins.clear();
  m_options.config.clear();
  m_options.context.reset();
  m_options.contextOnly = false;
  m_options.minimumGroupNodes = 1;
  m_options.lastStage = Stage::kPattern;
  m_options.keepOptimized = false;
  m_options.prepareRun = true;
}

Result<std::unique_ptr<session::Session>> Prover::open(const std::shared_ptr<const Model>& model,
                                                       Progress& progress) const {
  return session::Session::create(load::ModelSource::loaded(model), m_options, m_table, progress);
}

Result<const Prover::Outputs*> Prover::originalOutputs(const Outputs& feeds, Progress& progress) {
  const std::optional<std::string> key = keyOf(feeds);
  if (key && m_key == key) return &m_outputs;
  if (!m_session) {
    CUTAWAY_TRY(m_session, open(m_original, progress));
  }
  CUTAWAY_TRY(execute::RunResult result, m_session->run(feeds, {.cancel = progress.token()}));
  m_key = key;
  m_outputs = std::move(result.outputs);
  return &m_outputs;
}

void Prover::compare(const Outputs& changed, const Outputs& original, CureProof& proof) const {
  proof.ran = true;
  proof.agrees = changed.size() == original.size();
  if (!proof.agrees) proof.note = "the changed model has other outputs";
  for (const execute::Feed& output : changed) {
    const auto same = std::ranges::find(original, output.name, &execute::Feed::name);
    ValueAccuracy accuracy;
    if (same == original.end())
      accuracy.problem = "the original has no such output";
    else
      measureError(output.value, same->value, m_tolerance, accuracy);
    proof.elements += accuracy.elements;
    proof.outside += accuracy.outsideTolerance;
    proof.maxRelative = std::max(proof.maxRelative, accuracy.maxRelative);
    if (proof.worstOutput.empty() || accuracy.maxAbsolute > proof.maxAbsolute) {
      proof.maxAbsolute = accuracy.maxAbsolute;
      proof.worstOutput = output.name;
    }
    if (accuracy.problem.empty() && accuracy.outsideTolerance == 0) continue;
    proof.agrees = false;
    proof.worstOutput = output.name;
    proof.note = !accuracy.problem.empty() ? fmt::format("output '{}': {}", output.name, accuracy.problem)
                                           : fmt::format("{} of {} elements of output '{}' are not the same",
                                                         accuracy.outsideTolerance, accuracy.elements, output.name);
  }
}

Result<CureProof> Prover::prove(const std::shared_ptr<const Model>& changed, const Progress& progress) {
  Progress quiet(progress.token());
  CureProof proof;
  const auto notRun = [&](std::string_view what, const Error& error) -> Result<CureProof> {
    if (progress.cancelled()) return fail(cancelledError());
    proof.note = fmt::format("{}: {}", what, describe(error));
    return proof;
  };
  try {
    const auto session = open(changed, quiet);
    if (!session) return notRun("the changed model was not run", session.error());
    const auto feeds = session::randomFeeds(**session, m_seed, m_options.dims, progress.token());
    if (!feeds) return notRun("no inputs could be made", feeds.error());
    const auto original = originalOutputs(*feeds, quiet);
    if (!original) return notRun("the original was not run", original.error());
    const auto result = (*session)->run(*feeds, {.cancel = progress.token()});
    if (!result) return notRun("the changed model was not run", result.error());
    compare(result->outputs, **original, proof);
  } catch (const std::exception& exception) {
    return notRun("not run", Error{ErrorCode::kRuntimeException, exceptionText(exception), {}});
  }
  return proof;
}

}  // namespace cutaway::study
