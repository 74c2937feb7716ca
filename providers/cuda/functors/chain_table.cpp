// The interpreter of chains: "chain.elements", "chain.rows".
#include "providers/cuda/functors/chain_functors.h"
#include "providers/cuda/functors/launch_table.h"

namespace cutaway::cuda {
namespace {

int launchElements(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ChainParameters*>(parameters);
  return forEach(ChainElements{p}, p.arguments.indexes, stream, multiprocessors);
}

int launchRows(const void* parameters, Stream stream, int multiprocessors) {
  const auto& p = *static_cast<const ChainParameters*>(parameters);
  return forEachBlock(ChainRows{p}, p.arguments.indexes, stream, multiprocessors);
}

}  // namespace

void functors_chain(LaunchTable& table) {
  table.add("chain.elements", &launchElements);
  table.add("chain.rows", &launchRows);
}

}  // namespace cutaway::cuda
