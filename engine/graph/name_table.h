#pragma once
// Which value a name means: numbers only, the names stay with the values.
//
// A table with one place for each value and room to spare, searched on from where the name's hash points. It keeps a
// part of the hash beside every number: names are compared when that agrees, and growing reads no name.
// Thread rule: as std::vector. Example: const ValueId id = table.find(name, [&](ValueId at) { return names[at]; });

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/graph/ids.h"

namespace cutaway {

class NameTable {
 public:
  // The value for which nameOf(ValueId) equals `name`; invalid when there is none.
  template <typename NameOf>
  ValueId find(std::string_view name, NameOf&& nameOf) const {
    if (m_count == 0) return {};
    const uint32_t hash = hashOf(name);
    for (size_t at = home(hash); m_places[at].id.valid(); at = next(at)) {
      if (m_places[at].hash == hash && std::string_view(nameOf(m_places[at].id)) == name) return m_places[at].id;
    }
    return {};
  }
  void add(std::string_view name, ValueId id);     // of a name that find() does not know
  void erase(std::string_view name, ValueId id);   // nothing happens when `id` was not added under that name
  void renumber(const std::vector<ValueId>& ids);  // the new number of each

 private:
  struct Place {
    uint32_t hash = 0;
    ValueId id;  // invalid: free
  };
  static uint32_t hashOf(std::string_view name) {
    const uint64_t hash = std::hash<std::string_view>{}(name);
    return static_cast<uint32_t>(hash ^ (hash >> 32));
  }
  size_t home(uint32_t hash) const { return hash & (m_places.size() - 1); }
  size_t next(size_t at) const { return (at + 1) & (m_places.size() - 1); }
  void put(Place place);

  std::vector<Place> m_places;  // a power of two of them, up to seven of eight taken
  size_t m_count = 0;
};

}  // namespace cutaway
