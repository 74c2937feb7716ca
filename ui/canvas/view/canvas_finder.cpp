// Hits over the graphs that are shown: searched again when the words or the graphs change.
#include "ui/canvas/view/canvas_finder.h"

#include <algorithm>

#include "ui/base/format.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/document/document.h"

namespace cutaway::ui {

CanvasFinder::CanvasFinder(Document* document, QWidget* view) : QObject(view), m_document(document), m_bar(new FindBar(view)) {
  m_pool.setMaxThreadCount(1);
  connect(m_bar, &FindBar::queryChanged, this, [this](const FindQuery& query) {
    m_query = query;
    search();
  });
  connect(m_bar, &FindBar::nextRequested, this, [this] { step(1); });
  connect(m_bar, &FindBar::previousRequested, this, [this] { step(-1); });
  connect(m_bar, &FindBar::closed, this, &CanvasFinder::closed);
}

CanvasFinder::~CanvasFinder() {
  ++m_job;
  m_pool.clear();
  m_pool.waitForDone();
}

void CanvasFinder::open() { m_bar->open(); }

void CanvasFinder::setGraphs(GraphVersion version, std::shared_ptr<const ModelGraphs> graphs) {
  m_version = version;
  if (graphs == m_graphs) return;
  m_graphs = std::move(graphs);
  m_index.reset();
  const quint64 job = ++m_job;
  m_pool.clear();
  if (!m_query.empty()) search();
  if (!m_graphs) return;
  m_pool.start([this, job, shown = m_graphs] {
    auto index = std::make_shared<const FindIndex>(shown);
    QMetaObject::invokeMethod(this, [this, job, index = std::move(index)] {
      if (job != m_job) return;
      m_index = index;
      if (!m_query.empty()) search();
    }, Qt::QueuedConnection);
  });
}

void CanvasFinder::search() {
  m_hits = m_index ? m_index->search(m_query) : std::vector<FindHit>();
  m_current = -1;
  m_bar->setCount(m_current, static_cast<int>(m_hits.size()));
  emit changed();
}

void CanvasFinder::step(int by) {
  if (m_hits.empty()) return;
  const int count = static_cast<int>(m_hits.size());
  if (m_current < 0) {
    // The first step goes to the first hit at or after the selection.
    const NodeTarget focus = m_document->selection().focusIn(m_version);
    const auto from = std::find_if(m_hits.begin(), m_hits.end(), [&](const FindHit& hit) { return !focus.valid() || hit.graph > focus.graph || (hit.graph == focus.graph && hit.node >= focus.node); });
    m_current = from == m_hits.end() || by < 0 ? (by < 0 ? count - 1 : 0) : static_cast<int>(from - m_hits.begin());
  } else {
    m_current = (m_current + by + count) % count;
  }
  const FindHit& hit = m_hits[static_cast<size_t>(m_current)];
  m_bar->setCount(m_current, count, hit.graph == 0 ? QString() : text(m_graphs->graphs[static_cast<size_t>(hit.graph)].title));
  m_document->selection().selectNode({m_version, hit.graph, hit.node});
  emit changed();
}

}  // namespace cutaway::ui
