#pragma once
// Damages bytes, at random or where a context binary hurts.
//
// Thread rule: pure. Example: std::string bytes = seed;  damageBinary(bytes, seeds, random);

#include <string>
#include <vector>

#include "tests/fuzz/driver.h"

namespace cutaway::fuzz {

// One to a few of: flipped bits, bytes and numbers at extremes, cut short, longer, pieces doubled, taken out,
// exchanged, or taken from `others`.
void damageBytes(std::string& bytes, const std::vector<std::string>& others, Random& random);
// Most damage goes to header and directory; afterwards checksums are made right again, mostly.
void damageBinary(std::string& bytes, const std::vector<std::string>& others, Random& random);
// Checksums (and, with sizes, the sizes in the header) as somebody hostile would make them. Nothing happens to what is
// no binary.
void repairBinary(std::string& bytes, bool sizes);
uint64_t extremeNumber(uint64_t now, size_t fileBytes, Random& random);

}  // namespace cutaway::fuzz
