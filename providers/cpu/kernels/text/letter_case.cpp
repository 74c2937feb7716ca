#include "providers/cpu/kernels/text/letter_case.h"

#include <algorithm>
#include <limits>

#include <unicode/ucasemap.h>
#include <unicode/uloc.h>

namespace cutaway::cpu::text {
namespace {

bool isAscii(std::string_view text) {
  unsigned char seen = 0;
  for (const char c : text)
    seen |= static_cast<unsigned char>(c);
  return seen < 0x80;
}

// One conversion; true when it fitted, else `needed` is the size to try next.
bool convertInto(const UCaseMap& map, CaseAction action, std::string_view from, std::string& target, int32_t& needed) {
  UErrorCode status = U_ZERO_ERROR;
  const auto room = static_cast<int32_t>(std::min<size_t>(target.size(), std::numeric_limits<int32_t>::max()));
  const auto length = static_cast<int32_t>(from.size());
  needed = action == CaseAction::kUpper ? ucasemap_utf8ToUpper(&map, target.data(), room, from.data(), length, &status)
                                        : ucasemap_utf8ToLower(&map, target.data(), room, from.data(), length, &status);
  if (status == U_BUFFER_OVERFLOW_ERROR) return false;
  target.resize(U_FAILURE(status) ? 0 : static_cast<size_t>(needed));
  return true;
}

}  // namespace

Result<LetterCase> LetterCase::make(const std::string& locale, CaseAction action) {
  LetterCase made;
  made.m_action = action;
  if (action == CaseAction::kNone) return made;
  made.m_onlyAscii = locale == "C" || locale == "POSIX";
  if (made.m_onlyAscii) return made;
  // "de_DE.UTF-8@euro" and the like become ICU's names.
  char name[ULOC_FULLNAME_CAPACITY] = {};
  UErrorCode status = U_ZERO_ERROR;
  uloc_canonicalize(locale.empty() ? "root" : locale.c_str(), name, sizeof(name) - 1, &status);
  if (U_FAILURE(status))
    return fail(ErrorCode::kInvalidArgument, "the locale '{}' is no locale name ({})", locale, u_errorName(status));
  UCaseMap* map = ucasemap_open(name, 0, &status);
  if (U_FAILURE(status) || map == nullptr)
    return fail(ErrorCode::kInvalidArgument, "the locale '{}' cannot be used ({})", locale, u_errorName(status));
  made.m_map =
      std::shared_ptr<const UCaseMap>(map, [](const UCaseMap* each) { ucasemap_close(const_cast<UCaseMap*>(each)); });
  const std::string_view language = std::string_view(name).substr(0, std::string_view(name).find('_'));
  made.m_asciiIsPlain = language != "tr" && language != "az" && language != "lt";
  return made;
}

void LetterCase::convert(std::string_view from, std::string& target) const {
  if (m_action == CaseAction::kNone) {
    target.assign(from);
    return;
  }
  target.resize(from.size());
  if (m_onlyAscii || (m_asciiIsPlain && isAscii(from))) {
    const bool upper = m_action == CaseAction::kUpper;
    const char first = upper ? 'a' : 'A', last = upper ? 'z' : 'Z';
    std::transform(from.begin(), from.end(), target.begin(),
                   [=](char c) { return static_cast<char>(c >= first && c <= last ? c ^ 0x20 : c); });
    return;
  }
  int32_t needed = 0;
  if (convertInto(*m_map, m_action, from, target, needed)) return;
  target.resize(static_cast<size_t>(needed));
  convertInto(*m_map, m_action, from, target, needed);
}

}  // namespace cutaway::cpu::text
