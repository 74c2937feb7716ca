#include "app/about/option_tables.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/about/build_facts.h"

namespace cutaway {

namespace {

using Json = nlohmann::ordered_json;

// The parser describes a list of choices as "TEXT:{dark,light}".
Json choicesOf(const std::string& type) {
  Json choices = Json::array();
  const size_t begin = type.find('{');
  const size_t end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return choices;
  for (std::string& choice : CLI::detail::split(type.substr(begin + 1, end - begin - 1), ','))
    choices.push_back(std::move(choice));
  return choices;
}

Json describeOption(const CLI::Option& option) {
  Json names = Json::array();
  for (const std::string& name : option.get_snames())
    names.push_back("-" + name);
  for (const std::string& name : option.get_lnames())
    names.push_back("--" + name);
  const bool isFlag = option.get_items_expected_max() == 0;
  const std::string said = isFlag ? "" : option.get_type_name();  // "INT:INT in [0 - 3]"
  const size_t end = said.find(':');
  const Json choices = choicesOf(said);
  const bool takesAll = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return {{"names", names},
          {"position", option.get_positional() ? option.get_name(true, false) : ""},
          {"type", said.substr(0, end)},
          {"choices", choices},
          {"limits", choices.empty() && end != std::string::npos ? said.substr(end + 1) : ""},
          {"help", option.get_description()},
          {"default", isFlag ? "" : option.get_default_str()},
          {"required", option.get_required()},
          {"repeats", !isFlag && (takesAll || option.get_items_expected_max() > 1)},
          {"flag", isFlag}};
}

Json describeOptions(const CLI::App& app) {
  Json all = Json::array();
  for (const CLI::Option* option : app.get_options([](const CLI::Option* each) { return !each->get_group().empty(); }))
    all.push_back(describeOption(*option));
  return all;
}

}  // namespace

std::string optionTables(const CLI::App& app, std::span<const ExitMeaning> exits) {
  Json verbs = Json::array();
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); }))
    verbs.push_back({{"name", verb->get_name()},
                     {"help", verb->get_description()},
                     {"footer", verb->get_footer()},
                     {"options", describeOptions(*verb)}});
  Json meanings = Json::array();
  for (const ExitMeaning& exit : exits)
    meanings.push_back({{"code", exit.code}, {"meaning", exit.meaning}});
  const Json tables{{"program", app.get_name()},  {"version", versionNumber()},      {"help", app.get_description()},
                    {"footer", app.get_footer()}, {"options", describeOptions(app)}, {"verbs", verbs},
                    {"exits", meanings}};
  return tables.dump(2);
}

}  // namespace cutaway
