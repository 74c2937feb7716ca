#include "ui/shell/document_page.h"

#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/canvas/scene.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/canvas/view/reach_actions.h"
#include "ui/panels/node_menu.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/panel_table.h"
#include "ui/panels/pin_menu.h"
#include "ui/panels/range_chip.h"
#include "ui/shell/error_banner.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/notice_bar.h"
#include "ui/shell/page_state.h"

namespace cutaway::ui {
namespace {

QWidget* emptyPanel(const QString& words) {
  auto* label = new QLabel(words);
  label->setProperty("role", "faint");
  label->setAlignment(Qt::AlignCenter);
  label->setWordWrap(true);
  label->setMargin(kSpaceHuge);
  return label;
}

}  // namespace

DocumentPage::DocumentPage(std::shared_ptr<const EngineHost> host, const session::SessionOptions& options,
                           ThemeStore* themes, ViewState* viewState, PanelActions* actions, QStackedWidget* stageStack,
                           QStackedWidget* inspectorStack, QWidget* parent)
    : QWidget(parent),
      m_document(new Document(std::move(host), options, this)),
      m_themes(themes),
      m_canvas(new CanvasPane(m_document, themes, viewState)),
      m_banner(new ErrorBanner),
      m_notices(new NoticeBar(themes)),
      m_panes(new QSplitter(Qt::Horizontal)),
      m_stageStack(stageStack),
      m_inspectorStack(inspectorStack),
      m_context{m_document, viewState, themes, actions} {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_notices);
  column->addWidget(m_banner);
  m_panes->addWidget(m_canvas);
  m_panes->setChildrenCollapsible(false);
  column->addWidget(m_panes, 1);
  m_banner->setTheme(themes->current());
  new ThemeFollower(m_banner, themes, [this] { m_banner->setTheme(m_themes->current()); });
  connect(m_document, &Document::errorChanged, this, [this] {
    const bool isOfRun = m_document->stageState(Stage::kRun) == StageState::kFailed;
    m_banner->present(m_document->error(),
                      m_document->planOnly() ? tr("It cannot run here; everything about it is shown.")
                      : m_document->walk()->loadedGraphs && !isOfRun ? tr("What could be read is shown.")
                                                                     : QString());
  });
  connect(m_banner, &ErrorBanner::reloadRequested, this, &DocumentPage::reload);
  connect(m_banner, &ErrorBanner::problemsRequested, this,
          [this] { emit m_context.actions->toolRequested(QStringLiteral("problems")); });
  connect(m_banner, &ErrorBanner::placeRequested, this, &DocumentPage::showPlace);
  connect(m_document, &Document::stageChanged, this, &DocumentPage::showPanels);
  new RangeChip(m_context, m_canvas->view());
  new FileWatch(this, viewState);
  connect(m_canvas, &CanvasPane::nodeMenuRequested, this, &DocumentPage::showNodeMenu);
  connect(m_canvas, &CanvasPane::groupMenuRequested, this, &DocumentPage::showGroupMenu);
  connect(m_canvas, &CanvasPane::noted, m_context.actions, &PanelActions::message);
}

DocumentPage::~DocumentPage() {
  for (QWidget* panel : m_stagePanels)
    delete panel;
  delete m_inspector;
  for (QWidget* panel : std::as_const(m_toolPanels))
    delete panel;
}

void DocumentPage::reload() {
  SessionModel before = pageState(*this);
  m_document->reload();
  new PageRestorer(this, std::move(before));
}

QWidget* DocumentPage::toolPanel(const PanelDescriptor& panel, QWidget* parent) {
  QWidget*& made = m_toolPanels[QLatin1String(panel.id)];
  if (!made) made = panel.create(m_context, parent);
  return made;
}

// In its stack from the beginning: under a style sheet Qt dresses a widget, with all below it, each time that it is put
// into another one.
QWidget* DocumentPage::makePanel(PanelArea area, Stage stage, QStackedWidget* stack) const {
  QWidget* made = nullptr;
  for (const PanelDescriptor* panel : panelTable())
    if (!made && panel->area == area && (area == PanelArea::kInspector || panel->stage == stage))
      made = panel->create(m_context, stack);
  if (!made) made = emptyPanel(tr("There is nothing to show here."));
  stack->addWidget(made);
  return made;
}

QWidget* DocumentPage::stagePanel(Stage stage) {
  QWidget*& panel = m_stagePanels[static_cast<size_t>(stage)];
  if (!panel) panel = makePanel(PanelArea::kStage, stage, m_stageStack);
  return panel;
}

QWidget* DocumentPage::makePanelAhead() {
  const int from = static_cast<int>(m_document->stage());
  for (int step = 1; step < kStageCount; ++step)
    if (const auto stage = static_cast<Stage>((from + step) % kStageCount); !m_stagePanels[static_cast<size_t>(stage)])
      return stagePanel(stage);
  return nullptr;
}

void DocumentPage::showPanels() {
  if (!isVisibleTo(window())) return;
  m_stageStack->setCurrentWidget(stagePanel(m_document->stage()));
  if (!m_inspector) m_inspector = makePanel(PanelArea::kInspector, m_document->stage(), m_inspectorStack);
  m_inspectorStack->setCurrentWidget(m_inspector);
}

void DocumentPage::showNodeMenu(const NodeTarget& target, const QPoint& globalPosition) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  addNodeEntries(menu, m_document, target, m_context.actions);
  addReachEntries(menu, m_document);
  menu->addSeparator();
  addPinEntries(menu, m_document, target, m_themes->current(), m_context.actions);
  if (!menu->isEmpty()) return menu->popup(globalPosition);
  delete menu;
}

// Of a folded group: all of it is meant, none of its nodes.
void DocumentPage::showGroupMenu(int item, const QPoint& globalPosition) {
  const Scene& scene = *m_canvas->loaded().scene;
  const std::vector<int> nodes = scene.nodesOf(item);
  const GraphReport& graph = scene.reportOf(scene.items[item]);
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("groupMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const QString title = scene.scopes->scopes[scene.items[item].index].title;
  menu->addAction(nodes.size() == 1 ? tr("%1: 1 node").arg(title) : tr("%1: %2 nodes").arg(title).arg(nodes.size()))
      ->setEnabled(false);
  connect(menu->addAction(tr("Unfold")), &QAction::triggered, m_canvas, [this, item, shown = m_canvas->loaded().scene] {
    if (m_canvas->loaded().scene == shown) m_canvas->unfold(item);
  });
  addReachEntries(menu, m_document);
  menu->addSeparator();
  std::vector<std::string> names;
  for (const int node : nodes)
    names.push_back(graph.nodes[static_cast<size_t>(node)].name);
  addScopePin(menu, m_document, names, m_themes->current(), m_context.actions);
  menu->popup(globalPosition);
}

// Errors name nodes and values as the model does.
void DocumentPage::showPlace(const ErrorPlace& place) {
  const GraphVersion version = m_document->shownVersion();
  const auto graphs = m_document->graphs(version);
  if (!graphs) return;
  for (size_t g = 0; g < graphs->graphs.size(); ++g) {
    const GraphReport& graph = graphs->graphs[g];
    for (size_t n = 0; n < graph.nodes.size() && !place.node.empty(); ++n)
      if (graph.nodes[n].name == place.node)
        return m_document->selection().selectNode({version, static_cast<int>(g), static_cast<int>(n)});
    for (const ValueReport& value : graph.values)
      if (!place.value.empty() && value.name == place.value)
        return m_document->selection().selectValue({static_cast<int>(g), QString::fromStdString(value.name)});
  }
}

}  // namespace cutaway::ui
