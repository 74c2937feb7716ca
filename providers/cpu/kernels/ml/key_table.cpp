#include "providers/cpu/kernels/ml/key_table.h"

#include <algorithm>

namespace cutaway::cpu::ml {

Result<KeyTable> KeyTable::make(const Tensor& keys, Rules rules) {
  if (keys.elementCount() > std::numeric_limits<int32_t>::max())
    return fail(ErrorCode::kInvalidArgument, "a list of {} keys", keys.elementCount());
  KeyTable table;
  table.m_type = keys.type();
  table.m_rules = rules;
  if (keys.type() == ElementType::kString) {
    const auto strings = keys.span<std::string>();
    table.m_strings = StringLookup(std::vector<std::string>(strings.begin(), strings.end()), rules.repeated);
    return table;
  }
  const bool known = cpu::dispatchType(Numbers{}, keys.type(), [&]<typename T>(cpu::TypeTag<T>) {
    std::vector<int64_t> numbers;
    for (const T key : keys.span<T>())
      numbers.push_back(table.keyOf(key));
    table.m_numbers = NumberLookup(numbers, rules.repeated);
  });
  if (!known) return fail(ErrorCode::kInvalidArgument, "keys of type {}", elementTypeName(keys.type()));
  return table;
}

void KeyTable::find(const Tensor& input, int64_t begin, int64_t end, int32_t* positions) const {
  if (m_type == ElementType::kString) {
    const std::string* strings = input.span<std::string>().data();
    for (int64_t i = begin; i < end; ++i)
      *positions++ = m_strings.find(strings[i]);
    return;
  }
  cpu::dispatchType(Numbers{}, m_type, [&]<typename T>(cpu::TypeTag<T>) {
    const T* numbers = input.span<T>().data();
    for (int64_t i = begin; i < end; ++i)
      *positions++ = m_numbers.find(keyOf(numbers[i]));
  });
}

}  // namespace cutaway::cpu::ml
