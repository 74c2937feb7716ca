#pragma once
// The part of an EngineService that lives on its thread: owns the session, does the jobs, leaves messages for the
// service, which may be gone.
//
// Thread rule: everything on the worker's own thread, called through its event loop; only the mailbox is shared.
// Example: QMetaObject::invokeMethod(worker, [=] { worker->guard(job, [&] { worker->run(job, token, request); }); },
// Qt::QueuedConnection);

#include <optional>

#include <QMutex>

#include "engine/base/clock.h"
#include "ui/base/format.h"
#include "ui/document/engine_service.h"

namespace cutaway::ui {

// Progress as the status line shows it, not more often than an eye can follow.
class Relay : public Progress {
 public:
  static constexpr int64_t kProgressIntervalNs = 40'000'000;

  Relay(CancelToken token, std::function<void(QString, double)> report)
      : Progress(std::move(token)), m_report(std::move(report)) {}

  void begin(std::string_view stage, std::string_view detail) override {
    m_detail = detail.empty() ? text(stage) : QStringLiteral("%1: %2").arg(text(stage), text(detail));
    send(-1);
  }
  void update(uint64_t done, uint64_t total) override {
    if (nowNs() - m_sentNs >= kProgressIntervalNs)
      send(total ? static_cast<double>(done) / static_cast<double>(total) : -1);
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

// Where the worker leaves its messages. The service empties it when it goes away, so that a late message finds nobody.
struct EngineService::Mailbox {
  QMutex mutex;
  EngineService* service = nullptr;
};

// Owns the session. Talks back only through queued calls on the service.
class EngineService::Worker : public QObject {
 public:
  // work: its number for the CrashGuard. lost: why there is no session yet; empty: nothing was opened.
  Worker(std::shared_ptr<Mailbox> mailbox, std::shared_ptr<const EngineHost> host, quint64 work, std::string lost)
      : m_mailbox(std::move(mailbox)), m_host(std::move(host)), m_work(work), m_lost(std::move(lost)) {}

  // Does a job: what it throws ends the job with an error instead of the program, and what it does is known when it
  // faults.
  void guard(quint64 job, const std::function<void()>& call);
  void open(quint64 job, CancelToken token, const QString& path, const SessionOptions& options,
            const std::vector<ModelEdit>& edits);
  void run(quint64 job, CancelToken token, const RunRequest& request);
  void evaluate(quint64 job, CancelToken token, const Configuration& change,
                const std::shared_ptr<const WalkReport>& present, int measureRuns);
  void exportContext(quint64 job, CancelToken token, const CompileRequest& request);
  void verifyContext(quint64 job, CancelToken token, const VerifyRequest& request);
  void perform(quint64 job, CancelToken token, const Work& work);
  void study(quint64 job, CancelToken token, int kind, const Study& study);

 private:
  // The same walk without kernels and frames: everything that can be said about the model is shown.
  void openToLook(quint64 job, Relay& relay, const Error& why);
  Result<ModelSource> editedSource(const QString& path, const std::vector<ModelEdit>& edits, Relay& relay);
  void failStudy(quint64 job, int kind, const Error& error);
  void failComparison(quint64 job, const Error& error);
  // The end of a job, as the service's thread sees it.
  void answer(quint64 job, std::function<void(EngineService&)> call);
  void publish(quint64 job, std::shared_ptr<const WalkReport> walk);
  void fail(quint64 job, const Error& error);
  void finish(quint64 job);
  Relay makeRelay(quint64 job, const CancelToken& token);
  template <typename Call>
  void post(Call call) {
    QMutexLocker lock(&m_mailbox->mutex);
    EngineService* service = m_mailbox->service;
    if (service) QMetaObject::invokeMethod(service, [service, call] { call(*service); }, Qt::QueuedConnection);
  }
  template <typename Call>
  void tell(quint64 job, Call call) {
    post([job, call](EngineService& service) {
      if (service.isCurrent(job)) call(service);
    });
  }

  std::shared_ptr<Mailbox> m_mailbox;
  std::shared_ptr<const EngineHost> m_host;
  const quint64 m_work;
  std::string m_lost;
  std::unique_ptr<Session> m_session;
  SessionOptions m_options;
  ModelSource m_source;
  std::optional<Error> m_cannotRun;  // the model is shown only to be looked at
};

}  // namespace cutaway::ui
