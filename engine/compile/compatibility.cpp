#include "engine/compile/compatibility.h"

namespace cutaway {

}  // namespace cutaway
