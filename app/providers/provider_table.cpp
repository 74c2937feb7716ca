#include "app/providers/provider_table.h"

namespace cutaway {

// The build writes the list from CMakeLists.txt: CUTAWAY_UNIT(name) for each provider.
#define CUTAWAY_UNIT(name) ProviderEntry name##Provider();
#include "providers_table.inc"
#undef CUTAWAY_UNIT

ProviderTable builtProviders() {
#define CUTAWAY_UNIT(name) name##Provider(),
  return {
#include "providers_table.inc"
  };
#undef CUTAWAY_UNIT
}

}  // namespace cutaway
