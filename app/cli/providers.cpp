// providers: the built providers, their versions, whether usable here and why not.
#include "app/cli/shared_options.h"
#include "app/cli/text_table.h"
#include "app/providers/provider_table.h"
#include "engine/report/json.h"

namespace cutaway::cli {

namespace {

int printProviders(const SharedOptions& shared) {
  nlohmann::json list = nlohmann::json::array();
  TextTable table({"provider", "name", "version", "usable", "what it is"});
  for (const ProviderEntry& entry : builtProviders()) {
    const ProviderStatus status = entry.probe();
    table.add({entry.name, entry.displayName, status.version, status.usable ? "yes" : "no: " + status.reason, entry.description});
    list.push_back({{"name", entry.name}, {"display_name", entry.displayName}, {"description", entry.description}, {"version", status.version}, {"usable", status.usable}, {"reason", status.reason}});
  }
  if (!shared.json) {
    table.print(0, 90);
    return kDone;
  }
  return shared.writeJson(dumpJson({{"schema_version", kReportSchemaVersion}, {"providers", list}}, 2)) ? kDone : kInternal;
}

}  // namespace

Verb verb_providers() {
  return {.name = "providers",
          .help = "the built providers, their versions, whether usable here and why not",
          .example = "cutaway-cli providers --json",
          .declare = [](CLI::App& command) -> std::function<int()> {
            auto shared = std::make_shared<SharedOptions>();
            CLI::Option* json = command.add_option("--json", shared->jsonFile, "print as JSON, to FILE or standard output")->type_name("[FILE]")->expected(0, 1);
            return [shared, json] {
              shared->json = json->count() > 0;
              return printProviders(*shared);
            };
          }};
}

}  // namespace cutaway::cli
