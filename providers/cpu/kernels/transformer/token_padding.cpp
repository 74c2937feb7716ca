// com.microsoft RemovePadding and RestorePadding: from [batch, sequence, hidden] to the tokens that are not padding, in
// a row, and back.

#include <cstring>
#include <numeric>

#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

class RemovePadding final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &counts = *context.input(1);
    if (x.rank() != 3)
      return fail(ErrorCode::kInvalidArgument, "RemovePadding needs an input of rank 3, not {}", dimsToText(x.dims()));
    const int64_t batch = x.dims()[0], length = x.dims()[1], width = x.dims()[2];
    if (counts.type() != ElementType::kInt32 || counts.elementCount() != batch)
      return fail(ErrorCode::kInvalidArgument, "RemovePadding: sequence_token_count is {} {}, not int32 [{}]",
                  elementTypeName(counts.type()), dimsToText(counts.dims()), batch);
    int64_t total = 0, longest = 0;
    for (const int32_t count : counts.span<int32_t>()) {
      if (count < 0 || count > length)
        return fail(ErrorCode::kInvalidArgument, "RemovePadding: {} tokens in a sequence of {}", count, length);
      total += count;
      longest = std::max<int64_t>(longest, count);
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, {total, width}));
    CUTAWAY_TRY(Tensor * offsets, context.output(1, {batch, length}));
    CUTAWAY_TRY(Tensor * cumulated, context.output(2, {batch + 1}));
    CUTAWAY_TRY(Tensor * most, context.output(3, {1}));
    most->span<int32_t>()[0] = static_cast<int32_t>(longest);
    const size_t rowBytes = static_cast<size_t>(width) * static_cast<size_t>(bitsOf(x.type()) / 8);
    const auto* source = static_cast<const std::byte*>(x.data());
    auto* target = static_cast<std::byte*>(y->mutableData());
    int32_t* offset = offsets->span<int32_t>().data();
    int64_t kept = 0, padding = total;
    for (int64_t b = 0; b < batch; ++b) {
      const int64_t count = counts.span<int32_t>()[static_cast<size_t>(b)];
      cumulated->span<int32_t>()[static_cast<size_t>(b)] = static_cast<int32_t>(kept);
      if (count > 0 && rowBytes > 0)
        std::memcpy(target + static_cast<size_t>(kept) * rowBytes, source + static_cast<size_t>(b * length) * rowBytes,
                    static_cast<size_t>(count) * rowBytes);
      std::iota(offset + kept, offset + kept + count, static_cast<int32_t>(b * length));
      std::iota(offset + padding, offset + padding + (length - count), static_cast<int32_t>(b * length + count));
      kept += count;
      padding += length - count;
    }
    cumulated->span<int32_t>()[static_cast<size_t>(batch)] = static_cast<int32_t>(kept);
    return {};
  }
};

class RestorePadding final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &offsets = *context.input(1);
    if (x.rank() != 2 || offsets.rank() != 2 || offsets.type() != ElementType::kInt32)
      return fail(ErrorCode::kInvalidArgument, "RestorePadding needs two matrices, the second of int32, not {} and {}",
                  dimsToText(x.dims()), dimsToText(offsets.dims()));
    const int64_t tokens = x.dims()[0], width = x.dims()[1], places = offsets.elementCount();
    if (tokens > places)
      return fail(ErrorCode::kInvalidArgument, "RestorePadding: {} tokens, {} places", tokens, places);
    for (int64_t i = 0; i < tokens; ++i) {
      const int32_t place = offsets.span<int32_t>()[static_cast<size_t>(i)];
      if (place < 0 || place >= places)
        return fail(ErrorCode::kInvalidArgument, "RestorePadding: token_offset holds {}, there are {} places", place,
                    places);
    }
    CUTAWAY_TRY(Tensor * y, context.output(0, {offsets.dims()[0], offsets.dims()[1], width}));
    std::memset(y->mutableData(), 0, static_cast<size_t>(y->sizeBytes()));
    const size_t rowBytes = static_cast<size_t>(width) * static_cast<size_t>(bitsOf(x.type()) / 8);
    for (int64_t i = 0; rowBytes > 0 && i < tokens; ++i) {
      std::memcpy(static_cast<std::byte*>(y->mutableData()) +
                      static_cast<size_t>(offsets.span<int32_t>()[static_cast<size_t>(i)]) * rowBytes,
                  static_cast<const std::byte*>(x.data()) + static_cast<size_t>(i) * rowBytes, rowBytes);
    }
    return {};
  }
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  if (!info.hasInput(1)) return fail(ErrorCode::kInvalidArgument, "{} lacks its second input", info.node().opType);
  if (info.node().opType == "RestorePadding") return std::make_unique<RestorePadding>();
  for (size_t slot = 0; slot < 4; ++slot) {
    if (!info.hasOutput(slot)) return fail(ErrorCode::kInvalidArgument, "RemovePadding has four outputs");
  }
  return std::make_unique<RemovePadding>();
}

constexpr TypeRule kReal[] = {{0, kRealList}};

constexpr KernelRow kRows[] = {
    {.opType = "RemovePadding", .domain = "com.microsoft", .versions = {1}, .types = kReal, .create = create},
    {.opType = "RestorePadding", .domain = "com.microsoft", .versions = {1}, .types = kReal, .create = create},
};

}  // namespace

KernelRows kernel_token_padding() {
  return kRows;
}

}  // namespace cutaway::cpu
