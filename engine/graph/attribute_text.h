#pragma once
// Attributes and tensors as short texts for people.
//
// Thread rule: pure. Example: attributeText({"pads", std::vector<int64_t>{1, 1}}) == "[1, 1]".

#include <string>

#include "engine/graph/attribute.h"

namespace cutaway {

// At most 200 bytes; longer ones end in "...".
std::string attributeText(const Attribute& attribute);
// The first values, "1, 2, 3, ..."; empty when there are none or their type has no text.
std::string tensorPreview(const Tensor& tensor);

}  // namespace cutaway
