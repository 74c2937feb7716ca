#pragma once
// Options of a plug-in execution provider, checked before its library hears of them.
//
// Thread rule: pure. Example:
//   CUTAWAY_TRY(const std::vector<std::string> notes,
//               checkPluginOptions({"QNNExecutionProvider", "2.7.0"}, {{"backend_type", "htp"}, {"soc_model", "69"}}));

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

struct PluginVersion {
  std::string_view provider;  // "QNNExecutionProvider"
  std::string_view package;   // version of its package, "2.7.0"; empty: not known, and taken for the table's
};

// What is worth saying although it may be right: that another version than the table's is here, that nothing is known
// of this provider. INVALID_ARGUMENT naming the option, the value seen, what is allowed and the nearest names, for a
// name that the version of the table does not have, a value it does not take, one that is missing, or two that exclude
// each other. A name that is unknown goes to a library of another version, with a note.
Result<std::vector<std::string>> checkPluginOptions(const PluginVersion& plugin, const TextPairs& options);

}  // namespace cutaway::onnxruntime
