#include "providers/onnxruntime/custom/custom_libraries.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "engine/schema/added_schemas.h"
#include "providers/onnxruntime/abi/custom_operator.h"
#include "providers/onnxruntime/client/client.h"
#include "providers/onnxruntime/custom/custom_types.h"
#include "providers/onnxruntime/elf_file.h"
#include "providers/onnxruntime/library.h"

namespace cutaway::onnxruntime {

namespace {

namespace fs = std::filesystem;

constexpr double kMostSeconds = 60;  // for a library to tell its operators

struct Libraries {
  std::mutex mutex;
  std::vector<CustomLibrary> all;
};

Libraries& libraries() {
  static Libraries instance;
  return instance;
}

// Bit n of TensorProto.DataType: all that there are.
const std::vector<std::string>& everyType() {
  static const std::vector<std::string> types = [] {
    std::vector<std::string> names;
    for (int32_t element = 1; element <= static_cast<int32_t>(ElementType::kInt2); ++element)
      names.push_back(fmt::format("tensor({})", elementTypeName(static_cast<ElementType>(element))));
    return names;
  }();
  return types;
}

FormalParameter::Arity arityOf(CustomRole role) {
  switch (role) {
    case CustomRole::kRequired:
      return FormalParameter::Arity::kSingle;
    case CustomRole::kOptional:
      return FormalParameter::Arity::kOptional;
    case CustomRole::kVariadic:
      return FormalParameter::Arity::kVariadic;
  }
  return FormalParameter::Arity::kSingle;
}

// Parameters have no names in the library's words: "input0". One of any type has a type variable of its own.
struct SchemaSide {
  std::vector<FormalParameter> formals;
  int32_t least = 0;
  int32_t most = 0;
};
SchemaSide sideOf(const std::vector<CustomParameter>& from, const char* what, OperatorSchema& schema) {
  SchemaSide side;
  for (const CustomParameter& each : from) {
    FormalParameter formal{.name = fmt::format("{}{}", what, side.formals.size()),
                           .typeText = {},
                           .documentation = {},
                           .arity = arityOf(each.role),
                           .homogeneous = each.homogeneous};
    if (each.element == 0) {
      formal.typeText = fmt::format("T{}", schema.typeConstraints.size());
      schema.typeConstraints.push_back({formal.typeText, everyType()});
    } else {
      formal.typeText = fmt::format("tensor({})", elementTypeName(static_cast<ElementType>(each.element)));
    }
    side.most = static_cast<int32_t>(side.formals.size()) + 1;
    if (each.role == CustomRole::kRequired) side.least = side.most;
    if (each.role == CustomRole::kVariadic) {
      side.least = static_cast<int32_t>(side.formals.size()) + each.least;
      side.most = std::numeric_limits<int32_t>::max();
    }
    side.formals.push_back(std::move(formal));
  }
  return side;
}

AddedSchema schemaOf(const CustomOperator& from, const fs::path& library) {
  AddedSchema added{.schema = {.opType = from.name, .domain = from.domain, .sinceVersion = from.sinceVersion},
                    .source = library.filename().string(),
                    .outputTypes = customOutputTypes};
  OperatorSchema& schema = added.schema;
  SchemaSide inputs = sideOf(from.inputs, "input", schema);
  SchemaSide outputs = sideOf(from.outputs, "output", schema);
  schema.inputs = std::move(inputs.formals);
  schema.outputs = std::move(outputs.formals);
  schema.minInputs = inputs.least;
  schema.maxInputs = inputs.most;
  schema.minOutputs = outputs.least;
  schema.maxOutputs = outputs.most;
  schema.deterministic = false;  // nobody says that it gives the same twice
  schema.documentation = fmt::format(
      "Custom operator of `{}`, written for ONNX Runtime (interface version {}), which runs it{}. The library tells no "
      "names of parameters and no attributes, and {}.",
      library.filename().string(), from.interfaceVersion,
      from.provider.empty() ? std::string() : fmt::format(" on {}", from.provider),
      from.infersShapes ? "infers the shapes of its outputs" : "does not infer shapes: they are known when it has run");
  return added;
}

}  // namespace

Result<void> addCustomLibrary(const fs::path& given) {
  if (const std::string wrong = libraryProblem(given); !wrong.empty()) return fail(ErrorCode::kEpFail, "{}", wrong);
  if (!exportsSymbol(given, abi::kRegisterOperators))
    return fail(ErrorCode::kEpFail, "{} is no library of custom operators: it does not export {}", given.string(),
                abi::kRegisterOperators);
  std::error_code problem;
  const fs::path path = fs::absolute(given, problem);
  if (problem) return fail(ErrorCode::kEpFail, "{}: {}", given.string(), problem.message());
  const std::lock_guard lock(libraries().mutex);
  if (std::ranges::find(libraries().all, path, &CustomLibrary::path) != libraries().all.end()) return {};
  const Result<LibraryPlace> place = findLibrary();
  if (!place)
    return fail(ErrorCode::kEpFail, "{} is for ONNX Runtime, which cannot be used here: {}", given.string(),
                place.error().message);
  // In a process that ends with the question: sessions meet a library that nobody has asked before.
  Host host({.library = place->path, .requestSeconds = kMostSeconds});
  Result<std::vector<CustomOperator>> operators = host.customOperators(path);
  if (!operators) return fail(ErrorCode::kEpFail, "{}: {}", given.string(), operators.error().message);
  if (operators->empty()) return fail(ErrorCode::kEpFail, "{} registers no operator", given.string());
  CustomLibrary library{.path = path, .operators = *std::move(operators), .notes = {}};
  for (const CustomOperator& each : library.operators) {
    if (const Result<void> added = addSchema(schemaOf(each, path)); !added)
      library.notes.push_back(added.error().message);
  }
  libraries().all.push_back(std::move(library));
  return {};
}

std::vector<CustomLibrary> customLibraries() {
  const std::lock_guard lock(libraries().mutex);
  return libraries().all;
}

std::vector<std::string> customLibraryPaths() {
  std::vector<std::string> paths;
  for (const CustomLibrary& library : customLibraries())
    paths.push_back(library.path.string());
  return paths;
}

bool isCustomOperator(const std::string& domain, const std::string& name) {
  const std::vector<CustomLibrary> all = customLibraries();
  return std::ranges::any_of(all, [&](const CustomLibrary& library) {
    return std::ranges::any_of(library.operators,
                               [&](const CustomOperator& each) { return each.domain == domain && each.name == name; });
  });
}

std::string signatureOf(const CustomOperator& each) {
  const auto sideText = [](const std::vector<CustomParameter>& parameters) {
    std::string text;
    for (const CustomParameter& parameter : parameters) {
      text += text.empty() ? "" : ", ";
      text +=
          parameter.element == 0 ? "any" : std::string(elementTypeName(static_cast<ElementType>(parameter.element)));
      if (parameter.role == CustomRole::kOptional) text += "?";
      if (parameter.role == CustomRole::kVariadic) text += parameter.least > 0 ? "+" : "*";
    }
    return text;
  };
  return sideText(each.inputs) + " -> " + sideText(each.outputs);
}

}  // namespace cutaway::onnxruntime
