// The lists of the draft and the buttons beside them.
#include "ui/panels/partition/draft_editor.h"

#include <QAction>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/provider_marks.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/document/offered_providers.h"

namespace cutaway::ui {
namespace {

enum { kName, kOptions };
constexpr int kNameWidth = 210;
constexpr int kListRow = 30;
constexpr int kFewestRows = 3, kMostRows = 6;

QLabel* caption(const QString& words) {
  auto* label = new QLabel(words);
  label->setProperty("role", "section");
  return label;
}

// Names are chosen from the menu, only options are written.
class Unwritable : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QWidget* createEditor(QWidget*, const QStyleOptionViewItem&, const QModelIndex&) const override { return nullptr; }
};

QAction* listAction(QTreeWidget* list, const QString& words, const QKeySequence& keys) {
  auto* action = new QAction(words, list);
  action->setShortcut(keys);
  action->setShortcutContext(Qt::WidgetShortcut);
  list->addAction(action);
  return action;
}

void styleList(QTreeWidget* list) {
  list->setProperty("role", "boxed");
  list->setRootIsDecorated(false);
  list->setUniformRowHeights(true);
  list->setIndentation(0);
  list->setContextMenuPolicy(Qt::ActionsContextMenu);
  list->setTabKeyNavigation(false);
}

void fitRows(QTreeWidget* list) {
  const int rows = std::clamp(list->topLevelItemCount(), kFewestRows, kMostRows);
  list->setFixedHeight(rows * scaled(kListRow) + (list->isHeaderHidden() ? 0 : list->header()->sizeHint().height()) +
                       4);
}

}  // namespace

// The tree moves the row itself; afterwards its order is the wanted one.
void OrderList::dropEvent(QDropEvent* event) {
  QTreeWidget::dropEvent(event);
  QTimer::singleShot(0, this, &OrderList::dropped);
}

DraftEditor::DraftEditor(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_providers(new OrderList),
      m_pins(new QTreeWidget),
      m_minimum(new QSpinBox) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpace);
  column->setSpacing(kSpaceSmall);
  column->addWidget(caption(tr("Providers by priority")));
  column->addWidget(makeProviders());
  column->addSpacing(kSpace);
  column->addWidget(caption(tr("Pins")));
  column->addWidget(makePins());
  column->addSpacing(kSpace);
  auto* row = new QHBoxLayout;
  auto* label = new QLabel(tr("Smallest compiled group, in nodes"));
  label->setProperty("role", "section");
  label->setBuddy(m_minimum);
  m_minimum->setRange(1, 100'000);
  m_minimum->setAccessibleName(tr("Smallest compiled group"));
  m_minimum->setFixedWidth(scaled(72));
  row->addWidget(label);
  row->addStretch(1);
  row->addWidget(m_minimum);
  column->addLayout(row);
  column->addStretch(1);
  connect(m_minimum, &QSpinBox::valueChanged, this, [this](int count) {
    if (!m_presenting) m_context.document->draft().setMinimumGroupNodes(count);
  });
  connect(&context.document->draft(), &WhatIfDraft::changed, this, &DraftEditor::present);
  context.document->onWalkChange(WalkPart::kPartition | WalkPart::kComparison, this, &DraftEditor::present);
  new ThemeFollower(this, context.themes, [this] { applyTheme(); });
  applyTheme();
}

QToolButton* DraftEditor::makeButton(const char* icon, const QString& tip) {
  auto* button = new QToolButton;
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::TabFocus);
  m_icons.emplace_back(button, QString::fromLatin1(icon));
  return button;
}

