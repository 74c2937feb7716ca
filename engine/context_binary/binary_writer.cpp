#include "engine/context_binary/binary_writer.h"

namespace cutaway {

}  // namespace cutaway
