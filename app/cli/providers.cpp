// providers: the built providers, their versions, whether usable here and why not; with --operators, what the CPU
// provider runs; with --check-profile, what is wrong with a support profile; with --learn, one made from a provider.
#include <algorithm>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/case_operators.h"
#include "app/cli/exit_code.h"
#include "app/cli/learn.h"
#include "app/cli/operator_table.h"
#include "app/cli/output.h"
#include "app/cli/shared_options.h"
#include "app/cli/stage_verb.h"
#include "app/cli/text_table.h"
#include "app/providers/provider_json.h"
#include "app/providers/provider_table.h"
#include "engine/report/json.h"
#include "providers/declared/profile_store.h"
#include "providers/declared/provider.h"
#include "providers/onnxruntime/plugin/plugin_devices.h"
#include "providers/onnxruntime/plugin/plugin_library.h"

namespace cutaway::cli {

namespace {

// The support profiles that the program ships, as rows below the provider that reads them.
nlohmann::json addProfiles(const ProviderEntry& entry, TextTable& table) {
  nlohmann::json list = nlohmann::json::array();
  for (const declared::ShippedProfile& profile : declared::shippedProfiles()) {
    table.add({fmt::format("  {}({})", entry.name, profile.name), std::string(profile.title),
               std::string(profile.version), "yes", fmt::format("support profile of {}", profile.date)});
    list.push_back(
        {{"name", profile.name}, {"title", profile.title}, {"version", profile.version}, {"date", profile.date}});
  }
  return list;
}

// What the libraries of plug-in providers offer here, as rows below their providers.
nlohmann::json addDevices(const onnxruntime::PluginLibrary& plugin, const onnxruntime::PluginOffer& offer,
                          TextTable& table) {
  nlohmann::json list = nlohmann::json::array();
  for (const onnxruntime::DeviceFacts& device : offer.devices) {
    nlohmann::json metadata = nlohmann::json::object();
    std::string version;
    for (const auto& [key, value] : device.metadata) {
      metadata[key] = value;
      if (key == "version") version = value;
    }
    table.add(
        {"  " + device.provider, device.providerVendor, version, "yes",
         fmt::format("device: {}{} of {} (vendor {:#x}, device {:#x})", offer.onSoftware ? "software adapter on " : "",
                     device.kind, device.vendor.empty() ? "?" : device.vendor, device.vendorId, device.deviceId)});
    list.push_back({{"provider", device.provider},
                    {"vendor", device.providerVendor},
                    {"kind", device.kind},
                    {"hardware_vendor", device.vendor},
                    {"vendor_id", device.vendorId},
                    {"device_id", device.deviceId},
                    {"metadata", metadata}});
  }
  return {{"library", plugin.path.string()},
          {"package", plugin.package},
          {"package_version", plugin.version},
          {"licence", plugin.licence},
          {"how_to_get_it", onnxruntime::howToGet(plugin)},
          {"problem", offer.problem},
          {"software_adapter", offer.onSoftware},
          {"devices", list}};
}

int checkProfile(const std::string& file) {
  const std::vector<std::string> errors = declared::checkProfile(file);
  for (const std::string& error : errors)
    put("{}: {}\n", file, error);
  put("{}: {}\n", file,
      errors.empty() ? "no errors" : fmt::format("{} {}", errors.size(), errors.size() == 1 ? "error" : "errors"));
  return errors.empty() ? kDone : kCheckFailed;
}

int putJson(const SharedOptions& shared, nlohmann::json json) {
  json["schema_version"] = kReportSchemaVersion;
  const Result<void> written = shared.writeJson(dumpJson(json, 2));
  return written ? kDone : reportError(written.error());
}

int printProviders(const SharedOptions& shared) {
  nlohmann::json list = nlohmann::json::array();
  TextTable table({"provider", "name", "version", "usable", "what it is"});
  const std::vector<onnxruntime::PluginLibrary> plugins = onnxruntime::pluginLibraries();
  std::string reasons, licences;  // in full below the table, whose cells are cut
  for (const ProviderEntry& entry : builtProviders()) {
    ProviderStatus status = entry.probe();
    const auto plugin = std::ranges::find(plugins, entry.name, &onnxruntime::PluginLibrary::name);
    const bool isPlugin = plugin != plugins.end();
    // Only a library that was opened tells that it has no device here.
    const onnxruntime::PluginOffer offer = isPlugin ? onnxruntime::askOffer(*plugin) : onnxruntime::PluginOffer();
    if (status.usable && !offer.problem.empty())
      status = {.usable = false, .version = status.version, .reason = offer.problem};
    table.add({entry.name, entry.displayName, status.version, status.usable ? "yes" : "no", entry.description});
    if (!status.usable) reasons += fmt::format("\n{} cannot be used here: {}\n", entry.name, status.reason);
    if (isPlugin && !plugin->path.empty())
      licences += fmt::format("  {} ({}): {}\n", entry.name, plugin->path.string(),
                              plugin->licence.empty() ? "its owner's" : plugin->licence);
    list.push_back(providerToJson(entry, status));
    if (entry.name == declaredProvider().name) list.back()["profiles"] = addProfiles(entry, table);
    if (isPlugin) list.back()["plugin"] = addDevices(*plugin, offer, table);
  }
  if (!shared.json) {
    table.print(0, 90);
    put("{}", reasons);
    if (!licences.empty()) put("\nlicences of the plug-ins that were found\n{}", licences);
    return kDone;
  }
  return putJson(shared, {{"providers", std::move(list)}});
}

struct OperatorOptions {
  bool wanted = false;
  std::string provider = "cpu";
  std::vector<std::string> cases;
};

nlohmann::json operatorJson(const OperatorCoverage& row, const std::vector<std::string>& cases) {
  nlohmann::json json = {{"domain", row.domain},
                         {"operator", row.opType},
                         {"first_version", row.firstVersion},
                         {"how", howText(row.how)},
                         {"types", row.types},
                         {"left_out_types", row.leftOut},
                         {"fast_path", row.fastPath},
                         {"in_place", row.inPlace},
                         {"host_inputs", row.hostInputs},
                         {"shape_only_inputs", row.shapeOnlyInputs}};
  json["last_version"] = row.lastVersion == 0 ? nlohmann::json() : nlohmann::json(row.lastVersion);
  if (!cases.empty()) json["cases"] = cases;
  return json;
}

std::string versionText(const OperatorCoverage& row) {
  if (row.lastVersion == 0) return fmt::format("{}+", row.firstVersion);
  return row.firstVersion == row.lastVersion ? fmt::format("{}", row.firstVersion)
                                             : fmt::format("{}-{}", row.firstVersion, row.lastVersion);
}

Result<std::unique_ptr<ExecutionProvider>> providerNamed(const std::string& name) {
  for (const ProviderEntry& entry : builtProviders()) {
    if (entry.name == name) return entry.create({});
  }
  return fail(ErrorCode::kInvalidArgument, "no provider is called '{}'; run 'cutaway-cli providers' for the list",
              name);
}

int printOperators(const OperatorOptions& options, const SharedOptions& shared) {
  const Result<std::unique_ptr<ExecutionProvider>> provider = providerNamed(options.provider);
  if (!provider) return usageError(provider.error());
  const KernelRegistry* kernels = (*provider)->kernels();
  if (kernels == nullptr)
    return usageError({ErrorCode::kNotImplemented,
                       fmt::format("provider '{}' compiles what it takes and has no list of kernels", options.provider),
                       {}});
  const CaseOperators cases(options.cases);
  TextTable table({"domain", "operator", "versions", "runs by", "fast path", ">cases", "types", "left out"});
  nlohmann::json list = nlohmann::json::array();
  for (const OperatorCoverage& row : operatorCoverage(*kernels)) {
    const std::vector<std::string> tested = cases.of(row.domain, row.opType, row.firstVersion, row.lastVersion);
    const std::string count = options.cases.empty() ? "-" : fmt::format("{}", tested.size());
    table.add({row.domain.empty() ? "ai.onnx" : row.domain, row.opType, versionText(row), std::string(howText(row.how)),
               row.fastPath.empty() ? "-" : row.fastPath, count, typesText(row.types), typesText(row.leftOut)});
    list.push_back(operatorJson(row, tested));
  }
  if (!shared.json) {
    table.print(0, 90);
    return kDone;
  }
  return putJson(shared, {{"provider", options.provider}, {"operators", std::move(list)}});
}

CLI::Option* declareLearning(CLI::App& command, LearnOrder& order) {
  CLI::Option* const wanted =
      command
          .add_option(
              "--learn", order.provider,
              "ask this provider about single operators of all types, ranks and attributes, and write a support "
              "profile for those who do not have it")
          ->type_name("PROVIDER");
  command.add_option("-o,--output", order.file, "the profile's file; else NAME.json")->type_name("FILE")->needs(wanted);
  command.add_option("--learn-name", order.name, "the profile's name; else the provider's with -learned")
      ->type_name("NAME")
      ->needs(wanted);
  command.add_option("--learn-operators", order.operators, "these operators alone")
      ->type_name("OPERATOR")
      ->needs(wanted);
  command.add_option("--learn-seconds", order.mostSeconds, "ask no longer than this")
      ->check(CLI::PositiveNumber)
      ->type_name("SECONDS")
      ->capture_default_str()
      ->needs(wanted);
  return wanted;
}

}  // namespace

Verb verb_providers() {
  return {
      .name = "providers",
      .help = "the built providers, whether usable here and why not; with --operators, what they run",
      .example = "cutaway-cli providers --operators --cases build/test-data/backend",
      .declare = [](CLI::App& command) -> std::function<int()> {
        auto shared = std::make_shared<SharedOptions>();
        CLI::Option* json = command.add_option("--json", shared->jsonFile, "print as JSON, to FILE or standard output")
                                ->type_name("[FILE]")
                                ->expected(0, 1);
        declarePluginLibraries(command);
        auto operators = std::make_shared<OperatorOptions>();
        CLI::Option* wanted = command.add_flag("--operators", operators->wanted,
                                               "every version of every operator: how it runs, types, fast path, hints");
        command.add_option("--of", operators->provider, "whose operators")
            ->type_name("PROVIDER")
            ->capture_default_str()
            ->needs(wanted);
        command.add_option("--cases", operators->cases, "count the test cases below DIR that use each operator")
            ->type_name("DIR")
            ->needs(wanted);
        auto profile = std::make_shared<std::string>();
        command
            .add_option("--check-profile", *profile,
                        "look for errors in a support profile; exit code 1 when there are some")
            ->type_name("FILE")
            ->excludes(wanted)
            ->excludes(json);
        auto order = std::make_shared<LearnOrder>();
        declareLearning(command, *order)->excludes(json)->excludes(wanted);
        return [shared, json, operators, profile, order] {
          if (!order->provider.empty()) return learn(*order);
          if (!profile->empty()) return checkProfile(*profile);
          shared->json = json->count() > 0;
          return operators->wanted ? printOperators(*operators, *shared) : printProviders(*shared);
        };
      }};
}

}  // namespace cutaway::cli
