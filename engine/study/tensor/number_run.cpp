// Elements of every type as doubles, a run at a time: types of a byte and less by a table, halves by the processor's
// conversion.
#include "engine/study/tensor/number_run.h"

#include <algorithm>
#include <array>

#include "engine/tensor/packed_bits.h"
#include "engine/tensor/six_bit_float.h"

namespace cutaway::study {
namespace {

template <typename T>
void readPlain(const Tensor& tensor, int64_t begin, int64_t count, double* to) {
  const T* from = static_cast<const T*>(tensor.data()) + begin;
  for (int64_t i = 0; i < count; ++i)
    to[i] = static_cast<double>(from[i]);
}

void readHalf(const Tensor& tensor, int64_t begin, int64_t count, double* to) {
  std::array<float, kNumberRun> floats;
  halfToFloat(static_cast<const Float16*>(tensor.data()) + begin, floats.data(), count);
  for (int64_t i = 0; i < count; ++i)
    to[i] = floats[static_cast<size_t>(i)];
}

void readBfloat(const Tensor& tensor, int64_t begin, int64_t count, double* to) {
  const auto* from = static_cast<const Bfloat16*>(tensor.data()) + begin;
  for (int64_t i = 0; i < count; ++i)
    to[i] = static_cast<double>(from[i].toFloat());
}

void readBool(const Tensor& tensor, int64_t begin, int64_t count, double* to) {
  const auto* from = static_cast<const uint8_t*>(tensor.data()) + begin;
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i] != 0 ? 1.0 : 0.0;
}

using CodeTable = std::array<double, 256>;

double numberOfCode(ElementType type, uint8_t code) {
  switch (type) {
    case ElementType::kInt4:
      return signExtend(code, 4);
    case ElementType::kInt2:
      return signExtend(code, 2);
    case ElementType::kUint4:
      return code & 15;
    case ElementType::kUint2:
      return code & 3;
    case ElementType::kFloat4E2M1:
      return narrowToFloat(type, code & 15);
    default:
      return narrowToFloat(type, isSixBit(type) ? code & 63 : code);
  }
}

// One table for each type whose codes fit a byte, made when first asked for.
const CodeTable& codeTable(ElementType type) {
  static const auto kTables = [] {
    std::array<CodeTable, 32> tables{};
    for (const ElementType each :
         {ElementType::kFloat8E4M3FN, ElementType::kFloat8E4M3FNUZ, ElementType::kFloat8E5M2,
          ElementType::kFloat8E5M2FNUZ, ElementType::kFloat8E8M0, ElementType::kFloat4E2M1, ElementType::kUint4,
          ElementType::kInt4, ElementType::kUint2, ElementType::kInt2, kFloat6E2M3, kFloat6E3M2}) {
      for (int code = 0; code < 256; ++code)
        tables[static_cast<size_t>(each)][static_cast<size_t>(code)] = numberOfCode(each, static_cast<uint8_t>(code));
    }
    return tables;
  }();
  return kTables[static_cast<size_t>(type) & 31];
}

void readCodes(const Tensor& tensor, int64_t begin, int64_t count, double* to) {
  const CodeTable& table = codeTable(tensor.type());
  const auto* bytes = static_cast<const uint8_t*>(tensor.data());
  if (!isSubByte(tensor.type())) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = table[bytes[begin + i]];
    return;
  }
  const int bits = bitsOf(tensor.type());
  for (int64_t i = 0; i < count; ++i)
    to[i] = table[packedBits(bytes, begin + i, bits)];
}

using Reader = void (*)(const Tensor&, int64_t, int64_t, double*);

// nullptr: no numbers.
Reader readerOf(ElementType type) {
  if (isSixBit(type)) return readCodes;
  switch (type) {
    case ElementType::kFloat:
      return readPlain<float>;
    case ElementType::kDouble:
      return readPlain<double>;
    case ElementType::kInt8:
      return readPlain<int8_t>;
    case ElementType::kUint8:
      return readPlain<uint8_t>;
    case ElementType::kInt16:
      return readPlain<int16_t>;
    case ElementType::kUint16:
      return readPlain<uint16_t>;
    case ElementType::kInt32:
      return readPlain<int32_t>;
    case ElementType::kUint32:
      return readPlain<uint32_t>;
    case ElementType::kInt64:
      return readPlain<int64_t>;
    case ElementType::kUint64:
      return readPlain<uint64_t>;
    case ElementType::kFloat16:
      return readHalf;
    case ElementType::kBfloat16:
      return readBfloat;
    case ElementType::kBool:
      return readBool;
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E4M3FNUZ:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat8E5M2FNUZ:
    case ElementType::kFloat8E8M0:
    case ElementType::kFloat4E2M1:
    case ElementType::kUint4:
    case ElementType::kInt4:
    case ElementType::kUint2:
    case ElementType::kInt2:
      return readCodes;
    default:
      return nullptr;
  }
}

}  // namespace

bool hasNumbers(ElementType type) {
  return readerOf(type) != nullptr;
}

void readNumbers(const Tensor& tensor, int64_t begin, int64_t count, double* to) {
  const Reader reader = readerOf(tensor.type());
  if (reader == nullptr)
    std::fill_n(to, count, 0.0);
  else
    reader(tensor, begin, count, to);
}

}  // namespace cutaway::study
