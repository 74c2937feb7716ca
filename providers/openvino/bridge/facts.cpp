// Devices in words. Not every plugin answers every question; what is not answered is left out.
#include "providers/openvino/bridge/facts.h"

#include <algorithm>

#include <openvino/runtime/intel_npu/properties.hpp>
#include <openvino/runtime/properties.hpp>

#include "providers/openvino/bridge/device_words.h"
#include "providers/openvino/bridge/guard.h"

namespace cutaway::openvino {

namespace {

// "HETERO:GPU,CPU" is made of GPU and CPU.
std::vector<std::string> partsOf(const std::string& device) {
  const size_t colon = device.find(':');
  if (colon == std::string::npos) return {device};
  std::vector<std::string> parts;
  std::string rest = device.substr(colon + 1);
  while (!rest.empty()) {
    const size_t comma = rest.find(',');
    parts.push_back(rest.substr(0, comma));
    rest = comma == std::string::npos ? std::string() : rest.substr(comma + 1);
  }
  return parts;
}

template <typename Value, typename Property>
Value answer(ov::Core& core, const std::string& device, const Property& property) {
  std::string ignored;
  return guarded(ignored, [&]() -> Value { return core.get_property(device, property); });
}

// As the plugin prints it; empty: it does not know the property.
std::string textOf(ov::Core& core, const std::string& device, const char* property) {
  std::string ignored;
  return guarded(ignored, [&] { return core.get_property(device, property).as<std::string>(); });
}

std::string wordsOf(ov::Core& core, const std::string& device) {
  return deviceWords(device,
                     {.fullName = answer<std::string>(core, device, ov::device::full_name),
                      .architecture = answer<std::string>(core, device, ov::device::architecture),
                      .driver = textOf(core, device, ov::intel_npu::driver_version.name()),
                      .compiler = textOf(core, device, ov::intel_npu::compiler_version.name()),
                      .capabilities = answer<std::vector<std::string>>(core, device, ov::device::capabilities)});
}

}  // namespace

DeviceFacts factsOf(ov::Core& core, const std::string& device) {
  DeviceFacts facts;
  for (const std::string& part : partsOf(device))
    facts.description += (facts.description.empty() ? "" : "; ") + wordsOf(core, part);
  const auto capabilities =
      answer<std::vector<std::string>>(core, device.substr(0, device.find(':')), ov::device::capabilities);
  facts.canExport =
      std::find(capabilities.begin(), capabilities.end(), ov::device::capability::EXPORT_IMPORT) != capabilities.end();
  return facts;
}

}  // namespace cutaway::openvino
