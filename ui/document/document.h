#pragma once
// One open model: where it came from, its settings, the newest snapshot of its walk, and the stage that is being looked
// at.
//
// Thread rule: GUI thread; the snapshots it hands out are immutable and may go to any thread.
// Example: document->onWalkChange(WalkPart::kRun, this, [this] { showTimes(*m_document->walk()->run); });

#include <array>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <QObject>
#include <QString>

#include "engine/report/walk_report.h"
#include "engine/session/session.h"
#include "ui/base/graph_target.h"
#include "ui/document/accuracy_controller.h"
#include "ui/document/bookmarks.h"
#include "ui/document/context_controller.h"
#include "ui/document/edit_controller.h"
#include "ui/document/engine_service.h"
#include "ui/document/graph_index.h"
#include "ui/document/model_diff_controller.h"
#include "ui/document/opinion_controller.h"
#include "ui/document/plan_studies.h"
#include "ui/document/playhead.h"
#include "ui/document/profile_controller.h"
#include "ui/document/selection.h"
#include "ui/document/step_index.h"
#include "ui/document/tensor_controller.h"
#include "ui/document/walk_parts.h"
#include "ui/document/what_if_draft.h"

namespace cutaway::ui {

// The two sides of a comparison.
enum class Side { kNow, kWhatIf };

class Document : public QObject {
  Q_OBJECT
 public:
  Document(std::shared_ptr<const EngineHost> host, session::SessionOptions options, QObject* parent = nullptr);

  void open(const QString& path);
  void reload();                                            // the same file with the present settings
  void setOptions(const session::SessionOptions& options);  // keeps them and walks again
  // Runs as asked for last, or as `request` says. Other threads or another executor than the session has make it anew
  // first.
  void run();
  void run(const RunRequest& request, const session::SessionOptions& options);
  // Shows a snapshot made elsewhere (tests, saved reports).
  void setWalk(std::shared_ptr<const WalkReport> walk);

  const QString& path() const { return m_path; }
  const RunRequest& request() const { return m_request; }  // of the latest run
  QString title() const;
  const session::SessionOptions& options() const { return m_options; }
  ProfileController& profiles() { return m_profiles; }
  const ProfileController& profiles() const { return m_profiles; }
  EngineService& service() { return m_service; }
  const EngineService& service() const { return m_service; }
  Selection& selection() { return m_selection; }
  const Selection& selection() const { return m_selection; }

  std::shared_ptr<const WalkReport> walk() const { return m_walk; }  // never null; empty before anything finished
  const std::optional<Error>& error() const { return m_error; }
  bool cancelled() const { return m_cancelled; }
  // The model has context nodes that cannot run here: everything about it is shown, and error() says why it does not
  // run.
  bool planOnly() const { return m_planOnly; }
  StageState stageState(Stage stage) const;  // also says kRunning for the stage that is under way

  Stage stage() const { return m_stage; }
  void setStage(Stage stage);

  // What-if: the draft against the present walk. A result stands until another model, other settings or
  // dropComparison().
  WhatIfDraft& draft() { return m_draft; }
  void compare(int measureRuns = 0);
  Result<session::SessionOptions> draftOptions() const;  // the session's settings with the draft in them
  void applyDraft();  // the draft becomes the session's settings, and the walk starts again
  void dropComparison();
  std::shared_ptr<const study::WhatIfResult> whatIf() const { return m_whatIf; }  // null: nothing was compared
  const std::optional<Error>& whatIfError() const { return m_whatIfError; }       // of the latest comparison
  bool comparing() const { return m_service.job() == Job::kCompare; }
  // While a comparison is looked at, the partition stage shows the optimised graph in the colours of one side.
  Side side() const { return m_side; }
  void setSide(Side side);
  bool showsComparison() const { return m_whatIf && m_stage == Stage::kPartition; }
  const WalkReport& colouredWalk() const {
    return showsComparison() && m_side == Side::kWhatIf && m_whatIf->walk ? *m_whatIf->walk : *m_walk;
  }

  // Orders compared, a dimension swept.
  PlanStudies& studies() { return m_studies; }
  const PlanStudies& studies() const { return m_studies; }

  // Exports of the open model, and what came of them.
  ContextController& contexts() { return m_contexts; }
  const ContextController& contexts() const { return m_contexts; }

