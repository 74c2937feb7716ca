// com.microsoft MurmurHash3: 32 bits of hash for each element, a number by its bytes and a string by its text.
//
// The function is MurmurHash3_x86_32 by Austin Appleby, in the public domain.

#include <bit>
#include <cstring>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

using HashedNumbers = cpu::TypeList<int32_t, uint32_t, int64_t, uint64_t, float, double>;
constexpr int64_t kHashesPerThread = 4096;

uint32_t mixed(uint32_t block) {
  return std::rotl(block * 0xcc9e2d51u, 15) * 0x1b873593u;
}

uint32_t murmur3(const void* data, size_t length, uint32_t seed) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  uint32_t hash = seed;
  size_t at = 0;
  for (; at + 4 <= length; at += 4) {
    uint32_t block = 0;
    std::memcpy(&block, bytes + at, 4);
    hash = std::rotl(hash ^ mixed(block), 13) * 5 + 0xe6546b64u;
  }
  uint32_t tail = 0;
  for (size_t i = length; i-- > at;)
    tail = tail << 8 | bytes[i];
  hash ^= mixed(tail);  // nothing when there is no tail
  hash ^= static_cast<uint32_t>(length);
  hash = (hash ^ hash >> 16) * 0x85ebca6bu;
  hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
  return hash ^ hash >> 16;
}

class MurmurHash3Kernel final : public Kernel {
 public:
  MurmurHash3Kernel(uint32_t seed, bool positive)
      : m_seed(seed), m_type(positive ? ElementType::kUint32 : ElementType::kInt32) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* input, requireTensor(context, 0));
    CUTAWAY_TRY(Tensor * output, context.output(0, m_type, input->dims()));
    auto* target = static_cast<uint32_t*>(output->mutableData());
    const auto hashAll = [&](auto&& hashOne) {
      parallelFor(input->elementCount(), kHashesPerThread, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          target[i] = hashOne(i);
      });
    };
    if (input->type() == ElementType::kString) {
      const auto strings = input->span<std::string>();
      hashAll([&](int64_t i) {
        return murmur3(strings[static_cast<size_t>(i)].data(), strings[static_cast<size_t>(i)].size(), m_seed);
      });
      return {};
    }
    const bool known = cpu::dispatchType(HashedNumbers{}, input->type(), [&]<typename T>(cpu::TypeTag<T>) {
      const T* numbers = input->span<T>().data();
      hashAll([&](int64_t i) { return murmur3(numbers + i, sizeof(T), m_seed); });
    });
    if (!known) return fail(ErrorCode::kInvalidArgument, "MurmurHash3 of {}", elementTypeName(input->type()));
    return {};
  }

 private:
  uint32_t m_seed;
  ElementType m_type;
};

Result<std::unique_ptr<Kernel>> createMurmurHash3(const KernelInfo& info) {
  const int64_t seed = info.attribute<int64_t>("seed", 0);
  if (seed < 0 || seed > 0xffffffffll)
    return fail(ErrorCode::kInvalidArgument, "seed is {} and must fit in 32 bits", seed);
  return std::make_unique<MurmurHash3Kernel>(static_cast<uint32_t>(seed), info.attribute<int64_t>("positive", 1) != 0);
}

constexpr auto kHashed = cpu::elementTypes(cpu::Join<HashedNumbers, cpu::TypeList<std::string>>{});
constexpr TypeRule kTypes[] = {{0, kHashed}};
constexpr KernelRow kRows[] = {
    {.opType = "MurmurHash3",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kTypes,
     .fastPath = "threads",
     .create = createMurmurHash3},
};

}  // namespace

KernelRows kernel_murmur_hash3() {
  return kRows;
}

}  // namespace cutaway::cpu
