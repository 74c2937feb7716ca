#pragma once
// oneDNN without its exceptions, in the words this provider uses.
//
// Thread rule: the engine is shared and immutable; the functions are pure.
// Example: CUTAWAY_CHECK(attempt("convolution", [&] { step = dnnl::convolution_forward(description); }));

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <oneapi/dnnl/dnnl.h>
#include <oneapi/dnnl/dnnl.hpp>

#include "engine/math/onednn_attempt.h"
#include "engine/tensor/element_type.h"

namespace cutaway::onednn {

using Descriptor = dnnl::memory::desc;
using DataType = dnnl::memory::data_type;
using Dimensions = dnnl::memory::dims;
using Tag = dnnl::memory::format_tag;

const dnnl::engine& engine();
std::string libraryVersion();

using math::onednn::attempt;

// The library's type of the same bytes; none when it has no such type.
std::optional<DataType> dataTypeOf(ElementType type);
ElementType elementTypeOf(DataType type);
// Row-major. A scalar is {1}.
Descriptor plainDescriptor(std::span<const int64_t> dims, DataType type);
// The library chooses the order.
Descriptor anyOrder(const Dimensions& dims, DataType type);
// The scratch pad comes from the caller, so that the library never allocates while it runs.
dnnl::primitive_attr newAttributes();
// True for the library's plain loops.
bool isReferenceImplementation(std::string_view name);

}  // namespace cutaway::onednn
