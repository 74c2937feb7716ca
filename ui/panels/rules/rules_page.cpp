// Every change makes new rules on the reading controller, which applies and remembers them; the table is filled from
// there.
#include "ui/panels/rules/rules_page.h"

#include <utility>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/without_figures.h"

namespace cutaway::ui {
namespace {

QIcon markOf(const Theme& theme, int category, QChar letter) {
  constexpr int kSide = 18;
  QPixmap pixmap(kSide * 2, kSide * 2);
  pixmap.setDevicePixelRatio(2);
  pixmap.fill(Qt::transparent);
  QPainter painter(&pixmap);
  painter.setRenderHint(QPainter::Antialiasing);
  const CategoryLook& look = theme.category(category);
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.color);
  painter.drawRoundedRect(QRectF(0, 0, kSide, kSide), 4, 4);
  painter.setFont(interfaceFont(-2, QFont::Bold));
  painter.setPen(theme.textOn(look.color));
  if (!letter.isNull()) painter.drawText(QRectF(0, 0, kSide, kSide), Qt::AlignCenter, QString(letter));
  return QIcon(pixmap);
}

}  // namespace

RulesPage::RulesPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_controller(&ReadingController::of(context.document)),
      m_table(new QTableWidget(0, kColumnCount)),
      m_empty(new QLabel),
      m_add(new QPushButton),
      m_up(new QToolButton),
      m_down(new QToolButton),
      m_remove(new QToolButton) {
  setProperty(kWithoutFigures, true);
  arrange();
  connect(m_controller, &ReadingController::rulesChanged, this, &RulesPage::refresh);
  connect(m_controller, &ReadingController::matchesChanged, this, &RulesPage::refreshCounts);
  connect(m_controller, &ReadingController::searchChanged, this, &RulesPage::refreshCounts);
  new ThemeFollower(this, context.themes, [this] { refresh(); });
  connect(m_add, &QPushButton::clicked, this, &RulesPage::addRule);
  connect(m_remove, &QToolButton::clicked, this, &RulesPage::removeRule);
  connect(m_up, &QToolButton::clicked, this, [this] { move(-1); });
  connect(m_down, &QToolButton::clicked, this, [this] { move(1); });
  connect(m_table, &QTableWidget::itemChanged, this, &RulesPage::edited);
  connect(m_table, &QTableWidget::cellActivated, this, [this](int row, int column) {
    if (column == kColour) chooseColour(row);
  });
  connect(m_table, &QTableWidget::cellClicked, this, [this](int row, int column) {
    if (column == kColour) chooseColour(row);
  });
  connect(m_table, &QTableWidget::itemSelectionChanged, this, &RulesPage::refreshCounts);
  refresh();
}

