#pragma once
// Base of every kernel of this provider: checks and describes its node when it is made, gets what it needs of the
// backend when it is prepared, and enqueues its work when it runs.
//
// A factory (`make...`) checks attributes, types and ranks, and refuses with NOT_IMPLEMENTED; it must not touch the
// backend, because it also answers capability questions where there is no GPU. prepare() then looks up compiled
// functors, uploads and packs constants, and makes library operations. launch() computes sizes on the host from the
// tensors' dims and enqueues its work. Inputs in hostInputs slots of the row lie in host memory and may be read; all
// others are device memory and must not. Thread rule: as Kernel. Example: see kernels/elementwise/unary.cpp: rows have
// `.create = gpuKernel<makeUnary>`.

#include <initializer_list>

#include "providers/cuda/gpu_run.h"

namespace cutaway::cuda {

// What a kernel sees while it runs.
class GpuCall {
 public:
  GpuCall(KernelContext& context, GpuRun& run, const char* kernelName)
      : m_context(context), m_run(run), m_name(kernelName) {}

  KernelContext& context() { return m_context; }
  GpuRun& run() { return m_run; }
  DeviceBackend& backend() { return m_run.backend(); }
  Stream stream() const { return m_run.stream(); }
  size_t inputCount() const { return m_context.inputCount(); }
  size_t outputCount() const { return m_context.outputCount(); }
  // nullptr when absent.
  const Tensor* input(size_t slot) const { return m_context.input(slot); }
  bool hasOutput(size_t slot) const { return m_context.hasOutput(slot); }
  Result<Tensor*> output(size_t slot, std::span<const int64_t> dims) { return m_context.output(slot, dims); }
  Result<Tensor*> output(size_t slot, std::initializer_list<int64_t> dims) {
    return m_context.output(slot, {dims.begin(), dims.size()});
  }
  Result<void*> scratch(size_t sizeBytes) { return m_run.scratch(sizeBytes); }

  // parameters: the functor's parameter block, copied before this returns. Nothing is launched without the kernel's own
  // count saying so.
  template <typename Parameters>
  Result<void> launch(const DeviceKernel& kernel, const Parameters& parameters) {
    static_assert(std::is_trivially_copyable_v<Parameters> && sizeof(Parameters) <= 4000);
    return checked(backend().launch(kernel, &parameters, stream()), kernel.name);
  }
  // Takes the operation's workspace from the scratch.
  Result<void> run(const Operation& operation, std::initializer_list<const void*> pointers);
  Result<void> copy(void* to, const void* from, size_t sizeBytes) {
    return checked(backend().copy(to, from, sizeBytes, CopyKind::kOnDevice, stream()), "copy");
  }
  Result<void> fill(void* to, uint8_t byte, size_t sizeBytes) {
    return checked(backend().fill(to, byte, sizeBytes, stream()), "fill");
  }
  // Values that the host must know now (sizes that depend on data): waits for the device. A kernel that calls this says
  // so in notReplayable().
  Result<void> readNow(void* to, const void* from, size_t sizeBytes);
  // Host bytes to the device in stream order; `from` may be reused at once.
  Result<void> write(void* to, const void* from, size_t sizeBytes);
  Result<void> checked(const Status& status, const char* what);

 private:
  KernelContext& m_context;
  GpuRun& m_run;
  const char* m_name;
};

class GpuKernel : public Kernel {
 public:
  // Once, after the factory, when there is a backend.
  virtual Result<void> prepare(const KernelInfo& /*info*/, GpuResources& /*resources*/) { return {}; }
  virtual Result<void> launch(GpuCall& call) const = 0;

  Result<void> run(KernelContext& context) const final;
  std::string_view variant() const override { return "cuda"; }
  std::string_view notReplayable() const override { return {}; }
};

template <auto make>
Result<std::unique_ptr<Kernel>> gpuKernel(const KernelInfo& info) {
  CUTAWAY_TRY(std::unique_ptr<GpuKernel> kernel, make(info));
  GpuResources& resources = gpuResources(info);
  if (resources.backend() != nullptr) CUTAWAY_CHECK(kernel->prepare(info, resources));
  return std::unique_ptr<Kernel>(std::move(kernel));
}

// The last part of functor names for an element type ("half"); nullptr: functors have no such type.
const char* functorType(ElementType type);

}  // namespace cutaway::cuda
