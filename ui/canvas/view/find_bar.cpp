#include "ui/canvas/view/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "ui/base/format.h"
#include "ui/base/icons.h"

namespace cutaway::ui {

FindBar::FindBar(QWidget* parent) : QFrame(parent), m_line(new QLineEdit), m_count(new QLabel), m_place(new QLabel), m_previous(new QToolButton), m_next(new QToolButton), m_close(new QToolButton) {
  setObjectName(QStringLiteral("findBar"));
  m_line->setPlaceholderText(tr("Find: name, operator, type, attribute"));
  m_line->setAccessibleName(tr("Find in the graph"));
  m_line->setFixedWidth(260);
  m_line->installEventFilter(this);
  m_count->setProperty("role", "secondary");
  m_count->setMinimumWidth(76);
  m_count->setAlignment(Qt::AlignCenter);
  m_place->setProperty("role", "secondary");
  m_place->hide();
  m_previous->setToolTip(tr("Previous (Shift+Enter)"));
  m_next->setToolTip(tr("Next (Enter)"));
  m_close->setToolTip(tr("Close (Esc)"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kSpace, kSpace - 2, kSpaceSmall, kSpace - 2);
  row->setSpacing(kSpaceSmall);
  row->addWidget(m_line);
  row->addWidget(m_count);
  row->addWidget(m_place);
  for (QToolButton* button : {m_previous, m_next, m_close}) {
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(button->toolTip());
    row->addWidget(button);
  }
  connect(m_line, &QLineEdit::textChanged, this, [this](const QString& line) { emit queryChanged(FindQuery::parse(line)); });
  connect(m_next, &QToolButton::clicked, this, &FindBar::nextRequested);
  connect(m_previous, &QToolButton::clicked, this, &FindBar::previousRequested);
  connect(m_close, &QToolButton::clicked, this, &FindBar::close);
  hide();
}

void FindBar::setTheme(const Theme& theme) {
  m_previous->setIcon(themedIcon(QStringLiteral("previous"), theme));
  m_next->setIcon(themedIcon(QStringLiteral("next"), theme));
  m_close->setIcon(themedIcon(QStringLiteral("close"), theme));
  setStyleSheet(QStringLiteral("#findBar { background: %1; border: 1px solid %2; border-radius: 7px; }").arg(theme.surface.name(), theme.border.name()));
}

void FindBar::open() {
  show();
  raise();
  m_line->setFocus();
  m_line->selectAll();
}

void FindBar::close() {
  hide();
  m_line->clear();
  emit closed();
}

void FindBar::setCount(int current, int all, const QString& place) {
  m_place->setVisible(!place.isEmpty());
  m_place->setText(place.isEmpty() ? QString() : tr("in %1").arg(shortened(place, 44)));
  m_place->setToolTip(place);
  if (isVisible()) emit resized();

  if (m_line->text().trimmed().isEmpty()) {
    m_count->clear();
  } else if (all == 0) {
    m_count->setText(tr("no match"));
  } else {
    m_count->setText(current < 0 ? tr("%1 found").arg(all) : tr("%1 of %2").arg(current + 1).arg(all));
  }
  m_next->setEnabled(all > 0);
  m_previous->setEnabled(all > 0);
}

bool FindBar::eventFilter(QObject* object, QEvent* event) {
  if (object == m_line && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
      close();
      return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      if (key->modifiers().testFlag(Qt::ShiftModifier)) {
        emit previousRequested();
      } else {
        emit nextRequested();
      }
      return true;
    }
  }
  return QFrame::eventFilter(object, event);
}

}  // namespace cutaway::ui
