#include "engine/math/integer_exact.h"

#include "engine/math/onednn.h"

namespace cutaway::math {

bool addsExactly() {
  switch (dnnl::get_effective_cpu_isa()) {
    case dnnl::cpu_isa::avx512_core_vnni:
    case dnnl::cpu_isa::avx512_core_bf16:
    case dnnl::cpu_isa::avx512_core_amx:
    case dnnl::cpu_isa::avx2_vnni:
      return true;
    default:
      return false;
  }
}

void splitHalves(std::span<const int8_t> weights, int8_t* high, int8_t* low) {
  for (size_t i = 0; i < weights.size(); ++i) {
    low[i] = static_cast<int8_t>(weights[i] & 1);
    high[i] = static_cast<int8_t>((weights[i] - low[i]) / 2);
  }
}

void joinHalves(int32_t* high, const int32_t* low, size_t count) {
  for (size_t i = 0; i < count; ++i)
    high[i] = static_cast<int32_t>(static_cast<uint32_t>(high[i]) * 2u + static_cast<uint32_t>(low[i]));
}

}  // namespace cutaway::math
