#include "providers/plugged/provider.h"

#include "engine/plugin/plugin_folder.h"
#include "engine/provider/execution_provider.h"
#include "providers/plugged/plugged_kernel.h"

namespace cutaway {
namespace {

constexpr const char* kName = "plugged";

std::vector<KernelRow> pluggedRows() {
  std::vector<KernelRow> rows;
  for (const OpenedPlugin* library : openedPlugins()) {
    for (size_t i = 0; i < library->tables->operatorCount; ++i) {
      const plugin::Operator& each = library->tables->operators[i];
      rows.push_back({.opType = each.name,
                      .domain = each.domain,
                      .versions = {each.sinceVersion, each.sinceVersion},
                      .create = makePluggedKernel});
    }
  }
  return rows;
}

class PluggedProvider final : public ExecutionProvider {
 public:
  const std::string& name() const override { return m_name; }
  const Device& device() const override { return heapAllocator().device(); }
  Allocator& allocator() override { return heapAllocator(); }
  const KernelRegistry* kernels() const override { return &m_registry; }

 private:
  std::string m_name = kName;
  std::vector<KernelRow> m_rows = pluggedRows();
  KernelRows m_table = m_rows;
  KernelRegistry m_registry{std::span(&m_table, 1)};
};

}  // namespace

ProviderEntry pluggedProvider() {
  return {.name = kName,
          .displayName = "Plug-ins",
          .description = "operators of plug-ins, by the kernels that they bring: see --plugin",
          .probe =
              [] {
                const size_t count = openedPlugins().size();
                return ProviderStatus{.usable = count > 0,
                                      .version = fmt::format("{}", plugin::kInterface),
                                      .reason = count > 0 ? std::string() : "no plug-in is there: --plugin FOLDER"};
              },
          .create = [](const ProviderRequest& request) -> Result<std::unique_ptr<ExecutionProvider>> {
            if (!request.options.empty())
              return fail(ErrorCode::kInvalidArgument, "provider {} has no option '{}'; it has none", kName,
                          request.options.begin()->first);
            return std::make_unique<PluggedProvider>();
          }};
}

}  // namespace cutaway
