#pragma once
// Private to engine/math: oneDNN without its exceptions, and the descriptors our layouts stand for.
//
// Thread rule: the engine is shared and immutable. A Handle belongs to one caller.
// Example: return attempt("convolution", [&] { plan.primitive = dnnl::convolution_forward(description); });

#include <memory>
#include <span>
#include <string_view>

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/base/result.h"
#include "engine/math/activation.h"
#include "engine/math/onednn_attempt.h"
#include "engine/tensor/shape.h"

namespace cutaway::math::onednn {

const dnnl::engine& cpuEngine();

// Row-major floats.
dnnl::memory::desc plainDescriptor(const dnnl::memory::dims& dims);
// Activations [batch, channels, spatial...] in a layout of ours.
dnnl::memory::desc activationDescriptor(const dnnl::memory::dims& dims, Layout layout);
void appendActivation(dnnl::post_ops& operations, const Activation& activation);
// User scratch pad: the library never allocates while it runs.
dnnl::primitive_attr userScratchAttributes();
dnnl::memory handleFor(const dnnl::memory::desc& descriptor);
// Bytes of the program's heap (engine/tensor/allocator.h) and the library's view of them. Throws std::bad_alloc.
struct OwnedMemory {
  std::shared_ptr<void> bytes;
  dnnl::memory view;
};
OwnedMemory newMemory(const dnnl::memory::desc& descriptor);
// In-place use of the C interface: no map is built per call.
Result<void> execute(const dnnl::primitive& primitive, const dnnl::stream& stream,
                     std::span<const dnnl_exec_arg_t> arguments);

// Names what packing from one order to another makes, for sharing: equal text, equal result.
std::string packingName(std::string_view what, const dnnl::memory::desc& stored, const dnnl::memory::desc& wanted);
inline void point(dnnl::memory& memory, const void* data) {
  memory.set_data_handle(const_cast<void*>(data));
}

}  // namespace cutaway::math::onednn
