#include "app/cli/shared_options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "app/about/build_facts.h"
#include "app/about/log_options.h"
#include "app/cli/output.h"
#include "app/custom_operators/custom_options.h"
#include "app/custom_operators/plugin_options.h"
#include "app/options/taken_option.h"
#include "app/providers/provider_table.h"
#include "app/records/record_options.h"
#include "engine/base/write_file.h"
#include "engine/provider/provider_spec.h"
#include "engine/session/choice/tuned_plans.h"
#include "engine/session/configuration/configuration.h"
#include "engine/session/configuration/limits.h"
#include "engine/session/walk/session_providers.h"
#include "providers/onnxruntime/plugin/plugin_library.h"

namespace cutaway::cli {

namespace {

Result<int64_t> parseDim(const std::string& name, const std::string& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) {
    return fail(ErrorCode::kInvalidArgument, "--dim {}={}: the value must be a number of 0 or more", name, text);
  }
  return value;
}

Result<std::vector<NodePin>> parsePins(const std::vector<std::string>& texts) {
  std::vector<NodePin> pins;
  for (const std::string& text : texts) {
    CUTAWAY_TRY(NodePin pin, session::parsePin(text));
    pins.push_back(std::move(pin));
  }
  return pins;
}

std::string notNegative(const std::string& size) {
  if (size.find('-') != std::string::npos) throw CLI::ValidationError("--memory-limit", size + " is negative");
  return size;
}

// A misspelt provider or option is the command line's fault and not the model's: it is found before the model is looked
// at.
Result<void> checkProviders(const session::SessionOptions& options) {
  if (options.providers.empty() && options.pins.empty()) return {};
  CUTAWAY_TRY(const auto providers, session::createProviders(options, builtProviders()));
  for (const NodePin& pin : options.pins) {
    const bool known =
        std::ranges::any_of(providers, [&](const auto& provider) { return provider->name() == pin.provider; });
    if (known) continue;
    std::vector<std::string> names;
    for (const auto& provider : providers)
      names.push_back(provider->name());
    return fail(ErrorCode::kInvalidArgument, "pin {} names a provider that is not in the list: {}",
                session::printPin(pin), fmt::join(names, ", "));
  }
  return {};
}

}  // namespace

Result<std::pair<std::string, std::string>> splitPair(const std::string& text, std::string_view option) {
  const size_t at = text.find('=');
  if (at == std::string::npos || at == 0)
    return fail(ErrorCode::kInvalidArgument, "{} takes NAME=VALUE, not '{}'", option, text);
  return std::pair{text.substr(0, at), text.substr(at + 1)};
}

void SharedOptions::declare(CLI::App& command, bool withModel) {
  if (withModel) command.add_option("MODEL", model, "the model file (.onnx, .ort, .textproto)");
  command.add_option("--providers", m_providers, kProviderListHelp)->type_name(kProviderListForm);
  command
      .add_option("--pin", m_pins,
                  "assign nodes to one provider: node:NAME=PROVIDER, scope:PREFIX=PROVIDER or op:OPERATOR=PROVIDER; "
                  "the first match decides")
      ->type_name("KIND:PATTERN=PROVIDER")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  m_groupOption =
      command
          .add_option("--min-group", m_minimumGroup, "smallest group to compile; smaller ones go to the next provider")
          ->check(CLI::PositiveNumber)
          ->type_name("N");
  command
      .add_option("--config", m_config,
                  "a configuration, as a file that ends in .json or as a line such as \"providers=cpu; opt-level=0\"; "
                  "other options override it")
      ->type_name("FILE|LINE");
  command.add_option("--dim", m_dims, "bind a symbolic dimension")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  m_levelOption = command.add_option("--opt-level", m_optimizationLevel, "optimisation level")
                      ->check(CLI::Range(0, 3))
                      ->capture_default_str();
  m_threadsOption = command.add_option("--threads", m_threads, "threads for one run, 0: all cores")
                        ->check(CLI::Range(0, session::kMostThreads));
  m_interThreadsOption =
      command.add_option("--inter-threads", m_interThreads, "workers of the dataflow executor, 0: automatic")
          ->check(CLI::Range(0, session::kMostThreads));
  m_executorOption = command
                         .add_option("--executor", m_executor,
                                     "how nodes run: one after another, or independent ones at the same time")
                         ->check(CLI::IsMember({"sequential", "dataflow"}))
                         ->capture_default_str();
  m_orderOption = command.add_option("--order", m_order, "execution order")
                      ->check(CLI::IsMember({"default", "priority", "memory", "fifo", "onnxruntime"}))
                      ->capture_default_str();
  m_planOption =
      command
          .add_option("--plan", m_plan,
                      "rules of planning: this engine's, those of onnxruntime, or those of its builds for training")
          ->transform([](const std::string& rules) { return rules == "reference" ? "onnxruntime" : rules; })
          ->check(CLI::IsMember({"cutaway", "onnxruntime", "onnxruntime-counters"}))
          ->capture_default_str();
  command.add_flag("--no-in-place", m_noInPlace, "write nothing over its input");
  command.add_option("--memory-limit", m_memoryLimit, "refuse to run with more memory than this, such as 512MB")
      ->transform(notNegative)  // which would become a size above all others
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  command.add_option("--set", m_settings, "a session key of onnxruntime, such as session.disable_cpu_ep_fallback=1")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command.add_option("--profile-dir", m_profileFolders, "folder with support profiles of declared hardware")
      ->type_name("DIR");
  declarePluginLibraries(command);
  declareCustomOperators(command);
  declarePlugins(command);
  declareRecords(command, [this](std::string provider) { m_replayed = std::move(provider); });
  declareLog(command);
}

