#pragma once
// What an operator does, as its schema says, in plain strings for windows.
//
// Thread rule: pure; the schemas live for the process. Example: if (const auto docs = operatorDocs("Conv", "", 17))
// show(docs->text);

#include <optional>
#include <string>
#include <vector>

namespace cutaway::study {

struct ParameterDocs {
  std::string name;
  std::string type;  // "T", or the allowed types where it is no variable
  std::string role;  // "", "optional", "variadic"
  std::string text;
};
struct AttributeDocs {
  std::string name;
  std::string kind;
  std::string defaultText;  // empty: required or none
  bool required = false;
  std::string text;
};
struct OperatorDocs {
  std::string opType;
  std::string domain;  // "ai.onnx"
  int32_t sinceVersion = 0;
  bool deprecated = false;
  std::string text;  // Markdown, as the schema has it
  std::vector<ParameterDocs> inputs, outputs;
  std::vector<AttributeDocs> attributes;
  std::vector<std::pair<std::string, std::string>> types;  // "T": allowed types in one line
  std::vector<int32_t> versions;                           // all known since-versions, newest first
};

// nullopt: nobody knows the operator. domain "" is ai.onnx; version: the model's opset, or the node's sinceVersion.
std::optional<OperatorDocs> operatorDocs(const std::string& opType, const std::string& domain, int64_t version);

}  // namespace cutaway::study
