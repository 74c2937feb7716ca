#include "ui/shell/pair/pair_view.h"

#include <algorithm>

#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_store.h"
#include "ui/canvas/view/canvas_bar.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"
#include "ui/panels/report_model.h"
#include "ui/shell/document_page.h"

namespace cutaway::ui {
namespace {

constexpr int kListHeight = 190;
const QString kDiffOverlay = QStringLiteral("diff");

QString kindWords(DiffKind kind) {
  switch (kind) {
    case DiffKind::kChanged:
      return PairView::tr("\u2260 changed");
    case DiffKind::kOnlyA:
      return PairView::tr("\u2212 only left");
    case DiffKind::kOnlyB:
      return PairView::tr("+ only right");
    default:
      return PairView::tr("= the same");
  }
}

QString nameIn(const std::shared_ptr<const ModelGraphs>& graphs, int graph, int node) {
  if (!graphs || graph < 0 || node < 0 || static_cast<size_t>(graph) >= graphs->graphs.size() ||
      static_cast<size_t>(node) >= graphs->graphs[static_cast<size_t>(graph)].nodes.size())
    return QStringLiteral("\u2013");
  return QStringLiteral("%1 %2").arg(
      text(graphs->graphs[static_cast<size_t>(graph)].nodes[static_cast<size_t>(node)].opType),
      nodeTitle(graphs->graphs[static_cast<size_t>(graph)], node));
}

QString joined(const std::vector<std::string>& parts) {
  QStringList all;
  for (const std::string& part : parts)
    all << text(part);
  return all.join(QStringLiteral("; "));
}

}  // namespace

QString differenceWords(const ModelDiff& diff, bool whatIf) {
  if (diff.changed + diff.onlyA + diff.onlyB == 0) {
    QString words = whatIf ? PairView::tr("Every node runs as before")
                           : PairView::tr("All %1 nodes are the same").arg(countText(diff.same));
    return diff.facts.empty() ? words : words + QStringLiteral(" \u00b7 ") + joined(diff.facts);
  }
  QStringList parts;
  if (diff.changed > 0) parts << PairView::tr("%1 changed").arg(countText(diff.changed));
  if (diff.onlyA > 0) parts << PairView::tr("%1 only left").arg(countText(diff.onlyA));
  if (diff.onlyB > 0) parts << PairView::tr("%1 only right").arg(countText(diff.onlyB));
  parts << PairView::tr("%1 the same").arg(countText(diff.same));
  if (diff.valuesDiffer > 0)
    parts << PairView::tr("%1 inputs, outputs or weights differ").arg(countText(diff.valuesDiffer));
  if (!diff.facts.empty()) parts << joined(diff.facts);
  return parts.join(QStringLiteral(" \u00b7 "));
}

PairView::PairView(DocumentPage* page, const QString& otherPath, ThemeStore* themes, ViewState* viewState,
                   QWidget* parent)
    : QWidget(parent),
      m_page(page),
      m_themes(themes),
      m_whatIf(otherPath.isEmpty()),
      m_other(new Document(page->document()->service().sharedHost(), page->document()->options(), this)),
      m_canvas(new CanvasPane(m_other, themes, viewState)),
      m_link(new PairLink(page->canvas(), page->document(), m_canvas, m_other, this)),
      m_title(new QLabel),
      m_summary(new QLabel),
      m_list(new QTableView),
      m_model(new ReportModel(this)) {
  setObjectName(QStringLiteral("pair"));
  setProperty("role", "surface");
  setAttribute(Qt::WA_StyledBackground);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeHead());
  auto* line = new QFrame;
  line->setProperty("role", "line");
  column->addWidget(line);
  auto* split = new QSplitter(Qt::Vertical);
  makeList();
  split->addWidget(m_canvas);
  split->addWidget(m_list);
  split->setStretchFactor(0, 1);
  split->setStretchFactor(1, 0);
  split->setSizes({600, kListHeight});
  split->setChildrenCollapsible(false);
  column->addWidget(split, 1);
  // One bar for both: what is chosen in the left one holds here too, and the room goes to the graphs.
  if (auto* bar = m_canvas->findChild<CanvasBar*>()) bar->hide();
  if (auto* bar = page->canvas()->findChild<CanvasBar*>())
    connect(bar, &CanvasBar::overlayChosen, m_canvas, &CanvasPane::setOverlay);
  Document* document = page->document();
  m_document = document;
  m_pageCanvas = page->canvas();
  m_other->setStage(document->stage());
  connect(m_themes, &ThemeStore::changed, this, &PairView::refreshHead);
  connect(document, &Document::stageChanged, this, &PairView::showOverlays);
  connect(document, &Document::whatIfChanged, this, &PairView::showWhatIf);
  document->onWalkChange(kLoadedGraphs | WalkPart::kStates | WalkPart::kComparison, this, &PairView::showWhatIf);
  connect(m_other, &Document::errorChanged, this, &PairView::refreshHead);
  connect(&document->difference(), &ModelDiffController::changed, this, &PairView::refreshDifference);
  if (m_whatIf) {
    document->setSide(Side::kNow);
    showWhatIf();
  } else {
    m_other->open(otherPath);
    document->difference().compareWith(m_other);
  }
  showOverlays();
  refreshHead();
}

