#include "engine/report/json_kernels.h"

#include <nlohmann/json.hpp>

namespace cutaway {

nlohmann::json kernelsToJson(const KernelReport& report) {
  nlohmann::json list = nlohmann::json::array();
  for (const NodeKernel& node : report.nodes) {
    nlohmann::json refused = nlohmann::json::array();
    for (const RowRefusal& row : node.refused)
      refused.push_back({{"fast_path", row.fastPath}, {"reason", row.reason}});
    list.push_back({{"graph", node.graph},
                    {"node", node.node},
                    {"name", node.name},
                    {"op_type", node.opType},
                    {"provider", node.provider},
                    {"variant", node.variant},
                    {"fast_path", node.fastPath},
                    {"refused", std::move(refused)},
                    {"packed_bytes", node.packedBytes},
                    {"compiled", node.compiled}});
  }
  return list;
}

}  // namespace cutaway
