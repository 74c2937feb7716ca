#include "ui/canvas/view/canvas_bar.h"

#include <algorithm>

#include <QActionGroup>
#include <QButtonGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QResizeEvent>
#include <QToolButton>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"

namespace cutaway::ui {
namespace {
constexpr double kStep = 1.25;
constexpr int kLongestCrumb = 44, kShortestCrumb = 8;  // letters

// What does not grow by itself with its text.
void sizeForText(QWidget& bar, QWidget& overlays, QWidget& scale) {
  bar.setFixedHeight(scaled(38));
  overlays.setMinimumWidth(scaled(104));
  scale.setFixedWidth(scaled(56));
}
}  // namespace

CanvasBar::CanvasBar(QWidget* parent)
    : QWidget(parent),
      m_crumbs(new QHBoxLayout),
      m_overlay(new QComboBox),
      m_scale(new QToolButton),
      m_comparison(new QWidget),
      m_sides(new QButtonGroup(this)),
      m_row(new QHBoxLayout(this)) {
  setProperty("role", "surface");
  setAttribute(Qt::WA_StyledBackground);
  m_row->setContentsMargins(kSpace, 0, kSpace, 0);
  m_row->setSpacing(kSpaceTiny);
  m_crumbs->setSpacing(0);
  m_row->addLayout(m_crumbs);
  m_row->addStretch(1);
  makeSides();
  auto* label = new QLabel(tr("Colour by"));
  label->setProperty("role", "secondary");
  label->setContentsMargins(0, 0, kSpaceSmall, 0);
  m_row->addWidget(label);
  for (const OverlayDescriptor* overlay : overlayTable())
    m_overlay->addItem(overlayTitle(*overlay), QString::fromLatin1(overlay->id));
  m_overlay->setMaxVisibleItems(m_overlay->count());
  m_overlay->setAccessibleName(tr("Colour nodes by"));
  m_row->addWidget(m_overlay);
  m_row->addSpacing(kSpace);
  makeSettings();
  QToolButton* fold = addButton("fold", tr("Fold all scopes"), &CanvasBar::foldAllRequested);
  QToolButton* unfold = addButton("unfold", tr("Unfold all scopes"), &CanvasBar::unfoldAllRequested);
  m_row->addSpacing(kSpace);
  QToolButton* out = addButton("zoom-out", tr("Zoom out (Shift+Down)"), nullptr);
  m_scale->setToolTip(tr("Actual size (Shift+Backspace)"));
  m_scale->setFocusPolicy(Qt::TabFocus);
  m_row->addWidget(m_scale);
  QToolButton* in = addButton("zoom-in", tr("Zoom in (Shift+Up)"), nullptr);
  addButton("fit", tr("Fit the whole graph (Space)"), &CanvasBar::fitRequested);
  m_row->addSpacing(kSpace);
  addButton("find", tr("Find (Ctrl+F)"), &CanvasBar::findRequested);
  sizeForText(*this, *m_overlay, *m_scale);
  m_givingWay = {{label}, {fold, unfold}, {out, in}, {m_scale}};
  connect(in, &QToolButton::clicked, this, [this] { emit zoomRequested(kStep); });
  connect(out, &QToolButton::clicked, this, [this] { emit zoomRequested(1 / kStep); });
  connect(m_scale, &QToolButton::clicked, this, &CanvasBar::actualSizeRequested);
  connect(m_overlay, &QComboBox::activated, this,
          [this](int index) { emit overlayChosen(m_overlay->itemData(index).toString()); });
}

// What the View menu and the keys offer too gives way before anything is cut: first the words, then buttons, and the
// names of the way here are shortened.
void CanvasBar::fit() {
  for (const std::vector<QWidget*>& together : m_givingWay)
    for (QWidget* widget : together)
      widget->show();
  int letters = kLongestCrumb;
  nameCrumbs(letters);
  // The layout's own answer: it knows the fonts, the margins and the comparison's switch.
  const auto fits = [this] {
    m_row->invalidate();
    return m_row->minimumSize().width() <= width();
  };
  for (size_t i = 0; i < m_givingWay.size() && !fits(); ++i)
    for (QWidget* widget : m_givingWay[i])
      widget->hide();
  while (letters > kShortestCrumb && !fits())
    nameCrumbs(letters -= 4);
}

void CanvasBar::nameCrumbs(int letters) {
  for (size_t i = 0; i < m_trail.size(); ++i)
    m_trail[i].first->setText(shortened(m_trail[i].second, std::min(letters, m_trail.size() > 2 ? 28 : kLongestCrumb)));
}

void CanvasBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void CanvasBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) sizeForText(*this, *m_overlay, *m_scale);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::LanguageChange) fit();
}

void CanvasBar::makeSettings() {
  m_shape = addButton("graph", tr("Grouping, direction and contents of cards"), nullptr);
  m_shape->setPopupMode(QToolButton::InstantPopup);
  auto* menu = new QMenu(m_shape);
  m_shape->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, &CanvasBar::fillSettings);
}

