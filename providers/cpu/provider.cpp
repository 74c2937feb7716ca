#include "providers/cpu/provider.h"

#include <cstring>

#include "providers/cpu/kernels/kernel_table.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {
namespace {

class CpuProvider final : public ExecutionProvider {
 public:
  explicit CpuProvider(bool exact) : m_exact(exact) {}
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return heapAllocator().device(); }
  Allocator& allocator() override { return heapAllocator(); }
  const KernelRegistry* kernels() const override { return m_exact ? &exactCpuKernels() : &cpuKernels(); }

  Result<std::vector<ProviderRewrite>> rewriteAssigned(Model& model, Graph& graph, int optimizationLevel) override {
    return runCpuRewrites(model, graph, optimizationLevel, m_exact);
  }

  Result<void> copy(const Tensor& from, Tensor& to) const override {
    if (from.type() != to.type() || from.sizeBytes() != to.sizeBytes())
      return fail(ErrorCode::kInvalidArgument, "a copy needs tensors of one type and size");
    if (from.type() == ElementType::kString) {
      const auto source = from.span<std::string>();
      std::copy(source.begin(), source.end(), to.span<std::string>().begin());
      return {};
    }
    if (from.sizeBytes() > 0) std::memcpy(to.mutableData(), from.data(), static_cast<size_t>(from.sizeBytes()));
    return {};
  }

 private:
  std::string m_name = "cpu";
  bool m_exact;
};

// precision=exact
Result<bool> asksForExact(const ProviderOptions& options) {
  bool exact = false;
  for (const auto& [name, value] : options) {
    if (name != "precision")
      return fail(ErrorCode::kInvalidArgument, "provider cpu has no option '{}'; it has precision", name);
    if (value != "exact" && value != "fast")
      return fail(ErrorCode::kInvalidArgument, "provider cpu: option precision is fast or exact, not '{}'", value);
    exact = value == "exact";
  }
  return exact;
}

}  // namespace
}  // namespace cutaway::cpu

namespace cutaway {

// Where every provider's entry is, so that the table finds it by its word.
ProviderEntry cpuProvider() {
  ProviderEntry entry;
  entry.name = "cpu";
  entry.displayName = "CPU";
  entry.description = "Runs every operator in host memory; heavy math through oneDNN.";
  entry.probe = [] { return ProviderStatus{true, "1", ""}; };
  entry.create = [](const ProviderRequest& request) -> Result<std::unique_ptr<ExecutionProvider>> {
    CUTAWAY_TRY(const bool exact, cpu::asksForExact(request.options));
    return std::make_unique<cpu::CpuProvider>(exact);
  };
  entry.takesTheRest = true;
  entry.contextSources = {{.name = entry.name, .title = entry.displayName}};
  entry.onnxruntime = {{.name = "CPUExecutionProvider", .device = "cpu"}};
  return entry;
}

}  // namespace cutaway
