#include "ui/panels/range_chip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"

namespace cutaway::ui {
namespace {
constexpr int kMargin = 10;
}

QString rangeWords(const Document& document) {
  const auto& range = document.playhead().range();
  if (!range) return {};
  const StepTotals totals = document.steps().totals(*range);
  QStringList parts = {
      range->first == range->last ? RangeChip::tr("Step %1").arg(range->first)
                                  : RangeChip::tr("Steps %1\u2013%2").arg(range->first).arg(range->last),
      totals.nodes == 1 ? RangeChip::tr("1 node") : RangeChip::tr("%1 nodes").arg(countText(totals.nodes))};
  if (totals.timeNs >= 0) parts << timeText(totals.timeNs);
  if (totals.writtenBytes > 0) parts << RangeChip::tr("writes %1").arg(sizeText(totals.writtenBytes));
  if (totals.liveBytes >= 0) parts << RangeChip::tr("up to %1 live").arg(sizeText(totals.liveBytes));
  if (totals.flops >= 0) parts << workText(totals.flops);
  return parts.join(QStringLiteral(" \u00b7 "));
}

RangeChip::RangeChip(const PanelContext& context, QWidget* over)
    : QFrame(over), m_context(context), m_words(new QLabel), m_close(new QToolButton) {
  setObjectName(QStringLiteral("rangeChip"));
  setAccessibleName(tr("Range of steps"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpaceSmall, kSpaceSmall);
  row->setSpacing(kSpace);
  row->addWidget(m_words);
  row->addWidget(m_close);
  m_words->setTextFormat(Qt::PlainText);
  m_close->setAutoRaise(true);
  m_close->setText(tr("Show all steps"));
  m_close->setToolButtonStyle(Qt::ToolButtonIconOnly);
  m_close->setAccessibleName(tr("Show all steps"));
  m_close->setToolTip(tr("Show all steps (Esc)"));
  connect(m_close, &QToolButton::clicked, this, [this] { m_context.document->playhead().setRange({}); });
  connect(&context.document->playhead(), &Playhead::changed, this, &RangeChip::refresh);
  context.document->onWalkChange(kPlans | WalkPart::kPartition, this, &RangeChip::refresh);
  connect(context.themes, &ThemeStore::changed, this, &RangeChip::refresh);
  over->installEventFilter(this);
  refresh();
}

QString RangeChip::words() const {
  return m_words->text();
}

bool RangeChip::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize) place();
  return QFrame::eventFilter(object, event);
}

void RangeChip::refresh() {
  setVisible(m_context.document->playhead().range().has_value());
  if (isHidden()) return;
  const Theme& theme = m_context.themes->current();
  const QString sheet =
      QStringLiteral(
          "#rangeChip { background: %1; border-radius: 12px; } #rangeChip QLabel { color: %2; background: "
          "transparent; } #rangeChip QToolButton { background: transparent; border: none; }")
          .arg(theme.accent.name(), theme.accentText.name());
  if (sheet != styleSheet()) setStyleSheet(sheet);  // Qt dresses all of it again for the same sheet, too
  m_close->setIcon(QIcon(iconPixmap(QStringLiteral("close"), theme.accentText, 14, devicePixelRatioF())));
  m_words->setFont(interfaceFont(-1, QFont::DemiBold));
  m_words->setText(rangeWords(*m_context.document));
  m_words->setToolTip(m_words->text());
  place();
}

void RangeChip::place() {
  const int room = parentWidget()->width() - 2 * kMargin;
  setMaximumWidth(std::max(120, room));
  adjustSize();
  move((parentWidget()->width() - width()) / 2, kMargin);
  raise();
}

}  // namespace cutaway::ui
