// Options to edits: a table says how the text of each is read.
#include "app/cli/edit_options.h"

#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>

#include "app/cli/shared_options.h"
#include "engine/base/read_text_file.h"

namespace cutaway::cli {
namespace {

// How an option's text becomes an edit.
enum class Form : uint8_t {
  kFile,            // a list of edits
  kNameText,        // NAME=TEXT
  kName,            // NAME
  kText,            // TEXT
  kNode,            // NODE
  kNodeText,        // NODE=TEXT
  kNodeNameText,    // NODE.NAME=TEXT
  kNodeName,        // NODE.NAME
  kExtractInputs,   // A,B
  kExtractOutputs,  // A,B
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> list(1);
  for (const char letter : text) {
    if (letter == ',')
      list.emplace_back();
    else
      list.back().push_back(letter);
  }
  std::erase(list, std::string());
  return list;
}

Result<int32_t> findNode(const Model& model, const std::string& name) {
  std::vector<int32_t> found;
  for (size_t i = 0; i < model.origins.size(); ++i)
    if (model.origins[i].name == name && !name.empty()) found.push_back(static_cast<int32_t>(i));
  if (found.size() == 1) return found.front();
  if (found.size() > 1)
    return fail(ErrorCode::kInvalidArgument, "{} nodes are called '{}'; say which one as #{}", found.size(), name,
                found.front());
  if (name.size() > 1 && name.front() == '#' && name.size() < 10 &&
      std::all_of(name.begin() + 1, name.end(), [](char letter) { return letter >= '0' && letter <= '9'; })) {
    const int32_t number = std::stoi(name.substr(1));
    if (number < static_cast<int32_t>(model.origins.size())) return number;
    return fail(ErrorCode::kInvalidArgument, "there is no node {}: the model has {}", name, model.origins.size());
  }
  return fail(ErrorCode::kInvalidArgument, "no node is called '{}'", name);
}

// Attribute names have no dots; names of nodes may.
Result<std::pair<std::string, std::string>> splitAttribute(const std::string& text, std::string_view option) {
  const size_t dot = text.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == text.size())
    return fail(ErrorCode::kInvalidArgument, "{} takes NODE.ATTRIBUTE, not '{}'", option, text);
  return std::pair{text.substr(0, dot), text.substr(dot + 1)};
}

}  // namespace

struct EditOptions::Row {
  const char* option;
  const char* type;
  const char* help;
  edit::EditKind kind;
  Form form;
};

const std::vector<EditOptions::Row>& EditOptions::rows() {
  static const std::vector<Row> kRows = {
      {"--edits", "FILE", "a list of edits as JSON, as --save-edits and the window's session files have it",
       edit::EditKind::kRenameValue, Form::kFile},
      {"--rename-value", "A=B", "a value gets another name, wherever it is read", edit::EditKind::kRenameValue,
       Form::kNameText},
      {"--set-type", "NAME=TYPE", "the element type of an input or output, such as float16",
       edit::EditKind::kSetElementType, Form::kNameText},
      {"--set-shape", "NAME=1,3,224,224", "the shape of an input or output; names and empty parts are open dimensions",
       edit::EditKind::kSetShape, Form::kNameText},
      {"--set-dim", "NAME=VALUE", "every dimension of that name becomes a number or another name",
       edit::EditKind::kSetDim, Form::kNameText},
      {"--rename-node", "NODE=NAME", "a node gets another name", edit::EditKind::kRenameNode, Form::kNodeText},
      {"--delete", "NODE", "take a node out; what others read of it becomes an input", edit::EditKind::kDeleteNode,
       Form::kNode},
      {"--bypass", "NODE", "take a node out; who read its first output reads its input", edit::EditKind::kBypassNode,
       Form::kNode},
      {"--set-attribute", "NODE.NAME=VALUE", "an attribute: 3, 0.5, text or [1, 2]", edit::EditKind::kSetAttribute,
       Form::kNodeNameText},
      {"--remove-attribute", "NODE.NAME", "an attribute that is not required", edit::EditKind::kRemoveAttribute,
       Form::kNodeName},
      {"--add-output", "VALUE", "a value becomes an output too", edit::EditKind::kAddOutput, Form::kName},
      {"--remove-output", "VALUE", "a value is no output any more", edit::EditKind::kRemoveOutput, Form::kName},
      {"--extract-inputs", "A,B", "with --extract-outputs: values that the part begins with", edit::EditKind::kExtract,
       Form::kExtractInputs},
      {"--extract-outputs", "C", "only what these values need stays", edit::EditKind::kExtract, Form::kExtractOutputs},
      {"--set-metadata", "KEY=VALUE", "an entry of the model's metadata", edit::EditKind::kSetMetadata,
       Form::kNameText},
      {"--remove-metadata", "KEY", "an entry of the model's metadata", edit::EditKind::kRemoveMetadata, Form::kName},
      {"--set-producer", "NAME", "who made the model", edit::EditKind::kSetProducer, Form::kText},
      {"--set-documentation", "TEXT", "the model's documentation", edit::EditKind::kSetDocumentation, Form::kText},
  };
  return kRows;
}