PairView::~PairView() {
  // With the page its document and canvas may have gone already.
  if (!m_document) return;
  m_document->difference().drop();
  if (m_pageCanvas) m_pageCanvas->setDifference(nullptr, true);
}

QToolButton* PairView::button(const QString& words, const QString& icon, const QString& tip, bool checkable) {
  auto* made = new QToolButton;
  made->setText(words);
  made->setAccessibleName(words);
  made->setToolTip(tip);
  made->setProperty("icon-name", icon);
  made->setCheckable(checkable);
  made->setToolButtonStyle(icon.isEmpty() ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
  made->setAutoRaise(true);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

QWidget* PairView::makeHead() {
  auto* head = new QWidget;
  auto* column = new QVBoxLayout(head);
  column->setContentsMargins(kSpaceLarge, kSpaceSmall, kSpace, kSpaceSmall);
  column->setSpacing(kSpaceTiny);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpaceTiny);
  m_title->setFont(interfaceFont(0, QFont::DemiBold));
  m_title->setMinimumWidth(20);
  row->addWidget(m_title, 1);
  QToolButton* previous = button(tr("Previous difference"), QStringLiteral("up"), tr("Previous difference (Shift+N)"));
  QToolButton* next = button(tr("Next difference"), QStringLiteral("down"), tr("Next difference (N)"));
  m_linkViews = button(tr("Move together"), {}, tr("Both graphs move together"), true);
  m_colours = button(tr("Differences"), {}, tr("Colour what differs"), true);
  QToolButton* swap = button(tr("Swap sides"), {}, tr("Left becomes right"));
  swap->setText(QStringLiteral("\u21c4"));
  QToolButton* close = button(tr("Close the comparison"), QStringLiteral("close"), tr("Close the comparison"));
  m_linkViews->setChecked(true);
  m_colours->setChecked(true);
  row->addWidget(swap);
  row->addWidget(close);
  auto* tools = new QHBoxLayout;
  tools->setSpacing(kSpaceTiny);
  for (QToolButton* each : {previous, next, m_colours, m_linkViews})
    tools->addWidget(each);
  tools->addStretch(1);
  m_summary->setProperty("role", "secondary");
  m_summary->setMinimumWidth(20);
  m_summary->setWordWrap(true);
  column->addLayout(row);
  column->addWidget(m_summary);
  column->addLayout(tools);
  connect(previous, &QToolButton::clicked, this, [this] { stepDifference(-1); });
  connect(next, &QToolButton::clicked, this, [this] { stepDifference(1); });
  connect(m_linkViews, &QToolButton::toggled, m_link, &PairLink::setViewsLinked);
  connect(m_colours, &QToolButton::toggled, this, &PairView::showOverlays);
  connect(swap, &QToolButton::clicked, this, &PairView::swapSides);
  connect(close, &QToolButton::clicked, this, &PairView::endComparison);
  return head;
}

void PairView::makeList() {
  m_list->setModel(m_model);
  m_list->setAccessibleName(tr("What differs"));
  m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_list->setSelectionMode(QAbstractItemView::SingleSelection);
  m_list->setShowGrid(false);
  m_list->setWordWrap(false);
  m_list->setTabKeyNavigation(false);
  m_list->verticalHeader()->hide();
  m_list->verticalHeader()->setDefaultSectionSize(24);
  m_list->horizontalHeader()->setStretchLastSection(true);
  m_list->setMinimumHeight(80);
  connect(m_list->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
    if (!m_choosing && index.isValid()) showRow(index.row());
  });
  connect(m_list, &QTableView::clicked, this, [this](const QModelIndex& index) { showRow(index.row()); });
}

