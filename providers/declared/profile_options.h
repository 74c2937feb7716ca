#pragma once
// Options of a declared provider: they change the profile before it is read, so that a changed rule is checked as one
// that stands in the file.
//
//   memory_bytes=1000000  minimum_nodes=5  static_shapes=1  types=float32;float16         any single fact
//   rule.Resize.attributes.mode=nearest;linear  rule.Conv.ranks.0=3;5  rule.Conv.types=any    a rule of one operator:
//   its new value, or "any" to drop it allow=Mish;com.microsoft:Gelu   refuse=Resize operators to list without rules of
//   their own, and to refuse
//
// Thread rule: pure. Example: CUTAWAY_CHECK(applyOptions(options, root));

#include "engine/provider/execution_provider.h"
#include "providers/declared/located_json.h"

namespace cutaway::declared {

// INVALID_ARGUMENT for an unknown option (listing all), a value of the wrong kind, or a rule of an operator that the
// profile does not list.
Result<void> applyOptions(const ProviderOptions& options, JsonValue& profile);

}  // namespace cutaway::declared
