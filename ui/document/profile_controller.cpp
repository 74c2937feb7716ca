#include "ui/document/profile_controller.h"

#include <QFile>
#include <QFileInfo>
#include <QMutex>
#include <QThreadPool>

#include "engine/profile/profiles.h"
#include "engine/report/simulated_providers.h"
#include "ui/base/format.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

constexpr qint64 kLargestTrace = qint64{2} << 30;

Result<std::string> readFile(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly))
    return fail(ErrorCode::kFail, "cannot open {}: {}", path.toStdString(), file.errorString().toStdString());
  if (file.size() > kLargestTrace)
    return fail(ErrorCode::kInvalidArgument, "{} has {} bytes; traces above {} bytes are not read: record fewer runs",
                path.toStdString(), file.size(), kLargestTrace);
  const QByteArray bytes = file.readAll();
  return std::string(bytes.constData(), static_cast<size_t>(bytes.size()));
}

// Saved by Cutaway, with graphs of its own; everything else is taken for a trace.
bool isSavedProfile(std::string_view bytes) {
  return bytes.substr(0, 4'096).find("\"cutaway profile\"") != std::string_view::npos;
}

}  // namespace

QString profileTitle(const RunReport& run) {
  if (!run.source.empty()) return QFileInfo(text(run.source)).fileName();
  if (!run.tag.empty()) return text(run.tag);
  const QString threads = run.threads == 1 ? QObject::tr("1 thread") : QObject::tr("%1 threads").arg(run.threads);
  return (run.executor == "dataflow" ? QObject::tr("dataflow, %1") : QObject::tr("sequential, %1")).arg(threads);
}

// Where workers leave their results; emptied when the controller goes away.
struct ProfileController::Mailbox {
  QMutex mutex;
  ProfileController* controller = nullptr;

  template <typename Call>
  void post(Call call) {
    QMutexLocker lock(&mutex);
    if (controller) QMetaObject::invokeMethod(controller, std::move(call), Qt::QueuedConnection);
  }
};

ProfileController::ProfileController(std::shared_ptr<const EngineHost> host, Document* document)
    : QObject(document), m_host(std::move(host)), m_document(document), m_mailbox(std::make_shared<Mailbox>()) {
  m_mailbox->controller = this;
  document->onWalkChange(WalkPart::kRun, this, &ProfileController::followWalk);
}

ProfileController::~ProfileController() {
  QMutexLocker lock(&m_mailbox->mutex);
  m_mailbox->controller = nullptr;
}

bool ProfileController::canRead() const {
  return static_cast<bool>(m_host->readTrace);
}
bool ProfileController::canCompare() const {
  return static_cast<bool>(m_host->compareRuns);
}

void ProfileController::keepPresent() {
  const auto walk = m_document->walk();
  if (walk->run) setBaseline({walk->run, walk->partitionedGraphs, profileTitle(*walk->run), simulatedIn(*walk)});
}

void ProfileController::setBaseline(Profile profile) {
  m_baseline = std::move(profile);
  m_error.reset();
  compare();
  emit changed();
}

void ProfileController::dropBaseline() {
  m_baseline.reset();
  m_error.reset();
  compare();
  emit changed();
}

void ProfileController::swap() {
  const auto walk = m_document->walk();
  if (!m_baseline || !walk->run) return;
  const Profile before = *m_baseline;
  m_baseline = Profile{walk->run, walk->partitionedGraphs, profileTitle(*walk->run), simulatedIn(*walk)};
  m_swappedIn = before.simulated;
  m_swapping = true;
  m_document->setWalk(session::withRun(*walk, *before.run));
  m_swapping = false;
  emit changed();
}

void ProfileController::loadBaseline(const QString& path) {
  read(path, Use::kBaseline);
}
void ProfileController::showTrace(const QString& path) {
  read(path, Use::kPresent);
}

