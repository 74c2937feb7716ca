#include "app/desktop/desktop_options.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "app/about/about.h"
#include "app/about/build_facts.h"
#include "app/about/log_options.h"
#include "app/custom_operators/custom_options.h"
#include "app/custom_operators/plugin_options.h"
#include "app/options/parse_end.h"
#include "app/providers/provider_table.h"
#include "app/records/record_options.h"
#include "engine/provider/provider_spec.h"
#include "engine/session/choice/tuned_plans.h"
#include "engine/session/configuration/configuration.h"
#include "engine/session/configuration/limits.h"

namespace cutaway {
namespace {

constexpr int kUsage = 2;
constexpr ExitMeaning kExits[] = {{0, "the window was closed"}, {kUsage, "usage"}};

std::pair<std::string, std::string> splitPair(const std::string& text, const std::string& option) {
  const size_t at = text.find('=');
  if (at == std::string::npos || at == 0) throw CLI::ValidationError(option, "takes NAME=VALUE, not '" + text + "'");
  return {text.substr(0, at), text.substr(at + 1)};
}

int64_t parseCount(const std::string& text, const std::string& option) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0)
    throw CLI::ValidationError(option, "'" + text + "' is not a number of 0 or more");
  return value;
}

// Who takes which node. The same names and meanings as in the command line's shared options, as in all of these.
void declareAssignment(CLI::App& app, session::SessionOptions& session) {
  app.add_option_function<std::string>(
         "--providers",
         [&session](const std::string& text) {
           Result<std::vector<std::string>> names = splitProviderList(text);
           if (!names) throw CLI::ValidationError("--providers", names.error().message);
           session.providers = *std::move(names);
         },
         kProviderListHelp)
      ->type_name(kProviderListForm);
  app.add_option_function<std::string>(
         "--config",
         [&session](const std::string& text) {
           const Result<session::Configuration> configuration = session::readConfiguration(text);
           if (!configuration) throw CLI::ValidationError("--config", configuration.error().message);
           if (const Result<void> applied = configuration->applyTo(session, builtProviders()); !applied)
             throw CLI::ValidationError("--config", applied.error().message);
         },
         "a configuration, as a file that ends in .json or as a line; other options override it")
      ->type_name("FILE|LINE")
      ->trigger_on_parse();
  app.add_option_function<std::vector<std::string>>(
         "--pin",
         [&session](const std::vector<std::string>& all) {
           std::vector<NodePin> pins;
           for (const std::string& text : all) {
             Result<NodePin> pin = session::parsePin(text);
             if (!pin) throw CLI::ValidationError("--pin", pin.error().message);
             pins.push_back(*std::move(pin));
           }
           session.pins.insert(session.pins.begin(), pins.begin(), pins.end());
         },
         "assign nodes to one provider: node:NAME=PROVIDER, scope:PREFIX=PROVIDER or op:OPERATOR=PROVIDER")
      ->type_name("KIND:PATTERN=PROVIDER")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--min-group", session.minimumGroupNodes,
                 "smallest group to compile; smaller ones go to the next provider")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

