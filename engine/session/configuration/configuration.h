#pragma once
// A configuration: everything about a session that what-if and compare may change, as a small JSON file, as one line of
// text, and as onnxruntime's keys.
//
// File:  {"schema": "cutaway.configuration/1", "providers": ["onednn", "cpu"], "options": {"openvino": {"device":
// "CPU"}}, "pins": [{"operator": "Resize", "provider": "cpu"}],
//         "minimum_group_nodes": 4, "opt_level": 3, "precision": "f32", "order": "default", "threads": 2, "keys":
//         {"session.disable_cpu_ep_fallback": "1"}, "dims": {"batch": 1}}
// Line:  "providers=onednn,cpu; opt-level=0; pin=op:Resize=cpu; min-group=4; precision=f16; KEY=VALUE"   (what compare
// --a and --b take, as well as the name of a file) Only what is named changes; the rest stays as in the options it is
// applied to. Unknown members and keys without a dot are refused. A key "ep.<provider>.<option>" is an option of that
// provider (provider_key.h). Thread rule: pure. Example: CUTAWAY_TRY(Configuration
// configuration, readConfiguration("providers=cpu"));  CUTAWAY_CHECK(configuration.applyTo(options, table));

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/session.h"

namespace cutaway::session {

struct Configuration {
  std::optional<std::vector<std::string>> providers;
  std::map<std::string, ProviderOptions> providerOptions;  // by provider name
  std::optional<std::vector<NodePin>> pins;
  std::optional<int64_t> minimumGroupNodes;
  std::optional<int> optimizationLevel;
  std::optional<std::string> precision;  // "f32", "f16", "bf16": for the first provider that lets its user choose. The
                                         // others compute in the model's types: without one only "f32" applies
  std::optional<std::string> order;
  std::optional<std::string> planRules;  // "plan": "cutaway", "onnxruntime", "onnxruntime-counters"
  std::optional<bool> inPlace;           // "in_place"; memory reuse and pattern are onnxruntime's keys
                                         // session.enable_mem_reuse and session.enable_mem_pattern
  std::optional<std::string> executor;   // "sequential", "dataflow"
  std::optional<int> interThreads;
  std::optional<int> threads;
  std::map<std::string, std::string> keys;
  std::map<std::string, int64_t> dims;

  // INVALID_ARGUMENT: a precision that no provider of the list can compute in.
  Result<void> applyTo(SessionOptions& options, const ProviderTable& table) const;
};

// text: a file name that ends in .json, or a line. INVALID_ARGUMENT names the member or word that is wrong,
// NO_SUCHFILE.
Result<Configuration> readConfiguration(const std::string& text);
Result<Configuration> configurationFromJson(std::string_view json, std::string_view file);
Configuration configurationOf(const SessionOptions& options);
std::string configurationToJson(const Configuration& configuration);  // the file, indented
// For titles and reports.
std::string configurationLine(const Configuration& configuration, const ProviderTable& table);
// The nearest settings of onnxruntime: provider list, provider options and session keys as "key = value"
// lines, and a comment line for what it has no key for. The table says what onnxruntime calls its providers.
std::vector<std::string> referenceKeys(const Configuration& configuration, const ProviderTable& table);

// "node:conv1=cpu", "scope:/encoder/layer.0=cpu", "op:Resize=cpu", "op:com.microsoft:Gelu=cpu" (--pin).
// INVALID_ARGUMENT otherwise.
Result<NodePin> parsePin(std::string_view text);
std::string printPin(const NodePin& pin);

}  // namespace cutaway::session