  // Edits of the model; the walk is that of the edited model.
  EditController& edits() { return m_edits; }
  const EditController& edits() const { return m_edits; }
  // Contents of weights and of values of a run.
  TensorController& tensors() { return m_tensors; }
  const TensorController& tensors() const { return m_tensors; }
  // Two configurations, value by value.
  AccuracyController& accuracy() { return m_accuracy; }
  const AccuracyController& accuracy() const { return m_accuracy; }
  // Every stage beside ONNX Runtime's.
  OpinionController& opinion() { return m_opinion; }
  const OpinionController& opinion() const { return m_opinion; }
  // Against another model, or another walk of this one.
  ModelDiffController& difference() { return m_difference; }
  const ModelDiffController& difference() const { return m_difference; }
  // The step and the range that all views are at.
  Playhead& playhead() { return m_playhead; }
  const Playhead& playhead() const { return m_playhead; }
  const StepIndex& steps() const;  // of the newest walk; empty before there is an order
  Bookmarks& bookmarks() { return m_bookmarks; }
  const Bookmarks& bookmarks() const { return m_bookmarks; }

  // The graphs a stage is about: as loaded, as optimised or as partitioned; the newest there is while later ones are
  // missing.
  GraphVersion versionFor(Stage stage) const;
  GraphVersion shownVersion() const { return versionFor(m_stage); }
  std::shared_ptr<const ModelGraphs> graphs(GraphVersion version) const;  // may be null
  const GraphIndex* index(GraphVersion version) const;                    // may be null
  const NodeReport* node(const NodeTarget& target) const;                 // null: no such node
  const ValueReport* value(GraphVersion version, const ValueTarget& target) const;
  // The node that takes part in the walk: of an original node inside a context node that node, else the node itself.
  NodeTarget holderOf(const NodeTarget& target) const;
  // What is known about the context node that a node is, or is inside of; null: it is none.
  const ContextNodeReport* contextNode(const NodeTarget& target) const;
  // A context node of the report in a version; invalid: not there.
  NodeTarget targetOf(const ContextNodeReport& context, GraphVersion version) const;

  // Calls back whenever one of `parts` is not as it was.
  template <typename Owner, typename Call>
  QMetaObject::Connection onWalkChange(WalkParts parts, Owner* owner, Call call) {
    return connect(this, &Document::walkChanged, owner, [parts, owner, call = std::move(call)](WalkParts changed) {
      if (!(changed & parts)) return;
      if constexpr (std::is_member_function_pointer_v<Call>)
        (owner->*call)();
      else
        call();
    });
  }

 signals:
  void walkChanged(cutaway::ui::WalkParts changed);  // to anybody who shows one part: onWalkChange()
  void stageChanged();
  void errorChanged();
  void titleChanged();
  void whatIfChanged();  // result, error, side, or a comparison is under way

 private:
  void startWalk();
  void connectService();
  // With what the controller of contexts knows about it; what is not as it was.
  WalkParts takeWalk(std::shared_ptr<const WalkReport> walk);
  void endComparison(std::shared_ptr<const study::WhatIfResult> result, std::optional<Error> error);
  void setError(std::optional<Error> error);

  QString m_path;
  session::SessionOptions m_options;
  EngineService m_service;
  PlanStudies m_studies;
  ContextController m_contexts;
  EditController m_edits;
  TensorController m_tensors;
  AccuracyController m_accuracy;
  OpinionController m_opinion;
  ModelDiffController m_difference;
  Playhead m_playhead;
  mutable StepIndex m_steps;  // made when first asked for
  Bookmarks m_bookmarks;
  Selection m_selection;
  ProfileController m_profiles;
  RunRequest m_request;                    // of the latest run
  std::optional<RunRequest> m_waitingRun;  // as soon as the session was made anew
  std::shared_ptr<const WalkReport> m_walk;
  std::optional<Error> m_error;
  bool m_cancelled = false;
  bool m_planOnly = false;
  WhatIfDraft m_draft;
  std::shared_ptr<const study::WhatIfResult> m_whatIf;
  std::optional<Error> m_whatIfError;
  Side m_side = Side::kWhatIf;
  Stage m_stage = Stage::kLoad;
  mutable std::array<std::unique_ptr<GraphIndex>, kGraphVersionCount> m_indexes;  // made when first asked for
};

}  // namespace cutaway::ui
