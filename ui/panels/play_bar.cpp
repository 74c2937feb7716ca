#include "ui/panels/play_bar.h"

#include <algorithm>
#include <array>

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include "engine/report/truth.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/partial_amount.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {

constexpr int kHandleRoom = 22;
constexpr std::array<double, 5> kSpeeds = {0.25, 1, 4, 16, 64};
const QString kSpeedKey = QStringLiteral("play/speed");

struct Live {
  int64_t now = -1, peak = -1;
  int peakStep = kNone;
};

// By the plan that the latest run made for the sizes of its inputs; nothing: no run told of that step.
Live liveOfRun(const WalkReport& walk, int step) {
  Live live;
  if (!walk.run) return live;
  for (const MemorySample& sample : walk.run->memory) {
    if (sample.step > step) continue;
    if (sample.step == step) live.now = sample.plannedBytes;
    if (sample.plannedBytes > live.peak) live.peak = sample.plannedBytes, live.peakStep = sample.step;
  }
  return live;
}

}  // namespace

QString playWords(const Document& document, int step) {
  const StepIndex& steps = document.steps();
  if (step < 0 || step >= steps.count()) return {};
  QString words = PlayBar::tr("step %1 of %2").arg(step).arg(steps.count());
  if (const auto graphs = document.graphs(GraphVersion::kPartitioned); graphs && steps.main())
    words += QStringLiteral(" \u00b7 ") +
             shortened(nodeTitle(graphs->graphs[static_cast<size_t>(steps.main()->graph)], steps.nodeAt(step)), 36);
  const auto [peak, at] = steps.peakUntil(step);
  Live live{steps.liveAt(step), peak, at};
  // Buffers without a size are in none of the sums; a run has planned them.
  const WalkReport& walk = *document.walk();
  bool isPart = live.now < 0 || stageTruth(walk, Stage::kPattern).kind == TruthKind::kPartial;
  QString sizes;
  if (const Live ofRun = isPart ? liveOfRun(walk, step) : Live{}; ofRun.now >= 0) {
    live = ofRun;
    isPart = false;
    sizes = text(dimsSentence(runDims(walk, *walk.run)));
  }
  const auto size = [&](int64_t bytes) { return partialAmount(sizeText(bytes), isPart, peak <= 0); };
  if (live.now >= 0)
    words += QStringLiteral(" \u00b7 ") +
             PlayBar::tr("live %1, peak so far %2 at step %3").arg(size(live.now), size(live.peak)).arg(live.peakStep);
  return sizes.isEmpty() ? words : PlayBar::tr("%1, run at %2").arg(words, sizes);
}

int stepOfSelection(const Document& document) {
  return document.steps().stepOf(document.selection().stepIn(GraphVersion::kPartitioned));
}

void goToStep(Document& document, int step) {
  document.playhead().setStep(step);
  const StepIndex& steps = document.steps();
  if (const int node = steps.nodeAt(document.playhead().step()); node >= 0 && steps.main())
    document.selection().selectNode({GraphVersion::kPartitioned, steps.main()->graph, node});
}

bool handlePlayKey(Document& document, QKeyEvent* event) {
  Playhead& head = document.playhead();
  if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) || head.count() == 0)
    return false;
  switch (event->key()) {
    case Qt::Key_Space:
      head.setPlaying(!head.playing());
      return true;
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const int by = event->key() == Qt::Key_Right ? 1 : -1;
      const int from = head.active() ? head.step() : stepOfSelection(document);
      goToStep(document, std::clamp(from < 0 ? (by > 0 ? 0 : head.count() - 1) : from + by, 0, head.count() - 1));
      return true;
    }
    case Qt::Key_Escape:
      return head.escape();
    default:
      return false;
  }
}

