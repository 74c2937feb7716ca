#pragma once
// What the walk does about compiled models, before and behind the partition stage: the target of an export, the model's
// compatibility strings, the original that can be opened instead.
//
// Thread rule: pure, apart from files that are looked at.
// Example: CUTAWAY_CHECK(checkExport(source, config.context));   // before anything expensive

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/context/context_options.h"
#include "engine/graph/packed_model.h"
#include "engine/provider/execution_provider.h"
#include "engine/provider/provider_entry.h"
#include "engine/stages/load/load.h"

namespace cutaway::session {

// Metadata key of a compiled model, before the provider's name.
inline constexpr std::string_view kCompatibilityKey = "ep_compatibility_info.";

// An export that cannot succeed, told before the model is read: the options and the target's path (context_options.h).
Result<void> checkExport(const load::ModelSource& source, const context::ContextOptions& options);
// INVALID_GRAPH: a model with EPContext nodes is compiled already.
Result<void> refuseCompiled(const Model& model);

bool hasCompatibility(const std::map<std::string, std::string>& metadata);
struct CompatibilityAnswer {
  std::vector<std::string> warnings;
  std::optional<Error>
      refused;  // FAIL: a provider says that it cannot run the model, or would rather recompile and that is an error
};
CompatibilityAnswer checkCompatibility(const std::map<std::string, std::string>& metadata,
                                       std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                       const context::ContextOptions& options);

// An EPContext node, as errors name it.
struct ContextMention {
  std::string name, label;
  std::string modelFile;  // onnx_model_filename
  std::string source;     // who compiled it, as the node says
};
std::vector<ContextMention> contextMentions(const Model& model);
// Whether the error is about one of the nodes and another way to the same model may help: not a cancelled load, not a
// lost device.
bool concernsContext(const Error& error, const std::vector<ContextMention>& nodes);

// What to add to an error about a node that nobody of the session restores: the row of the table that does. Empty: none
// does, the row is in the session already, or the error is about something else.
std::string whoRestores(const Error& error, const std::vector<ContextMention>& nodes, const ProviderTable& table,
                        std::span<const std::unique_ptr<ExecutionProvider>> session);

// The model put away for studies, which restore nothing: binaries that context nodes carry (as large as all weights)
// are left out, a few words stand in their places.
std::shared_ptr<const PackedModel> packedWithoutContexts(Model& model);

// The model that the nodes were made from: the key's path, else what a node names, beside the model in hand (never
// outside of that folder). None: nobody says, or it is not there. NO_SUCHFILE: the key's path leads nowhere.
Result<std::optional<std::filesystem::path>> originalOf(const std::vector<ContextMention>& nodes,
                                                        const std::filesystem::path& model,
                                                        const context::ContextOptions& options);

}  // namespace cutaway::session
