#pragma once
// Layouts of packed constants as bytes: the library's memory descriptors, in an encoding of our own.
//
// The same layout gives the same bytes, so that layouts are compared without the library; the library's structs never
// come from a file. Thread rule: pure. Example: const std::string stored = layoutBytes(description.weights_desc());

#include <string>
#include <string_view>

#include "providers/onednn/library.h"

namespace cutaway::onednn {

// Empty: a layout that is not kept (the library's own packed formats).
std::string layoutBytes(const Descriptor& descriptor);
// True when the numbers in this layout hold more than the constant's elements (sums for the zero points of what they
// are multiplied with): nothing but the primitive can read them.
bool holdsCompensation(const Descriptor& descriptor);
// EP_FAIL: damaged, or it would reach beyond `sizeBytes`. Layouts with compensation are refused.
Result<Descriptor> readLayout(std::string_view bytes, size_t sizeBytes);

}  // namespace cutaway::onednn