void RulesPage::arrange() {
  m_table->setHorizontalHeaderLabels({tr("On"), tr("Mark"), tr("Name"), tr("Query"), tr("Nodes")});
  m_table->setAccessibleName(tr("Style rules, the first one that hits a node wins"));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setShowGrid(false);
  m_table->setTabKeyNavigation(false);
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(28);
  m_table->horizontalHeader()->setSectionResizeMode(kOn, QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(kColour, QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setSectionResizeMode(kQuery, QHeaderView::Stretch);
  m_table->horizontalHeader()->setSectionResizeMode(kCount, QHeaderView::ResizeToContents);
  m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  m_table->setColumnWidth(kName, 130);
  m_empty->setText(
      tr("Rules colour the nodes that a query hits.\nSearch on the graph (Ctrl+F), then add the search as a rule,\nand "
         "colour the graph by \u201cStyle rules\u201d."));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->setWordWrap(true);
  m_empty->setMargin(kSpaceHuge);
  m_empty->setProperty("role", "faint");
  for (const auto& [button, tip] : {std::pair(m_up, tr("Earlier: it wins over the rules below")),
                                    std::pair(m_down, tr("Later")), std::pair(m_remove, tr("Remove the rule"))}) {
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
  }
  auto* top = new QHBoxLayout;
  top->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
  top->setSpacing(kSpaceSmall);
  top->addWidget(m_add, 1);
  for (QToolButton* button : {m_up, m_down, m_remove})
    top->addWidget(button);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(m_empty, 1);
  column->addWidget(m_table, 1);
}

void RulesPage::showEvent(QShowEvent*) {
  refresh();
}

void RulesPage::refresh() {
  const Theme& theme = m_context.themes->current();
  m_up->setIcon(themedIcon(QStringLiteral("up"), theme));
  m_down->setIcon(themedIcon(QStringLiteral("down"), theme));
  m_remove->setIcon(themedIcon(QStringLiteral("close"), theme));
  const StyleRules& rules = m_controller->rules();
  m_empty->setVisible(rules.empty());
  m_table->setVisible(!rules.empty());
  const int chosen = m_table->currentRow();
  m_filling = true;
  m_table->setRowCount(static_cast<int>(rules.size()));
  for (int row = 0; row < m_table->rowCount(); ++row) {
    const StyleRule& rule = rules[static_cast<size_t>(row)];
    const auto put = [&](int column, const QString& words, Qt::ItemFlags flags) {
      auto* item = new QTableWidgetItem(words);
      item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | flags);
      m_table->setItem(row, column, item);
      return item;
    };
    QTableWidgetItem* on = put(kOn, {}, Qt::ItemIsUserCheckable);
    on->setCheckState(rule.enabled ? Qt::Checked : Qt::Unchecked);
    on->setData(Qt::AccessibleTextRole, rule.enabled ? tr("on") : tr("off"));
    put(kColour, {}, Qt::NoItemFlags)->setToolTip(tr("Click to choose another colour"));
    put(kName, rule.name, Qt::ItemIsEditable)->setToolTip(tr("What the legend says; empty: the query"));
    put(kQuery, rule.query, Qt::ItemIsEditable);
    put(kCount, {}, Qt::NoItemFlags)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  }
  m_filling = false;
  if (chosen >= 0) m_table->selectRow(std::min(chosen, m_table->rowCount() - 1));
  refreshCounts();
}

void RulesPage::refreshCounts() {
  const QString search = m_controller->search().trimmed();
  m_add->setText(search.isEmpty() ? tr("Add a rule") : tr("Add rule: %1").arg(shortened(search, 30)));
  const Theme& theme = m_context.themes->current();
  const auto& matches = m_controller->matches();
  const bool known = matches && matches->rules == m_controller->rules();
  const QString failure = known || !m_controller->error() ? QString() : told(*m_controller->error());
  const QString unknown = failure.isEmpty() ? QStringLiteral("\u2026") : QStringLiteral("\u2013");
  m_filling = true;
  for (int row = 0; row < m_table->rowCount(); ++row) {
    const auto i = static_cast<size_t>(row);
    const StyleRule& rule = m_controller->rules()[i];
    m_table->item(row, kColour)->setIcon(markOf(theme, rule.category, known ? matches->letters[i] : rule.letter));
    m_table->item(row, kCount)->setText(known ? countText(matches->counts[i]) : unknown);
    const QString wrong = known ? matches->problems[i] : failure;
    m_table->item(row, kQuery)->setToolTip(wrong);
    m_table->item(row, kQuery)->setForeground(wrong.isEmpty() ? theme.text : theme.error);
  }
  m_filling = false;
  const int row = m_table->currentRow();
  const bool chosen = row >= 0 && row < m_table->rowCount() && !m_table->selectedItems().isEmpty();
  m_remove->setEnabled(chosen);
  m_up->setEnabled(chosen && row > 0);
  m_down->setEnabled(chosen && row + 1 < m_table->rowCount());
  m_add->setEnabled(m_table->rowCount() < kMostStyleRules);
}

void RulesPage::addRule() {
  StyleRules rules = m_controller->rules();
  const QString search = m_controller->search().trimmed();
  rules.push_back({.query = search.isEmpty() ? QStringLiteral("op:Conv") : search,
                   .category = static_cast<int>(rules.size()) % kMostStyleColours});
  m_controller->setRules(rules);
  m_table->selectRow(m_table->rowCount() - 1);
  if (search.isEmpty()) m_table->editItem(m_table->item(m_table->rowCount() - 1, kQuery));
}

void RulesPage::removeRule() {
  StyleRules rules = m_controller->rules();
  const int row = m_table->currentRow();
  if (row < 0 || row >= static_cast<int>(rules.size())) return;
  rules.erase(rules.begin() + row);
  m_controller->setRules(rules);
}

void RulesPage::move(int by) {
  StyleRules rules = m_controller->rules();
  const int row = m_table->currentRow(), to = row + by;
  if (row < 0 || to < 0 || to >= static_cast<int>(rules.size())) return;
  std::swap(rules[static_cast<size_t>(row)], rules[static_cast<size_t>(to)]);
  m_table->setCurrentCell(to, kName);
  m_controller->setRules(rules);
}

void RulesPage::edited(QTableWidgetItem* item) {
  if (m_filling) return;
  StyleRules rules = m_controller->rules();
  StyleRule& rule = rules[static_cast<size_t>(item->row())];
  if (item->column() == kOn) rule.enabled = item->checkState() == Qt::Checked;
  if (item->column() == kName) rule.name = item->text().trimmed();
  if (item->column() == kQuery && !item->text().trimmed().isEmpty()) rule.query = item->text().trimmed();
  // The table is filled anew: not while its editor is still open.
  QMetaObject::invokeMethod(this, [this, rules] { m_controller->setRules(rules), refresh(); }, Qt::QueuedConnection);
}

void RulesPage::chooseColour(int row) {
  QMenu menu(this);
  const Theme& theme = m_context.themes->current();
  for (int colour = 0; colour < kMostStyleColours; ++colour)
    menu.addAction(markOf(theme, colour, {}), tr("Colour %1").arg(colour + 1))->setData(colour);
  const QAction* chosen =
      menu.exec(m_table->viewport()->mapToGlobal(m_table->visualItemRect(m_table->item(row, kColour)).bottomLeft()));
  if (!chosen) return;
  StyleRules rules = m_controller->rules();
  rules[static_cast<size_t>(row)].category = chosen->data().toInt();
  m_controller->setRules(rules);
}

}  // namespace cutaway::ui
