#include "ui/document/engine_service.h"

#include <QFileInfo>
#include <QMutex>
#include <QThread>
#include <QWaitCondition>
#include <algorithm>

#include "engine/base/clock.h"
#include "ui/base/context_words.h"
#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

constexpr int64_t kProgressIntervalNs = 40'000'000;

// Counts worker threads that outlive their service, so that the program can wait for them before it ends.
struct ThreadCount {
  QMutex mutex;
  QWaitCondition none;
  int running = 0;
};
ThreadCount& threadCount() {
  static ThreadCount count;
  return count;
}

class Relay : public Progress {
 public:
  Relay(CancelToken token, std::function<void(QString, double)> report) : Progress(std::move(token)), m_report(std::move(report)) {}

  void begin(std::string_view stage, std::string_view detail) override {
    m_detail = detail.empty() ? text(stage) : QStringLiteral("%1: %2").arg(text(stage), text(detail));
    send(-1);
  }
  void update(uint64_t done, uint64_t total) override {
    if (nowNs() - m_sentNs >= kProgressIntervalNs) send(total ? static_cast<double>(done) / static_cast<double>(total) : -1);
  }

 private:
  void send(double share) {
    m_sentNs = nowNs();
    m_report(m_detail, share);
  }
  std::function<void(QString, double)> m_report;
  QString m_detail;
  int64_t m_sentNs = 0;
};

Result<std::vector<Feed>> makeFeeds(const Session& session, const RunRequest& request, const EngineHost& host, const std::map<std::string, int64_t>& dims) {
  CUTAWAY_TRY(std::vector<Feed> feeds, randomFeeds(session, request.seed, dims));
  const std::vector<NamedType> inputs = session.inputs();
  for (const auto& [name, path] : request.files) {
    const std::string wanted = name.toStdString();
    const auto input = std::find_if(inputs.begin(), inputs.end(), [&](const NamedType& type) { return type.name == wanted; });
    if (input == inputs.end()) return fail(ErrorCode::kInvalidArgument, "the model has no input '{}'", wanted);
    Result<RuntimeValue> value = host.readTensorFile(path.toStdString(), input->type);
    if (!value) return fail(atFile(value.error(), path.toStdString()));
    const auto feed = std::find_if(feeds.begin(), feeds.end(), [&](const Feed& f) { return f.name == wanted; });
    if (feed != feeds.end()) {
      feed->value = *std::move(value);
    } else {
      feeds.push_back({wanted, *std::move(value)});
    }
  }
  return feeds;
}

bool hasContextNodes(const WalkReport& walk) {
  if (!walk.loadedGraphs) return false;
  for (const GraphReport& graph : walk.loadedGraphs->graphs)
    for (const NodeReport& node : graph.nodes)
      if (isContextNode(node)) return true;
  return false;
}

}  // namespace

// Where the worker leaves its messages. The service empties it when it goes away, so that a late message finds nobody.
struct EngineService::Mailbox {
  QMutex mutex;
  EngineService* service = nullptr;
};

// Lives on its own thread; owns the session. Talks back only through queued calls on the service, which may be gone.
class EngineService::Worker : public QObject {
 public:
  Worker(std::shared_ptr<Mailbox> mailbox, std::shared_ptr<const EngineHost> host) : m_mailbox(std::move(mailbox)), m_host(std::move(host)) {}

  void open(quint64 job, CancelToken token, const QString& path, const SessionOptions& options, const std::vector<ModelEdit>& edits) {
    m_session.reset();
    m_cannotRun.reset();
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
    m_session = *std::move(session);
    publish(job, m_session->report());
    finish(job);
  }

  void run(quint64 job, CancelToken token, const RunRequest& request) {
    if (token.cancelled()) return;
    if (m_cannotRun) return fail(job, Error{m_cannotRun->code, "This model is shown to look at, it cannot run here: " + m_cannotRun->message, m_cannotRun->where});
    if (!m_session) return fail(job, Error{ErrorCode::kFail, "There is nothing to run: the model did not load.", {}});
    Relay relay = makeRelay(job, token);
    relay.begin("Run", "preparing inputs");
    auto feeds = makeFeeds(*m_session, request, *m_host, m_options.dims);
    if (!feeds) return fail(job, feeds.error());
    relay.begin("Run", request.seconds > 0 ? fmt::format("for {} s", request.seconds) : fmt::format("{} times", request.runs));
    BenchmarkOptions options{request.runs, request.seconds, request.warmups, request.profile};
    auto report = measure(*m_session, *feeds, options, token);
    if (!report) return fail(job, report.error());
    report->seed = request.seed;
    if (report->tag.empty()) report->tag = request.tag;
    publish(job, withRun(*m_session->report(), *std::move(report)));
    finish(job);
  }

