// A configuration in the words of onnxruntime: execution providers with their options, session keys, and what
// has no key as a comment.

#include <algorithm>

#include "engine/provider/provider_spec.h"
#include "engine/session/configuration/configuration.h"

namespace cutaway {
namespace {

struct ReferenceProvider {
  std::string_view name;       // here
  std::string_view reference;  // there
  std::string_view device;     // word of the layer assignment keys
  std::string_view fixed{};    // options that belong to it
};
constexpr ReferenceProvider kProviders[] = {
    {"cpu", "CPUExecutionProvider", "cpu"},
    {"onednn", "DnnlExecutionProvider", "cpu"},
    {"openvino", "OpenVINOExecutionProvider", "cpu"},
    {"cuda", "CUDAExecutionProvider", "gpu"},
    {"declared(TensorRT)", "TensorrtExecutionProvider", "gpu"},
    {"declared(CUDA)", "CUDAExecutionProvider", "gpu"},
    {"declared(DirectML)", "DmlExecutionProvider", "gpu"},
    {"declared(CoreML)", "CoreMLExecutionProvider", "npu"},
    {"declared(QNN)", "QNNExecutionProvider", "npu", "backend_type=htp"},
    {"declared(QNN-HTP)", "QNNExecutionProvider", "npu", "backend_type=htp"},
    {"declared(QNN-GPU)", "QNNExecutionProvider", "gpu", "backend_type=gpu"},
    {"declared(QNN-CPU)", "QNNExecutionProvider", "cpu", "backend_type=cpu"},
    {"declared(SNPE)", "SNPEExecutionProvider", "npu"},
    {"declared(OpenVINO-NPU)", "OpenVINOExecutionProvider", "npu", "device_type=NPU"},
    {"declared(VitisAI)", "VitisAIExecutionProvider", "npu"},
    {"declared(nGraph)", "NGRAPHExecutionProvider", "cpu"},
    {"declared(Nuphar)", "NupharExecutionProvider", "cpu"},
    {"declared(BrainSlice)", "BrainSliceExecutionProvider", "fpga"},
};

// Option names that differ.
struct ReferenceOption {
  std::string_view reference;  // provider there
  std::string_view option;
  std::string_view referenceOption;
};
constexpr ReferenceOption kOptions[] = {
    {"OpenVINOExecutionProvider", "device", "device_type"},
    {"OpenVINOExecutionProvider", "threads", "num_of_threads"},
    {"OpenVINOExecutionProvider", "streams", "num_streams"},
    {"OpenVINOExecutionProvider", "cache", "cache_dir"},
    {"TensorrtExecutionProvider", "precision", "trt_fp16_enable"},
};

// Names compare without case, spaces, dashes, underscores and inner brackets: "declared(QNN HTP)" and
// "declared(qnn-htp)" are one.
std::string plainName(std::string_view name) {
  std::string plain;
  for (const char letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) != 0)
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return plain;
}

const ReferenceProvider* findProvider(std::string_view name) {
  const std::string plain = plainName(name);
  const auto found =
      std::ranges::find_if(kProviders, [&](const ReferenceProvider& each) { return plainName(each.name) == plain; });
  return found == std::end(kProviders) ? nullptr : &*found;
}

std::pair<std::string, std::string> referenceOption(std::string_view provider, const std::string& option,
                                                    const std::string& value) {
  if (provider == "TensorrtExecutionProvider" && option == "precision")
    return {value == "bf16" ? "trt_bf16_enable" : "trt_fp16_enable", value == "f32" ? "0" : "1"};
  if (option == "precision" && provider == "OpenVINOExecutionProvider")
    return {"precision", value == "f16" ? "FP16" : "FP32"};
  for (const ReferenceOption& known : kOptions) {
    if (known.reference == provider && known.option == option) return {std::string(known.referenceOption), value};
  }
  return {option, value};
}

class KeyWriter {
 public:
  explicit KeyWriter(const Configuration& configuration) : m_configuration(configuration) {}

  std::vector<std::string> write() {
    providers();
    session();
    pins();
    for (const auto& [name, size] : m_configuration.dims)
      add("free_dimension_override." + name, std::to_string(size));
    for (const auto& [key, value] : m_configuration.keys) {
      if (key == "ep.context_recompile" || key == "ep.context_share_group")
        comment(fmt::format("{} = {}: a key of this program only", key, value));
      else
        add(key, value);
    }
    return std::move(m_lines);
  }

 private:
  void add(const std::string& key, const std::string& value) { m_lines.push_back(key + " = " + value); }
  void comment(const std::string& text) { m_lines.push_back("# " + text); }

  void providers() {
    if (!m_configuration.providers) return;
    std::vector<std::string> names = *m_configuration.providers;
    if (std::ranges::find(names, "cpu") == names.end()) names.emplace_back("cpu");
    std::vector<std::string> references, unknown;
    for (const std::string& name : names) {
      const ReferenceProvider* known = findProvider(name);
      if (known == nullptr)
        unknown.push_back(name);
      else
        references.emplace_back(known->reference);
    }
    add("providers", fmt::format("{}", fmt::join(references, ", ")));
    for (const std::string& name : unknown)
      comment(fmt::format("provider {} has no counterpart in onnxruntime", name));
    for (const std::string& name : names)
      options(name);
  }

