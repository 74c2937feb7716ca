#include "providers/onednn/layout.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/base/checked_math.h"
#include "providers/onednn/record_bytes.h"

namespace cutaway::onednn {

namespace {

constexpr uint64_t kMostRank = DNNL_MAX_NDIMS;
constexpr uint64_t kMostElements = uint64_t{1} << 48;

tl::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::kEpFail, "the layout of a packed constant is damaged: {}", what);
}

// The largest place an element can have, and that every axis of blocks fits the padded dims.
Result<void> checkReach(const dnnl_memory_desc_t& layout, size_t sizeBytes) {
  const dnnl_blocking_desc_t& blocks = layout.format_desc.blocking;
  int64_t inner = 1;
  std::array<int64_t, DNNL_MAX_NDIMS> perAxis;
  perAxis.fill(1);
  for (int i = 0; i < blocks.inner_nblks; ++i) {
    const auto product = checkedMultiply(inner, blocks.inner_blks[i]);
    if (!product || *product > static_cast<int64_t>(kMostElements)) return damaged("blocks are too large");
    inner = *product;
    perAxis[static_cast<size_t>(blocks.inner_idxs[i])] *= blocks.inner_blks[i];
  }
  int64_t last = inner - 1;
  for (int axis = 0; axis < layout.ndims; ++axis) {
    const int64_t block = perAxis[static_cast<size_t>(axis)], padded = layout.padded_dims[axis];
    if (padded < layout.dims[axis] || padded % block != 0 || padded - layout.dims[axis] >= block)
      return damaged("dims, padding and blocks disagree");
    const auto reach = checkedMultiply(padded / block - 1, blocks.strides[axis]);
    if (!reach || *reach > static_cast<int64_t>(kMostElements)) return damaged("strides are too large");
    last += *reach;
  }
  const auto bytes = checkedMultiply(last + 1, static_cast<int64_t>(dnnl_data_type_size(layout.data_type)));
  if (!bytes || *bytes > static_cast<int64_t>(sizeBytes)) return damaged("it reaches beyond the stored bytes");
  return {};
}

}  // namespace

std::string layoutBytes(const Descriptor& descriptor) {
  const dnnl_memory_desc_t& layout = descriptor.data;
  if (layout.format_kind != dnnl_blocked || layout.ndims < 1) return {};
  RecordWriter writer;
  const auto each = [&](const dnnl_dim_t* values, int count) {
    for (int i = 0; i < count; ++i)
      writer.number(static_cast<uint64_t>(values[i]));
  };
  writer.number(static_cast<uint64_t>(layout.ndims));
  writer.number(static_cast<uint64_t>(layout.data_type));
  each(layout.dims, layout.ndims);
  each(layout.padded_dims, layout.ndims);
  each(layout.padded_offsets, layout.ndims);
  writer.number(static_cast<uint64_t>(layout.offset0));
  const dnnl_blocking_desc_t& blocks = layout.format_desc.blocking;
  each(blocks.strides, layout.ndims);
  writer.number(static_cast<uint64_t>(blocks.inner_nblks));
  each(blocks.inner_blks, blocks.inner_nblks);
  each(blocks.inner_idxs, blocks.inner_nblks);
  uint32_t adjust = 0;
  if (layout.extra.flags & dnnl_memory_extra_flag_scale_adjust)
    std::memcpy(&adjust, &layout.extra.scale_adjust, sizeof(adjust));
  writer.number(layout.extra.flags);
  writer.number(static_cast<uint32_t>(layout.extra.flags != 0 ? layout.extra.compensation_mask : 0));
  writer.number(adjust);
  writer.number(static_cast<uint32_t>(layout.extra.flags != 0 ? layout.extra.asymm_compensation_mask : 0));
  return writer.take();
}

bool holdsCompensation(const Descriptor& descriptor) {
  return descriptor.data.extra.flags != 0;
}

Result<Descriptor> readLayout(std::string_view bytes, size_t sizeBytes) {
  RecordReader reader(std::as_bytes(std::span(bytes.data(), bytes.size())));
  dnnl_memory_desc_t layout;
  std::memset(&layout, 0, sizeof(layout));
  CUTAWAY_TRY(const uint64_t rank, reader.number(kMostRank));
  CUTAWAY_TRY(const uint64_t type, reader.number(64));
  if (rank < 1) return damaged("no axes");
  const auto known = {dnnl_f32, dnnl_s32, dnnl_s8, dnnl_u8, dnnl_bf16};
  if (std::find(known.begin(), known.end(), static_cast<dnnl_data_type_t>(type)) == known.end())
    return damaged("element type");
  layout.ndims = static_cast<int>(rank);
  layout.data_type = static_cast<dnnl_data_type_t>(type);
  layout.format_kind = dnnl_blocked;
  const auto each = [&](dnnl_dim_t* values, uint64_t count, uint64_t least, uint64_t most) -> Result<void> {
    for (uint64_t i = 0; i < count; ++i) {
      CUTAWAY_TRY(const uint64_t value, reader.number(most));
      if (value < least) return damaged("a number is too small");
      values[i] = static_cast<dnnl_dim_t>(value);
    }
    return {};
  };
  dnnl_blocking_desc_t& blocks = layout.format_desc.blocking;
  CUTAWAY_CHECK(each(layout.dims, rank, 1, kMostElements));
  CUTAWAY_CHECK(each(layout.padded_dims, rank, 1, kMostElements));
  CUTAWAY_CHECK(each(layout.padded_offsets, rank, 0, 0));
  CUTAWAY_CHECK(each(&layout.offset0, 1, 0, 0));
  CUTAWAY_CHECK(each(blocks.strides, rank, 1, kMostElements));
  CUTAWAY_TRY(const uint64_t blockCount, reader.number(kMostRank));
  blocks.inner_nblks = static_cast<int>(blockCount);
  CUTAWAY_CHECK(each(blocks.inner_blks, blockCount, 1, 1u << 16));
  CUTAWAY_CHECK(each(blocks.inner_idxs, blockCount, 0, rank - 1));
  for (int i = 0; i < 4; ++i)
    CUTAWAY_CHECK(reader.number(0));
  if (!reader.atEnd()) return damaged("something follows it");
  CUTAWAY_CHECK(checkReach(layout, sizeBytes));
  return Descriptor(layout);
}

}  // namespace cutaway::onednn
