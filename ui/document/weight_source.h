#pragma once
// The model as its file has it, loaded when the first weight is asked for and kept for the next one; its bytes stay
// mapped, not copied.
//
// Thread rule: read() on any thread, one after the other; isConstant() is pure.
// Example: auto content = weights->read(path, edits, 0, "conv1.weight", token);

#include <memory>
#include <string>
#include <vector>

#include <QMutex>

#include "engine/edit/model_edit.h"
#include "engine/report/graph_report.h"
#include "engine/study/tensor/tensor_content.h"

namespace cutaway::ui {

class WeightSource {
 public:
  // Whether the bytes of a value of `graph` stand in the file: an initializer, what a Constant node holds, or either of
  // a graph around that a body captures.
  static bool isConstant(const ModelGraphs& graphs, int graph, const ValueReport& value);

  // Errors: those of loading, of the edits and of constantValue(); MODEL_LOAD_CANCELED.
  Result<std::shared_ptr<const study::TensorContent>> read(const std::string& path,
                                                           const std::vector<edit::ModelEdit>& edits, int32_t graph,
                                                           const std::string& name, const CancelToken& cancel);

 private:
  Result<std::shared_ptr<const Model>> model(const std::string& path, const std::vector<edit::ModelEdit>& edits,
                                             const CancelToken& cancel);

  QMutex m_mutex;
  std::shared_ptr<const Model> m_model;
};

}  // namespace cutaway::ui
