#pragma once
// What the emulator runs in the place of a source that a GPU would compile: a function of the host, put here under
// the source's text before DeviceBackend::compile() is asked for it.
//
// bind() copies the arguments (it knows their types; CompiledProgram::launch gets only pointers to them) and gives the
// work itself, which the backend does when the stream gets there. Thread rule: any thread. Programs stay for the
// process. Example: if (backend.facts().emulated) putEmulatedProgram(source, [chain](std::span<void* const> arguments,
// int64_t elements) { return [=] { interpret(...); }; });

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace cutaway::cuda {

using EmulatedProgram = std::function<std::function<void()>(std::span<void* const> arguments, int64_t elements)>;

void putEmulatedProgram(const std::string& source, EmulatedProgram bind);
// Empty when nobody put one.
EmulatedProgram emulatedProgram(const std::string& source);

}  // namespace cutaway::cuda
