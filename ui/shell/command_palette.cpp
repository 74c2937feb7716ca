#include "ui/shell/command_palette.h"

#include <algorithm>

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/view_state.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/fuzzy_match.h"
#include "ui/shell/main_window.h"
#include "ui/shell/palette_delegate.h"

namespace cutaway::ui {
namespace {

constexpr int kWidth = 640;
constexpr int kRows = 12;
constexpr int kTop = 70;
constexpr int kRemembered = 8;
constexpr int kRememberedBonus = 5;
const QString kRecentKey = QStringLiteral("palette/recent");

}  // namespace

CommandPalette::CommandPalette(MainWindow* window)
    : QFrame(window),
      m_window(window),
      m_line(new QLineEdit),
      m_list(new QListWidget),
      m_empty(new QLabel(tr("No command matches. Try fewer letters."))) {
  setObjectName(QStringLiteral("commandPalette"));
  setAccessibleName(tr("Command palette"));
  m_line->setPlaceholderText(tr("What do you want to do?"));
  m_line->setAccessibleName(m_line->placeholderText());
  m_line->setAccessibleDescription(tr("Arrow keys choose, Enter runs, Esc closes."));
  m_line->installEventFilter(this);
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setUniformItemSizes(true);
  m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_list->setAccessibleName(tr("Matching commands"));
  m_list->setItemDelegate(new PaletteDelegate(window->themes(), m_list));
  m_empty->setProperty("role", "faint");
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setMinimumHeight(scaled(60));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
  column->setSpacing(kSpaceSmall);
  column->addWidget(m_line);
  column->addWidget(m_list);
  column->addWidget(m_empty);
  connect(m_line, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runChosen);
  hide();
}

void CommandPalette::open() {
  if (isVisible()) return close();
  const Theme& theme = m_window->themes()->current();
  setStyleSheet(QStringLiteral("#commandPalette { background: %1; border: 1px solid %2; border-radius: 8px; } "
                               "#commandPalette QListWidget { background: transparent; }")
                    .arg(theme.surface.name(), theme.borderStrong.name()));
  m_before = QApplication::focusWidget();
  m_line->clear();
  fill();
  show();
  raise();
  m_line->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::close() {
  if (!isVisible()) return;
  hide();
  if (m_before && m_before->isVisible()) m_before->setFocus(Qt::PopupFocusReason);
  m_before = nullptr;
}

void CommandPalette::place() {
  const int rows = std::clamp(m_list->count(), 1, kRows);
  m_list->setVisible(m_list->count() > 0);
  m_empty->setVisible(m_list->count() == 0);
  m_list->setFixedHeight(rows * std::max(m_list->sizeHintForRow(0), 1) + 2);
  setFixedWidth(std::min(scaled(kWidth), m_window->width() - 2 * kSpaceHuge));
  layout()->activate();
  adjustSize();
  move((m_window->width() - width()) / 2, kTop);
}

QString CommandPalette::whereOf(const Command& command) const {
  const QString menus[kMenuCount] = {tr("File"), tr("Edit"), tr("View"), tr("Go"), tr("Model"), tr("Help")};
  const QString menu = menus[static_cast<size_t>(command.menu)];
  return command.submenu.isEmpty() ? menu : menu + QStringLiteral(" \u203a ") + CommandMenus::plain(command.submenu);
}

// Titles count most; the menu's name and the sentence of help find things too, below those whose title fits.
void CommandPalette::fill() {
  struct Row {
    const Command* command;
    QString title, where;
    FuzzyMatch match;
  };
  const QString words = m_line->text().trimmed();
  const QStringList recent = m_window->viewState()->get(kRecentKey).toStringList();
  std::vector<Row> rows;
  for (const Command& command : m_window->commands()->commands()) {
    if (!m_window->commands()->usable(command) || command.id == QLatin1String("help.palette")) continue;
    const QString title = CommandMenus::titleOf(command), where = whereOf(command);
    std::optional<FuzzyMatch> match = fuzzyMatch(words, title);
    if (match) match->score += 1000;
    if (!match && (match = fuzzyMatch(words, title + QLatin1Char(' ') + where))) {
      match->score += 500;
      match->letters.erase(
          std::remove_if(match->letters.begin(), match->letters.end(), [&](int at) { return at >= title.size(); }),
          match->letters.end());
    }
    if (!match && words.size() > 2 && command.help.contains(words, Qt::CaseInsensitive)) match = FuzzyMatch{};
    if (!match) continue;
    if (const qsizetype at = recent.indexOf(command.id); at >= 0)
      match->score += words.isEmpty() ? static_cast<int>(kRemembered - at) : kRememberedBonus;
    rows.push_back({&command, title, where, std::move(*match)});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.match.score > b.match.score; });
  m_list->clear();
  for (const Row& row : rows) {
    auto* item = new QListWidgetItem(row.title, m_list);
    const QString keys = CommandMenus::keysOf(*row.command);
    item->setData(PaletteDelegate::kId, row.command->id);
    item->setData(PaletteDelegate::kWhere, row.where);
    item->setData(PaletteDelegate::kKeys, keys);
    item->setData(PaletteDelegate::kLetters,
                  QVariant::fromValue(QList<int>(row.match.letters.begin(), row.match.letters.end())));
    item->setData(Qt::AccessibleTextRole, QStringList{row.title, row.where, keys}.join(QStringLiteral(", ")));
    item->setToolTip(row.command->help);
  }
  m_list->setCurrentRow(0);
  place();
}

void CommandPalette::step(int by) {
  if (m_list->count() == 0) return;
  m_list->setCurrentRow(std::abs(by) == 1 ? (m_list->currentRow() + by + m_list->count()) % m_list->count()
                                          : std::clamp(m_list->currentRow() + by, 0, m_list->count() - 1));
}

void CommandPalette::remember(const QString& id) {
  QStringList recent = m_window->viewState()->get(kRecentKey).toStringList();
  recent.removeAll(id);
  recent.prepend(id);
  while (recent.size() > kRemembered)
    recent.removeLast();
  m_window->viewState()->put(kRecentKey, recent);
}

void CommandPalette::runChosen() {
  const QListWidgetItem* item = m_list->currentItem();
  if (!item) return;
  const QString id = item->data(PaletteDelegate::kId).toString();
  close();
  remember(id);
  m_window->commands()->run(id);
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::FocusOut && isVisible() && !m_list->underMouse()) hide();
  if (event->type() != QEvent::KeyPress) return QFrame::eventFilter(object, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
      close();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      runChosen();
      return true;
    case Qt::Key_Down:
      step(1);
      return true;
    case Qt::Key_Up:
      step(-1);
      return true;
    case Qt::Key_PageDown:
      step(kRows);
      return true;
    case Qt::Key_PageUp:
      step(-kRows);
      return true;
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return true;  // there is nothing else to go to
    default:
      return QFrame::eventFilter(object, event);
  }
}

}  // namespace cutaway::ui
