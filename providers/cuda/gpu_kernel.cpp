#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {

Result<void> GpuCall::checked(const Status& status, const char* what) {
  if (!status.ok()) [[unlikely]]
    return fail(m_run.failed(status, what == nullptr ? m_name : what));
  if (m_run.resources().options().blocking) [[unlikely]] {
    if (Status late = backend().synchronize(stream()); !late.ok())
      return fail(m_run.failed(late, what == nullptr ? m_name : what));
  }
  return {};
}

Result<void> GpuCall::run(const Operation& operation, std::initializer_list<const void*> pointers) {
  constexpr size_t kMostPointers = 16;
  void* given[kMostPointers];
  if (pointers.size() > kMostPointers)
    return fail(ErrorCode::kEngineError, "an operation has at most {} operands", kMostPointers);
  size_t count = 0;
  for (const void* pointer : pointers)
    given[count++] = const_cast<void*>(pointer);
  void* workspace = nullptr;
  if (const size_t wanted = operation.workspaceBytes(); wanted > 0) {
    CUTAWAY_TRY(workspace, scratch(wanted));
  }
  return checked(operation.run({.pointers = {given, count}, .workspace = workspace}, stream()),
                 operation.variant().data());
}

Result<void> GpuCall::readNow(void* to, const void* from, size_t sizeBytes) {
  CUTAWAY_CHECK(checked(backend().copy(to, from, sizeBytes, CopyKind::kToHost, stream()), "read"));
  return checked(backend().synchronize(stream()), "read");
}

// A copy from memory that is not pinned is staged by the driver before the call returns; a parameter block is the way
// for small pieces while recording.
Result<void> GpuCall::write(void* to, const void* from, size_t sizeBytes) {
  return checked(backend().copy(to, from, sizeBytes, CopyKind::kToDevice, stream()), "write");
}

Result<void> GpuKernel::run(KernelContext& context) const {
  auto* run = static_cast<GpuRun*>(context.providerRun());
  if (run == nullptr) return fail(ErrorCode::kEngineError, "a kernel of the cuda provider was run without its device");
  GpuCall call(context, *run, variant().data());
  return launch(call);
}

const char* functorType(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return "float";
    case ElementType::kDouble:
      return "double";
    case ElementType::kFloat16:
      return "half";
    case ElementType::kBfloat16:
      return "brain";
    case ElementType::kBool:
      return "bool";
    case ElementType::kInt8:
      return "int8";
    case ElementType::kUint8:
      return "uint8";
    case ElementType::kInt16:
      return "int16";
    case ElementType::kUint16:
      return "uint16";
    case ElementType::kInt32:
      return "int32";
    case ElementType::kUint32:
      return "uint32";
    case ElementType::kInt64:
      return "int64";
    case ElementType::kUint64:
      return "uint64";
    default:
      return nullptr;
  }
}

}  // namespace cutaway::cuda
