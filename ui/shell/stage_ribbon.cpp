#include "ui/shell/stage_ribbon.h"

#include <algorithm>
#include <cmath>

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QPainter>
#include <QStringList>

#include "ui/base/format.h"
#include "ui/base/formula_words.h"
#include "ui/base/headline_words.h"
#include "ui/base/icons.h"
#include "ui/base/partial_amount.h"
#include "ui/base/stage_words.h"
#include "ui/base/theme_store.h"
#include "ui/base/truth_mark.h"
#include "ui/base/truth_words.h"
#include "ui/document/document.h"
#include "ui/document/formulas_controller.h"

namespace cutaway::ui {
namespace {

constexpr int kPadding = 12, kNarrowPadding = 7;  // where not everything has room
constexpr int kStateRoom = 17;                    // the sign, and as much air that a title does not touch it
constexpr int kIconRoom = 7;
constexpr int kIcon = 16;
constexpr int kMark = 17;  // of the other engine's line, with its gap
const QString kOtherName = QStringLiteral("ORT ");

QString stateWords(StageState state) {
  switch (state) {
    case StageState::kWaiting:
      return StageRibbon::tr("waiting");
    case StageState::kRunning:
      return StageRibbon::tr("running");
    case StageState::kDone:
      return StageRibbon::tr("done");
    case StageState::kFailed:
      return StageRibbon::tr("failed");
    case StageState::kCancelled:
      return StageRibbon::tr("cancelled");
  }
  return {};
}

// What stands in the second line while there is no figure.
QString emptyHeadline(Stage stage, StageState state) {
  switch (state) {
    case StageState::kRunning:
      return StageRibbon::tr("working \u2026");
    case StageState::kFailed:
      return StageRibbon::tr("failed");
    case StageState::kCancelled:
      return StageRibbon::tr("cancelled");
    default:
      return stage == Stage::kRun ? StageRibbon::tr("not run yet") : QStringLiteral("\u2013");
  }
}

// The figure with less and less beside it: "69 steps, path 69" -> "69 steps"; "724 -> 338 nodes" -> "724 -> 338". A
// unit stays with its number.
QStringList shorterForms(const QString& words) {
  QStringList forms{words};
  QString form = words;
  for (qsizetype comma = form.lastIndexOf(QLatin1String(", ")); comma > 0;
       comma = form.lastIndexOf(QLatin1String(", "))) {
    form.truncate(comma);
    forms.append(form);
  }
  // "unknown (dynamic shapes)" -> "unknown"
  if (const qsizetype bracket = form.indexOf(QLatin1String(" (")); bracket > 0) {
    form.truncate(bracket);
    forms.append(form);
  }
  const qsizetype arrow = form.indexOf(QChar(0x2192)), last = form.lastIndexOf(QLatin1Char(' '));
  if (arrow > 0 && last > arrow + 1) forms.append(form.left(last));
  return forms;
}

// A peak that depends on open dimensions: what lives at once at least, over them; empty: nobody can say.
QString openPeakWords(const Document& document) {
  const FormulasController* controller = FormulasController::ifAny(document);
  const auto& pattern = document.walk()->pattern;
  if (!controller || !pattern || controller->plans().size() != 1) return {};
  const study::PlanFormulas* plan = controller->boundedPlan(controller->plans().front().device);
  return plan ? partialAmount(formulaHeadWords(plan->bounds.front(), sizeText), true, false) : QString();
}

// The longest form that fits; the shortest is elided.
QString fitting(const QStringList& forms, const QFontMetricsF& metrics, double width) {
  for (const QString& form : forms)
    if (metrics.horizontalAdvance(form) <= width) return form;
  return metrics.elidedText(forms.last(), Qt::ElideRight, width);
}

}  // namespace

StageButton::StageButton(Stage stage, ThemeStore* themes, QWidget* parent)
    : QAbstractButton(parent), m_stage(stage), m_themes(themes) {
  setCheckable(true);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setText(stageWords(stage));
  setAccessibleName(text());
}

void StageButton::present(const QString& headline, const QString& time, StageState state, const Truth& truth) {
  m_truth = truth;
  m_headline = headline;
  m_time = time;
  m_state = state;
  describe();
  update();
}

void StageButton::presentOther(const std::optional<OtherLine>& line) {
  const bool grows = m_other.has_value() != line.has_value();
  m_other = line;
  if (grows) updateGeometry();
  describe();
  update();
}

void StageButton::describe() {
  QString words = QStringLiteral("%1: %2%3")
                      .arg(text(), m_headline.isEmpty() ? stateWords(m_state) : m_headline,
                           m_time.isEmpty() ? QString() : QStringLiteral(", ") + m_time);
  if (m_state == StageState::kDone) words += QLatin1Char('\n') + truthWords(m_truth);
  const QString other = m_other && !m_other->toolTip.isEmpty() ? QLatin1Char('\n') + m_other->toolTip : QString();
  setToolTip(words + QStringLiteral("  (Alt+%1)").arg(static_cast<int>(m_stage) + 1) + other);
  setAccessibleDescription(words + other);
}

QString StageButton::shownHeadline() const {
  return m_headline.isEmpty() ? emptyHeadline(m_stage, m_state) : m_headline;
}

QFont StageButton::textFont(int pixelDelta, int weight) const {
  QFont font = interfaceFont(pixelDelta, weight);
  const int smallest = std::min(font.pixelSize(), sceneFont(pixelDelta, weight).pixelSize());
  font.setPixelSize(std::max(smallest, static_cast<int>(std::lround(font.pixelSize() * m_textShare))));
  return font;
}

void StageButton::setTextShare(double share) {
  if (share == m_textShare) return;
  m_textShare = share;
  update();
}

int StageButton::wantedWidth() const {
  const double title = QFontMetricsF(titleFont()).horizontalAdvance(text()) + kIcon + kIconRoom + kStateRoom;
  const QFontMetricsF metrics(figureFont());
  const double headline = metrics.horizontalAdvance(shownHeadline());
  const double other = m_other ? scaled(kMark) + metrics.horizontalAdvance(m_other->words) : 0;
  return 2 * kPadding + 2 + static_cast<int>(std::ceil(std::max({title, headline, other})));
}

int StageButton::shortestWidth() const {
  const double title = QFontMetricsF(titleFont()).horizontalAdvance(text()) + kStateRoom;
  const QFontMetricsF metrics(figureFont());
  const double headline = metrics.horizontalAdvance(shorterForms(shownHeadline()).last());
  const double other = m_other ? scaled(kMark) + metrics.horizontalAdvance(shorterForms(m_other->words).last()) : 0;
  return 2 * kNarrowPadding + 2 + static_cast<int>(std::ceil(std::max({title, headline, other})));
}

int StageButton::padding() const {
  return width() < wantedWidth() ? kNarrowPadding : kPadding;
}

void StageButton::enterEvent(QEnterEvent*) {
  m_hovered = true;
  update();
}

void StageButton::leaveEvent(QEvent*) {
  m_hovered = false;
  update();
}

void StageButton::paintState(QPainter& painter, const QRectF& where) const {
  const Theme& theme = m_themes->current();
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF dot(where.center().x() - 6, where.center().y() - 6, 12, 12);
  switch (m_state) {
    case StageState::kDone:
      paintTruth(painter, dot, m_truth.kind, theme);
      break;
    case StageState::kRunning:
      painter.setPen(QPen(theme.accent, 2, Qt::SolidLine, Qt::RoundCap));
      painter.drawArc(dot.adjusted(1, 1, -1, -1), 30 * 16, 250 * 16);
      break;
    case StageState::kFailed:
      painter.setPen(QPen(theme.error, 2, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(dot.topLeft() + QPointF(2.5, 2.5), dot.topLeft() + QPointF(9.5, 9.5));
      painter.drawLine(dot.topLeft() + QPointF(9.5, 2.5), dot.topLeft() + QPointF(2.5, 9.5));
      break;
    case StageState::kCancelled:
      painter.setPen(QPen(theme.warning, 2, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(dot.topLeft() + QPointF(2.5, 6), dot.topLeft() + QPointF(9.5, 6));
      break;
    case StageState::kWaiting:
      painter.setPen(QPen(theme.border, 1.5));
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(dot.adjusted(3, 3, -3, -3));
      break;
  }
}

void StageButton::paintEvent(QPaintEvent*) {
  const Theme& theme = m_themes->current();
  QPainter painter(this);
  painter.fillRect(rect(), isChecked() ? mix(theme.surface, theme.accentSoft, 0.55)
                           : m_hovered ? theme.raised
                                       : theme.surface);
  painter.setPen(theme.border);
  if (m_stage != Stage::kContext) painter.drawLine(width() - 1, 10, width() - 1, height() - 12);
  if (isChecked()) painter.fillRect(QRect(0, height() - 3, width(), 3), theme.accent);
  if (hasFocus()) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1.4));
    painter.drawRoundedRect(QRectF(rect()).adjusted(2.5, 2.5, -3.5, -4.5), 5, 5);
  }
  paintTitle(painter);
  paintState(painter, QRectF(width() - padding() - 12, scaled(21) - kIcon / 2, 12, kIcon));

  const QFont font = figureFont();
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  QRectF row(padding(), scaled(34), width() - 2 * padding(), scaled(20));
  const QString headline = shownHeadline();
  const double timeWidth = m_time.isEmpty() ? 0 : metrics.horizontalAdvance(m_time);
  // The time gives way when both do not fit: it is in the tool tip.
  if (timeWidth > 0 && metrics.horizontalAdvance(headline) + timeWidth + 10 <= row.width()) {
    painter.setPen(theme.textFaint);
    painter.drawText(row, Qt::AlignVCenter | Qt::AlignRight, m_time);
    row.setWidth(row.width() - timeWidth - 8);
  }
  painter.setPen(m_state == StageState::kFailed ? theme.error
                 : m_headline.isEmpty()         ? theme.textFaint
                                                : theme.textSecondary);
  painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, fitting(shorterForms(headline), metrics, row.width()));
  if (m_other) paintOther(painter);
}

// The icon gives way to a title that would be cut beside it.
void StageButton::paintTitle(QPainter& painter) const {
  const Theme& theme = m_themes->current();
  const bool waiting = m_state == StageState::kWaiting;
  const QFont font = titleFont();
  const QFontMetricsF metrics(font);
  QRectF title(padding(), scaled(10), width() - 2 * padding() - kStateRoom, scaled(22));
  if (metrics.horizontalAdvance(text()) + kIcon + kIconRoom <= title.width()) {
    const QColor ink = isChecked() ? theme.accent : waiting ? theme.textFaint : theme.text;
    painter.drawPixmap(
        padding(), scaled(21) - kIcon / 2,
        iconPixmap(QStringLiteral("stage-") + QString::fromLatin1(stageId(m_stage)), ink, kIcon, devicePixelRatioF()));
    title.setLeft(title.left() + kIcon + kIconRoom);
  }
  painter.setFont(font);
  painter.setPen(waiting ? theme.textFaint : theme.text);
  painter.drawText(title, Qt::AlignVCenter | Qt::AlignLeft, metrics.elidedText(text(), Qt::ElideRight, title.width()));
}

// The mark, then "ORT 19 -> 14 nodes"; the name gives way first, because the line is known by its mark.
void StageButton::paintOther(QPainter& painter) const {
  const Theme& theme = m_themes->current();
  QRectF row(padding(), scaled(54), width() - 2 * padding(), scaled(20));
  if (m_other->mark == OpinionMark::kNone) return;
  painter.setFont(titleFont());
  painter.setPen(opinionColor(m_other->mark, theme));
  painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft, opinionSign(m_other->mark));
  row.setLeft(row.left() + scaled(kMark));
  const QFont font = figureFont();
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(theme.textSecondary);
  painter.drawText(
      row, Qt::AlignVCenter | Qt::AlignLeft,
      fitting(QStringList{kOtherName + m_other->words} + shorterForms(m_other->words), metrics, row.width()));
}

