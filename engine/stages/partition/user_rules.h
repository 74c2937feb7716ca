#pragma once
// Everything the user says about who gets which node, read once and bound to the graphs whenever these have changed:
// pins, then the node partition file, then layers, then what an exported model says of its nodes; and the memory
// budget.
//
// Thread rule: one partitioning.
// Example:
//   CUTAWAY_TRY(UserRules rules, UserRules::read(options, providers, model));
//   rules.bind(model);
//   if (const ReservationRule* other = rules.kept().keptForAnother(graph, id, provider)) ...

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/stages/partition/budget.h"
#include "engine/stages/partition/exported_places.h"
#include "engine/stages/partition/layers.h"
#include "engine/stages/partition/partition.h"
#include "engine/stages/partition/reservations.h"
#include "engine/stages/partition/stream_file.h"

namespace cutaway::partition {

std::vector<std::string> providerNames(std::span<const std::unique_ptr<ExecutionProvider>> providers);

class UserRules {
 public:
  // INVALID_ARGUMENT for rules that cannot be read or that name providers this session has not.
  static Result<UserRules> read(const PartitionOptions& options,
                                std::span<const std::unique_ptr<ExecutionProvider>> providers, const Model& model);

  void bind(const Model& model);
  Reservations& kept() { return m_kept; }
  const Reservations& kept() const { return m_kept; }
  // What a provider claims and may not have, as refusals (Verdict::kReleased). wanted: one for each claim, 1 = it would
  // be taken; becomes 0 for what is given back.
  std::vector<Refusal> release(int32_t provider, const Graph& graph, std::span<const ComputeCapability> claims,
                               std::vector<char>& wanted);
  // About rules that cannot be kept, fit nothing or name devices that are not here.
  std::vector<std::string> warnings() const;
  // The files that were asked for: node statistics, and the node partition file when it was not there.
  Result<void> writeFiles(const Model& model) const;

 private:
  UserRules(const PartitionOptions& options, std::vector<std::string> providers)
      : m_options(&options), m_kept(std::move(providers)) {}

  const PartitionOptions* m_options;
  Reservations m_kept;
  std::vector<int32_t> m_pinRules;
  StreamFile m_streams;
  LayerRules m_layers;
  ExportedPlaces m_exported;
  std::optional<MemoryBudget> m_budget;
  std::vector<std::string> m_warnings;
};

}  // namespace cutaway::partition
