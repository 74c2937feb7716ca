// EPContext: a compiled part of a model (the com.microsoft EPContext schema in onnxruntime/core/graph/contrib_ops).
// Attributes that are not listed are the provider's own, and no mistake (check_node.cpp).

#include "engine/schema/own/own_operator.h"

namespace cutaway::own {
namespace {

const std::vector<OwnOperator>& table() {
  static const std::vector<OwnOperator> rows = {
      {"EPContext",
       kMicrosoft,
       "inputs*:E -> outputs+:E",
       nothing,
       {{"main_context", AttributeKind::kInt},
        {"ep_cache_context", AttributeKind::kString},
        {"embed_mode", AttributeKind::kInt},
        {"ep_sdk_version", AttributeKind::kString},
        {"hardware_architecture", AttributeKind::kString},
        {"partition_name", AttributeKind::kString},
        {"source", AttributeKind::kString},
        {"notes", AttributeKind::kString},
        {"onnx_model_filename", AttributeKind::kString},
        {"max_size", AttributeKind::kInt}}},
  };
  return rows;
}

}  // namespace

OwnOperators own_context() {
  return table();
}

}  // namespace cutaway::own
