#pragma once
// The connected parts of a model that a provider refused, each saved as a model of its own.
//
// Thread rule: the main thread. Example: CUTAWAY_TRY(auto parts, saveRefusedParts(session, {.provider = "openvino"},
// "refused"));

#include <filesystem>
#include <string>
#include <vector>

#include "engine/session/session.h"

namespace cutaway::cli {

struct RefusedFilter {
  std::string provider;
  std::string cause;   // as refusalCauseName says it; empty: all
  std::string opType;  // empty: all
};

struct RefusedPart {
  std::string file;  // within the folder
  std::vector<std::string> nodes;
  std::vector<std::string> operators;  // each once
  std::vector<std::string> causes;     // each once
  std::string reason;                  // of the first node
  std::string remedy;
  int64_t flops = 0;    // as far as known
  std::string problem;  // why it could not be saved or loaded again
};

// session: walked up to partition with SessionOptions::keepOptimized. INVALID_ARGUMENT: the provider was not asked.
// Nothing refused gives an empty list.
Result<std::vector<RefusedPart>> saveRefusedParts(const session::Session& session, const RefusedFilter& filter,
                                                  const std::filesystem::path& folder, const ProviderTable& table);

// Loads a saved model as a user would, up to its checks.
Result<void> checkLoadable(const std::filesystem::path& file, const ProviderTable& table);

}  // namespace cutaway::cli