QWidget* DraftEditor::makeProviders() {
  styleList(m_providers);
  m_providers->setObjectName(QStringLiteral("partition/draftProviders"));
  m_providers->setAccessibleName(tr("Providers, highest priority first"));
  m_providers->setHeaderLabels({tr("Provider"), tr("Options, key=value")});
  m_providers->setColumnWidth(kName, kNameWidth);
  m_providers->setItemDelegateForColumn(kName, new Unwritable(m_providers));
  m_providers->setDragDropMode(QAbstractItemView::InternalMove);
  m_providers->setDefaultDropAction(Qt::MoveAction);
  m_providers->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                               QAbstractItemView::SelectedClicked);
  connect(m_providers, &QTreeWidget::itemChanged, this, &DraftEditor::takeOver);
  connect(m_providers, &OrderList::dropped, this, &DraftEditor::takeOver);
  QAction* up = listAction(m_providers, tr("Higher priority"), QKeySequence(Qt::ALT | Qt::Key_Up));
  QAction* down = listAction(m_providers, tr("Lower priority"), QKeySequence(Qt::ALT | Qt::Key_Down));
  QAction* remove = listAction(m_providers, tr("Remove"), QKeySequence::Delete);
  connect(up, &QAction::triggered, this, [this] { move(-1); });
  connect(down, &QAction::triggered, this, [this] { move(1); });
  connect(remove, &QAction::triggered, this,
          [this] { m_context.document->draft().remove(m_providers->indexOfTopLevelItem(m_providers->currentItem())); });
  QToolButton* earlier = makeButton("up", tr("Higher priority (Alt+Up)"));
  QToolButton* later = makeButton("down", tr("Lower priority (Alt+Down)"));
  QToolButton* out = makeButton("minus", tr("Remove (Del)"));
  m_add = makeButton("plus", tr("Add a provider"));
  connect(earlier, &QToolButton::clicked, up, &QAction::trigger);
  connect(later, &QToolButton::clicked, down, &QAction::trigger);
  connect(out, &QToolButton::clicked, remove, &QAction::trigger);
  auto* menu = new QMenu(m_add);
  m_add->setMenu(menu);
  m_add->setPopupMode(QToolButton::InstantPopup);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillAddMenu(menu); });
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpaceSmall);
  row->addWidget(m_providers, 1);
  auto* buttons = new QVBoxLayout;
  buttons->setSpacing(kSpaceTiny);
  for (QToolButton* button : {m_add, earlier, later, out})
    buttons->addWidget(button);
  buttons->addStretch(1);
  row->addLayout(buttons);
  return box;
}

QWidget* DraftEditor::makePins() {
  styleList(m_pins);
  m_pins->setObjectName(QStringLiteral("partition/draftPins"));
  m_pins->setAccessibleName(tr("Pins"));
  m_pins->setHeaderHidden(true);
  m_pins->setColumnCount(2);
  m_pins->setColumnWidth(kName, kNameWidth + 90);
  QAction* remove = listAction(m_pins, tr("Remove pin"), QKeySequence::Delete);
  connect(remove, &QAction::triggered, this,
          [this] { m_context.document->draft().removePin(m_pins->indexOfTopLevelItem(m_pins->currentItem())); });
  QToolButton* out = makeButton("minus", tr("Remove the chosen pin (Del)"));
  connect(out, &QToolButton::clicked, remove, &QAction::trigger);
  m_noPins =
      new QLabel(tr("None. Right-click a node on the graph or in the table to pin it, its operator or its scope."));
  m_noPins->setProperty("role", "faint");
  m_noPins->setWordWrap(true);
  auto* box = new QWidget;
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpaceSmall);
  row->addWidget(m_pins, 1);
  row->addWidget(m_noPins, 1);
  row->addWidget(out, 0, Qt::AlignTop);
  return box;
}

void DraftEditor::applyTheme() {
  const Theme& theme = m_context.themes->current();
  for (const auto& [button, icon] : m_icons)
    button->setIcon(themedIcon(icon, theme));
  present();
}