  void evaluate(quint64 job, CancelToken token, const Configuration& change, const std::shared_ptr<const WalkReport>& present, int measureRuns) {
    if (token.cancelled()) return;
    const std::shared_ptr<const Model> optimized = m_session ? m_session->optimizedModel() : nullptr;
    if (!optimized) return failComparison(job, Error{ErrorCode::kFail, "There is nothing to partition again: the model was not walked to its end.", {}});
    if (!m_host->evaluateWhatIf) return failComparison(job, Error{ErrorCode::kNotImplemented, "This window was built without what-if.", {}});
    Relay relay = makeRelay(job, token);
    relay.begin("Compare", "asking providers again");
    Result<WhatIfResult> result = m_host->evaluateWhatIf(*optimized, m_options, change, *present, relay, measureRuns);
    if (!result) return failComparison(job, result.error());
    tell(job, [shared = std::make_shared<const WhatIfResult>(*std::move(result))](EngineService& service) {
      service.setActivity({});
      emit service.compared(shared);
    });
  }

  void exportContext(quint64 job, CancelToken token, const CompileRequest& request) {
    if (token.cancelled()) return;
    const auto failExport = [&](const Error& error) { answer(job, [error](EngineService& service) { emit service.exportFailed(error); }); };
    if (!m_host->compileModel) return failExport(Error{ErrorCode::kNotImplemented, "This window was built without exporting.", {}});
    Relay relay = makeRelay(job, token);
    relay.begin("Context", "preparing");
    Result<Compiled> done = m_host->compileModel(request, m_host->providers, relay);
    if (!done) return failExport(done.error());
    const auto shared = std::make_shared<const Compiled>(*std::move(done));
    if (token.cancelled()) return post([shared](EngineService& service) { emit service.exportedLate(shared); });
    answer(job, [shared](EngineService& service) { emit service.exported(shared); });
  }

  void verifyContext(quint64 job, CancelToken token, const VerifyRequest& request) {
    if (token.cancelled()) return;
    const auto failVerification = [&](const Error& error) { answer(job, [error](EngineService& service) { emit service.verifyFailed(error); }); };
    if (!m_host->verifyContext) return failVerification(Error{ErrorCode::kNotImplemented, "This window was built without verifying.", {}});
    Relay relay = makeRelay(job, token);
    relay.begin("Verify", "opening the context model");
    Result<ContextVerification> done = m_host->verifyContext(request, m_host->providers, relay);
    if (!done) return failVerification(done.error());
    answer(job, [shared = std::make_shared<const ContextVerification>(*std::move(done))](EngineService& service) { emit service.verified(shared); });
  }

  void perform(quint64 job, CancelToken token, const Work& work) {
    if (token.cancelled()) return;
    Relay relay = makeRelay(job, token);
    answer(job, [done = work(WorkPlace{*m_host, m_session.get(), m_source, m_options}, relay)](EngineService&) { if (done) done(); });
  }

  void study(quint64 job, CancelToken token, int kind, const Study& study) {
    if (token.cancelled()) return;
    const std::shared_ptr<const Model> optimized = m_session ? m_session->optimizedModel() : nullptr;
    if (!optimized) return failStudy(job, kind, Error{ErrorCode::kFail, "There is nothing to plan again: the model was not walked to its end.", {}});
    Relay relay = makeRelay(job, token);
    Result<PlanTable> table = study(*m_host, *optimized, relay);
    if (!table) return failStudy(job, kind, table.error());
    tell(job, [kind, shared = std::make_shared<const PlanTable>(*std::move(table))](EngineService& service) {
      service.setActivity({});
      emit service.studied(kind, shared);
    });
  }

