#include "engine/context_binary/binary_reader.h"

namespace cutaway {

}  // namespace cutaway