void DraftEditor::present() {
  m_presenting = true;
  const Theme& theme = m_context.themes->current();
  const WhatIfDraft& draft = m_context.document->draft();
  const ProviderMarks marks = providerMarks(
      *m_context.document->walk(), m_context.document->whatIf() ? m_context.document->whatIf()->walk.get() : nullptr);
  const auto mark = [&](const std::string& name) {
    const QPixmap pixmap = categoryMark(theme.category(marks.indexOf(name)), marks.letterOf(name), theme, 16, 2);
    QIcon icon(pixmap);
    icon.addPixmap(pixmap, QIcon::Selected);  // not tinted
    return icon;
  };
  const int current = m_providers->indexOfTopLevelItem(m_providers->currentItem());
  m_providers->clear();
  for (const DraftProvider& provider : draft.providers()) {
    auto* item = new QTreeWidgetItem(m_providers, {provider.name, provider.options});
    const bool last = item == m_providers->topLevelItem(static_cast<int>(draft.providers().size()) - 1);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable | Qt::ItemNeverHasChildren |
                   (last ? Qt::NoItemFlags : Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled));
    item->setCheckState(kName, provider.enabled ? Qt::Checked : Qt::Unchecked);
    item->setIcon(kName, mark(provider.name.toStdString()));
    item->setSizeHint(kName, QSize(0, scaled(kListRow)));
    item->setToolTip(kName, last ? tr("%1 is always last and runs what no other provider claimed.").arg(provider.name)
                                 : provider.name);
    item->setToolTip(kOptions,
                     tr("Options of %1, as in its manual page: key=value, separated by commas").arg(provider.name));
  }
  if (current >= 0)
    m_providers->setCurrentItem(m_providers->topLevelItem(std::min(current, m_providers->topLevelItemCount() - 1)));
  m_pins->clear();
  for (const NodePin& pin : draft.pins()) {
    auto* item = new QTreeWidgetItem(m_pins, {pinText(pin), text(pin.provider)});
    item->setIcon(1, mark(pin.provider));
    item->setSizeHint(kName, QSize(0, scaled(kListRow)));
    item->setToolTip(kName, pinText(pin));
  }
  m_pins->setVisible(!draft.pins().empty());
  m_noPins->setVisible(draft.pins().empty());
  m_minimum->setValue(static_cast<int>(draft.minimumGroupNodes()));
  fitRows(m_providers);
  fitRows(m_pins);
  m_presenting = false;
}

void DraftEditor::takeOver() {
  if (m_presenting) return;
  std::vector<DraftProvider> providers;
  for (int i = 0; i < m_providers->topLevelItemCount(); ++i) {
    const QTreeWidgetItem* item = m_providers->topLevelItem(i);
    providers.push_back(
        {item->text(kName).trimmed(), item->text(kOptions).trimmed(), item->checkState(kName) == Qt::Checked});
  }
  // Later, because the list is still in the middle of its own change.
  QTimer::singleShot(0, this,
                     [this, providers = std::move(providers)] { m_context.document->draft().setProviders(providers); });
}

void DraftEditor::move(int by) {
  const int from = m_providers->indexOfTopLevelItem(m_providers->currentItem());
  const int to = from + by;
  if (from < 0 || to < 0 || to >= m_providers->topLevelItemCount()) return;
  m_context.document->draft().move(from, to);
  m_providers->setCurrentItem(m_providers->topLevelItem(to));
}

// Providers of the program; those that describe hardware with one entry for each profile.
void DraftEditor::fillAddMenu(QMenu* menu) {
  menu->clear();
  WhatIfDraft& draft = m_context.document->draft();
  const auto addEntry = [&](QMenu* to, const QString& name, const QString& words, const QString& why) {
    QAction* action = to->addAction(words);
    action->setToolTip(why);
    const auto& present = draft.providers();
    action->setEnabled(why.isEmpty() &&
                       std::none_of(present.begin(), present.end(), [&](const DraftProvider& provider) {
                         return provider.name == name && provider.enabled;
                       }));
    if (!why.isEmpty()) action->setText(words + QStringLiteral("  \u2013  ") + shortened(why, 60));
    connect(action, &QAction::triggered, &draft, [&draft, name] { draft.add(name); });
  };
  QMenu* profiles = nullptr;
  for (const OfferedProvider& each : offeredProviders(m_context.document->service().host().providers)) {
    if (each.argument.isEmpty()) {
      addEntry(menu, each.spec, each.spec, each.why);
      continue;
    }
    if (!profiles || profiles->title() != each.provider) profiles = menu->addMenu(each.provider);
    addEntry(profiles, each.spec, each.argument, each.why);
  }
}

}  // namespace cutaway::ui
