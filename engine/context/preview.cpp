#include "engine/context/preview.h"

namespace cutaway {

std::vector<ContextGroup> previewContexts(const PartitionReport& /*report*/, std::span<const std::unique_ptr<ExecutionProvider>> /*providers*/) { return {}; }

}  // namespace cutaway
