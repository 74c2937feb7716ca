#include "ui/panels/stage_waiting.h"

#include "ui/base/format.h"
#include "ui/base/stage_words.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

constexpr int kMostWords = 260;

bool hasReport(const WalkReport& walk, Stage stage) {
  switch (stage) {
    case Stage::kLoad:
      return walk.load != nullptr;
    case Stage::kResolve:
      return walk.resolve != nullptr;
    case Stage::kOptimize:
      return walk.optimize != nullptr;
    case Stage::kPartition:
      return walk.partition != nullptr;
    case Stage::kSchedule:
      return walk.schedule != nullptr;
    case Stage::kAllocate:
      return walk.allocate != nullptr;
    case Stage::kPattern:
      return walk.pattern != nullptr;
    default:
      return true;  // runs and exports are asked for in their panels
  }
}

}  // namespace

StageWaiting::StageWaiting(const PanelContext& context, Stage stage, QWidget* instead, QWidget* parent)
    : EmptyState(context.themes, parent), m_context(context), m_stage(stage), m_instead(instead) {
  m_context.document->onWalkChange(partOf(stage) | WalkPart::kStates, this, &StageWaiting::follow);
  connect(m_context.document, &Document::errorChanged, this, &StageWaiting::follow);
  connect(&m_context.document->service(), &EngineService::activityChanged, this, [this] {
    if (!isHidden()) follow();
  });
  connect(this, &EmptyState::actionRequested, this, [this] {
    if (m_context.document->service().busy()) return m_context.document->service().cancel();
    m_context.document->reload();
  });
  follow();
}

void StageWaiting::follow() {
  const bool there = hasReport(*m_context.document->walk(), m_stage);
  if (!there) present(words());
  setVisible(!there);
  m_instead->setVisible(there);
}

EmptyState::Words StageWaiting::words() const {
  const Document& document = *m_context.document;
  const QString icon = stageIcon(m_stage), stage = stageWords(m_stage);
  if (document.service().busy()) {
    const QString detail = shortened(document.service().activity().detail, 120);
    return {icon,
            document.stageState(m_stage) == StageState::kRunning ? tr("%1 is running").arg(stage)
                                                                 : tr("%1 comes later").arg(stage),
            detail, tr("Cancel")};
  }
  if (document.cancelled())
    return {icon, tr("Cancelled before %1").arg(stage), tr("What was done until then is shown."), tr("Go on")};
  if (const auto& error = document.error()) {
    const bool here = document.stageState(m_stage) == StageState::kFailed;
    return {icon, here ? tr("%1 failed").arg(stage) : tr("%1 was not reached").arg(stage),
            shortened(told(error->message), kMostWords), tr("Try again")};
  }
  return {icon, tr("Nothing to show yet"), {}, {}};
}

}  // namespace cutaway::ui
