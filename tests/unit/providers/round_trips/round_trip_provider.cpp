// Through the file format, as bytes in memory; what does not come back is written down, and the compiled group runs in
// its place.
#include "tests/unit/providers/round_trips/round_trip_provider.h"

#include <algorithm>

#include "engine/context_binary/binary_reader.h"
#include "engine/context_binary/binary_writer.h"

namespace cutaway::testing {

namespace {

std::vector<context_binary::ContextPort> portsOf(const Graph& graph, std::span<const ValueId> values) {
  std::vector<context_binary::ContextPort> ports;
  for (const ValueId id : values)
    ports.push_back({graph.value(id).name, graph.value(id).type});
  return ports;
}

bool onlyTensors(const std::vector<context_binary::ContextPort>& ports) {
  return std::ranges::all_of(ports, [](const context_binary::ContextPort& port) { return port.type.isTensor(); });
}

}  // namespace

Result<std::vector<CompiledNode>> RoundTripProvider::compile(std::span<const FusedSubGraph> groups,
                                                             const Progress& progress) {
  CUTAWAY_TRY(std::vector<CompiledNode> compiled, m_inner->compile(groups, progress));
  for (size_t i = 0; i < groups.size(); ++i) {
    const Graph& graph = groups[i].graph;
    if (!onlyTensors(portsOf(graph, graph.inputs())) || !onlyTensors(portsOf(graph, graph.outputs()))) {
      ++m_counts.notTensors;
      continue;
    }
    Result<CompiledNode> restored = thereAndBack(groups[i], compiled[i], progress);
    if (!restored) {
      m_counts.failures.push_back(groups[i].fusedName + ": " + describe(restored.error()));
      continue;
    }
    ++m_counts.groups;
    compiled[i].kernel = restored->kernel;
  }
  return compiled;
}

Result<CompiledNode> RoundTripProvider::thereAndBack(const FusedSubGraph& group, const CompiledNode& compiled,
                                                     const Progress& progress) {
  const auto bytes = std::make_shared<std::string>();
  {
    CUTAWAY_TRY(context_binary::ContextPartition partition,
                m_inner->exportContext({group, *compiled.kernel}, progress));
    const ContextSupport support = m_inner->contextSupport();
    partition.name = group.fusedName;
    partition.source = name();
    partition.sdkVersion = support.sdkVersion;
    partition.hardware = support.hardware;
    partition.inputs = portsOf(group.graph, group.graph.inputs());
    partition.outputs = portsOf(group.graph, group.graph.outputs());
    context_binary::ContextBinaryWriter writer(context_binary::sinkOf(*bytes));
    CUTAWAY_CHECK(writer.add(partition, progress));
    CUTAWAY_CHECK(writer.finish());
  }
  m_counts.bytes += static_cast<int64_t>(bytes->size());
  CUTAWAY_TRY(const std::shared_ptr<const context_binary::ContextBinary> binary,
              context_binary::ContextBinary::open(std::as_bytes(std::span(*bytes)), bytes, "round trip"));
  const context_binary::ContextPartition* partition = binary->find(name(), group.fusedName);
  if (partition == nullptr) return fail(ErrorCode::kNotFound, "the binary has lost its partition");
  CUTAWAY_CHECK(binary->verify(*partition, progress));
  return m_inner->restoreContext({*partition, binary, group.fusedName}, progress);
}

}  // namespace cutaway::testing