// Filled when it opens, so that it always says how things are.
void CanvasBar::fillSettings() {
  QMenu* menu = m_shape->menu();
  menu->clear();
  menu->addSection(tr("Group nodes by"));
  auto* ways = new QActionGroup(menu);
  for (int i = 0; i < kGroupingCount; ++i) {
    const auto grouping = static_cast<Grouping>(i);
    QAction* action = menu->addAction(groupingTitle(grouping));
    action->setCheckable(true);
    action->setChecked(m_settings.grouping == grouping);
    ways->addAction(action);
    connect(action, &QAction::triggered, this, [this, grouping] {
      CanvasSettings next = m_settings;
      next.grouping = grouping;
      emit settingsChosen(next);
    });
  }
  const auto addSwitch = [&](const QString& title, bool on, auto&& change) {
    QAction* action = menu->addAction(title);
    action->setCheckable(true);
    action->setChecked(on);
    connect(action, &QAction::toggled, this, [this, change](bool checked) {
      CanvasSettings next = m_settings;
      change(next, checked);
      emit settingsChosen(next);
    });
  };
  menu->addSection(tr("Show"));
  addSwitch(tr("From left to right"), m_settings.direction == FlowDirection::kRight,
            [](CanvasSettings& next, bool on) { next.direction = on ? FlowDirection::kRight : FlowDirection::kDown; });
  addSwitch(tr("Attributes"), m_settings.contents.attributes,
            [](CanvasSettings& next, bool on) { next.contents.attributes = on; });
  addSwitch(tr("Weights"), m_settings.contents.weights,
            [](CanvasSettings& next, bool on) { next.contents.weights = on; });
  addSwitch(tr("Names"), m_settings.contents.names, [](CanvasSettings& next, bool on) { next.contents.names = on; });
  addSwitch(tr("Nodes inside compiled groups"), m_settings.openGroups,
            [](CanvasSettings& next, bool on) { next.openGroups = on; });
  addSwitch(tr("Layout by Graphviz"), m_settings.layout == LayoutEngine::kDot,
            [](CanvasSettings& next, bool on) { next.layout = on ? LayoutEngine::kDot : LayoutEngine::kOwn; });
}

void CanvasBar::setGrouping(const CanvasSettings& settings) {
  m_settings = settings;
}

void CanvasBar::makeSides() {
  auto* row = new QHBoxLayout(m_comparison);
  row->setContentsMargins(0, 0, kSpaceLarge, 0);
  row->setSpacing(kSpaceTiny);
  const std::pair<Side, QString> sides[] = {{Side::kNow, tr("Now")}, {Side::kWhatIf, tr("What if")}};
  for (const auto& [side, words] : sides) {
    auto* button = new QToolButton;
    button->setText(words);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setToolTip(side == Side::kNow ? tr("Colours of the present partition")
                                          : tr("Colours of the partition that was tried out"));
    m_sides->addButton(button, static_cast<int>(side));
    row->addWidget(button);
  }
  auto* close = new QToolButton;
  close->setAutoRaise(true);
  close->setFocusPolicy(Qt::TabFocus);
  close->setToolTip(tr("Close the comparison"));
  close->setAccessibleName(close->toolTip());
  m_icons.emplace_back(close, QStringLiteral("close"));
  row->addWidget(close);
  m_comparison->hide();
  m_row->addWidget(m_comparison);
  connect(m_sides, &QButtonGroup::idClicked, this, [this](int id) { emit sideChosen(static_cast<Side>(id)); });
  connect(close, &QToolButton::clicked, this, &CanvasBar::comparisonClosed);
}

void CanvasBar::setComparison(bool shown, Side side) {
  m_comparison->setVisible(shown);
  fit();
  m_sides->button(static_cast<int>(side))->setChecked(true);
}

QToolButton* CanvasBar::addButton(const char* icon, const QString& tip, void (CanvasBar::*signal)()) {
  auto* button = new QToolButton;
  button->setAutoRaise(true);
  button->setToolTip(tip);
  button->setAccessibleName(tip);
  button->setFocusPolicy(Qt::TabFocus);
  if (signal) connect(button, &QToolButton::clicked, this, signal);
  m_icons.emplace_back(button, QString::fromLatin1(icon));
  m_row->addWidget(button);
  return button;
}

void CanvasBar::setTheme(const Theme& theme) {
  for (const auto& [button, name] : m_icons)
    button->setIcon(themedIcon(name, theme));
}

void CanvasBar::setTrail(const std::vector<Crumb>& trail) {
  while (QLayoutItem* item = m_crumbs->takeAt(0)) {
    // Later, because a crumb that was just clicked is still talking.
    if (item->widget()) item->widget()->hide(), item->widget()->deleteLater();
    delete item;
  }
  m_trail.clear();
  for (size_t i = 0; i < trail.size(); ++i) {
    if (i) {
      auto* arrow = new QLabel(QStringLiteral("\u203a"));
      arrow->setProperty("role", "faint");
      m_crumbs->addWidget(arrow);
    }
    auto* crumb = new QToolButton;
    crumb->setToolTip(i + 1 < trail.size() ? tr("Back to %1").arg(trail[i].title) : trail[i].title);
    crumb->setAutoRaise(true);
    crumb->setFocusPolicy(Qt::TabFocus);
    QFont font = crumb->font();
    font.setWeight(i + 1 == trail.size() ? QFont::DemiBold : QFont::Normal);
    crumb->setFont(font);
    connect(crumb, &QToolButton::clicked, this, [this, graph = trail[i].graph] { emit graphChosen(graph); });
    m_crumbs->addWidget(crumb);
    m_trail.emplace_back(crumb, trail[i].title);
  }
  fit();
}

void CanvasBar::setOverlay(const QString& id) {
  m_overlay->setCurrentIndex(m_overlay->findData(id));
}

void CanvasBar::setScale(double scale) {
  const double percent = scale * 100;
  m_scale->setText(percent >= 10 ? QStringLiteral("%1 %").arg(qRound(percent))
                                 : QStringLiteral("%1 %").arg(percent, 0, 'g', 2));
}

}  // namespace cutaway::ui
