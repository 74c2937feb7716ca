#include "engine/stages/partition/user_rules.h"

#include "engine/stages/partition/pins.h"

namespace cutaway::partition {

std::vector<std::string> providerNames(std::span<const std::unique_ptr<ExecutionProvider>> providers) {
  std::vector<std::string> names;
  for (const std::unique_ptr<ExecutionProvider>& provider : providers)
    names.push_back(provider->name());
  return names;
}

Result<UserRules> UserRules::read(const PartitionOptions& options,
                                  std::span<const std::unique_ptr<ExecutionProvider>> providers, const Model& model) {
  UserRules rules(options, providerNames(providers));
  CUTAWAY_TRY(rules.m_pinRules, addPinRules(options.pins, rules.m_kept));
  CUTAWAY_TRY(rules.m_streams, StreamFile::read(options.rules.partitionFile, providers, rules.m_kept));
  CUTAWAY_TRY(rules.m_layers, readLayerRules(options.rules.layerAssignment, options.rules.nameBasedAssignment,
                                             providers, rules.m_kept, rules.m_warnings));
  rules.m_exported = ExportedPlaces(model, rules.m_kept);
  CUTAWAY_TRY(rules.m_budget, MemoryBudget::read(options.rules, providers, model));
  return rules;
}

void UserRules::bind(const Model& model) {
  m_kept.forgetNodes();
  bindPins(model, m_options->pins, m_pinRules, m_kept);
  m_streams.bind(model, m_kept);
  m_layers.bind(model, m_options->layerOfOrigin, m_kept);
  m_exported.bind(model, m_kept);
  if (m_budget) m_budget->restart();
}

std::vector<Refusal> UserRules::release(int32_t provider, const Graph& graph, std::span<const ComputeCapability> claims,
                                        std::vector<char>& wanted) {
  if (!m_budget || m_budget->provider() != provider) return {};
  return m_budget->spend(graph, claims, wanted);
}

std::vector<std::string> UserRules::warnings() const {
  std::vector<std::string> all = m_warnings;
  for (std::string& each : m_kept.warnings())
    all.push_back(std::move(each));
  return all;
}

Result<void> UserRules::writeFiles(const Model& model) const {
  if (!m_options->rules.nodeStatsFile.empty()) {
    CUTAWAY_TRY(const ShapeOverrides sizes, readShapeOverrides(m_options->rules.shapeOverride, model.graph));
    CUTAWAY_CHECK(writeNodeStatistics(m_options->rules.nodeStatsFile, model, sizes));
  }
  return m_streams.writeIfMissing(model, m_kept.providers());
}

}  // namespace cutaway::partition
