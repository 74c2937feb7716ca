#pragma once
// What keeps a compiled group out of a context model: its provider, or the types of its inputs and outputs.
//
// Thread rule: pure, apart from the question to the provider. Example: if (std::string reason = portObjection("input",
// "x", type); !reason.empty()) ...

#include <string>
#include <string_view>

#include "engine/provider/execution_provider.h"

namespace cutaway::context {

// T of EPContext, version 1: bool, integers of 8 to 64 bits, float16, float, double, bfloat16.
bool isContextType(ElementType type);
// One sentence, or empty: this value may be an input or output of an EPContext node. side: "input", "output".
std::string portObjection(std::string_view side, std::string_view name, bool isTensor, ElementType type,
                          std::string_view typeText);
// contextSupport(), which may throw: then kNone with the reason.
ContextSupport askContextSupport(const ExecutionProvider& provider);
// nullptr: not among them.
ExecutionProvider* findProvider(std::span<const std::unique_ptr<ExecutionProvider>> providers, std::string_view name);

}  // namespace cutaway::context
