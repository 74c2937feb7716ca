#include "ui/document/engine_worker.h"

#include <algorithm>
#include <exception>
#include <new>

#include "engine/base/freed_memory.h"
#include "engine/base/short_memory.h"
#include "engine/base/thread_work.h"
#include "engine/session/model_files.h"
#include "ui/base/context_words.h"

namespace cutaway::ui {
namespace {

// Why a provider of the list claims without its hardware; empty: none does.
std::string whatOnlyLooks(const WalkReport& walk, const ProviderTable& table) {
  if (walk.partition == nullptr) return {};
  for (const ProviderSummary& provider : walk.partition->providers) {
    const bool plans = std::ranges::any_of(
        table, [&](const ProviderEntry& entry) { return entry.plansWithout && entry.name == provider.name; });
    if (plans && !provider.usable) return provider.name + " " + provider.reason;
  }
  return {};
}

// What a stage frees between what stays of a large model is worth the time that giving it back takes.
bool isLarge(const WalkReport& walk) {
  constexpr size_t kManyNodes = 100'000;
  return walk.loadedGraphs && !walk.loadedGraphs->graphs.empty() &&
         walk.loadedGraphs->graphs.front().nodes.size() > kManyNodes;
}

bool hasContextNodes(const WalkReport& walk) {
  if (!walk.loadedGraphs) return false;
  for (const GraphReport& graph : walk.loadedGraphs->graphs)
    for (const NodeReport& node : graph.nodes)
      if (isContextNode(node)) return true;
  return false;
}

}  // namespace

Result<std::shared_ptr<const Model>> WorkPlace::optimizedModel(std::string_view purpose) const {
  if (std::shared_ptr<const Model> optimized = session ? session->optimizedModel() : nullptr) return optimized;
  return fail(ErrorCode::kFail, "There is nothing to {}: {}", purpose,
              lost.empty() ? "the model was not walked to its end." : lost);
}

void EngineService::Worker::guard(quint64 number, const std::function<void()>& call) {
  const WorkScope work(m_work);
  const auto threw = [&](const std::string& what) {
    tell(number, [what](EngineService& service) {
      service.giveUp(Error{ErrorCode::kRuntimeException,
                           what + ". This is a defect of the engine or of a provider; the window goes on.",
                           {}});
    });
  };
  try {
    call();
  } catch (const std::bad_alloc& refused) {
    const Error error = outOfMemory(refused, "in the window's work on this model");
    tell(number, [error](EngineService& service) { service.giveUp(error); });
  } catch (const std::exception& exception) {
    threw(std::string("Something in the engine threw an exception: ") + exception.what());
  } catch (...) {
    threw("Something in the engine threw what is no exception");
  }
}

void EngineService::Worker::open(quint64 number, CancelToken token, const QString& path,
                                 const session::SessionOptions& options, const std::vector<edit::ModelEdit>& edits) {
  m_session.reset();
  m_cannotRun.reset();
  m_lost.clear();
  m_options = options;
  m_source = load::ModelSource::file(path.toStdString());
  if (token.cancelled()) return;
  Relay relay = makeRelay(number, token);
  if (!edits.empty()) {
    Result<load::ModelSource> edited = editedSource(path, edits, relay);
    if (!edited) return fail(number, edited.error());
    m_source = *std::move(edited);
  }
  bool compiled = false;
  const auto listener = [this, number, &compiled](std::shared_ptr<const WalkReport> walk) {
    compiled = compiled || hasContextNodes(*walk);
    const bool large = isLarge(*walk);
    publish(number, std::move(walk));
    if (large) giveBackFreedMemory();
  };
  auto session = m_host->createSession(m_source, options, m_host->providers, relay, listener);
  if (!session && compiled && options.prepareRun && !token.cancelled())
    return openToLook(number, relay, session.error());
  if (!session) return fail(number, session.error());
  // Shown as it would be with the hardware; the session that could run has it all on the next provider.
  if (const std::string missing = whatOnlyLooks(*(*session)->report(), m_host->providers); !missing.empty())
    return openToLook(number, relay, Error{ErrorCode::kEpFail, missing, {}});
  m_session = *std::move(session);
  giveBackFreedMemory();
  publish(number, m_session->report());
  answer(number, [](EngineService& service) { emit service.finished(); });
}

void EngineService::Worker::perform(quint64 number, CancelToken token, const Work& work) {
  if (token.cancelled()) return;
  Relay relay = makeRelay(number, token);
  const WorkPlace place{*m_host, m_session.get(), m_source, m_options, m_cannotRun, m_lost};
  answer(number, [done = work(place, relay)](EngineService&) {
    if (done) done();
  });
}

void EngineService::Worker::openToLook(quint64 number, Relay& relay, const Error& why) {
  session::SessionOptions options = m_options;
  options.prepareRun = false;
  auto session = m_host->createSession(m_source, options, m_host->providers, relay, {});
  if (!session) return fail(number, why);
  m_cannotRun = why;
  publish(number, (*session)->report());
  answer(number, [why](EngineService& service) {
    emit service.shownOnly(why);
    emit service.finished();
  });
}

Result<load::ModelSource> EngineService::Worker::editedSource(const QString& path,
                                                              const std::vector<edit::ModelEdit>& edits, Relay& relay) {
  relay.begin("Edit", "applying edits");
  CUTAWAY_TRY(const std::shared_ptr<const Model> model, session::loadModelFile(path.toStdString(), relay));
  CUTAWAY_TRY(Model edited, edit::applyEdits(*model, edits));
  load::ModelSource source = load::ModelSource::loaded(std::make_shared<const Model>(std::move(edited)));
  source.path = path.toStdString();
  return source;
}

void EngineService::Worker::answer(quint64 number, std::function<void(EngineService&)> call) {
  tell(number, [call = std::move(call)](EngineService& service) {
    service.m_dropped = {};
    service.end();
    call(service);
  });
}

void EngineService::Worker::publish(quint64 number, std::shared_ptr<const WalkReport> walk) {
  tell(number, [walk](EngineService& service) { emit service.walkPublished(walk); });
}

void EngineService::Worker::fail(quint64 number, const Error& error) {
  answer(number, [error](EngineService& service) { emit service.failed(error); });
}

Relay EngineService::Worker::makeRelay(quint64 number, const CancelToken& token) {
  return Relay(token, [this, number](const QString& detail, double share) {
    tell(number, [detail, share](EngineService& service) {
      Activity activity = service.m_activity;
      activity.detail = detail;
      activity.share = share;
      service.setActivity(activity);
    });
  });
}

}  // namespace cutaway::ui
