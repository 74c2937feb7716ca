// Numbers as text and back, independent of the locale.

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "providers/cpu/kernels/elementwise/element_conversion.h"

namespace cutaway::cpu {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  text = text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  return text;
}

// from_chars reads "inf" and "nan" in any case. Numbers too large become infinite, too small become zero, as strtod has
// it.
bool parseNumber(std::string_view text, double& value) {
  text = trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size() || text.empty()) return false;
  if (error == std::errc::result_out_of_range) {
    const bool negative = text.front() == '-';
    const size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos ? text[exponent + 1] == '-'
                                                         : text.find_first_of("123456789") > text.find('.');
    value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    if (negative) value = -value;
    return true;
  }
  return error == std::errc{};
}

// Whole numbers exactly; "100.5" and "1e3" through double, cut towards zero.
template <typename Integer>
bool parseNumber(std::string_view text, Integer& value) {
  const std::string_view digits = trimmed(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc{} && end == digits.data() + digits.size()) return true;
  double real = 0;
  if (!parseNumber(text, real) || std::isnan(real)) return false;
  const double low = static_cast<double>(std::numeric_limits<Integer>::min());
  const double high = static_cast<double>(std::numeric_limits<Integer>::max());
  value = real <= low ? std::numeric_limits<Integer>::min()
                      : (real >= high ? std::numeric_limits<Integer>::max() : static_cast<Integer>(real));
  return true;
}

template <typename Wide>
int64_t read(const void* base, int64_t offset, int64_t count, void* wide, ElementType) {
  const auto* from = static_cast<const std::string*>(base) + offset;
  for (int64_t i = 0; i < count; ++i) {
    if (!parseNumber(from[i], static_cast<Wide*>(wide)[i])) return i;
  }
  return -1;
}

// The shortest text that reads back as the same number.
template <typename Wide>
void writeNumber(Wide value, std::string& text) {
  if constexpr (std::is_floating_point_v<Wide>) {
    if (!std::isfinite(value)) {
      text = std::isnan(value) ? "NaN" : (value > 0 ? "INF" : "-INF");
      return;
    }
  }
  char buffer[64];
  const auto written = std::to_chars(buffer, buffer + sizeof(buffer), value);
  text.assign(buffer, written.ptr);
}

template <typename Wide>
void write(const void* wide, int64_t offset, int64_t count, void* base, ElementType, const ConversionOptions&) {
  for (int64_t i = 0; i < count; ++i)
    writeNumber(static_cast<const Wide*>(wide)[i], static_cast<std::string*>(base)[offset + i]);
}

}  // namespace

ReadRun textReader(WideKind kind) {
  switch (kind) {
    case WideKind::kUint64:
      return read<uint64_t>;
    case WideKind::kInt64:
      return read<int64_t>;
    default:
      return read<double>;
  }
}

WriteRun textWriter(WideKind kind) {
  switch (kind) {
    case WideKind::kFloat:
      return write<float>;
    case WideKind::kDouble:
      return write<double>;
    case WideKind::kUint64:
      return write<uint64_t>;
    default:
      return write<int64_t>;
  }
}

}  // namespace cutaway::cpu
