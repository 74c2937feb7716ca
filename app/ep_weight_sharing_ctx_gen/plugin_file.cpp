#include "app/ep_weight_sharing_ctx_gen/plugin_file.h"

#include <nlohmann/json.hpp>

#include "engine/base/read_text_file.h"

namespace cutaway::sharing {

namespace {

Result<std::string> textOf(const nlohmann::json& value, const std::string& member) {
  if (!value.is_string())
    return fail(ErrorCode::kInvalidArgument, "plugin file: {} is a text, not {}", member, value.type_name());
  return value.get<std::string>();
}

Result<void> readMember(const std::string& member, const nlohmann::json& value, PluginChoice& choice) {
  if (member == "ep_library_registration_name") {
    CUTAWAY_TRY(const std::string name, textOf(value, member));
    choice.notes.push_back(
        fmt::format("plugin file: the library's registration name '{}' has no effect; providers are built in", name));
  } else if (member == "ep_library_path") {
    CUTAWAY_TRY(const std::string path, textOf(value, member));
    if (!path.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "plugin file: ep_library_path '{}': providers are built in and no library is loaded, because a "
                  "context file must not bring code with it; take it out and name a provider in selected_ep_name",
                  path);
  } else if (member == "selected_ep_name") {
    CUTAWAY_TRY(choice.provider, textOf(value, member));
  } else if (member == "selected_ep_device_indices") {
    if (!value.is_array())
      return fail(ErrorCode::kInvalidArgument, "plugin file: {} is a list of numbers, not {}", member,
                  value.type_name());
    if (!value.empty())
      return fail(ErrorCode::kInvalidArgument,
                  "plugin file: selected_ep_device_indices counts the devices of a plugin library, and none is loaded "
                  "here; name a provider in selected_ep_name");
  } else if (member == "default_ep_options") {
    if (!value.is_object())
      return fail(ErrorCode::kInvalidArgument, "plugin file: {} is an object of texts, not {}", member,
                  value.type_name());
    for (const auto& [key, each] : value.items()) {
      CUTAWAY_TRY(choice.options[key], textOf(each, fmt::format("{}.{}", member, key)));
    }
  } else {
    return fail(ErrorCode::kInvalidArgument,
                "plugin file: '{}' is not known; members are ep_library_registration_name, ep_library_path, "
                "selected_ep_name, selected_ep_device_indices, default_ep_options",
                member);
  }
  return {};
}

}  // namespace

Result<PluginChoice> readPluginFile(const std::filesystem::path& file) {
  CUTAWAY_TRY(const std::string text, readTextFile(file, {.what = "the plugin file"}));
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object())
    return fail(ErrorCode::kInvalidArgument, "the plugin file {} is no JSON object", file.string());
  PluginChoice choice;
  for (const auto& [member, value] : json.items())
    CUTAWAY_CHECK(readMember(member, value, choice));
  return choice;
}

}  // namespace cutaway::sharing
