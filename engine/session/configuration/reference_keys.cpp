// A configuration in the words of onnxruntime: execution providers with their options, session keys, and what
// has no key as a comment.

#include <algorithm>
#include <optional>

#include "engine/provider/provider_spec.h"
#include "engine/session/configuration/configuration.h"

namespace cutaway::session {
namespace {

// A row of the table, and which of onnxruntime's providers is meant.
struct Known {
  const ProviderEntry* entry = nullptr;
  OnnxruntimeProvider there;
};

// Names compare without case, spaces, dashes, underscores and inner brackets: "declared(QNN HTP)" and
// "declared(qnn-htp)" are one.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return plain;
}

std::optional<Known> findProvider(const ProviderTable& table, std::string_view name) {
  const std::string plain = plainName(name);
  for (const ProviderEntry& entry : table) {
    for (const OnnxruntimeProvider& each : entry.onnxruntime) {
      if (plainName(entry.name + each.argument) == plain) return Known{&entry, each};
    }
    // onnxruntime's own plug-ins: their contexts carry the name that they are registered with, and options are the
    // same.
    const bool isPlugin = entry.onnxruntime.empty() && !entry.contextSources.empty() &&
                          entry.contextSources.front().name.ends_with("ExecutionProvider");
    if (isPlugin && plainName(entry.name) == plain)
      return Known{&entry, {.name = entry.contextSources.front().name, .device = {}}};
  }
  return std::nullopt;
}

// The row for this value before the row for all values; nullptr: the option is called the same there.
const OnnxruntimeOption* findOption(const ProviderTable& table, const std::string& provider, const std::string& option,
                                    const std::string& value) {
  const OnnxruntimeOption* found = nullptr;
  for (const ProviderEntry& entry : table) {
    for (const OnnxruntimeProvider& there : entry.onnxruntime) {
      if (there.name != provider) continue;
      for (const OnnxruntimeOption& each : there.options) {
        if (each.option != option || (!each.value.empty() && each.value != value)) continue;
        if (found == nullptr || found->value.empty()) found = &each;
      }
    }
  }
  return found;
}

class KeyWriter {
 public:
  KeyWriter(const Configuration& configuration, const ProviderTable& table)
      : m_configuration(configuration), m_table(table), m_last(lastResort(table)) {}

  std::vector<std::string> write() {
    providers();
    session();
    pins();
    for (const auto& [name, size] : m_configuration.dims)
      add("free_dimension_override." + name, std::to_string(size));
    for (const auto& [key, value] : m_configuration.keys) {
      if (key == "ep.context_recompile" || key == "ep.context_share_group")
        comment(fmt::format("{} = {}: a key of this program only", key, value));
      else
        add(key, value);
    }
    return std::move(m_lines);
  }

 private:
  void add(const std::string& key, const std::string& value) { m_lines.push_back(key + " = " + value); }
  void comment(const std::string& text) { m_lines.push_back("# " + text); }

  void providers() {
    if (!m_configuration.providers) return;
    std::vector<std::string> names = *m_configuration.providers;
    if (std::ranges::find(names, m_last) == names.end()) names.push_back(m_last);
    std::vector<std::string> references, unknown;
    for (const std::string& name : names) {
      if (const std::optional<Known> known = findProvider(m_table, name))
        references.push_back(known->there.name);
      else
        unknown.push_back(name);
    }
    add("providers", fmt::format("{}", fmt::join(references, ", ")));
    for (const std::string& name : unknown)
      comment(fmt::format("provider {} has no counterpart in onnxruntime", name));
    for (const std::string& name : names)
      options(name);
  }

