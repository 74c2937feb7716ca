#pragma once
// Functions that live in a file of their own: an ONNX model whose functions other models call.
//
// What a model calls and neither it nor a schema defines is looked for in "<model>.functions.onnx" beside the model,
// then in the libraries that were opened before, in their order; what is found becomes a function of the model, with
// what it calls itself. Thread rule: any thread; libraries are opened before models are loaded, and stay. Example:
//   CUTAWAY_TRY(const size_t opened, openFunctionLibraries("plugins"));
//   CUTAWAY_CHECK(addLibraryFunctions(result, progress));

#include <filesystem>

#include "engine/stages/load/load.h"

namespace cutaway::load {

// Every file of the folder that ends in .onnx, by name; how many there are now. One that was opened before is not
// opened again. INVALID_ARGUMENT: no such folder, or a file without functions; errors of load().
Result<size_t> openFunctionLibraries(const std::filesystem::path& folder);
// Fills in what the model calls. The report gets a phase for each library that gave something. A name that is found
// nowhere is no error here. Errors: those of reading the file beside the model.
Result<void> addLibraryFunctions(LoadResult& loaded, Progress& progress);

}  // namespace cutaway::load
