#pragma once
// The chips that a session compiles for, where the provider has an option for them (QNN's soc_model=69, or 43+69 for
// one binary that serves both).
//
// A binary for several chips is a context and nothing else: the provider compiles none for a session that is to run
// here, and its simulator loads none. Thread rule: pure. Example:
//   if (chipsOf(settings).size() > 1 && !exportsContexts) refuse(onlyAsContext(plugin, settings));

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/provider/kernel.h"
#include "providers/onnxruntime/plugin/plugin_library.h"
#include "providers/onnxruntime/plugin/plugin_settings.h"

namespace cutaway::onnxruntime {

// Their numbers ("43"), also of those that are given by name; empty: the provider has no such option, or it is not
// given.
std::vector<std::string> chipsOf(const PluginSettings& settings);
// Those of an ep_compatibility_info; empty: it is of another form, or names none.
std::vector<std::string> chipsIn(std::string_view compatibilityInfo);
// "43 (SM8550) and 69 (SM8750)"
std::string chipWords(const std::vector<std::string>& chips);

// Why a session for several chips cannot be had, and what to do.
std::string onlyAsContext(const PluginLibrary& plugin, const PluginSettings& settings);
// Why a binary for these chips is not loaded here.
std::string onlyOnChips(const PluginLibrary& plugin, const std::vector<std::string>& chips);
// Stands for a group that is compiled for several chips: a run fails with the reason.
std::shared_ptr<const Kernel> kernelOfContext(std::string reason);
// The provider answers for several chips only where a context is to be written; nothing is written by a question.
void allowSeveralChips(SessionSettings& question);

}  // namespace cutaway::onnxruntime