void ProfileController::read(const QString& path, Use use) {
  m_error.reset();
  const auto walk = m_document->walk();
  if (!m_host->readTrace) {
    m_error = Error{ErrorCode::kNotImplemented, "This window was built without a reader of traces.", {}};
  } else if (!walk->partitionedGraphs) {
    m_error = Error{
        ErrorCode::kFail, "A trace is laid on the partitioned graph: wait until the model was walked to its end.", {}};
  }
  m_reading = !m_error;
  emit changed();
  if (m_error) return;
  QThreadPool::globalInstance()->start([mailbox = m_mailbox, host = m_host, controller = this, job = ++m_readJob, walk,
                                        path, use] {
    Result<std::string> bytes = readFile(path);
    if (bytes && use == Use::kBaseline && isSavedProfile(*bytes)) {
      auto saved = std::make_shared<Result<profile::SavedProfile>>(profile::readProfile(*bytes, path.toStdString()));
      return mailbox->post([controller, job, saved, path] {
        if (job != controller->m_readJob) return;
        controller->m_reading = false;
        if (*saved)
          return controller->setBaseline({std::make_shared<const RunReport>(std::move((*saved)->run)),
                                          std::make_shared<const ModelGraphs>(std::move((*saved)->graphs)),
                                          QFileInfo(path).fileName(), std::move((*saved)->simulated)});
        controller->m_error = atFile(saved->error(), path.toStdString());
        emit controller->changed();
      });
    }
    auto report = std::make_shared<Result<RunReport>>(bytes ? host->readTrace(*bytes, path.toStdString(), *walk)
                                                            : Result<RunReport>(fail(bytes.error())));
    mailbox->post([controller, job, report, walk, path, use] {
      if (job == controller->m_readJob) controller->arrived(std::move(*report), walk, path, use);
    });
  });
}

void ProfileController::arrived(Result<RunReport> report, const std::shared_ptr<const WalkReport>& walk,
                                const QString& path, Use use) {
  m_reading = false;
  if (!report) {
    m_error = atFile(report.error(), path.toStdString());
  } else if (m_document->walk()->partitionedGraphs != walk->partitionedGraphs) {
    m_error = Error{ErrorCode::kFail, "The model was walked again while the trace was read: read it once more.", {}};
  } else {
    if (report->source.empty()) report->source = path.toStdString();
    if (use == Use::kBaseline)
      return setBaseline(
          {std::make_shared<const RunReport>(*std::move(report)), walk->partitionedGraphs, QFileInfo(path).fileName()});
    m_document->setWalk(session::withRun(*m_document->walk(), *std::move(report)));
  }
  emit changed();
}

// A run that was read from a file was not made by the walk's providers.
std::vector<std::string> ProfileController::simulatedIn(const WalkReport& walk) {
  return walk.run && walk.run->source.empty() ? simulatedProviders(walk) : std::vector<std::string>();
}

std::vector<std::string> ProfileController::presentSimulated() const {
  return m_swappedIn.empty() ? simulatedIn(*m_document->walk()) : m_swappedIn;
}

void ProfileController::followWalk() {
  if (m_document->walk()->run == m_comparedRun) return;
  if (!m_swapping) m_swappedIn.clear();
  compare();
  emit changed();
}

void ProfileController::compare() {
  const auto walk = m_document->walk();
  ++m_compareJob;
  m_comparison.reset();
  m_comparedRun = walk->run;
  m_comparing = m_baseline && m_baseline->run && m_baseline->graphs && walk->run && walk->partitionedGraphs &&
                m_baseline->run != walk->run && m_host->compareRuns;
  if (!m_comparing) return;
  QThreadPool::globalInstance()->start([mailbox = m_mailbox, host = m_host, controller = this, job = m_compareJob,
                                        a = *m_baseline, b = walk->run, graphs = walk->partitionedGraphs,
                                        simulated = presentSimulated()] {
    auto made = std::make_shared<RunComparison>(host->compareRuns(*a.run, *a.graphs, *b, *graphs));
    profile::SavedProfile before, now;
    before.simulated = a.simulated;
    now.simulated = simulated;
    profile::leaveSimulatedOut(*made, before, now);
    made->titleA = a.title.toStdString();
    made->titleB = profileTitle(*b).toStdString();
    mailbox->post([controller, job, made] {
      if (job != controller->m_compareJob) return;
      controller->m_comparing = false;
      controller->m_comparison = made;
      emit controller->changed();
    });
  });
}

}  // namespace cutaway::ui
