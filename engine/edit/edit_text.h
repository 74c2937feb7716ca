#pragma once
// What people type in edits: shapes, dimensions, values of attributes.
//
// Thread rule: pure. Errors: INVALID_ARGUMENT with what was seen and what would do.
// Example: CUTAWAY_TRY(const std::optional<Shape> shape, readShape("batch,3,224,224"));

#include <optional>
#include <string_view>

#include "engine/graph/attribute.h"
#include "engine/tensor/shape.h"

namespace cutaway::edit {

// A number, or a name.
Result<Dim> readDim(std::string_view text);
// "batch,3,,224", with or without brackets; "[]": a scalar; empty: unknown rank (nullopt). Empty parts and "?" are
// unknown dimensions.
Result<std::optional<Shape>> readShape(std::string_view text);
// In the notation of attributeText(): "3", "0.5", plain text, "[1, 2]". kind: as attributeKindName() says.
Result<AttributeValue> readAttribute(std::string_view kind, std::string_view text);

}  // namespace cutaway::edit