  void options(const std::string& name) {
    const ReferenceProvider* known = findProvider(name);
    if (known == nullptr) return;
    if (!known->fixed.empty())
      addOption(*known, known->fixed.substr(0, known->fixed.find('=')),
                known->fixed.substr(known->fixed.find('=') + 1));
    ProviderOptions all;
    if (const auto found = m_configuration.providerOptions.find(name); found != m_configuration.providerOptions.end())
      all = found->second;
    if (m_configuration.precision && *m_configuration.precision != "f32" && name != "cpu")
      all["precision"] = *m_configuration.precision;
    for (const auto& [option, value] : all) {
      if (known->reference == "OpenVINOExecutionProvider" && option == "precision" && value == "bf16") {
        comment("precision bf16: OpenVINOExecutionProvider.load_config names a file with INFERENCE_PRECISION_HINT");
        continue;
      }
      const auto [key, word] = referenceOption(known->reference, option, value);
      addOption(*known, key, word);
    }
    if (m_configuration.minimumGroupNodes && *m_configuration.minimumGroupNodes > 1 &&
        known->reference == "TensorrtExecutionProvider")
      addOption(*known, "trt_min_subgraph_size", std::to_string(*m_configuration.minimumGroupNodes));
  }
  void addOption(const ReferenceProvider& provider, std::string_view option, std::string_view value) {
    add(fmt::format("{}.{}", provider.reference, option), std::string(value));
  }

  void session() {
    if (m_configuration.optimizationLevel) {
      constexpr const char* kLevels[] = {"ORT_DISABLE_ALL", "ORT_ENABLE_BASIC", "ORT_ENABLE_EXTENDED",
                                         "ORT_ENABLE_ALL"};
      add("graph_optimization_level", kLevels[std::clamp(*m_configuration.optimizationLevel, 0, 3)]);
    }
    if (m_configuration.threads && *m_configuration.threads > 0)
      add("intra_op_num_threads", std::to_string(*m_configuration.threads));
    if (m_configuration.order) order(*m_configuration.order);
    if (m_configuration.minimumGroupNodes && *m_configuration.minimumGroupNodes > 1)
      comment(fmt::format("groups of fewer than {} nodes: only some providers have an option for it",
                          *m_configuration.minimumGroupNodes));
    const bool cpuPrecision = m_configuration.precision && *m_configuration.precision != "f32";
    if (cpuPrecision)
      comment(
          fmt::format("precision {} of nodes on cpu: there is no key; convert the model", *m_configuration.precision));
  }
  void order(const std::string& name) {
    if (name == "priority")
      add("execution_order", "PRIORITY_BASED");
    else if (name == "memory")
      add("execution_order", "MEMORY_EFFICIENT");
    else if (name == "default")
      add("execution_order", "DEFAULT");
    else
      comment("order " + name + ": there is no key");
  }

  // Names decide by a part of them, so a pin to a node may catch others whose names contain it. First pins win here,
  // longest names there.
  void pins() {
    if (!m_configuration.pins || m_configuration.pins->empty()) return;
    std::vector<std::pair<std::string, std::vector<std::string>>> byDevice;
    for (const NodePin& pin : *m_configuration.pins) {
      const ReferenceProvider* known = findProvider(pin.provider);
      const bool expressible = pin.kind != NodePin::Kind::kOperator && known != nullptr &&
                               pin.pattern.find_first_of("(),;=") == std::string::npos;
      if (!expressible) {
        comment(fmt::format("pin {}: there is no key; {}", printPin(pin),
                            pin.kind == NodePin::Kind::kOperator
                                ? "layer assignment goes by the names of nodes"
                                : "name or provider cannot be written in session.name_based_layer_assignment"));
        continue;
      }
      auto found = std::ranges::find_if(byDevice, [&](const auto& each) { return each.first == known->device; });
      if (found == byDevice.end()) found = byDevice.insert(byDevice.end(), {std::string(known->device), {}});
      found->second.push_back(pin.pattern);
    }
    if (byDevice.empty()) return;
    std::vector<std::string> parts;
    for (const auto& [device, patterns] : byDevice)
      parts.push_back(fmt::format("{}({})", device, fmt::join(patterns, ", ")));
    add("session.name_based_layer_assignment", fmt::format("{}", fmt::join(parts, "; ")));
    comment("names are matched by parts there, and by device: other nodes whose name contains a pattern go along");
  }

  const Configuration& m_configuration;
  std::vector<std::string> m_lines;
};

}  // namespace

std::vector<std::string> referenceKeys(const Configuration& configuration) {
  return KeyWriter(configuration).write();
}

}  // namespace cutaway