StageRibbon::StageRibbon(ThemeStore* themes, QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Stages"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  auto* group = new QButtonGroup(this);
  for (int i = 0; i < kStageCount; ++i) {
    m_buttons[i] = new StageButton(static_cast<Stage>(i), themes, this);
    group->addButton(m_buttons[i]);
    row->addWidget(m_buttons[i]);
    connect(m_buttons[i], &QAbstractButton::toggled, this, [this, i](bool on) {
      if (on) emit stageChosen(static_cast<Stage>(i));
    });
  }
  connect(themes, &ThemeStore::changed, this, [this] {
    for (StageButton* button : m_buttons)
      button->update();
  });
}

int StageRibbon::shortestWidth() const {
  int sum = 0;
  for (const StageButton* button : m_buttons)
    sum += button->shortestWidth();
  return sum;
}

// Where large text leaves no room for every title and figure, text is smaller here, by no more than it takes.
void StageRibbon::fitText() {
  const int full = interfaceFont().pixelSize(), smallest = sceneFont().pixelSize();
  for (int pixels = full; pixels == full || pixels >= smallest; --pixels) {
    for (StageButton* button : m_buttons)
      button->setTextShare(static_cast<double>(pixels) / full);
    if (shortestWidth() <= width()) return;
  }
}

