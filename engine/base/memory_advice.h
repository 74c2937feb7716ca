#pragma once
// What helps where memory is short, for every message that says so (short_memory.h, app/program_heap). Thread rule: a
// constant. Example: fmt::format("out of memory: {}", kMemoryAdvice)

#include <string_view>

namespace cutaway {

inline constexpr std::string_view kMemoryAdvice =
    "give the program more memory, or choose smaller inputs or a smaller model";

}  // namespace cutaway
