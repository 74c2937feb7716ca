#include "engine/provider/group_namer.h"

#include <string_view>

namespace cutaway {

namespace {

// FNV-1a, 64 bits; a separator after each name keeps "ab","c" and "a","bc" apart.
struct NameHash {
  uint64_t state = 14695981039346656037ull;
  void add(std::string_view text) {
    for (const char letter : text)
      state = (state ^ static_cast<unsigned char>(letter)) * 1099511628211ull;
    state = (state ^ 0xffu) * 1099511628211ull;
  }
};

}  // namespace

GroupNamer::GroupNamer(const Model& model) {
  NameHash hash;
  if (!model.path.empty()) {
    hash.add(model.path.string());
  } else {
    for (const ValueId id : model.graph.inputs())
      hash.add(model.graph.value(id).name);
  }
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      for (const ValueId output : graph.node(id).outputs)
        hash.add(output.valid() ? std::string_view(graph.value(output).name) : std::string_view());
    }
  });
  m_hash = fmt::format("{:016x}", hash.state);
}

std::string GroupNamer::next() {
  return fmt::format("{}_{}", m_hash, m_next++);
}

}  // namespace cutaway
