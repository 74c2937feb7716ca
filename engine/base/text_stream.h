#pragma once
// A text that grows by <<, whole or not at all: standard streams leave out what they have no memory for, and go on
// (tests/lint, rule streams).
//
// Thread rule: one thread. Example: TextStream text;  text << "bytes: " << count;  return text.str();

#include <sstream>

namespace cutaway {

class TextStream : public std::ostringstream {
 public:
  TextStream() { exceptions(std::ios::badbit); }  // what was thrown inside, such as std::bad_alloc, leaves
};

}  // namespace cutaway
