#include "sweep/plan/multiplied_settings.h"

namespace cutaway::sweep {

namespace {

constexpr size_t kMostConfigurations = 10'000;

Json jsonOf(const LocatedValue& value) {
  switch (value.kind) {
    case LocatedValue::Kind::kText:
      return value.text;
    case LocatedValue::Kind::kInteger:
      return value.integer;
    case LocatedValue::Kind::kReal:
      return value.real;
    case LocatedValue::Kind::kSwitch:
      return value.isOn;
    case LocatedValue::Kind::kList: {
      Json list = Json::array();
      for (const LocatedValue& item : value.items)
        list.push_back(jsonOf(item));
      return list;
    }
    case LocatedValue::Kind::kTable: {
      Json table = Json::object();
      for (const auto& [name, member] : value.members)
        table[name] = jsonOf(member);
      return table;
    }
    case LocatedValue::Kind::kOther:
      break;
  }
  return nullptr;
}

// Members of a configuration file that are lists themselves: several values of them are a list of lists.
bool isListMember(std::string_view name) {
  return name == "providers" || name == "pins";
}

bool isMultiplied(const std::string& name, const LocatedValue& value) {
  if (value.kind != LocatedValue::Kind::kList) return false;
  return !isListMember(name) || (!value.items.empty() && value.items.front().kind == LocatedValue::Kind::kList);
}

std::string shortText(const LocatedValue& value) {
  if (value.kind == LocatedValue::Kind::kText) return value.text;
  if (value.kind != LocatedValue::Kind::kList)
    return jsonOf(value).dump(-1, ' ', false, Json::error_handler_t::replace);
  std::vector<std::string> words;
  for (const LocatedValue& item : value.items)
    words.push_back(shortText(item));
  return fmt::format("{}", fmt::join(words, ","));
}

}  // namespace

std::vector<PlannedConfiguration> multipliedSettings(const LocatedValue& table, const std::string& name,
                                                     const CheckSettings& check, PlanErrors& errors) {
  std::vector<PlannedConfiguration> all = {{name, Json::object(), {}}};
  for (const auto& [member, value] : table.members) {
    if (member == "name" || member == "limits") continue;
    if (!isMultiplied(member, value)) {
      for (PlannedConfiguration& each : all)
        each.settings[member] = jsonOf(value);
      continue;
    }
    if (value.items.empty() || all.size() * value.items.size() > kMostConfigurations) {
      errors.add(value, value.items.empty()
                            ? fmt::format("configurations: '{}' is an empty list: no job could come of it", member)
                            : fmt::format("configurations: more than {} combinations", kMostConfigurations));
      return {};
    }
    std::vector<PlannedConfiguration> next;
    for (const PlannedConfiguration& each : all) {
      for (const LocatedValue& item : value.items) {
        next.push_back({fmt::format("{} {}={}", each.name, member, shortText(item)), each.settings, {}});
        next.back().settings[member] = jsonOf(item);
      }
    }
    all = std::move(next);
  }
  for (const PlannedConfiguration& each : all) {
    if (!check) break;
    if (const Result<void> good = check(each.settings.dump(-1, ' ', false, Json::error_handler_t::replace)); !good)
      errors.add(table, fmt::format("configuration '{}': {}", each.name, good.error().message));
  }
  return all;
}

}  // namespace cutaway::sweep
