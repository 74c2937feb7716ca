#pragma once
// The map that an operator of ai.onnx.ml reads, checked: keys of the type it was made for, and one value a key.
//
// Thread rule: pure functions.
// Example: CUTAWAY_TRY(const MapValue* map, requireMap(context, 0, ElementType::kInt64));

#include "engine/provider/kernel.h"

namespace cutaway::cpu::ml {

inline Result<const MapValue*> requireMap(const KernelContext& context, size_t slot, ElementType key) {
  const RuntimeValue* value = slot < context.inputCount() ? context.inputValue(slot) : nullptr;
  if (value == nullptr || !value->isMap())
    return fail(ErrorCode::kInvalidArgument, "input {} must be a map and is absent or something else", slot);
  const MapValue& map = value->map();
  if (map.keys.type() != key)
    return fail(ErrorCode::kInvalidArgument, "the keys of input {} are {}, not {}", slot,
                elementTypeName(map.keys.type()), elementTypeName(key));
  if (map.keys.elementCount() != map.values.elementCount())
    return fail(ErrorCode::kInvalidArgument, "input {} has {} keys and {} values", slot, map.keys.elementCount(),
                map.values.elementCount());
  return &map;
}

}  // namespace cutaway::cpu::ml