// Equal shares, but what says more gets more, so that no figure is cut while others have room to spare. Where the room
// is short, every title and every figure in its shortest form has its own first, and what stands beside them shares the
// rest.
void StageRibbon::shareWidth() {
  fitText();
  auto* row = static_cast<QHBoxLayout*>(layout());
  const int shortest = shortestWidth();
  int wanted = 0;
  for (const StageButton* button : m_buttons)
    wanted += button->wantedWidth();
  const double rest = std::clamp(static_cast<double>(width() - shortest) / std::max(1, wanted - shortest), 0.0, 1.0);
  for (int i = 0; i < kStageCount; ++i) {
    const int all = m_buttons[i]->wantedWidth(), least = m_buttons[i]->shortestWidth();
    row->setStretch(i, wanted <= width() ? std::max(width() / (kStageCount + 2), all)
                                         : least + static_cast<int>(std::lround((all - least) * rest)));
  }
}

void StageRibbon::resizeEvent(QResizeEvent*) {
  shareWidth();
}

void StageRibbon::present(const Document* document) {
  setEnabled(document != nullptr);
  for (int i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    if (!document) {
      m_buttons[i]->present({}, {}, StageState::kWaiting, {});
      m_buttons[i]->presentOther({});
      continue;
    }
    const WalkReport& walk = *document->walk();
    const int64_t time = walk.stages[i].timeNs;
    QString headline = headlineWords(walk, stage);
    if (stage == Stage::kPattern) {
      if (const QString formula = openPeakWords(*document); !formula.isEmpty()) headline = formula;
    }
    if (stage == Stage::kRun && document->stageState(stage) == StageState::kFailed)
      headline = document->planOnly() ? tr("cannot run here") : stateWords(StageState::kFailed);
    if (stage == Stage::kContext && document->contexts().state() == ContextController::State::kExporting)
      headline = tr("exporting \u2026");
    if (stage == Stage::kContext && !document->contexts().busy() && document->contexts().error() &&
        !document->contexts().written())
      headline = tr("export failed");
    m_buttons[i]->present(headline, time > 0 ? timeText(time) : QString(), document->stageState(stage),
                          stageTruth(walk, stage));
    const std::shared_ptr<const SecondOpinion> opinion = document->opinion().opinion();
    m_buttons[i]->presentOther(opinion ? std::optional(otherLine(*opinion, stage)) : std::nullopt);
  }
  shareWidth();
  if (document && !m_buttons[static_cast<size_t>(document->stage())]->isChecked())
    m_buttons[static_cast<size_t>(document->stage())]->setChecked(true);
}

}  // namespace cutaway::ui
