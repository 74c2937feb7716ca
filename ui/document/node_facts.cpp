#include "ui/document/node_facts.h"

namespace cutaway::ui {

std::shared_ptr<const NodeFacts> makeNodeFacts(const WalkReport&, GraphVersion version, int graph) {
  auto facts = std::make_shared<NodeFacts>();
  facts->version = version;
  facts->graph = graph;
  return facts;
}

}  // namespace cutaway::ui
