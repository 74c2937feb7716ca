#include "ui/panels/run/devices_page.h"

#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/document/document.h"
#include "ui/panels/empty_state.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/run/device_tables.h"

namespace cutaway::ui {

DevicesPage::DevicesPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_pages(new QStackedWidget),
      m_empty(new EmptyState(context.themes)),
      m_tabs(new QTabWidget) {
  setObjectName(QStringLiteral("run/devices"));
  const char* keys[] = {"run/devices/memory", "run/devices/copies", "run/devices/segments", "run/devices/breaks"};
  const QString names[] = {tr("Memory of devices"), tr("Copies between host and devices"), tr("Captured segments"),
                           tr("Nodes that end a captured segment")};
  for (int i = 0; i < kTables; ++i) {
    m_models[i] = new ReportModel(this);
    m_tables[i] = new LinkedTable(context, QLatin1String(keys[i]));
    m_tables[i]->setObjectName(QLatin1String(keys[i]));
    m_tables[i]->setModel(m_models[i]);
    m_tables[i]->view()->setAccessibleName(names[i]);
    m_tabs->addTab(m_tables[i], QString());
  }
  m_tables[kSegments]->setRowNodes([this](int row) {
    return m_view ? segmentNodes(*m_view, *m_context.document->walk(), row) : std::vector<NodeTarget>();
  });
  m_tabs->setDocumentMode(true);
  m_pages->addWidget(m_empty);
  m_pages->addWidget(m_tabs);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(m_pages);
  present(nullptr);
}

bool DevicesPage::isEmpty() const {
  return m_pages->currentWidget() == m_empty;
}

void DevicesPage::present(std::shared_ptr<const RunView> view) {
  m_view = std::move(view);
  const bool there = m_view && deviceTookPart(*m_view);
  m_pages->setCurrentWidget(there ? static_cast<QWidget*>(m_tabs) : m_empty);
  if (!there) {
    for (ReportModel* model : m_models)
      model->present({});
    const EmptyState::Words notRun{
        {},
        tr("Not run yet"),
        tr("After a run on a GPU, its memory, its copies and its captured segments are shown here."),
        {}};
    const EmptyState::Words none{
        {},
        tr("No device took part in this run"),
        tr("Every node ran on the host. With cuda first among the providers, a GPU runs the nodes that it supports."),
        {}};
    m_empty->present(m_view ? none : notRun);
    return;
  }
  const ReportRows rows[] = {deviceRows(m_view), copyRows(m_view), capturedSegmentRows(m_view), breakRows(m_view)};
  const QString titles[] = {tr("Memory"), tr("Copies (%1)"), tr("Captured segments (%1)"), tr("What ends them (%1)")};
  for (int i = 0; i < kTables; ++i) {
    m_tabs->setTabText(i, i == kMemory ? titles[i] : titles[i].arg(countText(rows[i].rows)));
    m_models[i]->present(rows[i]);
  }
}

}  // namespace cutaway::ui
