// The find bar: what is typed, what came of it, and what could be typed next.
#include "ui/canvas/view/find_bar.h"

#include <algorithm>

#include <QAbstractItemView>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStringListModel>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/canvas/find_completion.h"
#include "ui/canvas/view/find_help.h"

namespace cutaway::ui {
namespace {
constexpr int kLineWidth = 300, kLeastLineWidth = 120;
}

FindBar::FindBar(QWidget* parent)
    : QFrame(parent),
      m_line(new QLineEdit),
      m_count(new QLabel),
      m_place(new QLabel),
      m_problem(new QLabel),
      m_previous(new QToolButton),
      m_next(new QToolButton),
      m_help(new QToolButton),
      m_close(new QToolButton),
      m_completer(new QCompleter(this)),
      m_options(new QStringListModel(this)) {
  setObjectName(QStringLiteral("findBar"));
  m_line->setPlaceholderText(tr("Find: conv op:Relu time>1ms"));
  m_line->setAccessibleName(tr("Find in the graph"));
  m_line->setFixedWidth(kLineWidth);
  m_line->installEventFilter(this);
  m_count->setProperty("role", "secondary");
  m_count->setMinimumWidth(84);
  m_count->setAlignment(Qt::AlignCenter);
  m_place->setProperty("role", "secondary");
  m_place->hide();
  m_problem->setWordWrap(true);
  m_problem->setAccessibleName(tr("What is wrong with the query"));
  m_problem->hide();
  m_previous->setToolTip(tr("Previous (Shift+Enter)"));
  m_next->setToolTip(tr("Next (Enter)"));
  m_help->setToolTip(tr("What can be searched for"));
  m_help->setText(QStringLiteral("?"));
  m_close->setToolTip(tr("Close (Esc)"));
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpaceSmall);
  row->addWidget(m_line);
  row->addWidget(m_count);
  row->addWidget(m_place);
  for (QToolButton* button : {m_previous, m_next, m_help, m_close}) {
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setAccessibleName(button->toolTip());
    row->addWidget(button);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpace, kSpace - 2, kSpaceSmall, kSpace - 2);
  column->setSpacing(kSpaceSmall);
  column->addLayout(row);
  column->addWidget(m_problem);
  m_completer->setModel(m_options);
  m_completer->setWidget(m_line);
  m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, &FindBar::take);
  connect(m_line, &QLineEdit::textChanged, this, &FindBar::lineChanged);
  connect(m_line, &QLineEdit::textEdited, this, &FindBar::complete);
  // Enter while options are shown reaches the line past the filter below.
  connect(m_line, &QLineEdit::returnPressed, this, [this] {
    if (!m_completer->popup()->currentIndex().isValid()) emit nextRequested();
  });
  connect(m_next, &QToolButton::clicked, this, &FindBar::nextRequested);
  connect(m_previous, &QToolButton::clicked, this, &FindBar::previousRequested);
  connect(m_help, &QToolButton::clicked, this, [this] {
    if (m_theme)
      showFindHelp(m_help, *m_theme, [this](const QString& example) { m_line->setText(example), m_line->setFocus(); });
  });
  connect(m_close, &QToolButton::clicked, this, &FindBar::close);
  hide();
}

QString FindBar::text() const {
  return m_line->text();
}

// Told with every look at the graph; a sheet of its own is dear, and while the bar is hidden nobody sees it.
void FindBar::setTheme(const Theme& theme) {
  m_theme = &theme;
  if (isVisible()) dress();
}

void FindBar::dress() {
  if (!m_theme || m_dressed == m_theme) return;
  m_dressed = m_theme;
  const Theme& theme = *m_theme;
  m_previous->setIcon(themedIcon(QStringLiteral("previous"), theme));
  m_next->setIcon(themedIcon(QStringLiteral("next"), theme));
  m_close->setIcon(themedIcon(QStringLiteral("close"), theme));
  setStyleSheet(QStringLiteral("#findBar { background: %1; border: 1px solid %2; border-radius: 7px; }")
                    .arg(theme.surface.name(), theme.border.name()));
  m_problem->setStyleSheet(QStringLiteral("color: %1;").arg(theme.error.name()));
}

void FindBar::setVocabulary(const FindVocabulary& words, const QStringList& providers) {
  m_words = words;
  m_providers = providers;
}

