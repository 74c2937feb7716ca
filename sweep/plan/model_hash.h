#pragma once
// What a model is, as a number: the bytes of its file, of the files beside it that it names (external weights, binaries
// of context nodes), and of its test data where that is asked for.
//
// Files are read, not mapped: one that somebody shortens meanwhile is an error and not the end of the program. Thread
// rule: pure apart from the files. Example: CUTAWAY_TRY(const ModelBytes bytes, hashModel("m/model.onnx", false));

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/base/result.h"

namespace cutaway::sweep {

struct ModelBytes {
  std::string hash;  // 32 hexadecimal digits
  int64_t sizeBytes = 0;
};

std::string hashText(std::string_view text);  // 32 hexadecimal digits
// Of the bytes of one file. Errors: NO_SUCHFILE; FAIL with the system's words.
Result<std::string> hashFile(const std::filesystem::path& file);

// Errors: NO_SUCHFILE; FAIL with the system's words.
Result<ModelBytes> hashModel(const std::filesystem::path& model, bool withTestData);
// Folders test_data_set_* beside the model, which `check` runs against.
bool hasTestData(const std::filesystem::path& model);

}  // namespace cutaway::sweep
