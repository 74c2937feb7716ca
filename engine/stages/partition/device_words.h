#pragma once
// The device words of onnxruntime's keys ("cpu", "gpu:nvidia", "npu" ...), mapped onto the providers of a
// session.
//
// A provider is a device of a kind when its Device says so, or when its name names a known piece of software for that
// kind: declared hardware is simulated, so its Device does not tell. Thread rule: pure. Example: CUTAWAY_TRY(const
// int32_t provider, providerForDevice("gpu:nvidia", providers));   // kNone: known word, no such provider here

#include <memory>
#include <span>
#include <string_view>

#include "engine/provider/execution_provider.h"

namespace cutaway::partition {

// cpu, gpu, cuda, dml, npu, fpga, accelerator, gpu:<vendor>, gpu:<index>, or a provider's own name. The first provider
// in order of priority that fits. INVALID_ARGUMENT for any other word.
Result<int32_t> providerForDevice(std::string_view word, std::span<const std::unique_ptr<ExecutionProvider>> providers);

}  // namespace cutaway::partition
