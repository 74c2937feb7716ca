#include "ui/shell/problem_badge.h"

#include "ui/base/icons.h"
#include "ui/document/problem_list.h"

namespace cutaway::ui {

ProblemBadge::ProblemBadge(QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("problemBadge"));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setIconSize({14, 14});
  setStyleSheet(QStringLiteral("padding: 1px 6px;"));
  hide();
}

void ProblemBadge::present(const Document* document, const Theme& theme) {
  const ProblemCounts counts = document ? problemCounts(*document) : ProblemCounts();
  setVisible(counts.errors + counts.warnings > 0);
  if (isHidden()) return;
  QStringList parts;
  if (counts.errors > 0) parts << (counts.errors == 1 ? tr("1 error") : tr("%1 errors").arg(counts.errors));
  if (counts.warnings > 0) parts << (counts.warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(counts.warnings));
  setText(parts.join(QStringLiteral(", ")));
  const bool bad = counts.errors > 0;
  setIcon(QIcon(iconPixmap(bad ? QStringLiteral("error") : QStringLiteral("warning"), bad ? theme.error : theme.warning,
                           14, devicePixelRatioF())));
  setAccessibleName(tr("Problems: %1").arg(text()));
  setToolTip(tr("Show all problems"));
}

}  // namespace cutaway::ui
