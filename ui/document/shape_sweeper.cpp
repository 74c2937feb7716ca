#include "ui/document/shape_sweeper.h"

#include "ui/document/document.h"

namespace cutaway::ui {

ShapeSweeper::ShapeSweeper(Document* document) : QObject(document) {}

ShapeSweeper* ShapeSweeper::of(Document* document) {
  auto* found = document->findChild<ShapeSweeper*>(QString(), Qt::FindDirectChildrenOnly);
  return found ? found : new ShapeSweeper(document);
}

void ShapeSweeper::setSizes(const std::string& dimension, std::vector<int64_t> sizes) {
  study::SizeLists next = m_sizes;
  if (sizes.size() > 1)
    next[dimension] = std::move(sizes);
  else
    next.erase(dimension);
  if (next == m_sizes) return;
  m_sizes = std::move(next);
  emit changed();
}

size_t ShapeSweeper::combinations() const {
  size_t count = m_sizes.empty() ? 0 : 1;
  for (const auto& [name, sizes] : m_sizes)
    count *= sizes.size();
  return count;
}

void ShapeSweeper::request(int runs) {
  m_runs = runs;
  emit requested();
}

}  // namespace cutaway::ui
