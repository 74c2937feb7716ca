#pragma once
// Descriptions as cuDNN graphs, through the headers of cuDNN's front end. Only cudnn_operations.cpp includes this: the
// front end costs half a minute of compilation.
//
// Tensors that callers bring have fixed numbers in the order of the description's operands, so that a plan restored
// from bytes takes the same pointers. Thread rule: pure. Example: fe::graph::Graph graph;  if (Status status =
// convolutionGraph(description, graph); !status.ok()) return status;

#include <memory>
#include <vector>

#include <cudnn_frontend.h>

#include "providers/cuda/backend/operations.h"

namespace cutaway::cuda {

namespace fe = cudnn_frontend;
using CudnnGraph = std::shared_ptr<fe::graph::Graph>;
using CudnnTensor = std::shared_ptr<fe::graph::Tensor_attributes>;

inline Status statusOf(fe::error_t error, const char* what) {
  return error.is_good() ? Status{} : Status::unsupported(std::string("cuDNN, ") + what + ": " + error.get_message());
}

inline bool cudnnType(ElementType type, fe::DataType_t& result) {
  switch (type) {
    case ElementType::kFloat:
      result = fe::DataType_t::FLOAT;
      return true;
    case ElementType::kFloat16:
      result = fe::DataType_t::HALF;
      return true;
    case ElementType::kBfloat16:
      result = fe::DataType_t::BFLOAT16;
      return true;
    case ElementType::kInt32:
      result = fe::DataType_t::INT32;
      return true;
    default:
      return false;
  }
}

CudnnTensor operand(fe::graph::Graph& graph, const char* name, int64_t number, std::vector<int64_t> dims,
                    std::vector<int64_t> strides, fe::DataType_t type);
// y = activation(x) in as many pointwise nodes as it needs; nullptr: cuDNN has no way.
CudnnTensor activationNode(fe::graph::Graph& graph, CudnnTensor x, const Epilogue& epilogue);

// graph: empty, but for the device that it is for: attention asks for that while it is described.
Status convolutionGraph(const ConvolutionDescription& description, fe::graph::Graph& graph);
// The operands are q, k, v, y, (mask), (keyLengths), and last, with keyLengths, a vector of query lengths that the
// operation brings itself.
Status attentionGraph(const AttentionDescription& description, fe::graph::Graph& graph);

}  // namespace cutaway::cuda