  void options(const std::string& name) {
    const std::optional<Known> known = findProvider(m_table, name);
    if (!known) return;
    const std::string& provider = known->there.name;
    for (const auto& [key, value] : known->there.fixed)
      addOption(provider, key, value);
    ProviderOptions all;
    if (const auto found = m_configuration.providerOptions.find(name); found != m_configuration.providerOptions.end())
      all = found->second;
    if (m_configuration.precision && *m_configuration.precision != "f32" && !known->entry->takesTheRest)
      all["precision"] = *m_configuration.precision;
    for (const auto& [option, value] : all) {
      const OnnxruntimeOption* row = findOption(m_table, provider, option, value);
      if (row == nullptr)
        addOption(provider, option, value);
      else if (row->key.empty())
        comment(fmt::format("{} {}: {}", option, value, row->word));
      else
        addOption(provider, row->key, row->word.empty() ? value : row->word);
    }
    if (m_configuration.minimumGroupNodes && *m_configuration.minimumGroupNodes > 1 &&
        !known->there.minimumGroupKey.empty())
      addOption(provider, known->there.minimumGroupKey, std::to_string(*m_configuration.minimumGroupNodes));
  }
  void addOption(const std::string& provider, const std::string& option, const std::string& value) {
    add(fmt::format("{}.{}", provider, option), value);
  }

  void session() {
    if (m_configuration.optimizationLevel) {
      constexpr const char* kLevels[] = {"ORT_DISABLE_ALL", "ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED",
                                         "ORT_ENABLE_ALL"};
      add("graph_optimization_level", kLevels[std::clamp(*m_configuration.optimizationLevel, 0, 3)]);
    }
    if (m_configuration.threads && *m_configuration.threads > 0)
      add("intra_op_num_threads", std::to_string(*m_configuration.threads));
    if (m_configuration.order) order(*m_configuration.order);
    if (m_configuration.minimumGroupNodes && *m_configuration.minimumGroupNodes > 1)
      comment(fmt::format("groups of fewer than {} nodes: only some providers have an option for it",
                          *m_configuration.minimumGroupNodes));
    const bool cpuPrecision = m_configuration.precision && *m_configuration.precision != "f32";
    if (cpuPrecision)
      comment(fmt::format("precision {} of nodes on {}: there is no key; convert the model", *m_configuration.precision,
                          m_last));
  }
  void order(const std::string& name) {
    if (name == "priority")
      add("execution_order", "PRIORITY_BASED");
    else if (name == "memory")
      add("execution_order", "MEMORY_EFFICIENT");
    else if (name == "default")
      add("execution_order", "DEFAULT");
    else
      comment("order " + name + ": there is no key");
  }

  // Names decide by a part of them, so a pin to a node may catch others whose names contain it. First pins win here,
  // longest names there.
  void pins() {
    if (!m_configuration.pins || m_configuration.pins->empty()) return;
    std::vector<std::pair<std::string, std::vector<std::string>>> byDevice;
    for (const NodePin& pin : *m_configuration.pins) {
      const std::optional<Known> known = findProvider(m_table, pin.provider);
      const bool expressible = pin.kind != NodePin::Kind::kOperator && known.has_value() &&
                               !known->there.device.empty() && pin.pattern.find_first_of("(),;=") == std::string::npos;
      if (!expressible) {
        comment(fmt::format("pin {}: there is no key; {}", printPin(pin),
                            pin.kind == NodePin::Kind::kOperator
                                ? "layer assignment goes by the names of nodes"
                                : "name or provider cannot be written in session.name_based_layer_assignment"));
        continue;
      }
      auto found = std::ranges::find_if(byDevice, [&](const auto& each) { return each.first == known->there.device; });
      if (found == byDevice.end()) found = byDevice.insert(byDevice.end(), {known->there.device, {}});
      found->second.push_back(pin.pattern);
    }
    if (byDevice.empty()) return;
    std::vector<std::string> parts;
    for (const auto& [device, patterns] : byDevice)
      parts.push_back(fmt::format("{}({})", device, fmt::join(patterns, ", ")));
    add("session.name_based_layer_assignment", fmt::format("{}", fmt::join(parts, "; ")));
    comment("names are matched by parts there, and by device: other nodes whose name contains a pattern go along");
  }

  const Configuration& m_configuration;
  const ProviderTable& m_table;
  const std::string m_last;  // the provider that takes the rest
  std::vector<std::string> m_lines;
};

}  // namespace

std::vector<std::string> referenceKeys(const Configuration& configuration, const ProviderTable& table) {
  return KeyWriter(configuration, table).write();
}

}  // namespace cutaway::session
