#pragma once
// Libraries of custom operators written for ONNX Runtime: which ones were named, and what they bring.
//
// A library is opened in a host process, never here. Its operators are known to the whole program from then on
// (engine/schema/added_schemas.h), and every session of ONNX Runtime has them. The list only grows. Thread rule: any
// thread; added before the models that need it are loaded. Example:
//   CUTAWAY_CHECK(addCustomLibrary("libops.so"));
//   for (const CustomLibrary& library : customLibraries()) show(library.path, library.operators);

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/result.h"
#include "providers/onnxruntime/protocol/custom_facts.h"

namespace cutaway::onnxruntime {

struct CustomLibrary {
  std::filesystem::path path;  // absolute
  std::vector<CustomOperator> operators;
  std::vector<std::string> notes;  // about operators that are known without it
};

// One that was added before is added once. EP_FAIL with the library and what to do: it is no library for this machine,
// no library of custom operators, lacks what it needs, wants a newer ONNX Runtime, or died; or ONNX Runtime cannot be
// had.
Result<void> addCustomLibrary(const std::filesystem::path& path);
std::vector<CustomLibrary> customLibraries();
// As sessions take them (SessionSettings::customOperators).
std::vector<std::string> customLibraryPaths();
// Whether one of them has the operator.
bool isCustomOperator(const std::string& domain, const std::string& name);

// "X:T, B?:float -> Y:T": a signature in one line. Parameters have numbers, because libraries give them no names.
std::string signatureOf(const CustomOperator& each);

}  // namespace cutaway::onnxruntime