QToolButton* PlayBar::button(const QString& words, const QString& icon, const QString& tip) {
  auto* made = new QToolButton;
  made->setText(words);
  made->setToolTip(tip);
  made->setAccessibleName(words);
  made->setProperty("icon-name", icon);
  made->setAutoRaise(true);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

PlayBar::PlayBar(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_slider(new QSlider(Qt::Horizontal)),
      m_speed(new QComboBox),
      m_here(new QLabel) {
  m_back = button(tr("Previous step"), QStringLiteral("step-back"), tr("One step back (Left)"));
  m_play = button(tr("Play"), QStringLiteral("play"), tr("Play the execution on the graph and in the charts (Space)"));
  m_on = button(tr("Next step"), QStringLiteral("step-on"), tr("One step on (Right)"));
  m_play->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_play->setCheckable(true);
  for (QToolButton* each : {m_back, m_on}) {
    each->setToolButtonStyle(Qt::ToolButtonIconOnly);
    each->setAutoRepeat(true);
  }
  m_slider->setAccessibleName(tr("Step"));
  m_slider->setToolTip(tr("Step in the execution order: arrow keys step, Page Up and Down jump, Space plays"));
  m_slider->setMinimumHeight(kHandleRoom);
  m_slider->setMinimumWidth(60);
  for (const double speed : kSpeeds)
    m_speed->addItem(speed < 1 ? QStringLiteral("\u00bc\u00d7") : QStringLiteral("%1\u00d7").arg(speed), speed);
  m_speed->setAccessibleName(tr("Speed"));
  m_speed->setToolTip(tr("How fast it plays; at 1\u00d7 four steps a second, and a long order within half a minute"));
  m_speed->setCurrentIndex(std::max(0, m_speed->findData(context.viewState->get(kSpeedKey, 1.0).toDouble())));
  m_here->setProperty("role", "secondary");
  m_here->setMinimumWidth(20);
  m_here->setTextFormat(Qt::PlainText);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpaceSmall);
  for (QToolButton* each : {m_back, m_play, m_on})
    row->addWidget(each);
  row->addWidget(m_slider, 1);
  row->addWidget(m_speed);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpace, 0, kSpaceLarge, kSpace);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(m_here);
  m_here->setContentsMargins(kSpaceSmall, 0, 0, 0);
  m_slider->installEventFilter(this);
  Playhead& head = context.document->playhead();
  connect(m_slider, &QSlider::valueChanged, this, &PlayBar::goTo);
  connect(m_back, &QToolButton::clicked, this, [this] { m_slider->setValue(m_slider->value() - 1); });
  connect(m_on, &QToolButton::clicked, this, [this] {
    m_context.document->playhead().active() ? m_slider->setValue(m_slider->value() + 1) : goTo(m_slider->value());
  });
  connect(m_play, &QToolButton::clicked, this, [this](bool checked) {
    Playhead& playhead = m_context.document->playhead();
    if (checked && !playhead.active() && m_slider->value() > 0) playhead.setStep(m_slider->value());
    playhead.setPlaying(checked);
    refreshPlaying();
  });
  connect(m_speed, &QComboBox::currentIndexChanged, this, [this](int index) {
    m_context.document->playhead().setSpeed(kSpeeds[static_cast<size_t>(index)]);
    m_context.viewState->put(kSpeedKey, kSpeeds[static_cast<size_t>(index)]);
  });
  head.setSpeed(kSpeeds[static_cast<size_t>(m_speed->currentIndex())]);
  connect(&head, &Playhead::changed, this, &PlayBar::refresh);
  connect(&head, &Playhead::playingChanged, this, &PlayBar::refreshPlaying);
  context.document->onWalkChange(kPlans | WalkPart::kPartition | WalkPart::kRun, this, &PlayBar::refresh);
  connect(&context.document->selection(), &Selection::changed, this, &PlayBar::followSelection);
  connect(context.themes, &ThemeStore::changed, this, &PlayBar::refreshIcons);
  refreshIcons();
  refresh();
}

void PlayBar::refreshIcons() {
  for (QToolButton* each : {m_back, m_play, m_on})
    each->setIcon(themedIcon(each->property("icon-name").toString(), m_context.themes->current()));
}

void PlayBar::showEvent(QShowEvent*) {
  refresh();
  followSelection();
}

void PlayBar::resizeEvent(QResizeEvent*) {
  showWords();
}

bool PlayBar::eventFilter(QObject* object, QEvent* event) {
  if (object == m_slider && event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    if ((key->key() == Qt::Key_Space || key->key() == Qt::Key_Escape) && handlePlayKey(*m_context.document, key))
      return true;
  }
  return QWidget::eventFilter(object, event);
}

// By hand: the node of the step is selected, so that everything else can be read about it. While it plays only the
// playhead moves.
void PlayBar::goTo(int step) {
  goToStep(*m_context.document, step);
}

void PlayBar::refresh() {
  if (!isVisible() && m_slider->maximum() > 0 && m_context.document->playhead().count() - 1 == m_slider->maximum())
    return;  // catches up when it is shown
  const Playhead& head = m_context.document->playhead();
  const int count = head.count();
  const QSignalBlocker quiet(m_slider);
  m_slider->setRange(0, std::max(0, count - 1));
  m_slider->setPageStep(std::max(1, count / 20));
  for (QWidget* each : std::initializer_list<QWidget*>{m_slider, m_play, m_back, m_on, m_speed})
    each->setEnabled(count > 0);
  const int selected = head.active() || count == 0 ? -1 : stepOfSelection(*m_context.document);
  m_slider->setValue(head.active() ? head.step() : std::max(0, selected));
  m_words = count == 0      ? QString()
            : head.active() ? playWords(*m_context.document, head.step())
            : selected >= 0 ? playWords(*m_context.document, selected)
                            : tr("step 0 of %1").arg(count);
  showWords();
}

void PlayBar::showWords() {
  m_here->setToolTip(m_words);
  m_here->setText(m_here->fontMetrics().elidedText(m_words, Qt::ElideRight,
                                                   std::max(40, width() - kSpace - kSpaceLarge - 2 * kSpaceSmall)));
}

void PlayBar::refreshPlaying() {
  const bool playing = m_context.document->playhead().playing();
  const bool was = m_play->isChecked();
  m_play->setChecked(playing);
  m_play->setText(playing ? tr("Pause") : tr("Play"));
  m_play->setProperty("icon-name", playing ? QStringLiteral("pause") : QStringLiteral("play"));
  refreshIcons();
  if (was && !playing && isVisible() && m_context.document->playhead().active())
    goTo(m_context.document->playhead().step());
}

// A node selected anywhere is where it stands in the order; a playhead that is there goes along.
void PlayBar::followSelection() {
  if (!isVisible()) return;
  Playhead& head = m_context.document->playhead();
  const int step = stepOfSelection(*m_context.document);
  if (step >= 0 && head.active() && !head.playing() && m_context.document->selection().value().name.isEmpty())
    return head.setStep(step);
  refresh();
}

}  // namespace cutaway::ui
