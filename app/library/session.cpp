
#include <cutaway/session.h>
#include <nlohmann/json.hpp>

#include "app/library/border.h"
#include "app/providers/provider_table.h"
#include "engine/base/text_stream.h"
#include "engine/profile/profiles.h"
#include "engine/report/json.h"
#include "engine/report/simulated_providers.h"
#include "engine/session/async_runs.h"

namespace cutaway::api {

struct Session::State {
  std::map<std::string, int64_t> dims;
  std::unique_ptr<session::Session> session;
  std::unique_ptr<session::AsyncRuns> later;  // goes before the session
};

namespace {

std::vector<NamedType> typesOf(const std::vector<execute::NamedType>& values) {
  std::vector<NamedType> types;
  for (const execute::NamedType& value : values)
    types.push_back({value.name, toText(value.type), value.required});
  return types;
}

execute::RunOptions engineOptions(const RunOptions& options) {
  execute::RunOptions wanted;
  wanted.outputs = options.outputs;
  wanted.keepValues = options.keepValues;
  wanted.deadlineNs = options.deadlineNs;
  return wanted;
}

std::vector<NamedTensor> publicTensors(const execute::RunResult& result) {
  std::vector<NamedTensor> tensors;
  for (const auto* values : {&result.outputs, &result.kept})
    for (const execute::Feed& value : *values)
      tensors.push_back(publicTensor(value));
  return tensors;
}

void answer(Result<execute::RunResult> result, const Session::Done& done) {
  std::vector<NamedTensor> outputs;
  try {
    outputs = publicTensors(orThrow(std::move(result)));
  } catch (const Error& error) {
    return done({}, &error);
  }
  done(std::move(outputs), nullptr);
}

}  // namespace

Session::Session(const Model& model, const std::string& configuration) : m_state(std::make_unique<State>()) {
  const session::SessionOptions options = sessionOptions(configuration, cutaway::Stage::kPattern, true);
  Progress progress;
  m_state->dims = options.dims;
  m_state->session = orThrow(session::Session::create(sourceOf(model), options, builtProviders(), progress));
  m_state->later = std::make_unique<session::AsyncRuns>(*m_state->session);
}

Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

std::vector<NamedType> Session::inputs() const {
  return typesOf(m_state->session->inputs());
}

std::vector<NamedType> Session::outputs() const {
  return typesOf(m_state->session->outputs());
}

std::string Session::report() const {
  return dumpJson(walkToJson(*m_state->session->report(), {}), -1);
}

std::vector<NamedTensor> Session::randomFeeds(uint64_t seed) const {
  std::vector<NamedTensor> feeds;
  for (const execute::Feed& feed : orThrow(session::randomFeeds(*m_state->session, seed, m_state->dims, {})))
    feeds.push_back(publicTensor(feed));
  return feeds;
}

std::vector<NamedTensor> Session::run(const std::vector<NamedTensor>& feeds, const RunOptions& options) const {
  return publicTensors(orThrow(m_state->session->run(feedsOf(feeds), engineOptions(options))));
}

void Session::runAsync(const std::vector<NamedTensor>& feeds, const RunOptions& options, Done done) const {
  orThrow(m_state->later->start(
      feedsOf(feeds), engineOptions(options),
      [done = std::move(done)](Result<execute::RunResult> result) { answer(std::move(result), done); }));
}

Profile Session::profile(const std::vector<NamedTensor>& feeds, const ProfileOptions& options) const {
  if (options.runs < 1 || options.warmups < 0)
    raise({ErrorCode::kInvalidArgument,
           fmt::format("{} runs after {} warm-ups cannot be measured", options.runs, options.warmups),
           {}});
  RunReport run = orThrow(session::measure(
      *m_state->session, feedsOf(feeds),
      {.runs = options.runs, .seconds = 0, .warmups = options.warmups, .profile = true}, CancelToken()));
  const auto walk = session::withRun(*m_state->session->report(), std::move(run));
  nlohmann::json json = walkToJson(*walk, {});
  json["simulated_providers"] = simulatedProviders(*walk);
  TextStream trace;
  profile::writeChromeTrace(*walk, trace);
  return {.report = dumpJson(json, -1), .trace = std::move(trace).str()};
}

}  // namespace cutaway::api
