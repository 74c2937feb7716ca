#pragma once
// A short list of indexes: up to three lie in the object itself, which has 16 bytes.
//
// Thread rule: as std::vector. Example: IndexList inputs{4, 7};  for (const int32_t value : inputs) ...

#include "engine/base/short_list.h"

namespace cutaway {

using IndexList = ShortList<int32_t>;

}  // namespace cutaway
