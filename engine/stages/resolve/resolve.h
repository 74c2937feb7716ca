#pragma once
// Resolve: checks a model, decides what every value is (inputs-and-outputs rule), and gives values their types and
// shapes.
//
// Thread rule: pure over the model in hand. Near-linear.
// Example: CUTAWAY_TRY(ResolveReport report, resolve(model, {.dims = {{"batch", 1}}}, progress));

#include <map>
#include <string>

#include "engine/base/progress.h"
#include "engine/graph/model.h"
#include "engine/report/stage_reports.h"

namespace cutaway::resolve {

struct ResolveOptions {
  std::map<std::string, int64_t> dims;  // --dim NAME=VALUE: symbols of graph inputs bound to numbers
  bool strictShapes = false;            // session.strict_shape_type_inference
  bool strictOpsets = false;  // session.allow_released_opsets_only: newer opsets are refused instead of warned about
  bool trace = true;          // record ResolveReport::steps
  bool keepFunctions = true;  // calls stay until partition has asked everybody
};

// Errors as Model::Model and Graph::Resolve in onnxruntime/core/graph: INVALID_ARGUMENT, INVALID_GRAPH, FAIL,
// NOT_IMPLEMENTED (unregistered operator of a known domain), with node and value named. Operators of unknown domains
// are not an error here: their outputs stay unknown, and partition refuses them with a reason.
Result<ResolveReport> resolve(Model& model, const ResolveOptions& options, Progress& progress);

// The inputs-and-outputs rule alone (SetGraphInputsOutputs), for one graph of a model; appends its steps. Used by
// resolve and by tests.
Result<void> setGraphInputsOutputs(Graph& graph, int64_t irVersion, int32_t graphIndex,
                                   std::vector<ResolveStep>& steps);
// The same without steps.
Result<void> setGraphInputsOutputs(Graph& graph, int64_t irVersion);

// Builds the windows' picture of all graphs of a model: main graph first, then bodies in node order (outer before
// inner), then functions. Stable between stages for bodies that survive.
ModelGraphs describeGraphs(const Model& model);
// Index of every graph in describeGraphs' order, for reports of later stages.
std::vector<const Graph*> graphsInReportOrder(const Model& model);

}  // namespace cutaway::resolve
