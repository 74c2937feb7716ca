// And, Or, Xor, Not over bool. Bytes are read as numbers: a model's file may hold other values than 0 and 1.

#include "providers/cpu/kernels/elementwise/binary_kernel.h"
#include "providers/cpu/kernels/elementwise/pointwise_kernel.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;

constexpr ElementType kBools[] = {ElementType::kBool};
constexpr TypeRule kRules[] = {{TypeRule::kAllInputs, kBools}};

struct AndElement {
  static uint8_t apply(uint8_t a, uint8_t b) { return static_cast<uint8_t>((a != 0) & (b != 0)); }
};
struct OrElement {
  static uint8_t apply(uint8_t a, uint8_t b) { return static_cast<uint8_t>((a | b) != 0); }
};
struct XorElement {
  static uint8_t apply(uint8_t a, uint8_t b) { return static_cast<uint8_t>((a != 0) ^ (b != 0)); }
};

template <typename Op, bool legacy>
Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return makeBinaryKernel(
      info, {.loop = &binaryRun<Op, uint8_t>, .outputType = ElementType::kBool, .inputType = ElementType::kBool},
      legacy);
}

void invert(const void* from, void* to, int64_t count) {
  const auto* source = static_cast<const uint8_t*>(from);
  auto* target = static_cast<uint8_t*>(to);
  for (int64_t i = 0; i < count; ++i)
    target[i] = source[i] == 0;
}

Result<std::unique_ptr<Kernel>> createNot(const KernelInfo&) {
  return makeRunKernel(invert, ElementType::kBool, ElementType::kBool);
}

template <typename Op, bool legacy>
constexpr KernelRow row(std::string_view opType) {
  return {.opType = opType,
          .versions = legacy ? VersionSpan{1, 6} : VersionSpan{7},
          .types = kRules,
          .inplace = kEitherInPlace,
          .fastPath = "threads",
          .create = create<Op, legacy>};
}

}  // namespace

KernelRows kernel_boolean() {
  static constexpr KernelRow rows[] = {
      row<AndElement, true>("And"),
      row<AndElement, false>("And"),
      row<OrElement, true>("Or"),
      row<OrElement, false>("Or"),
      row<XorElement, true>("Xor"),
      row<XorElement, false>("Xor"),
      {.opType = "Not",
       .versions = {1},
       .types = kRules,
       .inplace = kFirstInPlace,
       .fastPath = "threads",
       .create = createNot},
  };
  return rows;
}

}  // namespace cutaway::cpu