void EditOptions::declare(CLI::App& command) {
  m_command = &command;
  m_given.resize(rows().size());
  for (size_t i = 0; i < rows().size(); ++i) {
    const Row& row = rows()[i];
    m_given[i].option = command.add_option(row.option, m_given[i].texts, row.help)
                            ->type_name(row.type)
                            ->take_all()
                            ->expected(1)
                            ->allow_extra_args(false);
  }
}

bool EditOptions::any() const {
  return std::ranges::any_of(m_given, [](const Given& given) { return !given.texts.empty(); });
}

Result<void> EditOptions::add(const Row& row, const std::string& text, const Model& model,
                              std::vector<edit::ModelEdit>& edits, std::vector<std::string>& extractInputs) const {
  edit::ModelEdit edit{.kind = row.kind};
  std::pair<std::string, std::string> pair;
  if (row.form == Form::kNameText || row.form == Form::kNodeText || row.form == Form::kNodeNameText) {
    CUTAWAY_TRY(pair, splitPair(text, row.option));
    edit.text = pair.second;
  }
  switch (row.form) {
    case Form::kFile: {
      CUTAWAY_TRY(const std::string content, readTextFile(text, {.what = "the list of edits"}));
      Result<std::vector<edit::ModelEdit>> list = edit::editsFromJson(content);
      if (!list) return fail(atFile(list.error(), text));
      edits.insert(edits.end(), list->begin(), list->end());
      return {};
    }
    case Form::kNameText:
      edit.name = pair.first;
      break;
    case Form::kName:
      edit.name = text;
      break;
    case Form::kText:
      edit.text = text;
      break;
    case Form::kNode: {
      CUTAWAY_TRY(edit.origin, findNode(model, text));
      break;
    }
    case Form::kNodeText: {
      CUTAWAY_TRY(edit.origin, findNode(model, pair.first));
      break;
    }
    case Form::kNodeNameText:
    case Form::kNodeName: {
      CUTAWAY_TRY(const auto names, splitAttribute(row.form == Form::kNodeName ? text : pair.first, row.option));
      CUTAWAY_TRY(edit.origin, findNode(model, names.first));
      edit.name = names.second;
      break;
    }
    case Form::kExtractInputs:
      extractInputs = split(text);
      return {};
    case Form::kExtractOutputs:
      edit.names = std::exchange(extractInputs, {});
      edit.outputs = split(text);
      break;
  }
  edits.push_back(std::move(edit));
  return {};
}

Result<std::vector<edit::ModelEdit>> EditOptions::edits(const Model& model) const {
  std::vector<edit::ModelEdit> edits;
  std::vector<std::string> extractInputs;
  std::map<const CLI::Option*, size_t> next;
  // Inputs of a part may stand before or behind its outputs.
  const auto inputs =
      std::ranges::find_if(m_given, [](const Given& given) { return given.option->get_name() == "--extract-inputs"; });
  if (inputs->texts.size() == 1) extractInputs = split(inputs->texts.front());
  for (const CLI::Option* option : m_command->parse_order()) {
    const auto given = std::ranges::find(m_given, option, &Given::option);
    if (given == m_given.end()) continue;
    const Row& row = rows()[static_cast<size_t>(given - m_given.begin())];
    const size_t at = next[option]++;
    if (at >= given->texts.size() || (row.form == Form::kExtractInputs && given->texts.size() == 1)) continue;
    CUTAWAY_CHECK(add(row, given->texts[at], model, edits, extractInputs));
  }
  if (!extractInputs.empty()) return fail(ErrorCode::kInvalidArgument, "--extract-inputs needs --extract-outputs");
  return edits;
}

}  // namespace cutaway::cli
