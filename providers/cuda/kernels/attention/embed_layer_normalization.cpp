// com.microsoft EmbedLayerNormalization: rows of the word, position and segment tables, added and normalised.

#include "providers/cuda/functors/embed_functors.h"
#include "providers/cuda/gpu_kernel.h"

namespace cutaway::cuda {
namespace {

enum Slot : size_t { kWords, kSegments, kWordTable, kPositionTable, kSegmentTable, kGamma, kBeta, kMask, kPositions };

class EmbedKernel final : public GpuKernel {
 public:
  explicit EmbedKernel(const KernelInfo& info)
      : m_type(info.inputElement(kWordTable)),
        m_longIds(info.inputElement(kWords) == ElementType::kInt64),
        m_epsilon(info.attribute<float>("epsilon", 1e-12f)) {}

  Result<void> prepare(const KernelInfo&, GpuResources& resources) override {
    CUTAWAY_TRY(m_embed, resources.find(fmt::format("embed.layer_norm.{}", functorType(m_type))));
    CUTAWAY_TRY(m_count, resources.find("embed.count"));
    return {};
  }
  std::string_view variant() const override { return "embed"; }

  Result<void> launch(GpuCall& call) const override {
    const Dims& words = call.input(kWords)->dims();
    const auto optional = [&](size_t slot) { return slot < call.inputCount() ? call.input(slot) : nullptr; };
    const Tensor *segments = optional(kSegments), *positions = optional(kPositions), *mask = optional(kMask);
    if (words.size() != 2 || call.input(kWordTable)->rank() != 2)
      return fail(ErrorCode::kInvalidArgument, "input_ids are {} and the word table is {}: both must have rank 2",
                  dimsToText(words), dimsToText(call.input(kWordTable)->dims()));
    const int64_t batch = words[0], length = words[1], width = call.input(kWordTable)->dims()[1];
    EmbedParameters p{.words = call.input(kWords)->data(),
                      .segments = segments == nullptr ? nullptr : segments->data(),
                      .positions = positions == nullptr ? nullptr : positions->data(),
                      .tokens = batch * length,
                      .length = length,
                      .width = width,
                      .positionCount = positions == nullptr ? 0 : positions->elementCount(),
                      .epsilon = m_epsilon,
                      .longIds = m_longIds};
    for (size_t which = 0; which < 3; ++which) {
      const Tensor* table = optional(kWordTable + which);
      if (table == nullptr) continue;
      if (table->rank() != 2 || table->dims()[1] != width || table->dims()[0] < 1)
        return fail(ErrorCode::kInvalidArgument, "an embedding table is {}, not [rows,{}]", dimsToText(table->dims()),
                    width);
      p.tables[which] = table->data(), p.rows[which] = table->dims()[0];
    }
    for (const Slot slot : {kGamma, kBeta}) {
      if (call.input(slot)->dims() != Dims{width})
        return fail(ErrorCode::kInvalidArgument, "gamma or beta is {}, not [{}]", dimsToText(call.input(slot)->dims()),
                    width);
    }
    p.gamma = call.input(kGamma)->data(), p.beta = call.input(kBeta)->data();
    if (segments != nullptr && segments->dims() != words)
      return fail(ErrorCode::kInvalidArgument, "segment_ids are {}, not {}", dimsToText(segments->dims()),
                  dimsToText(words));
    if (positions != nullptr && positions->dims() != words && positions->dims() != Dims{1, length})
      return fail(ErrorCode::kInvalidArgument, "position_ids are {}, not [{},{}]", dimsToText(positions->dims()), batch,
                  length);
    if (positions == nullptr && length > p.rows[1])
      return fail(ErrorCode::kInvalidArgument, "{} positions, the table has {} rows", length, p.rows[1]);
    CUTAWAY_TRY(Tensor * y, call.output(0, {batch, length, width}));
    p.y = y->mutableData();
    if (call.outputCount() > 1 && call.hasOutput(1)) {
      if (mask != nullptr && mask->dims() != words)
        return fail(ErrorCode::kInvalidArgument, "mask is {}, not {}", dimsToText(mask->dims()), dimsToText(words));
      CUTAWAY_TRY(Tensor * counts, call.output(1, {batch}));
      const MaskCountParameters count{.mask = mask == nullptr ? nullptr : static_cast<const int32_t*>(mask->data()),
                                      .counts = static_cast<int32_t*>(counts->mutableData()),
                                      .batch = batch,
                                      .length = length};
      if (batch > 0) CUTAWAY_CHECK(call.launch(m_count, count));
    }
    if (call.outputCount() > 2 && call.hasOutput(2)) {
      CUTAWAY_TRY(Tensor * sums, call.output(2, {batch, length, width}));
      p.sums = sums->mutableData();
    }
    return p.tokens * width == 0 ? Result<void>() : call.launch(m_embed, p);
  }

 private:
  ElementType m_type;
  bool m_longIds;
  float m_epsilon;
  DeviceKernel m_embed, m_count;
};

Result<std::unique_ptr<GpuKernel>> makeEmbed(const KernelInfo& info) {
  for (const Slot slot : {kPositionTable, kSegmentTable, kGamma, kBeta}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(kWordTable))
      return fail(ErrorCode::kNotImplemented,
                  "EmbedLayerNormalization: input {} is of another type than the word table", static_cast<int>(slot));
  }
  for (const Slot slot : {kSegments, kPositions}) {
    if (info.hasInput(slot) && info.inputElement(slot) != info.inputElement(kWords))
      return fail(ErrorCode::kNotImplemented, "EmbedLayerNormalization: ids of different types");
  }
  if (!info.hasInput(kPositionTable) || !info.hasInput(kGamma) || !info.hasInput(kBeta))
    return fail(ErrorCode::kInvalidArgument, "EmbedLayerNormalization: position_embedding, gamma and beta are needed");
  if (info.hasInput(kSegments) != info.hasInput(kSegmentTable))
    return fail(ErrorCode::kInvalidArgument, "segment_ids and segment_embedding come together or not at all");
  return std::make_unique<EmbedKernel>(info);
}

constexpr ElementType kIds[] = {ElementType::kInt32, ElementType::kInt64},
                      kTables[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kTypes[] = {{kWords, kIds}, {kWordTable, kTables}};

}  // namespace

KernelRows kernel_embed_layer_normalization() {
  static constexpr KernelRow rows[] = {{.opType = "EmbedLayerNormalization",
                                        .domain = "com.microsoft",
                                        .types = kTypes,
                                        .fastPath = "cuda",
                                        .create = gpuKernel<makeEmbed>}};
  return rows;
}

}  // namespace cutaway::cuda
