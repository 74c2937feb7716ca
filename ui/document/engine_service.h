#pragma once
// Runs the engine away from the GUI thread: walks a model stage by stage, runs it, tries out another partition, and
// answers Cancel at once.
//
// A job that throws or crashes is given up with an error; after a crash the worker is another one, and the model must
// be loaded again. Every service has one worker thread with its own queue. Snapshots reach the GUI thread as queued
// signals; those of a job that was cancelled or replaced are dropped. Thread rule: all members on the GUI thread.
// Example:
//   EngineService service(host);
//   connect(&service, &EngineService::walkPublished, ...);
//   service.open("model.onnx", options);   service.cancel();

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <QObject>
#include <QString>

#include "engine/edit/model_edit.h"
#include "ui/document/engine_host.h"
#include "ui/document/run_request.h"

namespace cutaway::ui {

// What the service works at. One at a time.
enum class Job {
  kNone,
  kWalk,
  kRun,
  kCompare,        // a what-if
  kCompareOrders,  // the same model under every order
  kSweep,          // one dimension over a range
  kExport,         // a context model
  kVerify,         // a context model against its original
  kAccuracy,       // two configurations, value by value
  kFetch,          // a run that keeps one value
  kOpinion,        // what ONNX Runtime makes of the model
};

// What the worker is doing, for the status line.
struct Activity {
  Job job = Job::kNone;
  QString what;       // "Walking model.onnx", "Running"
  QString detail;     // "Optimize: fold_constants"
  double share = -1;  // 0..1, -1 unknown
};

// What work on the service's thread is given.
struct WorkPlace {
  const EngineHost& host;
  session::Session* session = nullptr;  // of the open model; null: it did not load, or cannot run here
  const load::ModelSource& source;      // of the open model, edits applied
  const session::SessionOptions& options;
  const std::optional<Error>& cannotRun;  // why the model is only shown
  const std::string& lost;                // why there is no session any more; empty: none was made

  // What providers were asked about. FAIL: the walk did not come to its end; `purpose` says what cannot be done then,
  // as in "partition again".
  Result<std::shared_ptr<const Model>> optimizedModel(std::string_view purpose) const;
};

class EngineService : public QObject {
  Q_OBJECT
 public:
  explicit EngineService(std::shared_ptr<const EngineHost> host, QObject* parent = nullptr);
  ~EngineService() override;  // cancels; the thread ends on its own

  // edits: applied to the model as the file has it, before anything else.
  void open(const QString& path, const session::SessionOptions& options,
            const std::vector<edit::ModelEdit>& edits = {});
  // Everything else that is done with the open model. `work` runs on the service's thread, and what it returns (it may
  // be null) is called on the GUI thread once the service is free again. When the job is cancelled, crashes, or gives
  // way to another one, `dropped` is called instead, at once; the worker unwinds behind the scenes.
  using Work = std::function<std::function<void()>(const WorkPlace& place, Progress& progress)>;
  void perform(Job job, const QString& what, Work work, std::function<void()> dropped = {});
  void run(const RunRequest& request);
  // Stops what is going on. The service is free at once.
  void cancel();

  const Activity& activity() const { return m_activity; }
  Job job() const { return m_activity.job; }
  bool busy() const { return job() != Job::kNone; }
  const EngineHost& host() const { return *m_host; }
  std::shared_ptr<const EngineHost> sharedHost() const { return m_host; }  // for work on other threads

  // Waits for the threads of services that are gone: called once before the program ends.
  static void waitForThreads();

 signals:
  void walkPublished(std::shared_ptr<const cutaway::WalkReport> walk);
  // A model with context nodes cannot run here; it was walked without preparing runs, so that it can be looked at.
  void shownOnly(const cutaway::Error& why);
  void failed(const cutaway::Error& error);  // a walk or a run; anything else that threw or crashed
  void finished();                           // a walk or a run
  void cancelled(cutaway::ui::Job job);      // by cancel()
  void jobChanged(cutaway::ui::Job before);
  void activityChanged();

 private:
  class Worker;
  struct Mailbox;
  struct ThreadTicket;
  void startWorker(std::string lost);
  void leaveWorker();
  void replaceWorker(const Error& error);
  void giveUp(const Error& error);  // the present job ends as with cancel(), and says why
  template <typename Call>
  void post(Call call);
  void start(Job job, const QString& what, std::function<void()> dropped = {});
  void end() { setActivity({}); }
  void setActivity(Activity activity);
  bool isCurrent(quint64 number) const { return number == m_number && busy(); }

  std::shared_ptr<const EngineHost> m_host;
  std::shared_ptr<Mailbox> m_mailbox;
  std::shared_ptr<ThreadTicket> m_ticket;
  Worker* m_worker = nullptr;
  quint64 m_work = 0;  // the worker's number for the CrashGuard
  CancelToken m_token;
  quint64 m_number = 0;  // of the latest job
  std::function<void()> m_dropped;
  Activity m_activity;
};

}  // namespace cutaway::ui
