// The refusal inspector: a page of rich text over two buttons. Several nodes are summed up, one is told in full
// (answers_page.cpp).
#include "ui/panels/partition/node_answers.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QStackedLayout>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/base/icons.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/pin_menu.h"

namespace cutaway::ui {
namespace {

constexpr int kMark = 16;

// Images named "mark:N" are the marks of providers.
class MarkedPage : public QTextBrowser {
 public:
  MarkedPage(const ThemeStore* themes, const std::shared_ptr<const PartitionView>* view)
      : m_themes(themes), m_view(view) {}
  QVariant loadResource(int type, const QUrl& name) override {
    if (name.scheme() != QLatin1String("mark") || !*m_view)
      return QVariant();  // pages hold words of models: nothing else is fetched
    const int index = name.path().toInt();
    if (index < 0 || index >= static_cast<int>((*m_view)->marks.letters.size())) return QVariant();
    Q_UNUSED(type);
    const Theme& theme = m_themes->current();
    return categoryMark(theme.category(index), (*m_view)->marks.letters[static_cast<size_t>(index)], theme, kMark,
                        devicePixelRatioF());
  }

 private:
  const ThemeStore* m_themes;
  const std::shared_ptr<const PartitionView>* m_view;
};

std::vector<const NodePlacement*> selectedPlacements(const PartitionView& view, const Selection& selection) {
  std::vector<const NodePlacement*> found;
  if (selection.empty() || !view.optimized) return found;
  const NodeTarget focus = selection.stepIn(GraphVersion::kOptimized);
  if (const NodePlacement* first = focus.valid() ? view.placement(focus.graph, focus.node) : nullptr)
    found.push_back(first);
  for (size_t graph = 0; graph < view.rows.size(); ++graph)
    for (const int node : selection.nodesIn(GraphVersion::kOptimized, static_cast<int>(graph)))
      if (const NodePlacement* placement = view.placement(static_cast<int>(graph), node);
          placement && (found.empty() || placement != found.front()))
        found.push_back(placement);
  return found;
}

}  // namespace

NodeAnswers::NodeAnswers(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_stack(new QStackedLayout(this)),
      m_page(new MarkedPage(context.themes, &m_view)),
      m_group(new QPushButton(tr("Show group"))),
      m_pin(new QPushButton(tr("Pin to"))) {
  setObjectName(QStringLiteral("partition/answers"));
  auto* empty = new QLabel;  // says why there is nothing, see refresh()
  empty->setAlignment(Qt::AlignCenter);
  empty->setProperty("role", "faint");
  m_page->setOpenLinks(false);
  m_page->setProperty("role", "page");
  m_page->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_page->setFrameShape(QFrame::NoFrame);
  m_page->setAccessibleName(tr("Answers of the providers"));
  m_page->document()->setDocumentMargin(kSpaceLarge);
  auto* filled = new QWidget;
  auto* column = new QVBoxLayout(filled);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_page, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpace);
  row->setSpacing(kSpace);
  row->addWidget(m_group);
  row->addWidget(m_pin);
  row->addStretch(1);
  column->addLayout(row);
  m_stack->addWidget(empty);
  m_stack->addWidget(filled);
  m_group->setToolTip(tr("Select the nodes of its group, and the group in the table"));
  m_pin->setToolTip(tr("What if another provider had this node?"));
  auto* menu = new QMenu(m_pin);
  m_pin->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, [this, menu] {
    menu->clear();
    if (const NodePlacement* placement = single())
      addPinEntries(menu, m_context.document, {GraphVersion::kOptimized, placement->graph, placement->node},
                    m_context.themes->current(), m_context.actions);
  });
  connect(m_group, &QPushButton::clicked, this, [this] {
    if (const NodePlacement* placement = single(); placement && placement->group >= 0)
      emit groupRequested(placement->group);
  });
  connect(m_page, &QTextBrowser::anchorClicked, this,
          [this](const QUrl& url) { follow(url.toString(QUrl::FullyEncoded)); });
  connect(&context.document->selection(), &Selection::changed, this, &NodeAnswers::refresh);
  new ThemeFollower(this, context.themes, [this] {
    m_html.clear();
    refresh();
  });
}

void NodeAnswers::present(std::shared_ptr<const PartitionView> view) {
  m_view = std::move(view);
  refresh();
}

void NodeAnswers::showEvent(QShowEvent*) {
  refresh();
}

const NodePlacement* NodeAnswers::single() const {
  if (!m_view) return nullptr;
  const auto selected = selectedPlacements(*m_view, m_context.document->selection());
  return selected.size() == 1 ? selected.front() : nullptr;
}

void NodeAnswers::refresh() {
  if (!isVisible()) return;  // catches up when it is shown
  const Theme& theme = m_context.themes->current();
  const auto selected =
      m_view ? selectedPlacements(*m_view, m_context.document->selection()) : std::vector<const NodePlacement*>();
  const QString html = m_view ? answersPage(*m_view, selected, theme) : QString();
  if (html != m_html) m_page->setHtml(html);
  m_html = html;
  static_cast<QLabel*>(m_stack->widget(0))
      ->setText(m_context.document->selection().empty() || !m_view
                    ? tr("Choose a node on the graph or in a table\nto see what every provider said about it.")
                    : tr("None of the selected nodes was left\nwhen the graph was partitioned."));
  m_stack->setCurrentIndex(html.isEmpty() ? 0 : 1);
  m_group->setEnabled(selected.size() == 1 && selected.front()->group >= 0);
  m_pin->setEnabled(selected.size() == 1);
}

void NodeAnswers::follow(const QString& link) {
  const QStringList parts = link.split(QLatin1Char(':'));
  if (parts.size() == 2 && parts[0] == QLatin1String("group")) emit groupRequested(parts[1].toInt());
  if (parts.size() == 3 && parts[0] == QLatin1String("node"))
    m_context.document->selection().selectNode({GraphVersion::kOptimized, parts[1].toInt(), parts[2].toInt()});
}

}  // namespace cutaway::ui
