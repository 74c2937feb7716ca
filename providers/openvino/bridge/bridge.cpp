// The one object behind the interface: OpenVINO's core, and what is asked of it.
#include "providers/openvino/bridge/bridge.h"

#include <openvino/core/version.hpp>
#include <openvino/runtime/core.hpp>

#include "providers/openvino/bridge/compiled.h"
#include "providers/openvino/bridge/facts.h"
#include "providers/openvino/bridge/frontend.h"
#include "providers/openvino/bridge/guard.h"
#include "providers/openvino/bridge/judge.h"

namespace cutaway::openvino {

namespace {

class BridgeOver final : public Bridge {
 public:
  std::string version() const override { return ov::get_openvino_version().buildNumber; }

  std::vector<std::string> devices(std::string& problem) override {
    return guarded(problem, [&] { return m_core.get_available_devices(); });
  }

  std::vector<Judged> judge(const std::string& onnxModel, const std::vector<ExpectedOutput>& outputs, size_t count,
                            const std::string& device, std::string& problem) override {
    return guarded(problem, [&] { return judgeQuestions(m_core, onnxModel, outputs, count, device); });
  }

  std::string conversionProblem(const std::string& onnxModel) override {
    std::string problem;
    guarded(problem, [&] { convertModel(onnxModel); });
    return problem;
  }

  std::unique_ptr<Compiled> compile(const std::string& onnxModel, const CompileSettings& settings,
                                    std::string& problem) override {
    return guarded(problem, [&] {
      return wrapCompiled(m_core.compile_model(convertModel(onnxModel), settings.device, propertiesOf(settings)));
    });
  }

  std::unique_ptr<Compiled> importBlob(const BlobView& blob, const CompileSettings& settings,
                                       std::string& problem) override {
    return guarded(problem, [&] { return importCompiled(m_core, blob, settings); });
  }

  DeviceFacts deviceFacts(const std::string& device, std::string& problem) override {
    return guarded(problem, [&] { return factsOf(m_core, device); });
  }

 private:
  ov::Core m_core;
};

}  // namespace

}  // namespace cutaway::openvino

// Lives as long as the process: OpenVINO's threads and plugins are not taken down in a safe order otherwise.
extern "C" __attribute__((visibility("default"))) cutaway::openvino::Bridge* cutawayOpenvinoBridge(
    int interfaceVersion) {
  if (interfaceVersion != cutaway::openvino::kBridgeInterface) return nullptr;
  static cutaway::openvino::Bridge* const bridge = []() -> cutaway::openvino::Bridge* {
    std::string problem;
    return cutaway::openvino::guarded(problem,
                                      []() -> cutaway::openvino::Bridge* { return new cutaway::openvino::BridgeOver; });
  }();
  return bridge;
}
