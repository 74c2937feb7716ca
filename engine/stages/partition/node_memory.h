#pragma once
// How much memory a node takes, estimated from shapes before anything has run, or read from a file of statistics; and
// that file written.
//
// The file is CSV with onnxruntime's columns:
// name,input_sizes,initializers_sizes,total_dynamic_sizes,total_temp_allocations. Open dimensions may be given sizes
// for the estimate alone (session.max_shape_override, "input:[1,3,224,224];other:[8]"): every value that carries the
// same symbol is then known. Thread rule: pure, apart from the files. Linear. Example:
//   CUTAWAY_TRY(const ShapeOverrides sizes, readShapeOverrides(rules.shapeOverride, model.graph));
//   const NodeMemory memory = nodeMemory(graph, id, sizes);

#include <filesystem>
#include <map>
#include <string>
#include <unordered_map>

#include "engine/graph/model.h"

namespace cutaway::partition {

using ShapeOverrides = std::map<std::string, int64_t>;  // symbol -> size

struct NodeMemory {
  int64_t inputs = 0;        // activations read
  int64_t initializers = 0;  // constants read
  int64_t outputs = 0;       // activations written
  int64_t scratch = 0;       // known from statistics only
};

// INVALID_ARGUMENT: not the grammar, not an input, another rank, a size that contradicts the declared one.
Result<ShapeOverrides> readShapeOverrides(const std::string& text, const Graph& graph);

// Bytes of a value; 0 when a dimension stays open.
int64_t estimatedBytes(const ValueType& type, const ShapeOverrides& sizes);
NodeMemory nodeMemory(const Graph& graph, NodeId id, const ShapeOverrides& sizes);

// The name a node has in the file: its own, else its first output's.
std::string statisticsName(const Graph& graph, NodeId id);

using NodeStatistics = std::unordered_map<std::string, NodeMemory>;
// INVALID_ARGUMENT with the line of the mistake; NO_SUCHFILE.
Result<NodeStatistics> readNodeStatistics(const std::filesystem::path& file);
// Estimates for all nodes of all graphs. FAIL when the file cannot be written.
Result<void> writeNodeStatistics(const std::filesystem::path& file, const Model& model, const ShapeOverrides& sizes);

}  // namespace cutaway::partition
