#include "ui/document/engine_worker.h"

#include <algorithm>
#include <exception>
#include <new>

#include "engine/base/thread_work.h"
#include "ui/base/context_words.h"
#include "ui/document/run_feeds.h"

namespace cutaway::ui {
namespace {

// Why a provider in the asking order claims without its hardware; empty: none does.
std::string whatOnlyLooks(const WalkReport& walk, const ProviderTable& table) {
  if (walk.partition == nullptr) return {};
  for (const ProviderSummary& provider : walk.partition->providers) {
    const bool plans = std::ranges::any_of(
        table, [&](const ProviderEntry& entry) { return entry.plansWithout && entry.name == provider.name; });
    if (plans && !provider.usable) return provider.name + " " + provider.reason;
  }
  return {};
}

bool hasContextNodes(const WalkReport& walk) {
  if (!walk.loadedGraphs) return false;
  for (const GraphReport& graph : walk.loadedGraphs->graphs)
    for (const NodeReport& node : graph.nodes)
      if (isContextNode(node)) return true;
  return false;
}

}  // namespace

void EngineService::Worker::guard(quint64 job, const std::function<void()>& call) {
  const WorkScope work(m_work);
  const auto threw = [&](const std::string& what) {
    tell(job, [what](EngineService& service) {
      service.giveUp(Error{ErrorCode::kRuntimeException,
                           what + ". This is a defect of the engine or of a provider; the window goes on.",
                           {}});
    });
  };
  try {
    call();
  } catch (const std::bad_alloc&) {
    threw("Memory is short: close other models, or ask for less");
  } catch (const std::exception& exception) {
    threw(std::string("Something in the engine threw an exception: ") + exception.what());
  } catch (...) {
    threw("Something in the engine threw what is no exception");
  }
}

void EngineService::Worker::open(quint64 job, CancelToken token, const QString& path, const SessionOptions& options,
                                 const std::vector<ModelEdit>& edits) {
  m_session.reset();
  m_cannotRun.reset();
  m_lost.clear();
  m_options = options;
  m_source = ModelSource::file(path.toStdString());
  if (token.cancelled()) return;
  Relay relay = makeRelay(job, token);
  if (!edits.empty()) {
    Result<ModelSource> edited = editedSource(path, edits, relay);
    if (!edited) return fail(job, edited.error());
    m_source = *std::move(edited);
  }
  bool compiled = false;
  const auto listener = [this, job, &compiled](std::shared_ptr<const WalkReport> walk) {
    compiled = compiled || hasContextNodes(*walk);
    publish(job, std::move(walk));
  };
  auto session = m_host->createSession(m_source, options, m_host->providers, relay, listener);
  if (!session && compiled && options.prepareRun && !token.cancelled()) return openToLook(job, relay, session.error());
  if (!session) return fail(job, session.error());
  // Shown as it would be with the hardware; the session that could run has it all on the next provider.
  if (const std::string missing = whatOnlyLooks(*(*session)->report(), m_host->providers); !missing.empty())
    return openToLook(job, relay, Error{ErrorCode::kEpFail, missing, {}});
  m_session = *std::move(session);
  publish(job, m_session->report());
  finish(job);
}

void EngineService::Worker::run(quint64 job, CancelToken token, const RunRequest& request) {
  if (token.cancelled()) return;
  if (m_cannotRun)
    return fail(job,
                Error{m_cannotRun->code, "This model is shown to look at, it cannot run here: " + m_cannotRun->message,
                      m_cannotRun->where});
  if (!m_session)
    return fail(job, Error{ErrorCode::kFail,
                           "There is nothing to run: " + (m_lost.empty() ? "the model did not load." : m_lost),
                           {}});
  Relay relay = makeRelay(job, token);
  relay.begin("Run", "preparing inputs");
  auto feeds = makeFeeds(*m_session, request, *m_host, m_options.dims);
  if (!feeds) return fail(job, feeds.error());
  relay.begin("Run",
              request.seconds > 0 ? fmt::format("for {} s", request.seconds) : fmt::format("{} times", request.runs));
  BenchmarkOptions options{request.runs, request.seconds, request.warmups, request.profile};
  auto report = measure(*m_session, *feeds, options, token);
  if (!report) return fail(job, report.error());
  report->seed = request.seed;
  if (report->tag.empty()) report->tag = request.tag;
  publish(job, withRun(*m_session->report(), *std::move(report)));
  finish(job);
}

void EngineService::Worker::evaluate(quint64 job, CancelToken token, const Configuration& change,
                                     const std::shared_ptr<const WalkReport>& present, int measureRuns) {
  if (token.cancelled()) return;
  const std::shared_ptr<const Model> optimized = m_session ? m_session->optimizedModel() : nullptr;
  if (!optimized)
    return failComparison(job, Error{ErrorCode::kFail,
                                     "There is nothing to partition again: " +
                                         (m_lost.empty() ? "the model was not walked to its end." : m_lost),
                                     {}});
  if (!m_host->evaluateWhatIf)
    return failComparison(job, Error{ErrorCode::kNotImplemented, "This window was built without what-if.", {}});
  Relay relay = makeRelay(job, token);
  relay.begin("Compare", "asking providers again");
  Result<WhatIfResult> result = m_host->evaluateWhatIf(*optimized, m_options, change, *present, relay, measureRuns);
  if (!result) return failComparison(job, result.error());
  tell(job, [shared = std::make_shared<const WhatIfResult>(*std::move(result))](EngineService& service) {
    service.setActivity({});
    emit service.compared(shared);
  });
}

void EngineService::Worker::exportContext(quint64 job, CancelToken token, const CompileRequest& request) {
  if (token.cancelled()) return;
  const auto failExport = [&](const Error& error) {
    answer(job, [error](EngineService& service) { emit service.exportFailed(error); });
  };
  if (!m_host->compileModel)
    return failExport(Error{ErrorCode::kNotImplemented, "This window was built without exporting.", {}});
  Relay relay = makeRelay(job, token);
  relay.begin("Context", "preparing");
  Result<Compiled> done = m_host->compileModel(request, m_host->providers, relay);
  if (!done) return failExport(done.error());
  const auto shared = std::make_shared<const Compiled>(*std::move(done));
  if (token.cancelled()) return post([shared](EngineService& service) { emit service.exportedLate(shared); });
  answer(job, [shared](EngineService& service) { emit service.exported(shared); });
}

void EngineService::Worker::verifyContext(quint64 job, CancelToken token, const VerifyRequest& request) {
  if (token.cancelled()) return;
  const auto failVerification = [&](const Error& error) {
    answer(job, [error](EngineService& service) { emit service.verifyFailed(error); });
  };
  if (!m_host->verifyContext)
    return failVerification(Error{ErrorCode::kNotImplemented, "This window was built without verifying.", {}});
  Relay relay = makeRelay(job, token);
  relay.begin("Verify", "opening the context model");
  Result<ContextVerification> done = m_host->verifyContext(request, m_host->providers, relay);
  if (!done) return failVerification(done.error());
  answer(job, [shared = std::make_shared<const ContextVerification>(*std::move(done))](EngineService& service) {
    emit service.verified(shared);
  });
}

void EngineService::Worker::perform(quint64 job, CancelToken token, const Work& work) {
  if (token.cancelled()) return;
  Relay relay = makeRelay(job, token);
  answer(job, [done = work(WorkPlace{*m_host, m_session.get(), m_source, m_options}, relay)](EngineService&) {
    if (done) done();
  });
}

void EngineService::Worker::study(quint64 job, CancelToken token, int kind, const Study& study) {
  if (token.cancelled()) return;
  const std::shared_ptr<const Model> optimized = m_session ? m_session->optimizedModel() : nullptr;
  if (!optimized)
    return failStudy(
        job, kind,
        Error{ErrorCode::kFail,
              "There is nothing to plan again: " + (m_lost.empty() ? "the model was not walked to its end." : m_lost),
              {}});
  Relay relay = makeRelay(job, token);
  Result<PlanTable> table = study(*m_host, *optimized, relay);
  if (!table) return failStudy(job, kind, table.error());
  tell(job, [kind, shared = std::make_shared<const PlanTable>(*std::move(table))](EngineService& service) {
    service.setActivity({});
    emit service.studied(kind, shared);
  });
}

void EngineService::Worker::openToLook(quint64 job, Relay& relay, const Error& why) {
  SessionOptions options = m_options;
  options.prepareRun = false;
  auto session = m_host->createSession(m_source, options, m_host->providers, relay, {});
  if (!session) return fail(job, why);
  m_cannotRun = why;
  publish(job, (*session)->report());
  answer(job, [why](EngineService& service) {
    emit service.shownOnly(why);
    emit service.finished();
  });
}

Result<ModelSource> EngineService::Worker::editedSource(const QString& path, const std::vector<ModelEdit>& edits,
                                                        Relay& relay) {
  if (!m_host->loadModel) return cutaway::fail(ErrorCode::kNotImplemented, "This window was built without editing.");
  relay.begin("Edit", "applying edits");
  CUTAWAY_TRY(const std::shared_ptr<const Model> model, m_host->loadModel(path.toStdString(), relay));
  CUTAWAY_TRY(Model edited, applyEdits(*model, edits));
  ModelSource source = ModelSource::loaded(std::make_shared<const Model>(std::move(edited)));
  source.path = path.toStdString();
  return source;
}

void EngineService::Worker::failStudy(quint64 job, int kind, const Error& error) {
  tell(job, [kind, error](EngineService& service) {
    service.setActivity({});
    emit service.studyFailed(kind, error);
  });
}

void EngineService::Worker::failComparison(quint64 job, const Error& error) {
  tell(job, [error](EngineService& service) {
    service.setActivity({});
    emit service.comparisonFailed(error);
  });
}

void EngineService::Worker::answer(quint64 job, std::function<void(EngineService&)> call) {
  tell(job, [call = std::move(call)](EngineService& service) {
    service.setActivity({});
    call(service);
  });
}

void EngineService::Worker::publish(quint64 job, std::shared_ptr<const WalkReport> walk) {
  tell(job, [walk](EngineService& service) { emit service.walkPublished(walk); });
}

void EngineService::Worker::fail(quint64 job, const Error& error) {
  tell(job, [error](EngineService& service) {
    service.setActivity({});
    emit service.failed(error);
  });
}

void EngineService::Worker::finish(quint64 job) {
  tell(job, [](EngineService& service) {
    service.setActivity({});
    emit service.finished();
  });
}

Relay EngineService::Worker::makeRelay(quint64 job, const CancelToken& token) {
  return Relay(token, [this, job](const QString& detail, double share) {
    tell(job, [detail, share](EngineService& service) {
      Activity activity = service.m_activity;
      activity.detail = detail;
      activity.share = share;
      service.setActivity(activity);
    });
  });
}

}  // namespace cutaway::ui
