#pragma once
// A device in words, for telling whether a blob was made for it: name, architecture, driver and what it can do.
//
// Blobs of an NPU hold what its driver's compiler made: another driver or compiler is another device. What a plugin
// does not answer is left out. Thread rule: pure. Example: deviceWords("CPU", answers)   // "CPU: Intel(R) Xeon(R),
// intel64 (BF16 FP32)"

#include <algorithm>
#include <string>
#include <vector>

namespace cutaway::openvino {

struct DeviceAnswers {
  std::string fullName, architecture;
  std::string driver, compiler;  // versions; an NPU's
  std::vector<std::string> capabilities;
};

inline std::string deviceWords(const std::string& device, DeviceAnswers answers) {
  std::string words = device + ": " + answers.fullName;
  if (!answers.architecture.empty()) words += ", " + answers.architecture;
  if (!answers.driver.empty()) words += ", driver " + answers.driver;
  if (!answers.compiler.empty()) words += ", compiler " + answers.compiler;
  std::sort(answers.capabilities.begin(), answers.capabilities.end());
  std::string list;
  for (const std::string& each : answers.capabilities)
    list += (list.empty() ? "" : " ") + each;
  return list.empty() ? words : words + " (" + list + ")";
}

}  // namespace cutaway::openvino
