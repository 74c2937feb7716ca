#pragma once
// Kernels compiled at run time: NVRTC makes machine code for the device's architecture, the run time loads it.
//
// An artifact holds the source beside its machine code, so that a file of another source under the same key is never
// run. Thread rule: any thread. compileCubin() needs no device. Example: std::vector<std::byte> cubin;  if (Status
// status = compileCubin(source, "sm_90", cubin)) show(status.text);

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "providers/cuda/backend/device_backend.h"

namespace cutaway::cuda {

// kUnsupported: NVRTC is missing, or does not know the architecture; kCompileFailed: with the compiler's log.
Status compileCubin(const std::string& source, const std::string& architecture, std::vector<std::byte>& cubin);

// The current device is the one with these facts.
Status makeProgram(const DeviceFacts& facts, const std::string& source, const std::string& name, ArtifactStore& store,
                   std::unique_ptr<CompiledProgram>& program);

// The artifact's key and bytes, and its machine code again: false when it is of another source, or damaged.
std::string cubinKey(const std::string& source, const std::string& architecture, const std::string& compilerVersion);
std::vector<std::byte> packCubin(const std::string& source, const std::vector<std::byte>& cubin);
bool unpackCubin(const std::vector<std::byte>& packed, const std::string& source, std::vector<std::byte>& cubin);

}  // namespace cutaway::cuda
