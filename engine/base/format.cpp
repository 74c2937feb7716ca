#include "engine/base/format.h"

#include <spdlog/fmt/fmt.h>

namespace cutaway {

namespace {

// Three significant digits without trailing zeros: 1.25, 12.5, 125.
std::string threeDigits(double value) {
  if (value >= 100) return fmt::format("{:.0f}", value);
  std::string text = value >= 10 ? fmt::format("{:.1f}", value) : fmt::format("{:.2f}", value);
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

struct Unit {
  double factor;
  const char* name;
};

template <size_t N>
std::string withUnit(double value, const Unit (&units)[N]) {
  for (const Unit& unit : units) {
    // 999.6 of a smaller unit would read as 1000: let the larger unit have it.
    if (value >= unit.factor * 0.9995) return threeDigits(value / unit.factor) + " " + unit.name;
  }
  return threeDigits(value / units[N - 1].factor) + " " + units[N - 1].name;
}

}  // namespace

std::string formatBytes(int64_t sizeBytes) {
  static constexpr Unit kUnits[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "KB"}, {1, "B"}};
  return sizeBytes < 0 ? "unknown" : withUnit(static_cast<double>(sizeBytes), kUnits);
}

std::string formatTime(int64_t timeNs) {
  static constexpr Unit kUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};
  return timeNs < 0 ? "unknown" : withUnit(static_cast<double>(timeNs), kUnits);
}

std::string formatCount(int64_t count) {
  std::string digits = fmt::format("{}", count < 0 ? -count : count);
  for (ptrdiff_t at = static_cast<ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<size_t>(at), 1, ',');
  return count < 0 ? "-" + digits : digits;
}

std::string counted(int64_t count, std::string_view one) {
  return fmt::format("{} {}{}", formatCount(count), one, count == 1 ? "" : "s");
}

}  // namespace cutaway