// How the model is planned and run.
void declareExecution(CLI::App& app, session::SessionOptions& session) {
  app.add_option_function<std::vector<std::string>>(
         "--dim",
         [&session](const std::vector<std::string>& all) {
           for (const std::string& text : all) {
             const auto [name, value] = splitPair(text, "--dim");
             session.dims[name] = parseCount(value, "--dim");
           }
         },
         "bind a symbolic dimension")
      ->type_name("NAME=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option("--opt-level", session.optimizationLevel, "optimisation level")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  app.add_option("--threads", session.threads, "threads for one run, 0: all cores")
      ->check(CLI::Range(0, session::kMostThreads));
  app.add_option("--inter-threads", session.interThreads, "workers of the dataflow executor, 0: automatic")
      ->check(CLI::Range(0, session::kMostThreads));
  app.add_option("--executor", session.executor,
                 "how nodes run: one after another, or independent ones at the same time")
      ->check(CLI::IsMember({"sequential", "dataflow"}))
      ->capture_default_str();
  app.add_option("--plan", session.planRules,
                 "rules of planning: this engine's, those of onnxruntime, or those of its builds for training")
      ->transform([](const std::string& rules) { return rules == "reference" ? "onnxruntime" : rules; })
      ->check(CLI::IsMember({"cutaway", "onnxruntime", "onnxruntime-counters"}))
      ->capture_default_str();
  app.add_option_function<uint64_t>(
         "--memory-limit",
         [&session](const uint64_t& bytes) {
           session.memoryLimitBytes = static_cast<int64_t>(std::min<uint64_t>(bytes, INT64_MAX));
         },
         "refuse to run with more memory than this, such as 512MB")
      ->transform([](const std::string& size) {
        // Which would become a size above all others.
        if (size.find('-') != std::string::npos) throw CLI::ValidationError("--memory-limit", size + " is negative");
        return size;
      })
      ->transform(CLI::AsSizeValue(false))
      ->type_name("SIZE");
  app.add_option("--order", session.order, "execution order")
      ->check(CLI::IsMember({"default", "priority", "memory", "fifo", "onnxruntime"}))
      ->capture_default_str();
}

void declareEnvironment(CLI::App& app, session::SessionOptions& session) {
  app.add_option_function<std::vector<std::string>>(
         "--set",
         [&session](const std::vector<std::string>& all) {
           for (const std::string& text : all)
             session.config.insert(splitPair(text, "--set"));
         },
         "a session key of onnxruntime")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  app.add_option_function<std::vector<std::string>>(
         "--profile-dir",
         [&session](const std::vector<std::string>& all) {
           for (const std::string& folder : all)
             session.profileFolders.emplace_back(folder);
         },
         "folder with support profiles of declared hardware")
      ->type_name("DIR")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  declareCustomOperators(app);
  declarePlugins(app);
  // The record is written when the window closes.
  declareRecords(app, [&session](std::string provider) {
    session.providers.insert(session.providers.begin(), std::move(provider));
  });
  declareLog(app);
}

void declareSession(CLI::App& app, session::SessionOptions& session) {
  declareAssignment(app, session);
  declareExecution(app, session);
  declareEnvironment(app, session);
}

}  // namespace

DesktopOptions parseDesktopOptions(int argc, char** argv) {
  DesktopOptions options;
  CLI::App app("Opens a window on models and shows every stage of running them.", "cutaway");
  declareAbout(app, kExits);
  app.add_option(
      "MODEL", options.models,
      "models (.onnx, .ort, .textproto), sessions (.cutaway), and sweeps by their plan or results (.toml, .sqlite)");
  app.add_option("--tour", options.tourFolder, "write a PNG of the window at every stage into DIR and quit")
      ->type_name("DIR");
  app.add_option("--theme", options.theme, "theme of the window")->check(CLI::IsMember({"dark", "light"}));
  app.add_option("--language", options.language, "language of the window; else as its settings or the system say")
      ->check(CLI::IsMember({"en", "de", "zh"}));
  app.add_option("--scale", options.scale, "pixels per unit, for the tour")->check(CLI::Range(1, 2));
  app.add_option("--size", options.size, "size of the window, for the tour")
      ->type_name("WIDTHxHEIGHT")
      ->capture_default_str()
      ->check([](const std::string& text) {
        int width = 0, height = 0;
        char more = 0;
        const bool isSize = std::sscanf(text.c_str(), "%5dx%5d%c", &width, &height, &more) == 2;
        return isSize && width > 0 && height > 0 ? std::string() : "a size is like 1440x900, not '" + text + "'";
      });
  app.add_option("--text-size", options.textSize, "size of text in percent, for the tour")
      ->check(CLI::Range(80, 200))
      ->type_name("PERCENT");
  options.session.tuned = {.folder = session::userTunedFolder(), .version = versionNumber()};
  app.add_flag("--new-window", options.ownWindow,
               "a window of its own; otherwise models go to the window that is open, unless other options are given");
  declareSession(app, options.session);
  app.footer("Example: cutaway --providers skeleton,cpu --dim batch=1 model.onnx");
  refuseHollowValues(app);
  try {
    app.parse(argc, argv);
    addCustomProvider(options.session.providers);
    addPluggedProvider(options.session.providers);
    if (!options.tourFolder.empty() && options.models.size() != 1)
      throw CLI::ValidationError("--tour", "takes exactly one MODEL");
    // What else is said here is meant for this start, and an open window has settings of its own.
    for (const CLI::Option* option : app.parse_order())
      options.ownWindow = options.ownWindow || !option->get_positional();
  } catch (const CLI::ParseError& error) {
    const ParseEnd end = endOfParsing(app, error);
    std::fputs(end.shown.c_str(), stdout);
    std::fputs(end.said.c_str(), stderr);
    options.exitCode = end.isUsage ? kUsage : 0;
  }
  return options;
}

}  // namespace cutaway
