#pragma once
// The part of an EngineService that lives on its thread: owns the session, does the jobs, leaves messages for the
// service, which may be gone.
//
// Thread rule: everything on the worker's own thread, called through its event loop; only the mailbox is shared.
// Example: QMetaObject::invokeMethod(worker, [=] { worker->guard(number, [&] { worker->perform(number, token, work);
// }); }, Qt::QueuedConnection);

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

  // Does a job, which has a number: what it throws ends the job with an error instead of the program, and what it does
  // is known when it faults.
  void guard(quint64 number, const std::function<void()>& call);
  void open(quint64 number, CancelToken token, const QString& path, const session::SessionOptions& options,
            const std::vector<edit::ModelEdit>& edits);
  void perform(quint64 number, CancelToken token, const Work& work);

 private:
  // The same walk without kernels and frames: everything that can be said about the model is shown.
  void openToLook(quint64 number, Relay& relay, const Error& why);
  Result<load::ModelSource> editedSource(const QString& path, const std::vector<edit::ModelEdit>& edits, Relay& relay);
  // The end of a job, as the service's thread sees it.
  void answer(quint64 number, std::function<void(EngineService&)> call);
  void publish(quint64 number, std::shared_ptr<const WalkReport> walk);
  void fail(quint64 number, const Error& error);
  Relay makeRelay(quint64 number, const CancelToken& token);
  template <typename Call>
  void post(Call call) {
    QMutexLocker lock(&m_mailbox->mutex);
    EngineService* service = m_mailbox->service;
    if (service) QMetaObject::invokeMethod(service, [service, call] { call(*service); }, Qt::QueuedConnection);
  }
  template <typename Call>
  void tell(quint64 number, Call call) {
    post([number, call](EngineService& service) {
      if (service.isCurrent(number)) call(service);
    });
  }

  std::shared_ptr<Mailbox> m_mailbox;
  std::shared_ptr<const EngineHost> m_host;
  const quint64 m_work;
  std::string m_lost;
  std::unique_ptr<session::Session> m_session;
  session::SessionOptions m_options;
  load::ModelSource m_source;
  std::optional<Error> m_cannotRun;  // the model is shown only to be looked at
};

}  // namespace cutaway::ui
