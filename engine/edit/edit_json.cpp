// Lists of edits as JSON, with kinds by name.
#include <nlohmann/json.hpp>

#include "engine/edit/model_edit.h"

namespace cutaway::edit {
namespace {

using Json = nlohmann::json;

constexpr int kKinds = static_cast<int>(EditKind::kSetDocumentation) + 1;

tl::unexpected<Error> malformed(size_t index, std::string_view what) {
  return fail(ErrorCode::kInvalidArgument, "edit {}: {}", index + 1, what);
}

Result<EditKind> kindOf(const std::string& name) {
  std::string known;
  for (int i = 0; i < kKinds; ++i) {
    const char* each = editKindName(static_cast<EditKind>(i));
    if (name == each) return static_cast<EditKind>(i);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", each);
  }
  return fail(ErrorCode::kInvalidArgument, "there is no edit '{}'; there are {}", name, known);
}

Result<ModelEdit> readEdit(const Json& json, size_t index) {
  if (!json.is_object()) return malformed(index, "it is no object");
  ModelEdit edit;
  bool hasKind = false;
  for (const auto& [key, value] : json.items()) {
    if (key == "kind" || key == "name" || key == "text") {
      if (!value.is_string()) return malformed(index, fmt::format("'{}' is no text", key));
      if (key == "name") edit.name = value.get<std::string>();
      if (key == "text") edit.text = value.get<std::string>();
      if (key != "kind") continue;
      const Result<EditKind> kind = kindOf(value.get<std::string>());
      if (!kind) return malformed(index, kind.error().message);
      edit.kind = *kind;
      hasKind = true;
    } else if (key == "graph" || key == "origin") {
      if (!value.is_number_integer() || value.get<int64_t>() < -1 || value.get<int64_t>() > INT32_MAX)
        return malformed(index, fmt::format("'{}' is no number of a {}", key, key == "graph" ? "graph" : "node"));
      (key == "graph" ? edit.graph : edit.origin) = value.get<int32_t>();
    } else if (key == "names" || key == "outputs") {
      if (!value.is_array() ||
          !std::all_of(value.begin(), value.end(), [](const Json& each) { return each.is_string(); }))
        return malformed(index, fmt::format("'{}' is no list of names", key));
      (key == "names" ? edit.names : edit.outputs) = value.get<std::vector<std::string>>();
    } else {
      return malformed(index, fmt::format("unknown key '{}'", key));
    }
  }
  if (!hasKind) return malformed(index, "it has no 'kind'");
  return edit;
}

}  // namespace

std::string editsToJson(std::span<const ModelEdit> edits) {
  Json list = Json::array();
  for (const ModelEdit& edit : edits) {
    Json json = {{"kind", editKindName(edit.kind)}};
    if (edit.graph != 0) json["graph"] = edit.graph;
    if (edit.origin >= 0) json["origin"] = edit.origin;
    if (!edit.name.empty()) json["name"] = edit.name;
    if (!edit.text.empty()) json["text"] = edit.text;
    if (!edit.names.empty()) json["names"] = edit.names;
    if (!edit.outputs.empty()) json["outputs"] = edit.outputs;
    list.push_back(std::move(json));
  }
  return Json{{"edits", std::move(list)}}.dump(2, ' ', false, Json::error_handler_t::replace);
}

Result<std::vector<ModelEdit>> editsFromJson(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return fail(ErrorCode::kInvalidArgument, "the edits are not JSON");
  if (!json.is_object() || !json.contains("edits") || !json["edits"].is_array())
    return fail(ErrorCode::kInvalidArgument, "the edits have no list 'edits'");
  std::vector<ModelEdit> edits;
  for (const Json& each : json["edits"]) {
    CUTAWAY_TRY(ModelEdit edit, readEdit(each, edits.size()));
    edits.push_back(std::move(edit));
  }
  return edits;
}

}  // namespace cutaway::edit