 private:
  // The same walk without kernels and frames: everything that can be said about the model is shown.
  void openToLook(quint64 job, Relay& relay, const Error& why) {
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
  Result<ModelSource> editedSource(const QString& path, const std::vector<ModelEdit>& edits, Relay& relay) {
    if (!m_host->loadModel) return cutaway::fail(ErrorCode::kNotImplemented, "This window was built without editing.");
    relay.begin("Edit", "applying edits");
    CUTAWAY_TRY(const std::shared_ptr<const Model> model, m_host->loadModel(path.toStdString(), relay));
    CUTAWAY_TRY(Model edited, applyEdits(*model, edits));
    ModelSource source = ModelSource::loaded(std::make_shared<const Model>(std::move(edited)));
    source.path = path.toStdString();
    return source;
  }
  void failStudy(quint64 job, int kind, const Error& error) {
    tell(job, [kind, error](EngineService& service) {
      service.setActivity({});
      emit service.studyFailed(kind, error);
    });
  }
  void failComparison(quint64 job, const Error& error) {
    tell(job, [error](EngineService& service) {
      service.setActivity({});
      emit service.comparisonFailed(error);
    });
  }
  template <typename Call>
  void post(Call call) {
    QMutexLocker lock(&m_mailbox->mutex);
    EngineService* service = m_mailbox->service;
    if (service) QMetaObject::invokeMethod(service, [service, call] { call(*service); }, Qt::QueuedConnection);
  }
  template <typename Call>
  void tell(quint64 job, Call call) {
    post([job, call](EngineService& service) { if (service.isCurrent(job)) call(service); });
  }
  // The end of a job, as the service's thread sees it.
  void answer(quint64 job, std::function<void(EngineService&)> call) {
    tell(job, [call = std::move(call)](EngineService& service) {
      service.setActivity({});
      call(service);
    });
  }
  void publish(quint64 job, std::shared_ptr<const WalkReport> walk) {
    tell(job, [walk](EngineService& service) { emit service.walkPublished(walk); });
  }
  void fail(quint64 job, const Error& error) {
    tell(job, [error](EngineService& service) {
      service.setActivity({});
      emit service.failed(error);
    });
  }
  void finish(quint64 job) {
    tell(job, [](EngineService& service) {
      service.setActivity({});
      emit service.finished();
    });
  }
  Relay makeRelay(quint64 job, const CancelToken& token) {
    return Relay(token, [this, job](const QString& detail, double share) {
      tell(job, [detail, share](EngineService& service) {
        Activity activity = service.m_activity;
        activity.detail = detail;
        activity.share = share;
        service.setActivity(activity);
      });
    });
  }

  std::shared_ptr<Mailbox> m_mailbox;
  std::shared_ptr<const EngineHost> m_host;
  std::unique_ptr<Session> m_session;
  SessionOptions m_options;
  ModelSource m_source;
  std::optional<Error> m_cannotRun;  // the model is shown only to be looked at
};

EngineService::EngineService(std::shared_ptr<const EngineHost> host, QObject* parent) : QObject(parent), m_host(std::move(host)), m_mailbox(std::make_shared<Mailbox>()), m_worker(new Worker(m_mailbox, m_host)) {
  m_mailbox->service = this;
  auto* thread = new QThread;
  thread->setObjectName(QStringLiteral("engine"));
  m_worker->moveToThread(thread);
  {
    QMutexLocker lock(&threadCount().mutex);
    ++threadCount().running;
  }
  // Deleting the worker on its own thread frees the session there; the GUI thread never waits for it.
  connect(thread, &QThread::finished, m_worker, &QObject::deleteLater);
  connect(thread, &QThread::finished, thread, [thread] {
    thread->deleteLater();
    QMutexLocker lock(&threadCount().mutex);
    --threadCount().running;
    threadCount().none.wakeAll();
  }, Qt::DirectConnection);
  thread->start();
}

EngineService::~EngineService() {
  {
    QMutexLocker lock(&m_mailbox->mutex);
    m_mailbox->service = nullptr;
  }
  m_token.cancel();
  m_worker->thread()->quit();
}

void EngineService::waitForThreads() {
  QMutexLocker lock(&threadCount().mutex);
  while (threadCount().running > 0)
    if (!threadCount().none.wait(&threadCount().mutex, 3000)) break;
}

void EngineService::start(const QString& what, bool performing) {
  m_token.cancel();
  m_performing = performing;
  m_token = CancelToken();
  ++m_job;
  setActivity({true, what, {}, -1});
}

void EngineService::open(const QString& path, const SessionOptions& options, const std::vector<ModelEdit>& edits) {
  start(tr("Walking %1").arg(QFileInfo(path).fileName()));
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, job = m_job, token = m_token, path, options, edits] { worker->open(job, token, path, options, edits); }, Qt::QueuedConnection);
}

void EngineService::perform(const QString& what, Work work) {
  start(what, true);
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, job = m_job, token = m_token, work = std::move(work)] { worker->perform(job, token, work); }, Qt::QueuedConnection);
}

void EngineService::run(const RunRequest& request) {
  start(tr("Running"));
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, job = m_job, token = m_token, request] { worker->run(job, token, request); }, Qt::QueuedConnection);
}

void EngineService::evaluate(const Configuration& change, std::shared_ptr<const WalkReport> present, int measureRuns) {
  start(tr("Comparing"));
  QMetaObject::invokeMethod(
      m_worker, [worker = m_worker, job = m_job, token = m_token, change, present = std::move(present), measureRuns] { worker->evaluate(job, token, change, present, measureRuns); },
      Qt::QueuedConnection);
}

void EngineService::study(int kind, const QString& what, Study study) {
  start(what);
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, job = m_job, token = m_token, kind, study = std::move(study)] { worker->study(job, token, kind, study); }, Qt::QueuedConnection);
}

void EngineService::exportContext(CompileRequest request) {
  start(tr("Exporting"));
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, job = m_job, token = m_token, request = std::move(request)] { worker->exportContext(job, token, request); }, Qt::QueuedConnection);
}

void EngineService::verifyContext(VerifyRequest request) {
  start(tr("Verifying"));
  QMetaObject::invokeMethod(m_worker, [worker = m_worker, job = m_job, token = m_token, request = std::move(request)] { worker->verifyContext(job, token, request); }, Qt::QueuedConnection);
}

void EngineService::cancel() {
  if (!busy()) return;
  m_token.cancel();
  setActivity({});
  emit cancelled();
}

void EngineService::setActivity(Activity activity) {
  m_activity = std::move(activity);
  if (!m_activity.busy) m_performing = false;
  emit activityChanged();
}

}  // namespace cutaway::ui
