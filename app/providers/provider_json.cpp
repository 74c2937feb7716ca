#include "app/providers/provider_json.h"

#include <nlohmann/json.hpp>

namespace cutaway {

nlohmann::json providerToJson(const ProviderEntry& entry, const ProviderStatus& status) {
  return {{"name", entry.name},        {"display_name", entry.displayName}, {"description", entry.description},
          {"version", status.version}, {"usable", status.usable},           {"reason", status.reason}};
}

}  // namespace cutaway
