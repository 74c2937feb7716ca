#pragma once
// Elements of a tensor looked up in a list of keys of the same type: one table over strings or over numbers of any
// type.
//
// Numbers become 64-bit keys. Floats compare by value (a NaN finds a NaN, zeros of either sign are one key) or bit by
// bit, as the operator's version says. Thread rule: immutable once made. Example: CUTAWAY_TRY(const KeyTable table,
// KeyTable::make(keys, {.repeated = Repeated::kLast}));  table.find(*input, begin, end, positions);

#include <bit>
#include <cmath>

#include "engine/tensor/tensor.h"
#include "providers/cpu/kernels/lookup_table.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::ml {

class KeyTable {
 public:
  struct Rules {
    Repeated repeated = Repeated::kFirst;
    bool floatsByBits = false;
  };
  // keys: any shape. INVALID_ARGUMENT for other types than string, float, double, int16, int32 and int64, or too many
  // keys.
  static Result<KeyTable> make(const Tensor& keys, Rules rules);

  ElementType type() const { return m_type; }
  // Positions in the list of elements [begin, end) of a tensor of the same type; -1 where there is none.
  void find(const Tensor& input, int64_t begin, int64_t end, int32_t* positions) const;

 private:
  using Numbers = cpu::TypeList<int64_t, int32_t, int16_t, float, double>;
  template <typename T>
  int64_t keyOf(T value) const {
    if constexpr (std::is_integral_v<T>) {
      return value;
    } else {
      using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
      if (!m_rules.floatsByBits) {
        if (std::isnan(value)) value = std::numeric_limits<T>::quiet_NaN();
        if (value == T(0)) value = T(0);
      }
      return std::bit_cast<Bits>(value);
    }
  }

  ElementType m_type = ElementType::kUndefined;
  Rules m_rules;
  NumberLookup m_numbers;
  StringLookup m_strings;
};

}  // namespace cutaway::cpu::ml
