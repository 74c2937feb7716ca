#include "engine/context_binary/context_partition.h"

#include <algorithm>

namespace cutaway::context_binary {

const ContextSection* ContextPartition::find(std::string_view section) const {
  const auto found =
      std::find_if(sections.begin(), sections.end(), [&](const ContextSection& each) { return each.name == section; });
  return found == sections.end() ? nullptr : &*found;
}

int64_t ContextPartition::sizeBytes() const {
  int64_t size = 0;
  for (const ContextSection& section : sections)
    size += static_cast<int64_t>(section.bytes.size());
  return size;
}

}  // namespace cutaway::context_binary
