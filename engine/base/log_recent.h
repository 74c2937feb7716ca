#pragma once
// The latest messages of this program in memory, for a panel that shows them.
//
// Thread rule: any thread; one short lock. Example: auto& recent = log::Recent::keep();  for (const log::Record& each :
// recent.after(shown)) add(each);

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/log.h"

namespace cutaway::log {

struct Record {
  int64_t number = 0;  // from 1 on, in order
  int64_t timeMs = 0;  // since 1970, UTC
  Level level = kInfo;
  std::string category;
  std::string text;
};

class Recent {
 public:
  static constexpr size_t kMost = 5'000;  // beyond, the oldest goes

  // Those of this program, kept from the first call on, at level info until setLevel().
  static Recent& keep();

  std::vector<Record> after(int64_t number) const;
  int64_t last() const;  // number of the latest message; 0: there was none
  Level level() const;
  void setLevel(Level level);

 private:
  Recent();
  class RingSink;
  std::shared_ptr<RingSink> m_sink;
};

}  // namespace cutaway::log
