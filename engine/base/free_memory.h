#pragma once
// How much memory a program may still take before the system ends one: where nobody asks, a process that takes too much
// is killed without a word, and maybe another one in its place.
//
// Thread rule: for any thread; allocates nothing. Example: if (!isFree(sizeBytes)) return nullptr;

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway {

// What is free, with the caches that the system would give up, and swap; less where a control group (version 2) on the
// way to the root allows less. nullopt: the system does not say.
std::optional<int64_t> freeMemoryBytes();
// Whether so much is free, with a rest for everybody else; true where the system does not say.
bool isFree(int64_t sizeBytes);

// Parts of freeMemoryBytes(), of the texts of the kernel's files. nullopt: they do not say.
std::optional<int64_t> freeInSystem(std::string_view meminfo);
// memory.max, memory.current and memory.stat of a group; nullopt where it has no limit.
std::optional<int64_t> freeInGroup(std::string_view most, std::string_view current, std::string_view stat);

}  // namespace cutaway
