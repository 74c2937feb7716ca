#pragma once
// ONNX models changed field by field: numbers at extremes, names of others, nodes, tensors and bodies that are missing,
// doubled, exchanged or somewhere else. What comes out is always a model in the sense of protobuf.
//
// Thread rule: pure. Example: if (std::optional<std::string> changed = mutatedModel(bytes, random)) use(*changed);

#include <optional>
#include <string>
#include <string_view>

#include "tests/fuzz/driver.h"

namespace cutaway::fuzz {

// One to four changes. nullopt: it is no model, or it became too large.
std::optional<std::string> mutatedModel(std::string_view bytes, Random& random);

}  // namespace cutaway::fuzz
