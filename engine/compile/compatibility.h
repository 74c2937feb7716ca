#pragma once
// Will this compiled model run here? Asked without loading it.
//
// Thread rule: pure, apart from what providers do when they are made.
// Example: CUTAWAY_TRY(auto answers, compatibilityOf(ModelSource::file(path), options, table, progress));

#include <string>
#include <vector>

#include "engine/session/session.h"

namespace cutaway::compile {

struct ProviderCompatibility {
  std::string provider;
  std::string info;  // the string in the model; empty: none
  CompatibilityVerdict answer;
};

// metadata: of a model. The provider's string as the generating session wrote it; empty: none.
std::string compatibilityInfo(const std::map<std::string, std::string>& metadata, std::string_view provider);
const char* compatibilityName(
    ContextCompatibility verdict);  // "OPTIMAL", "PREFER_RECOMPILATION", "UNSUPPORTED", "NOT_APPLICABLE"
// Every provider that the model was compiled for or that the options name. Errors: those of load.
Result<std::vector<ProviderCompatibility>> compatibilityOf(const load::ModelSource& source,
                                                           const session::SessionOptions& options,
                                                           const ProviderTable& table, Progress& progress);

}  // namespace cutaway::compile
