#include "engine/math/onednn.h"

#include <new>

#include "engine/tensor/allocator.h"

namespace cutaway::math::onednn {

const dnnl::engine& cpuEngine() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::memory::desc plainDescriptor(const dnnl::memory::dims& dims) {
  dnnl::memory::dims strides(dims.size(), 1);
  for (size_t axis = dims.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * std::max<int64_t>(dims[axis], 1);
  return {dims, dnnl::memory::data_type::f32, strides};
}

dnnl::memory::desc activationDescriptor(const dnnl::memory::dims& dims, Layout layout) {
  using Tag = dnnl::memory::format_tag;
  static constexpr Tag kTags[3][3] = {{Tag::nwc, Tag::nCw8c, Tag::nCw16c},
                                      {Tag::nhwc, Tag::nChw8c, Tag::nChw16c},
                                      {Tag::ndhwc, Tag::nCdhw8c, Tag::nCdhw16c}};
  if (layout == Layout::kPlain || dims.size() < 3 || dims.size() > 5) return plainDescriptor(dims);
  const size_t column = layout == Layout::kChannelsLast ? 0 : layout == Layout::kBlocked8 ? 1 : 2;
  return {dims, dnnl::memory::data_type::f32, kTags[dims.size() - 3][column]};
}

void appendActivation(dnnl::post_ops& operations, const Activation& activation) {
  using dnnl::algorithm;
  const auto add = [&](algorithm kind, float alpha, float beta) { operations.append_eltwise(1.0f, kind, alpha, beta); };
  switch (activation.kind) {
    case ActivationKind::kNone:
      break;
    case ActivationKind::kRelu:
      add(algorithm::eltwise_relu, 0.0f, 0.0f);
      break;
    case ActivationKind::kLeakyRelu:
      add(algorithm::eltwise_relu, activation.alpha, 0.0f);
      break;
    case ActivationKind::kClip:
      add(algorithm::eltwise_clip, activation.alpha, activation.beta);
      break;
    case ActivationKind::kSigmoid:
      add(algorithm::eltwise_logistic, 0.0f, 0.0f);
      break;
    case ActivationKind::kTanh:
      add(algorithm::eltwise_tanh, 0.0f, 0.0f);
      break;
    case ActivationKind::kHardSwish:
      add(algorithm::eltwise_hardswish, 0.0f, 0.0f);
      break;
    case ActivationKind::kHardSigmoid:
      add(algorithm::eltwise_linear, activation.alpha, activation.beta);
      add(algorithm::eltwise_clip, 0.0f, 1.0f);
      break;
    case ActivationKind::kElu:
      add(algorithm::eltwise_elu, activation.alpha, 0.0f);
      break;
    case ActivationKind::kSwish:
      add(algorithm::eltwise_swish, activation.alpha, 0.0f);
      break;
  }
}

dnnl::primitive_attr userScratchAttributes() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

dnnl::memory handleFor(const dnnl::memory::desc& descriptor) {
  return {descriptor, cpuEngine(), DNNL_MEMORY_NONE};
}

OwnedMemory newMemory(const dnnl::memory::desc& descriptor) {
  void* block = heapAllocator().allocate(descriptor.get_size());
  if (block == nullptr) throw std::bad_alloc();
  std::shared_ptr<void> bytes(block, [](void* released) { heapAllocator().release(released); });
  return {bytes, {descriptor, cpuEngine(), block}};
}

Result<void> execute(const dnnl::primitive& primitive, const dnnl::stream& stream,
                     std::span<const dnnl_exec_arg_t> arguments) {
  const dnnl_status_t status =
      dnnl_primitive_execute(primitive.get(), stream.get(), static_cast<int>(arguments.size()), arguments.data());
  if (status != dnnl_success)
    return fail(ErrorCode::kEngineError, "oneDNN could not run a primitive (status {})", static_cast<int>(status));
  return {};
}

std::string packingName(std::string_view what, const dnnl::memory::desc& stored, const dnnl::memory::desc& wanted) {
  // The library's descriptors are plain structures that it zeroes first; a difference in bytes that mean nothing only
  // costs a shared copy.
  std::string name(what);
  name.append(reinterpret_cast<const char*>(&stored.data), sizeof(stored.data));
  name.append(reinterpret_cast<const char*>(&wanted.data), sizeof(wanted.data));
  return name;
}

}  // namespace cutaway::math::onednn