void PairView::refreshHead() {
  for (QToolButton* each : findChildren<QToolButton*>())
    if (const QString icon = each->property("icon-name").toString(); !icon.isEmpty())
      each->setIcon(themedIcon(icon, m_themes->current()));
  const QString name = m_whatIf ? tr("What if") : m_other->title();
  m_title->setText(tr("%1 beside %2").arg(name, m_page->document()->title()));
  m_title->setToolTip(m_whatIf ? QString() : m_other->path());
  if (m_other->error() && !m_other->walk()->loadedGraphs) {
    m_summary->setText(tr("%1 cannot be shown: %2").arg(m_other->title(), told(m_other->error()->message)));
  } else if (m_diff) {
    m_summary->setText(differenceWords(*m_diff, m_whatIf));
  } else if (const auto& error = m_page->document()->difference().error()) {
    m_summary->setText(told(error->message));
  } else {
    m_summary->setText(m_whatIf ? tr("There is no what-if yet: try one out on the Partition stage.")
                                : tr("Looking for what differs \u2026"));
  }
}

void PairView::refreshDifference() {
  if (!m_whatIf)
    if (auto diff = m_page->document()->difference().diff()) return present(std::move(diff));
  refreshHead();
}

// The other side follows the newest result of the what-if.
void PairView::showWhatIf() {
  if (!m_whatIf) return;
  const auto result = m_page->document()->whatIf();
  if (!result || !result->walk || result->walk == m_other->walk()) return refreshHead();
  m_other->setWalk(result->walk);
  present(std::make_shared<const ModelDiff>(diffWalks(*m_page->document()->walk(), *result->walk)));
}

void PairView::present(std::shared_ptr<const ModelDiff> diff) {
  m_diff = std::move(diff);
  m_link->setPairs(PairIndex(m_diff));
  m_page->canvas()->setDifference(m_diff, true);
  m_canvas->setDifference(m_diff, false);
  const auto left = m_page->document()->graphs(GraphVersion::kLoaded), right = m_other->graphs(GraphVersion::kLoaded);
  const auto node = [diff = m_diff](int place) -> const NodeDiff& { return diff->nodes[static_cast<size_t>(place)]; };
  m_model->present(rowsOf<int>(
      std::vector<int>(m_link->pairs().differences()),
      {{.title = tr("What"), .text = [node](const int& place) { return kindWords(node(place).kind); }},
       {.title = tr("Left"),
        .text = [node, left](const int& place) { return nameIn(left, node(place).graphA, node(place).nodeA); }},
       {.title = tr("Right"),
        .text = [node, right](const int& place) { return nameIn(right, node(place).graphB, node(place).nodeB); }},
       {.title = tr("How it differs"), .text = [node](const int& place) { return joined(node(place).changes); }}}));
  m_list->setColumnWidth(0, 92);
  m_list->setColumnWidth(1, 150);
  m_list->setColumnWidth(2, 150);
  refreshHead();
  showOverlays();
}

void PairView::showRow(int row) {
  const std::vector<int>& differences = m_link->pairs().differences();
  if (row >= 0 && static_cast<size_t>(row) < differences.size())
    m_link->show(m_diff->nodes[static_cast<size_t>(differences[static_cast<size_t>(row)])]);
}

void PairView::stepDifference(int by) {
  const int count = static_cast<int>(m_link->pairs().differences().size());
  if (count == 0) return;
  const int now = m_list->currentIndex().isValid() ? m_list->currentIndex().row() : by > 0 ? -1 : count;
  const int next = (now + by + count) % count;
  m_choosing = true;
  m_list->selectRow(next);
  m_choosing = false;
  showRow(next);
}

void PairView::swapSides() {
  QSplitter* panes = m_page->panes();
  panes->insertWidget(panes->indexOf(this) == 0 ? panes->count() - 1 : 0, this);
}

void PairView::setOverlayShown(bool shown) {
  m_colours->setChecked(shown);
}

// A stage brings its own colours: those of the difference come back over them.
void PairView::showOverlays() {
  for (CanvasPane* pane : {m_page->canvas(), m_canvas}) {
    if (m_colours->isChecked()) {
      pane->setOverlay(kDiffOverlay);
    } else if (pane->overlayId() == kDiffOverlay) {
      pane->setOverlay({});
    }
  }
}

void PairView::endComparison() {
  m_colours->setChecked(false);
  hide();
  emit ended();
  deleteLater();
}

PairView* pairOf(const DocumentPage* page) {
  const auto views = page ? page->findChildren<PairView*>() : QList<PairView*>();
  for (PairView* view : views)
    if (!view->isHidden()) return view;
  return nullptr;
}

PairView* openPair(DocumentPage* page, const QString& otherPath, ThemeStore* themes, ViewState* viewState) {
  if (PairView* before = pairOf(page)) {
    before->setOverlayShown(false);
    delete before;
  }
  auto* view = new PairView(page, otherPath, themes, viewState);
  page->panes()->addWidget(view);
  const int half = std::max(200, page->panes()->width() / 2);
  page->panes()->setSizes({half, half});
  view->show();
  return view;
}

}  // namespace cutaway::ui
