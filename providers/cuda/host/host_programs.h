#pragma once
// What the host machine runs in the place of a source that a GPU would compile: a function of the host, put here under
// the source's text before Machine::compile() is asked for it.
//
// bind() copies the arguments (it knows their types; CompiledProgram::launch gets only pointers to them) and gives the
// work itself, which the machine does when the stream gets there. Thread rule: any thread. Programs stay for the
// process. Example: if (machine.facts().emulated) putHostProgram(source, [chain](std::span<void* const> arguments,
// int64_t elements) { return [=] { interpret(...); }; });

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace cutaway::cuda {

using HostProgram = std::function<std::function<void()>(std::span<void* const> arguments, int64_t elements)>;

void putHostProgram(const std::string& source, HostProgram bind);
// Empty when nobody put one.
HostProgram hostProgram(const std::string& source);

}  // namespace cutaway::cuda
