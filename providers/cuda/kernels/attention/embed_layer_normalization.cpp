// com.microsoft EmbedLayerNormalization: rows of the word, position and segment tables, added and normalised.

#include "engine/operators/embedding.h"
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
    const auto optional = [&](size_t slot) { return slot < call.inputCount() ? call.input(slot) : nullptr; };
    const operators::EmbedOperands given{
        .words = call.input(kWords),
        .segments = optional(kSegments),
        .positions = optional(kPositions),
        .tables = {call.input(kWordTable), call.input(kPositionTable), optional(kSegmentTable)},
        .gamma = call.input(kGamma),
        .beta = call.input(kBeta)};
    CUTAWAY_TRY(const operators::EmbedSizes sizes, operators::embedSizes(given));
    EmbedParameters p{.words = given.words->data(),
                      .segments = dataOf(given.segments),
                      .positions = dataOf(given.positions),
                      .gamma = given.gamma->data(),
                      .beta = given.beta->data(),
                      .tokens = sizes.batch * sizes.length,
                      .length = sizes.length,
                      .width = sizes.width,
                      .positionCount = sizes.positionIds,
                      .epsilon = m_epsilon,
                      .longIds = m_longIds};
    for (size_t which = 0; which < operators::kEmbedTables; ++which)
      p.tables[which] = dataOf(given.tables[which]), p.rows[which] = sizes.rows[which];
    CUTAWAY_TRY(Tensor * y, call.output(0, sizes.outputDims()));
    p.y = y->mutableData();
    CUTAWAY_CHECK(countMask(call, sizes, optional(kMask)));
    if (call.outputCount() > 2 && call.hasOutput(2)) {
      CUTAWAY_TRY(Tensor * sums, call.output(2, sizes.outputDims()));
      p.sums = sums->mutableData();
    }
    return p.tokens * p.width == 0 ? Result<void>() : call.launch(m_embed, p);
  }

 private:
  static const void* dataOf(const Tensor* tensor) { return tensor == nullptr ? nullptr : tensor->data(); }

  Result<void> countMask(GpuCall& call, const operators::EmbedSizes& sizes, const Tensor* mask) const {
    if (call.outputCount() < 2 || !call.hasOutput(1)) return {};
    if (mask != nullptr) CUTAWAY_CHECK(operators::checkEmbedMask(sizes, *mask));
    CUTAWAY_TRY(Tensor * counts, call.output(1, {sizes.batch}));
    const MaskCountParameters count{.mask = static_cast<const int32_t*>(dataOf(mask)),
                                    .counts = static_cast<int32_t*>(counts->mutableData()),
                                    .batch = sizes.batch,
                                    .length = sizes.length};
    return sizes.batch > 0 ? call.launch(m_count, count) : Result<void>();
  }

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
