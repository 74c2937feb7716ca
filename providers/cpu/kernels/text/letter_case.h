#pragma once
// Upper and lower case of UTF-8 strings by Unicode's full mapping and a locale's rules (ICU).
//
// ASCII strings take a short way, unless the locale maps ASCII letters to others (Turkish, Azeri, Lithuanian). Bytes
// that are no UTF-8 stay as they are. Thread rule: immutable once made; convert from many threads. Example:
// CUTAWAY_TRY(const LetterCase upper, LetterCase::make("de_DE", CaseAction::kUpper));  upper.convert("straße", target);
// // STRASSE

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"

struct UCaseMap;

namespace cutaway::cpu::text {

enum class CaseAction : uint8_t { kNone, kLower, kUpper };

class LetterCase {
 public:
  // locale: a name as "en_US", "de_DE.UTF-8" or "tr"; empty is Unicode's own rules, "C" and "POSIX" know the
  // letters of ASCII alone. One that ICU does not know falls back to its language or to Unicode's rules.
  static Result<LetterCase> make(const std::string& locale, CaseAction action);

  CaseAction action() const { return m_action; }
  // target must not be the same string. kNone copies.
  void convert(std::string_view from, std::string& target) const;

 private:
  CaseAction m_action = CaseAction::kNone;
  bool m_asciiIsPlain = true;
  bool m_onlyAscii = false;
  std::shared_ptr<const UCaseMap> m_map;
};

}  // namespace cutaway::cpu::text
