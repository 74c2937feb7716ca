#include "ui/document/engine_service.h"

#include <atomic>

#include <QFileInfo>
#include <QThread>
#include <QWaitCondition>

#include "ui/document/crash_watch.h"
#include "ui/document/engine_worker.h"

namespace cutaway::ui {
namespace {

constexpr int kMailboxPatienceMs = 100;

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

// A thread counts until it ends, or until nobody expects it to.
class Counted {
 public:
  Counted() {
    QMutexLocker lock(&threadCount().mutex);
    ++threadCount().running;
  }
  void end() {
    if (m_ended.exchange(true)) return;
    QMutexLocker lock(&threadCount().mutex);
    --threadCount().running;
    threadCount().none.wakeAll();
  }

 private:
  std::atomic<bool> m_ended{false};
};

}  // namespace

struct EngineService::ThreadTicket : Counted {};

EngineService::EngineService(std::shared_ptr<const EngineHost> host, QObject* parent)
    : QObject(parent), m_host(std::move(host)) {
  startWorker({});
  connect(&CrashWatch::instance(), &CrashWatch::crashed, this, [this](const CrashNotice& notice) {
    // A thread that nobody knows is taken for one that helps whoever is busy.
    if (notice.work == m_work || (notice.work == 0 && busy()))
      replaceWorker(crashError(notice, m_activity.detail.isEmpty() ? m_activity.what : m_activity.detail));
  });
}

EngineService::~EngineService() {
  m_token.cancel();
  leaveWorker();
}

void EngineService::startWorker(std::string lost) {
  m_mailbox = std::make_shared<Mailbox>();
  m_mailbox->service = this;
  m_work = CrashWatch::instance().newWork();
  m_ticket = std::make_shared<ThreadTicket>();
  m_worker = new Worker(m_mailbox, m_host, m_work, std::move(lost));
  auto* thread = new QThread;
  thread->setObjectName(QStringLiteral("engine"));
  m_worker->moveToThread(thread);
  // Deleting the worker on its own thread frees the session there; the GUI thread never waits for it.
  connect(thread, &QThread::finished, m_worker, &QObject::deleteLater);
  connect(
      thread, &QThread::finished, thread,
      [thread, ticket = m_ticket] {
        thread->deleteLater();
        ticket->end();
      },
      Qt::DirectConnection);
  thread->start();
}

void EngineService::leaveWorker() {
  // A thread that was parked with the mailbox in its hands puts nothing into it any more.
  if (m_mailbox->mutex.tryLock(kMailboxPatienceMs)) {
    m_mailbox->service = nullptr;
    m_mailbox->mutex.unlock();
  }
  m_worker->thread()->quit();
}

// The old thread is parked, or waits for one that is: it and the session stay where they are for ever.
void EngineService::replaceWorker(const Error& error) {
  m_token.cancel();
  leaveWorker();
  m_ticket->end();
  startWorker("the session was lost when a task crashed; load the model again (F5).");
  giveUp(error);
}

void EngineService::giveUp(const Error& error) {
  const std::function<void()> dropped = std::exchange(m_dropped, {});
  m_token.cancel();
  end();
  emit failed(error);
  if (dropped) dropped();
}

template <typename Call>
void EngineService::post(Call call) {
  QMetaObject::invokeMethod(
      m_worker,
      [worker = m_worker, number = m_number, token = m_token, call = std::move(call)] {
        worker->guard(number, [&] { call(*worker, number, token); });
      },
      Qt::QueuedConnection);
}

void EngineService::waitForThreads() {
  QMutexLocker lock(&threadCount().mutex);
  while (threadCount().running > 0)
    if (!threadCount().none.wait(&threadCount().mutex, 3000)) break;
}

void EngineService::start(Job job, const QString& what, std::function<void()> dropped) {
  m_token.cancel();
  m_token = CancelToken();
  ++m_number;
  const std::function<void()> before = std::exchange(m_dropped, std::move(dropped));
  setActivity({job, what, {}, -1});
  if (before) before();
}

void EngineService::open(const QString& path, const session::SessionOptions& options,
                         const std::vector<edit::ModelEdit>& edits) {
  start(Job::kWalk, tr("Processing %1").arg(QFileInfo(path).fileName()));
  post([path, options, edits](Worker& worker, quint64 number, const CancelToken& token) {
    worker.open(number, token, path, options, edits);
  });
}

void EngineService::perform(Job job, const QString& what, Work work, std::function<void()> dropped) {
  start(job, what, std::move(dropped));
  post([work = std::move(work)](Worker& worker, quint64 number, const CancelToken& token) {
    worker.perform(number, token, work);
  });
}

void EngineService::run(const RunRequest& request) {
  perform(Job::kRun, tr("Running"), [this, request](const WorkPlace& place, Progress& progress) {
    return [this, walk = measuredWalk(place, request, progress)] {
      if (!walk) return emit failed(walk.error());
      emit walkPublished(*walk);
      emit finished();
    };
  });
}

void EngineService::cancel() {
  if (!busy()) return;
  const Job job = this->job();
  const std::function<void()> dropped = std::exchange(m_dropped, {});
  m_token.cancel();
  end();
  if (dropped) dropped();
  emit cancelled(job);
}

void EngineService::setActivity(Activity activity) {
  const Job before = job();
  m_activity = std::move(activity);
  if (job() != before) emit jobChanged(before);
  emit activityChanged();
}

}  // namespace cutaway::ui
