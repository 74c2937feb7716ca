// What providers take back: sections whose checksums are right, written by somebody hostile. Restored kernels are run,
// too.

#include <algorithm>

#include "engine/base/log.h"
#include "engine/graph/text.h"
#include "engine/provider/graph_sections.h"
#include "engine/stages/resolve/resolve.h"
#include "tests/fuzz/context/mutate.h"
#include "tests/fuzz/context/targets.h"
#include "tests/unit/providers/onednn/group_cases.h"
#include "tests/unit/providers/onednn/stored_group.h"

namespace cutaway::fuzz {
namespace {

struct Seed {
  StoredGroup group;
  std::vector<std::shared_ptr<std::string>> good;  // sections
  std::vector<std::string> others;
  std::vector<int64_t> dims;
};

std::vector<Seed>& onednnSeeds() {
  static std::vector<Seed> all = [] {
    std::vector<Seed> made;
    const auto add = [&](const std::string& text, std::vector<int64_t> dims) {
      Seed& seed = made.emplace_back();
      seed.group = exportOf(text, {{"int8", "1"}});
      seed.good = seed.group.bytes;
      seed.dims = std::move(dims);
      for (const auto& each : seed.good)
        seed.others.push_back(each->substr(0, 4096));
    };
    for (const GroupCase& each : groupCases())
      add(each.text, {2, each.channels, each.rows, each.rows});
    add(integerConvolution(), {2, 4, 9, 9});
    return made;
  }();
  return all;
}

// Sections that tell what to do are damaged more than weights, which are only numbers.
void damageSections(Seed& seed, Random& random) {
  seed.group.bytes = seed.good;
  for (size_t i = 1 + random.below(2); i > 0; --i) {
    std::vector<size_t> telling;
    for (size_t s = 0; s < seed.good.size(); ++s) {
      const std::string& name = seed.group.partition.sections[s].name;
      if (name == "plan" || name == "graph") telling.push_back(s);
    }
    const size_t section =
        !telling.empty() && !random.oneIn(5) ? telling[random.below(telling.size())] : random.below(seed.good.size());
    seed.group.bytes[section] = std::make_shared<std::string>(*seed.group.bytes[section]);
    damageBytes(*seed.group.bytes[section], seed.others, random);
  }
}

void fuzzOnednn(Random& random) {
  Seed& seed = onednnSeeds()[random.below(onednnSeeds().size())];
  damageSections(seed, random);
  const auto kernel = seed.group.restore();
  if (!kernel) {
    require(!kernel.error().message.empty(), "an error without a message");
    return;
  }
  countAccepted();
  (void)runKernel(**kernel, seed.group.partition, seed.dims);
}

struct GraphSeed {
  context_binary::ContextPartition partition;
  std::vector<std::string> sections;
};

const std::vector<GraphSeed>& graphSeeds() {
  static const std::vector<GraphSeed> all = [] {
    std::vector<GraphSeed> made;
    for (const GroupCase& each : groupCases()) {
      auto model = parseModelText(each.text);
      require(model.has_value(), "a seed does not parse");
      Progress progress;
      require(resolve::resolve(*model, {.trace = false}, progress).has_value(), "a seed does not resolve");
      auto sections = writeGraphSections(model->graph, *model);
      require(sections.has_value(), "a seed cannot be written");
      GraphSeed& seed = made.emplace_back();
      seed.partition = {.name = "p", .source = "s"};
      for (const ValueId id : model->graph.inputs())
        seed.partition.inputs.push_back({model->graph.value(id).name, model->graph.value(id).type});
      for (const ValueId id : model->graph.outputs())
        seed.partition.outputs.push_back({model->graph.value(id).name, model->graph.value(id).type});
      for (const context_binary::ContextSection& section : *sections) {
        seed.partition.sections.push_back({section.name, {}, {}});
        seed.sections.emplace_back(reinterpret_cast<const char*>(section.bytes.data()), section.bytes.size());
      }
    }
    return made;
  }();
  return all;
}

void fuzzGraphSections(Random& random) {
  const GraphSeed& seed = graphSeeds()[random.below(graphSeeds().size())];
  auto kept = std::make_shared<std::vector<std::string>>(seed.sections);
  context_binary::ContextPartition partition = seed.partition;
  const size_t section = random.oneIn(4) ? random.below(kept->size()) : 0;
  damageBytes((*kept)[section], seed.sections, random);
  for (size_t i = 0; i < kept->size(); ++i)
    partition.sections[i].bytes = std::as_bytes(std::span((*kept)[i].data(), (*kept)[i].size()));
  const auto model = readGraphSections(partition, kept, Progress());
  if (!model) return;
  countAccepted();
  require(model->graph.outputs().size() == partition.outputs.size(), "outputs are missing");
}

}  // namespace
}  // namespace cutaway::fuzz

int main(int count, char** texts) {
  using namespace cutaway::fuzz;
  (void)cutaway::log::setLevel("off");
  return runFuzzer(count, texts, {{"onednn", fuzzOnednn}, {"graph", fuzzGraphSections}});
}
