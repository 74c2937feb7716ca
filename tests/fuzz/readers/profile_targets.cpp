// Profiles: those that Cutaway saved, and traces and layer times of others laid on a graph.
#include "engine/profile/profiles.h"
#include "tests/fuzz/readers/message_rules.h"
#include "tests/fuzz/readers/targets.h"

namespace cutaway::fuzz {

namespace {

// Nodes with the names that the corpus has, with what a walk knows of them.
WalkReport tracedWalk() {
  ModelGraphs graphs;
  graphs.graphs.emplace_back();
  PartitionReport partition;
  for (const char* name : {"conv1", "relu", "Conv_3"}) {
    NodeReport& node = graphs.graphs[0].nodes.emplace_back();
    node.name = name;
    node.opType = "Conv";
    NodePlacement& placement = partition.nodes.emplace_back();
    placement.node = static_cast<int32_t>(graphs.graphs[0].nodes.size()) - 1;
    placement.flops = 1000;
  }
  PatternReport pattern;
  GraphPattern& planned = pattern.graphs.emplace_back();
  planned.liveBytes = {64, 128};
  pattern.peakBytes = 128;
  WalkReport walk;
  walk.partitionedGraphs = walk.loadedGraphs = walk.optimizedGraphs = std::make_shared<ModelGraphs>(std::move(graphs));
  walk.partition = std::make_shared<PartitionReport>(std::move(partition));
  walk.pattern = std::make_shared<PatternReport>(std::move(pattern));
  return walk;
}

}  // namespace

void readTrace(std::string_view bytes) {
  static const WalkReport walk = tracedWalk(), bare = [] {
    WalkReport made = tracedWalk();
    made.partition = nullptr;
    made.pattern = nullptr;
    return made;
  }();
  // Of a model that was only opened, too.
  judged(profile::readTrace(bytes, "trace.json", bytes.size() % 4 == 0 ? bare : walk), bytes);
}

// What was read and saved is read again, and is the same.
void readSavedProfile(std::string_view bytes) {
  const auto read = profile::readProfile(bytes, "profile.json");
  if (!judged(read, bytes)) return;
  const auto saved = [](const profile::SavedProfile& from) {
    WalkReport walk;
    LoadReport load;
    load.path = from.model;
    walk.load = std::make_shared<LoadReport>(std::move(load));
    walk.run = std::make_shared<RunReport>(from.run);
    walk.partitionedGraphs = std::make_shared<ModelGraphs>(from.graphs);
    return profile::saveProfile(walk);
  };
  const std::string text = saved(*read);
  const auto again = profile::readProfile(text, "profile.json");
  require(again.has_value(), "what saveProfile() wrote is refused");
  require(saved(*again) == text, "saved otherwise the second time");
}

}  // namespace cutaway::fuzz
