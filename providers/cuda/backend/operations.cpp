// Keys of descriptions: every field, in order, so that two descriptions have one key exactly when they ask for the
// same.
#include "providers/cuda/backend/operations.h"

#include <type_traits>

namespace cutaway::cuda {
namespace {

class KeyWriter {
 public:
  explicit KeyWriter(const char* start) : m_text(start) {}
  template <typename T>
  KeyWriter& operator<<(T value) {
    if constexpr (std::is_enum_v<T>)
      return *this << static_cast<int64_t>(value);
    else if constexpr (std::is_floating_point_v<T>)
      return bits(value);
    else
      m_text += ' ' + std::to_string(static_cast<int64_t>(value));
    return *this;
  }
  KeyWriter& operator<<(const std::array<int64_t, 3>& values) { return *this << values[0] << values[1] << values[2]; }
  KeyWriter& operator<<(const Epilogue& e) {
    return *this << e.bias << e.residual << e.activation << e.first << e.second;
  }
  std::string take() { return std::move(m_text); }

 private:
  // The number's bits: text would lose digits.
  KeyWriter& bits(float value) {
    uint32_t word = 0;
    static_assert(sizeof(word) == sizeof(value));
    __builtin_memcpy(&word, &value, sizeof(word));
    m_text += ' ' + std::to_string(word);
    return *this;
  }
  std::string m_text;
};

}  // namespace

std::string MatmulDescription::key() const {
  KeyWriter key("matmul");
  key << batch << m << n << k << transposeA << transposeB << batchStrideA << batchStrideB << batchStrideY << rowStrideA
      << rowStrideB << rowStrideY;
  key << a << b << y << bias << alpha << epilogue << math;
  return key.take();
}

std::string ConvolutionDescription::key() const {
  KeyWriter key("convolution");
  key << spatial << batch << channels << filters << groups << input << kernel << output << stride << dilation
      << padBegin << padEnd;
  key << channelsLast << transposed << type << bias << epilogue << math;
  return key.take();
}

std::string AttentionDescription::key() const {
  KeyWriter key("attention");
  key << batch << heads << keyHeads << queries << keys << size << valueSize << strideQ << strideK << strideV << strideY
      << type << scale;
  key << causal << causalFromEnd << window << softcap << mask << maskType << maskStride << keyLengths;
  return key.take();
}

}  // namespace cutaway::cuda
