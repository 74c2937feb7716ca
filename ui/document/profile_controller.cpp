#include "ui/document/profile_controller.h"

#include <QFile>
#include <QFileInfo>

#include "engine/profile/profiles.h"
#include "engine/report/simulated_providers.h"
#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/document/gui_call.h"

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

// A file's run, not shared with anybody yet.
struct ProfileController::ReadRun {
  std::shared_ptr<RunReport> run;
  std::shared_ptr<const ModelGraphs> graphs;  // the walk's own, of a trace
  std::vector<std::string> simulated;
};

ProfileController::ProfileController(std::shared_ptr<const EngineHost> host, Document* document)
    : QObject(document), m_host(std::move(host)), m_document(document) {
  document->onWalkChange(WalkPart::kRun, this, &ProfileController::followWalk);
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
  elsewhere(
      this,
      [host = m_host, walk, path, use]() -> Result<ReadRun> {
        CUTAWAY_TRY(const std::string bytes, readFile(path));
        if (use == Use::kBaseline && isSavedProfile(bytes)) {
          CUTAWAY_TRY(profile::SavedProfile saved, profile::readProfile(bytes, path.toStdString()));
          return ReadRun{std::make_shared<RunReport>(std::move(saved.run)),
                         std::make_shared<const ModelGraphs>(std::move(saved.graphs)), std::move(saved.simulated)};
        }
        CUTAWAY_TRY(RunReport run, host->readTrace(bytes, path.toStdString(), *walk));
        if (run.source.empty()) run.source = path.toStdString();
        return ReadRun{std::make_shared<RunReport>(std::move(run)), walk->partitionedGraphs, {}};
      },
      [job = ++m_readJob, walk, path, use](ProfileController& owner, const Result<ReadRun>& read) {
        if (job == owner.m_readJob) owner.arrived(read, walk, path, use);
      });
}

void ProfileController::arrived(const Result<ReadRun>& read, const std::shared_ptr<const WalkReport>& walk,
                                const QString& path, Use use) {
  m_reading = false;
  if (!read) {
    m_error = atFile(read.error(), path.toStdString());
  } else if (read->graphs == walk->partitionedGraphs &&
             m_document->walk()->partitionedGraphs != walk->partitionedGraphs) {
    m_error = Error{ErrorCode::kFail, "The model was walked again while the trace was read: read it once more.", {}};
  } else if (use == Use::kBaseline) {
    return setBaseline({read->run, read->graphs, QFileInfo(path).fileName(), read->simulated});
  } else {
    m_document->setWalk(session::withRun(*m_document->walk(), std::move(*read->run)));
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
  elsewhere(
      this,
      [host = m_host, a = *m_baseline, b = walk->run, graphs = walk->partitionedGraphs,
       simulated = presentSimulated()]() -> Result<std::shared_ptr<const RunComparison>> {
        auto made = std::make_shared<RunComparison>(host->compareRuns(*a.run, *a.graphs, *b, *graphs));
        profile::SavedProfile before, now;
        before.simulated = a.simulated;
        now.simulated = simulated;
        profile::leaveSimulatedOut(*made, before, now);
        made->titleA = a.title.toStdString();
        made->titleB = profileTitle(*b).toStdString();
        return made;
      },
      [job = m_compareJob](ProfileController& owner, const Result<std::shared_ptr<const RunComparison>>& made) {
        if (job == owner.m_compareJob) owner.endComparing(made);
      });
}

void ProfileController::endComparing(const Result<std::shared_ptr<const RunComparison>>& made) {
  m_comparing = false;
  if (made)
    m_comparison = *made;
  else
    m_error = made.error();
  emit changed();
}

}  // namespace cutaway::ui
