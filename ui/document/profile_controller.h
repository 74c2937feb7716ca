#pragma once
// Profiles beyond the present run: one kept as baseline, traces read from files, and how the present run differs from
// the baseline.
//
// Reading and comparing happen on worker threads; what comes late, after something newer was asked for, is dropped.
// Thread rule: GUI thread.
// Example: document.profiles().keepPresent();  document.run();  connect(&document.profiles(),
// &ProfileController::changed, this, show);

#include <memory>
#include <optional>

#include <QObject>
#include <QString>

#include "engine/report/run_comparison.h"
#include "engine/report/walk_report.h"

namespace cutaway::ui {

class Document;
struct EngineHost;

struct Profile {
  std::shared_ptr<const RunReport> run;
  std::shared_ptr<const ModelGraphs> graphs;
  QString title;                         // "dataflow, 2 threads", "trace.json"
  std::vector<std::string> simulated{};  // providers that computed on hardware that is not here
};

class ProfileController : public QObject {
  Q_OBJECT
 public:
  ProfileController(std::shared_ptr<const EngineHost> host, Document* document);

  void keepPresent();  // the present run becomes the baseline
  void setBaseline(Profile profile);
  void dropBaseline();
  void loadBaseline(const QString& path);  // a trace becomes the baseline
  void showTrace(const QString& path);     // a trace becomes the present run: painted on the graph as any other
  // The present run and the baseline change places.
  void swap();

  const std::optional<Profile>& baseline() const { return m_baseline; }
  std::shared_ptr<const RunComparison> comparison() const {
    return m_comparison;
  }  // baseline is A, the present run B; null: none yet
  bool busy() const { return m_reading || m_comparing; }
  bool canRead() const;
  bool canCompare() const;
  const std::optional<Error>& error() const { return m_error; }  // of the latest file

 signals:
  void changed();

 private:
  static std::vector<std::string> simulatedIn(const WalkReport& walk);
  std::vector<std::string> presentSimulated() const;
  enum class Use { kBaseline, kPresent };
  struct ReadRun;
  void read(const QString& path, Use use);
  void arrived(const Result<ReadRun>& read, const std::shared_ptr<const WalkReport>& walk, const QString& path,
               Use use);
  void endComparing(const Result<std::shared_ptr<const RunComparison>>& made);
  void compare();
  void followWalk();

  std::shared_ptr<const EngineHost> m_host;
  Document* m_document;
  std::optional<Profile> m_baseline;
  std::shared_ptr<const RunReport> m_comparedRun;
  std::shared_ptr<const RunComparison> m_comparison;
  std::optional<Error> m_error;
  bool m_reading = false, m_comparing = false;
  std::vector<std::string> m_swappedIn;  // `simulated` of a baseline that became the present run
  bool m_swapping = false;
  quint64 m_readJob = 0, m_compareJob = 0;
};

// How a run was made, in a few words.
QString profileTitle(const RunReport& run);

}  // namespace cutaway::ui
