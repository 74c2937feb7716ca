// Hits over the graphs that are shown: searched again when the words, the graphs or the facts change.
#include "ui/canvas/view/canvas_finder.h"

#include <algorithm>
#include <utility>

#include <QPointer>

#include "ui/base/format.h"
#include "ui/base/provider_marks.h"
#include "ui/canvas/view/find_bar.h"
#include "ui/canvas/view/reading_controller.h"
#include "ui/document/document.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {

CanvasFinder::CanvasFinder(Document* document, QWidget* view)
    : QObject(view), m_document(document), m_controller(&ReadingController::of(document)), m_bar(new FindBar(view)) {
  connect(m_bar, &FindBar::queryChanged, this, [this](const FindQuery& query) {
    m_query = query;
    m_controller->setSearch(query.line());
    search();
  });
  connect(m_bar, &FindBar::nextRequested, this, [this] { step(1); });
  connect(m_bar, &FindBar::previousRequested, this, [this] { step(-1); });
  connect(m_bar, &FindBar::closed, this, &CanvasFinder::closed);
  connect(m_controller, &ReadingController::prepared, this, [this] {
    const std::vector<QString> providers = providerNames(*m_document->walk());
    if (m_controller->index())
      m_bar->setVocabulary(m_controller->index()->vocabulary(), QStringList(providers.begin(), providers.end()));
    if (!m_query.empty()) search();
  });
}

void CanvasFinder::open() {
  m_controller->prepare();
  m_bar->setLastSearches(m_controller->lastSearches());
  m_bar->open();
}

void CanvasFinder::search() {
  m_cancel.cancel();
  m_cancel = CancelToken();
  m_waitingSteps = 0;
  if (!m_query.empty()) m_controller->prepare();  // prepared() searches again
  if (m_query.empty()) return show({});
  if (!m_controller->index()) return m_controller->error() ? showFailure(*m_controller->error()) : show({});
  m_bar->setSearching();
  m_controller->findInGroupsToo(m_query, m_cancel,
                                [this, alive = QPointer<CanvasFinder>(this)](const ReadingController::Hits& hits) {
                                  if (alive) hits ? show(*hits) : showFailure(hits.error());
                                });
}

void CanvasFinder::showFailure(const Error& error) {
  show({});
  m_bar->setProblem(told(error));
}

void CanvasFinder::show(std::vector<FindHit> hits) {
  // The same hits with newer facts keep their place.
  if (hits != m_hits) m_current = -1, m_way.clear();
  m_hits = std::move(hits);
  tell();
  emit changed();
  if (const int steps = std::exchange(m_waitingSteps, 0)) step(steps);
}

void CanvasFinder::tell() {
  const int count = static_cast<int>(m_hits.size());
  const auto& graphs = m_controller->graphs();
  const int graph = m_current < 0 ? 0 : m_hits[static_cast<size_t>(m_current)].graph;
  const bool elsewhere = graph > 0 && graphs && graph < static_cast<int>(graphs->graphs.size());
  QString place =
      elsewhere ? tr("in %1").arg(shortened(text(graphs->graphs[static_cast<size_t>(graph)].title), 44)) : QString();
  if (place.isEmpty() && m_current < 0 && graphs && graphs->graphs.size() > 1) {
    const auto inside = std::count_if(m_hits.begin(), m_hits.end(), [&](const FindHit& hit) {
      return hit.graph != 0 && hit.graph < static_cast<int>(graphs->graphs.size());
    });
    if (inside > 0) place = tr("%1 in bodies").arg(countText(inside));
  }
  if (place.isEmpty() && m_current < 0 && graphs) {
    const auto inside = std::ranges::count_if(
        m_hits, [&](const FindHit& hit) { return hit.graph >= static_cast<int>(graphs->graphs.size()); });
    if (inside > 0) place = tr("%1 in compiled groups").arg(countText(inside));
  }
  if (place.isEmpty()) place = shortened(m_way, 44);
  m_bar->setCount(m_current, count, place);
}

void CanvasFinder::setWay(const QString& way) {
  m_way = way;
  tell();
}

void CanvasFinder::step(int by) {
  m_controller->keepSearch(m_bar->text());
  if (m_bar->searching()) return void(m_waitingSteps = by);
  if (m_hits.empty()) return;
  const int count = static_cast<int>(m_hits.size());
  if (m_current < 0) {
    // The first step goes to the first hit at or after the selection.
    const NodeTarget focus = m_document->selection().focusIn(m_controller->version());
    const auto from = std::find_if(m_hits.begin(), m_hits.end(), [&](const FindHit& hit) {
      return !focus.valid() || hit.graph > focus.graph || (hit.graph == focus.graph && hit.node >= focus.node);
    });
    m_current = from == m_hits.end() || by < 0 ? (by < 0 ? count - 1 : 0) : static_cast<int>(from - m_hits.begin());
  } else {
    m_current = (m_current + by + count) % count;
  }
  const FindHit hit = m_hits[static_cast<size_t>(m_current)];
  setWay({});
  m_document->selection().selectNode(m_controller->targetOf(hit));
  emit changed();
  emit arrived(hit);
}

}  // namespace cutaway::ui
