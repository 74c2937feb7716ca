#include "app/providers/provider_table.h"

#include "providers/cpu/provider.h"
#include "providers/cuda/provider.h"
#include "providers/declared/provider.h"
#include "providers/onednn/provider.h"
#include "providers/openvino/provider.h"
#include "providers/skeleton/provider.h"

namespace cutaway {

ProviderTable builtProviders() {
  return {
      skeletonProvider(), onednnProvider(), openvinoProvider(), cudaProvider(), declaredProvider(), cpuProvider(),
  };
}

}  // namespace cutaway
