#pragma once
// Models in onnxruntime's own format (.ort, "ORTM"): the graph as onnxruntime saved it, after the optimisations it was
// saved with. Format versions 2 to 6 (up to onnxruntime 1.31).
//
// Weights stay where they lie in the file when they are aligned for their element type. Bodies are read from a work
// list. What only onnxruntime's start needs is not read: edges (they follow from names), kernel names, implicit inputs.
// Thread rule: pure over the settings in hand. Example:
//   if (ort::isOrtModel(bytes)) { CUTAWAY_TRY(const ort::ReadFigures figures, ort::readModel(bytes, settings, model));
//   }

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/graph/model.h"
#include "engine/schema/wire_reader.h"

namespace cutaway::load::ort {

struct ReadSettings {
  std::shared_ptr<const void> keepAlive;  // of the bytes; without it weights are copied
  std::function<bool()> cancelled;
  std::vector<std::string>* warnings = nullptr;
};

struct ReadFigures {
  int version = 0;          // of the format
  int64_t copiedBytes = 0;  // weights that were not aligned
};

// By content: extensions do not matter.
bool isOrtModel(ByteSpan bytes);

// Fills the model; the path and origins are the caller's. Errors: INVALID_PROTOBUF (damaged, cut short),
// NOT_IMPLEMENTED (another format version, nodes that a provider compiled, weights outside the file), INVALID_GRAPH
// (values made twice, tensors that do not fit their dimensions), INVALID_ARGUMENT (no graph).
Result<ReadFigures> readModel(ByteSpan bytes, const ReadSettings& settings, Model& model);

}  // namespace cutaway::load::ort