void SharedOptions::declareJson(CLI::App& command) {
  m_jsonOption = command.add_option("--json", jsonFile, "print the report as JSON, to FILE or standard output")
                     ->type_name("[FILE]")
                     ->expected(0, 1);
}

int64_t SharedOptions::memoryLimitBytes() const {
  return static_cast<int64_t>(std::min<uint64_t>(m_memoryLimit, INT64_MAX));
}

Result<void> SharedOptions::settle() {
  m_heap.emplace(memoryLimitBytes());
  json = m_jsonOption != nullptr && m_jsonOption->count() > 0;
  if (model.empty() && json) std::swap(model, jsonFile);
  if (model.empty()) return fail(ErrorCode::kInvalidArgument, "no MODEL is given");
  return {};
}

Result<session::SessionOptions> SharedOptions::sessionOptions(Stage lastStage, bool prepareRun) const {
  CUTAWAY_TRY(session::SessionOptions options, assemble(lastStage, prepareRun));
  CUTAWAY_CHECK(checkProviders(options));
  return options;
}

Result<session::SessionOptions> SharedOptions::assemble(Stage lastStage, bool prepareRun) const {
  session::SessionOptions options;
  if (!m_config.empty()) {
    CUTAWAY_TRY(const session::Configuration configuration, session::readConfiguration(m_config));
    CUTAWAY_CHECK(configuration.applyTo(options, builtProviders()));
  }
  if (!m_providers.empty()) {
    CUTAWAY_TRY(options.providers, splitProviderList(m_providers));
  }
  options.tuned = {.folder = session::userTunedFolder(), .version = versionNumber()};
  addCustomProvider(options.providers);
  addPluggedProvider(options.providers);
  if (!m_replayed.empty()) options.providers.insert(options.providers.begin(), m_replayed);
  CUTAWAY_TRY(std::vector<NodePin> pins, parsePins(m_pins));
  options.pins.insert(options.pins.begin(), pins.begin(), pins.end());
  if (m_groupOption->count() > 0) options.minimumGroupNodes = m_minimumGroup;
  if (m_levelOption->count() > 0) options.optimizationLevel = m_optimizationLevel;
  if (m_threadsOption->count() > 0) options.threads = m_threads;
  if (m_orderOption->count() > 0) options.order = m_order;
  if (m_interThreadsOption->count() > 0) options.interThreads = m_interThreads;
  if (m_executorOption->count() > 0) options.executor = m_executor;
  if (m_planOption->count() > 0) options.planRules = m_plan;
  if (m_noInPlace) options.inPlace = false;
  options.memoryLimitBytes = memoryLimitBytes();
  options.lastStage = lastStage;
  options.prepareRun = prepareRun;
  for (const std::string& folder : m_profileFolders)
    options.profileFolders.emplace_back(folder);
  for (const std::string& text : m_dims) {
    CUTAWAY_TRY(const auto pair, splitPair(text, "--dim"));
    CUTAWAY_TRY(const int64_t value, parseDim(pair.first, pair.second));
    options.dims[pair.first] = value;
  }
  for (const std::string& text : m_settings) {
    CUTAWAY_TRY(const auto pair, splitPair(text, "--set"));
    options.config[pair.first] = pair.second;
  }
  return options;
}

void declarePluginLibraries(CLI::App& command) {
  addTakenOptions(
      command, "--ep-library", [](const std::string& text) { return onnxruntime::addPluginLibrary(text); },
      "a library of plug-in execution providers, which --providers then knows by this name, or a folder with some",
      "NAME=PATH");
}

Result<std::unique_ptr<session::Session>> SharedOptions::openSession(Stage lastStage, bool prepareRun,
                                                                     Progress& progress) const {
  CUTAWAY_TRY(const session::SessionOptions options, assemble(lastStage, prepareRun));
  return session::Session::create(load::ModelSource::file(model), options, builtProviders(), progress);
}

Result<void> SharedOptions::writeJson(const std::string& text) const {
  if (jsonFile.empty() || jsonFile == "-") {
    putRaw(text);
    putRaw("\n");
    return {};
  }
  return writeFile(jsonFile, text);
}

}  // namespace cutaway::cli
