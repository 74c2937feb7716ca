#include "providers/cpu/provider.h"

#include <cstring>

#include "providers/cpu/kernels/kernel_table.h"
#include "providers/cpu/rewrite/rewrite_table.h"

namespace cutaway::cpu {
namespace {

class CpuProvider final : public ExecutionProvider {
 public:
  explicit CpuProvider(math::Precision precision) : m_precision(precision) {}
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return heapAllocator().device(); }
  Allocator& allocator() override { return heapAllocator(); }
  const KernelRegistry* kernels() const override { return &cpuKernels(m_precision); }

  Result<std::vector<ProviderRewrite>> rewriteAssigned(Model& model, Graph& graph, int optimizationLevel) override {
    return runCpuRewrites(model, graph, optimizationLevel, m_precision == math::Precision::kExact);
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
  math::Precision m_precision;
};

Result<math::Precision> precisionOf(const ProviderOptions& options) {
  math::Precision precision = math::Precision::kFast;
  for (const auto& [name, value] : options) {
    if (name != "precision")
      return fail(ErrorCode::kInvalidArgument, "provider cpu has no option '{}'; it has precision", name);
    CUTAWAY_TRY(precision, math::precisionAsked("cpu", value));
  }
  return precision;
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
    CUTAWAY_TRY(const math::Precision precision, cpu::precisionOf(request.options));
    return std::make_unique<cpu::CpuProvider>(precision);
  };
  entry.takesTheRest = true;
  entry.contextSources = {{.name = entry.name, .title = entry.displayName}};
  entry.onnxruntime = {{.name = "CPUExecutionProvider", .device = "cpu"}};
  return entry;
}

}  // namespace cutaway
