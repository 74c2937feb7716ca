#pragma once
// What to say beside a name that is not there: the names nearest to it, or all of them when they are few.
//
// Thread rule: pure. Example: nameHint("its inputs are", "imput", {"input", "mask"}) == "did you mean 'input'?"

#include <span>
#include <string>
#include <string_view>

namespace cutaway {

// "did you mean 'a' or 'b'?", or "<list> 'a', 'b', 'c' and 12 more" when none is near; "<list> none".
std::string nameHint(std::string_view list, std::string_view name, std::span<const std::string> known);

}  // namespace cutaway
