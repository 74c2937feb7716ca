#pragma once
// Convolutions and attention through cuDNN's graphs (cudnn_*.cpp); without its headers at build time both are
// kUnsupported (without_cudnn.cpp).
//
// Thread rule: any thread; the device is the current one when these are called, and when their operations run.
// Example: return makeCudnnConvolution({.facts = &m_facts, .search = false}, description, store, operation);

#include <memory>
#include <string>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

struct CudnnDevice {
  const DeviceFacts* facts = nullptr;  // of the backend, which lives longer than its operations
  bool search = false;                 // time the plans instead of taking the heuristic's first
  bool plansOnly = false;              // no device: plans for an H100, which cannot be run (cudnn_device.h)
};

// "9.19.0"; empty with a reason when it cannot be opened.
std::string cudnnVersion(std::string& reason);
Status makeCudnnConvolution(const CudnnDevice& device, const ConvolutionDescription& description, ArtifactStore& store,
                            std::unique_ptr<Operation>& operation);
Status makeCudnnAttention(const CudnnDevice& device, const AttentionDescription& description, ArtifactStore& store,
                          std::unique_ptr<Operation>& operation);

}  // namespace cutaway::cuda
