#pragma once
// The options that all verbs on a model share, and the session they describe.
//
// Thread rule: the main thread.
// Example: auto shared = std::make_shared<SharedOptions>();  shared->declare(command);  ...  auto session =
// shared->openSession(Stage::kPattern, false, progress);

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "engine/session/session.h"
#include "engine/tensor/heap_limit.h"

namespace cutaway::cli {

class SharedOptions {
 public:
  // Declares MODEL (positional) and the shared options of the command-line contract.
  void declare(CLI::App& command, bool withModel = true);
  void declareJson(CLI::App& command);
  // After parsing: `--json MODEL` names the model, not a file to write. From here on, as long as these options live,
  // all that this thread makes for the model, sessions, inputs and results, counts in one budget, that of
  // --memory-limit. INVALID_ARGUMENT when no model is given.
  Result<void> settle();

  // --config first, then what the other options say; pins of --pin stand before the configuration's.
  // Errors: INVALID_ARGUMENT for a bad --dim, --set, --providers, --pin or --config text, a provider that is not there
  // or not usable; NO_SUCHFILE for the configuration.
  Result<session::SessionOptions> sessionOptions(Stage lastStage, bool prepareRun) const;
  Result<std::unique_ptr<session::Session>> openSession(Stage lastStage, bool prepareRun, Progress& progress) const;

  std::string model;
  bool json = false;
  std::string jsonFile;  // empty: standard output

  // Prints the report as JSON where --json says.
  Result<void> writeJson(const std::string& text) const;

 private:
  Result<session::SessionOptions> assemble(Stage lastStage,
                                           bool prepareRun) const;  // without looking whether providers can be made
  int64_t memoryLimitBytes() const;
  CLI::Option* m_jsonOption = nullptr;
  CLI::Option* m_levelOption = nullptr;
  CLI::Option* m_threadsOption = nullptr;
  CLI::Option* m_orderOption = nullptr;
  CLI::Option* m_interThreadsOption = nullptr;
  CLI::Option* m_executorOption = nullptr;
  CLI::Option* m_planOption = nullptr;
  CLI::Option* m_groupOption = nullptr;
  std::string m_config;
  std::string m_providers;
  std::string m_replayed;  // provider of --replay
  std::vector<std::string> m_pins;
  int64_t m_minimumGroup = 1;
  std::vector<std::string> m_dims;
  std::vector<std::string> m_settings;
  std::vector<std::string> m_profileFolders;
  int m_optimizationLevel = 3;
  int m_threads = 0;
  int m_interThreads = 0;
  std::string m_order = "default";
  std::string m_executor = "sequential";
  std::string m_plan = "cutaway";
  bool m_noInPlace = false;
  uint64_t m_memoryLimit = 0;
  std::optional<HeapLimit> m_heap;
};

// --ep-library NAME=PATH: libraries of plug-in providers, named before any provider is looked for.
void declarePluginLibraries(CLI::App& command);

// Splits NAME=VALUE at the first '='; INVALID_ARGUMENT when there is none or the name is empty.
Result<std::pair<std::string, std::string>> splitPair(const std::string& text, std::string_view option);

}  // namespace cutaway::cli
