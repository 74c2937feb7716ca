#include "engine/operators/embedding.h"

namespace cutaway::operators {
namespace {

constexpr std::array<std::string_view, kEmbedTables> kTableNames{"word_embedding", "position_embedding",
                                                                 "segment_embedding"};

// shared: one row of ids may serve the whole batch.
Result<void> checkIds(const EmbedSizes& sizes, const Tensor& ids, std::string_view name, bool shared) {
  const bool integers = ids.type() == ElementType::kInt32 || ids.type() == ElementType::kInt64;
  const Dims each{sizes.batch, sizes.length}, once{1, sizes.length};
  const Dims& dims = ids.dims();
  if (integers && (dims == each || (shared && dims == once))) return {};
  return fail(ErrorCode::kInvalidArgument, "{} is {} {}, not integers {}", name, elementTypeName(ids.type()),
              dimsToText(dims), dimsToText(each));
}

Result<void> checkVector(const EmbedSizes& sizes, const Tensor* vector, std::string_view name) {
  if (vector == nullptr) return fail(ErrorCode::kInvalidArgument, "{} is absent", name);
  if (vector->dims() == Dims{sizes.width}) return {};
  return fail(ErrorCode::kInvalidArgument, "{} is {}, not [{}]", name, dimsToText(vector->dims()), sizes.width);
}

Result<void> readTables(EmbedSizes& sizes, const EmbedOperands& operands) {
  for (size_t which = 0; which < kEmbedTables; ++which) {
    const Tensor* table = operands.tables[which];
    if (table == nullptr && which == kSegmentTable) continue;
    if (table == nullptr) return fail(ErrorCode::kInvalidArgument, "{} is absent", kTableNames[which]);
    if (table->rank() != 2 || table->dims()[1] != sizes.width)
      return fail(ErrorCode::kInvalidArgument, "{} is {}, not [rows,{}]", kTableNames[which], dimsToText(table->dims()),
                  sizes.width);
    sizes.rows[which] = table->dims()[0];
    if (sizes.rows[which] == 0 && sizes.batch * sizes.length > 0)
      return fail(ErrorCode::kInvalidArgument, "{} has no rows", kTableNames[which]);
  }
  return {};
}

}  // namespace

Result<EmbedSizes> embedSizes(const EmbedOperands& operands) {
  const Tensor *words = operands.words, *table = operands.tables[kWordTable];
  if (words == nullptr || table == nullptr || words->rank() != 2 || table->rank() != 2)
    return fail(ErrorCode::kInvalidArgument, "input_ids are {} and the word table is {}: both must have rank 2",
                words == nullptr ? "absent" : dimsToText(words->dims()),
                table == nullptr ? "absent" : dimsToText(table->dims()));
  EmbedSizes sizes{.batch = words->dims()[0], .length = words->dims()[1], .width = table->dims()[1]};
  CUTAWAY_CHECK(readTables(sizes, operands));
  CUTAWAY_CHECK(checkVector(sizes, operands.gamma, "gamma"));
  CUTAWAY_CHECK(checkVector(sizes, operands.beta, "beta"));
  CUTAWAY_CHECK(checkIds(sizes, *words, "input_ids", false));
  if ((operands.segments != nullptr) != (operands.tables[kSegmentTable] != nullptr))
    return fail(ErrorCode::kInvalidArgument, "segment_ids and segment_embedding come together or not at all");
  if (operands.segments != nullptr) CUTAWAY_CHECK(checkIds(sizes, *operands.segments, "segment_ids", false));
  if (operands.positions != nullptr) {
    CUTAWAY_CHECK(checkIds(sizes, *operands.positions, "position_ids", true));
    sizes.positionIds = operands.positions->elementCount();
  } else if (sizes.length > sizes.rows[kPositionTable]) {
    return fail(ErrorCode::kInvalidArgument, "{} positions, the table has {} rows", sizes.length,
                sizes.rows[kPositionTable]);
  }
  return sizes;
}

Result<void> checkEmbedMask(const EmbedSizes& sizes, const Tensor& mask) {
  const Dims wanted{sizes.batch, sizes.length};
  if (mask.type() == ElementType::kInt32 && mask.dims() == wanted) return {};
  return fail(ErrorCode::kInvalidArgument, "mask is {} {}, not int32 {}", elementTypeName(mask.type()),
              dimsToText(mask.dims()), dimsToText(wanted));
}

}  // namespace cutaway::operators
