#include "engine/graph/name_table.h"

namespace cutaway {

void NameTable::put(Place place) {
  size_t at = home(place.hash);
  while (m_places[at].id.valid())
    at = next(at);
  m_places[at] = place;
}

void NameTable::add(std::string_view name, ValueId id) {
  constexpr size_t kFirst = 8;
  if ((m_count + 1) * 8 > m_places.size() * 7) {
    const std::vector<Place> old =
        std::exchange(m_places, std::vector<Place>(m_places.empty() ? kFirst : m_places.size() * 2));
    for (const Place& place : old) {
      if (place.id.valid()) put(place);
    }
  }
  put({hashOf(name), id});
  ++m_count;
}

void NameTable::erase(std::string_view name, ValueId id) {
  if (m_count == 0) return;
  const uint32_t hash = hashOf(name);
  size_t at = home(hash);
  while (m_places[at].id != id || m_places[at].hash != hash) {
    if (!m_places[at].id.valid()) return;
    at = next(at);
  }
  --m_count;
  // What stands behind closes up, where it may: a search ends at a free place.
  size_t free = at;
  for (at = next(at); m_places[at].id.valid(); at = next(at)) {
    const size_t mask = m_places.size() - 1;
    const size_t wayFromHome = (at - home(m_places[at].hash)) & mask;
    if (wayFromHome < ((at - free) & mask)) continue;
    m_places[free] = m_places[at];
    free = at;
  }
  m_places[free] = {};
}

void NameTable::renumber(const std::vector<ValueId>& ids) {
  for (Place& place : m_places) {
    if (place.id.valid()) place.id = ids[place.id.index()];
  }
}

}  // namespace cutaway
