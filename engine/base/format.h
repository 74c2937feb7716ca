#pragma once
// Sizes, times and counts for people, with three significant digits and decimal units: the one form that reports, the
// window and messages have.
//
// Example: formatBytes(3'072) == "3.07 KB";  formatTime(1'250'000) == "1.25 ms";  formatCount(12'345) == "12,345"

#include <cstdint>
#include <string>
#include <string_view>

namespace cutaway {

std::string formatBytes(int64_t sizeBytes);  // KB, MB and GB are 10^3, 10^6 and 10^9 bytes; below 0: "unknown"
std::string formatTime(int64_t timeNs);      // ns, us, ms, s; below 0: "unknown"
std::string formatCount(int64_t count);
// "1 node", "2,101 nodes": of what takes an s.
std::string counted(int64_t count, std::string_view one);

}  // namespace cutaway