void FindBar::open() {
  dress();
  show();
  raise();
  m_line->setFocus();
  m_line->selectAll();
}

void FindBar::close() {
  m_completer->popup()->hide();
  hide();
  m_line->clear();
  emit closed();
}

void FindBar::lineChanged(const QString& line) {
  const FindQuery query = FindQuery::parse(line);
  showProblem(query);
  emit queryChanged(query);
}

// The words, and the place in the line as a mark under the field.
void FindBar::showProblem(const FindQuery& query) {
  const auto& problem = query.problem();
  setProblem(problem ? tr("%1 (at \u201c%2\u201d)")
                           .arg(problem->text, shortened(query.line().mid(problem->at, problem->length), 40))
                     : QString());
}

void FindBar::setProblem(const QString& words) {
  if (!words.isEmpty()) {
    m_problem->setText(words);
    m_count->clear();
  }
  if (words.isEmpty() != m_problem->isVisibleTo(this)) return;
  m_problem->setVisible(!words.isEmpty());
  if (isVisible()) emit resized();
}

void FindBar::setCount(int current, int all, const QString& place) {
  m_searching = false;
  showProblem(FindQuery::parse(m_line->text()));
  m_place->setVisible(!place.isEmpty());
  m_placeWords = place;
  m_place->setText(place);
  if (m_line->text().trimmed().isEmpty() || m_problem->isVisibleTo(this)) {
    m_count->clear();
  } else if (all == 0) {
    m_count->setText(tr("no match"));
  } else {
    m_count->setText(current < 0 ? tr("%1 found").arg(all) : tr("%1 of %2").arg(current + 1).arg(all));
  }
  m_next->setEnabled(all > 0);
  m_previous->setEnabled(all > 0);
  if (isVisible()) emit resized();
}

void FindBar::fitInto(int width) {
  m_line->setFixedWidth(kLineWidth);
  m_place->setText(m_placeWords);
  m_place->setToolTip(m_placeWords);
  adjustSize();
  if (const int over = this->width() - width; over > 0 && !m_placeWords.isEmpty()) {
    const QFontMetrics metrics(m_place->font());
    const int left = std::max(0, metrics.horizontalAdvance(m_placeWords) - over - 1);
    m_place->setText(metrics.elidedText(m_placeWords, Qt::ElideLeft, left));
    adjustSize();
  }
  if (const int over = this->width() - width; over > 0) {
    m_line->setFixedWidth(std::max(kLeastLineWidth, kLineWidth - over));
    adjustSize();
  }
}

void FindBar::complete() {
  if (m_taking) return;
  const FindCompletions found = completionsAt(m_line->text(), m_line->cursorPosition(), m_words, m_providers);
  m_options->setStringList(found.options);
  if (found.options.isEmpty() || !isVisible()) return m_completer->popup()->hide();
  m_completer->complete();
  m_completer->popup()->setCurrentIndex({});  // Enter steps through hits until an option is chosen
}

void FindBar::take(const QString& option) {
  m_taking = true;
  if (m_line->text().isEmpty() || m_lastSearches.contains(option)) {
    m_line->setText(option);
  } else {
    const FindCompletions place = completionsAt(m_line->text(), m_line->cursorPosition(), m_words, m_providers);
    const QString line = m_line->text();
    m_line->setText(line.left(place.from) + option + line.mid(place.to));
    m_line->setCursorPosition(place.from + static_cast<int>(option.size()));
  }
  m_taking = false;
}

bool FindBar::keyPressed(int key, bool shift) {
  QAbstractItemView* popup = m_completer->popup();
  const bool choosing = popup->isVisible() && popup->currentIndex().isValid();
  switch (key) {
    case Qt::Key_Escape:
      return close(), true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (choosing) return false;
      popup->hide();
      shift ? emit previousRequested() : emit nextRequested();
      return true;
    case Qt::Key_Down:  // in an empty line: what was searched for before
      if (popup->isVisible() || !m_line->text().isEmpty() || m_lastSearches.isEmpty()) return false;
      m_options->setStringList(m_lastSearches);
      m_completer->complete();
      return true;
    default:
      return false;
  }
}

bool FindBar::eventFilter(QObject* object, QEvent* event) {
  if (object == m_line && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (keyPressed(key->key(), key->modifiers().testFlag(Qt::ShiftModifier))) return true;
  }
  return QFrame::eventFilter(object, event);
}

}  // namespace cutaway::ui
