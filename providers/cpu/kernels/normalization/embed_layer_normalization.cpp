// com.microsoft EmbedLayerNormalization and QEmbedLayerNormalization: rows of the word, position and segment tables are
// added and normalised.
//
// The optional mask output counts the ones of each row of the mask. In the quantised form tables, gamma and beta are
// 8-bit numbers with a scale and a zero point each.

#include "engine/operators/embedding.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/normalization/row_tasks.h"
#include "providers/cpu/kernels/type_dispatch.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

// A matrix (or vector) of numbers that become float or double: value = (stored - zero) * scale.
struct Table {
  const Tensor* tensor = nullptr;
  float scale = 1.0f;
  float zero = 0.0f;
};

template <typename W>
void readRow(const Table& table, int64_t row, W* to, int64_t count) {
  const int64_t at = row * count;
  switch (table.tensor->type()) {
    case ElementType::kFloat:
      std::copy_n(table.tensor->span<float>().data() + at, count, to);
      break;
    case ElementType::kDouble:
      std::transform(table.tensor->span<double>().data() + at, table.tensor->span<double>().data() + at + count, to,
                     [](double value) { return static_cast<W>(value); });
      break;
    case ElementType::kFloat16:
      if constexpr (std::is_same_v<W, float>) halfToFloat(table.tensor->span<Float16>().data() + at, to, count);
      break;
    case ElementType::kBfloat16:
      for (int64_t i = 0; i < count; ++i)
        to[i] = static_cast<W>(table.tensor->span<Bfloat16>()[static_cast<size_t>(at + i)].toFloat());
      break;
    case ElementType::kUint8:
      for (int64_t i = 0; i < count; ++i)
        to[i] = static_cast<W>(
            (static_cast<float>(table.tensor->span<uint8_t>()[static_cast<size_t>(at + i)]) - table.zero) *
            table.scale);
      break;
    case ElementType::kInt8:
      for (int64_t i = 0; i < count; ++i)
        to[i] = static_cast<W>(
            (static_cast<float>(table.tensor->span<int8_t>()[static_cast<size_t>(at + i)]) - table.zero) * table.scale);
      break;
    default:
      break;
  }
}

// Where the inputs lie, by form of the operator.
struct Slots {
  size_t mask = 7, positions = 8;
  bool quantized = false;
};

struct Ids {
  const Tensor* tensor = nullptr;
  int64_t at(int64_t index) const {
    return tensor->type() == ElementType::kInt64 ? tensor->span<int64_t>()[static_cast<size_t>(index)]
                                                 : tensor->span<int32_t>()[static_cast<size_t>(index)];
  }
};

Result<Ids> idsBelow(int64_t limit, const Tensor* tensor, std::string_view name) {
  Ids result{tensor};
  if (tensor == nullptr) return result;
  for (int64_t i = 0; i < tensor->elementCount(); ++i) {
    if (result.at(i) < 0 || result.at(i) >= limit)
      return fail(ErrorCode::kInvalidArgument, "{} holds {}, the table has {} rows", name, result.at(i), limit);
  }
  return result;
}

Result<Table> quantization(const KernelContext& context, Table table, size_t scaleSlot, size_t zeroSlot,
                           std::string_view name) {
  const Tensor *scale = context.input(scaleSlot), *zero = context.input(zeroSlot);
  if (scale == nullptr || zero == nullptr || scale->type() != ElementType::kFloat || scale->elementCount() != 1 ||
      zero->elementCount() != 1 || zero->type() != table.tensor->type()) {
    return fail(ErrorCode::kInvalidArgument, "{} needs one float scale and one zero point of its own type", name);
  }
  table.scale = scale->span<float>()[0];
  table.zero = zero->type() == ElementType::kUint8 ? static_cast<float>(zero->span<uint8_t>()[0])
                                                   : static_cast<float>(zero->span<int8_t>()[0]);
  return table;
}

// Table number `which` (word, position, segment, gamma, beta: inputs 2 to 6).
Result<Table> table(const KernelContext& context, bool quantized, size_t which, std::string_view name) {
  Table result{context.input(which + 2)};
  if (result.tensor == nullptr) return result;
  const ElementType type = result.tensor->type();
  const bool eightBit = type == ElementType::kUint8 || type == ElementType::kInt8;
  if (eightBit != quantized || (!quantized && type != context.input(2)->type()))
    return fail(ErrorCode::kInvalidArgument, "{} is {}", name, elementTypeName(type));
  return quantized ? quantization(context, result, 8 + which, 13 + which, name) : Result<Table>(result);
}

template <typename T>
class EmbedLayerNormalization final : public Kernel {
 public:
  using Wide = cpu::Computed<T>;
  EmbedLayerNormalization(Slots slots, float epsilon) : m_slots(slots), m_epsilon(static_cast<Wide>(epsilon)) {}
  std::string_view variant() const override { return std::is_same_v<Wide, float> ? "highway" : "reference"; }

  Result<void> run(KernelContext& context) const override {
    const auto optional = [&](size_t slot) { return slot < context.inputCount() ? context.input(slot) : nullptr; };
    const operators::EmbedOperands given{.words = context.input(0),
                                         .segments = context.input(1),
                                         .positions = optional(m_slots.positions),
                                         .tables = {context.input(2), context.input(3), context.input(4)},
                                         .gamma = context.input(5),
                                         .beta = context.input(6)};
    CUTAWAY_TRY(const operators::EmbedSizes sizes, operators::embedSizes(given));
    const int64_t length = sizes.length, width = sizes.width;
    static constexpr std::string_view kNames[5] = {"word_embedding", "position_embedding", "segment_embedding", "gamma",
                                                   "beta"};
    Table tables[5];
    for (size_t which = 0; which < 5; ++which) {
      CUTAWAY_TRY(tables[which], table(context, m_slots.quantized, which, kNames[which]));
    }
    CUTAWAY_TRY(const Ids wordIds, idsBelow(sizes.rows[operators::kWordTable], given.words, "input_ids"));
    CUTAWAY_TRY(const Ids segmentIds, idsBelow(sizes.rows[operators::kSegmentTable], given.segments, "segment_ids"));
    CUTAWAY_TRY(const Ids positionIds,
                idsBelow(sizes.rows[operators::kPositionTable], given.positions, "position_ids"));
    CUTAWAY_TRY(Tensor * y, context.output(0, sizes.outputDims()));
    CUTAWAY_CHECK(writeMask(context, sizes));
    T* sums = nullptr;
    if (context.outputCount() > 2 && context.hasOutput(2)) {
      CUTAWAY_TRY(Tensor * tensor, context.output(2, sizes.outputDims()));
      sums = tensor->span<T>().data();
    }
    const int64_t rows = sizes.batch * length;
    if (rows == 0 || width == 0) return {};
    const RowTasks tasks(rows, width);
    CUTAWAY_TRY(
        std::span<std::byte> scratch,
        context.scratch(static_cast<size_t>(width) * static_cast<size_t>(2 + 2 * tasks.count()) * sizeof(Wide)));
    Wide* wide = reinterpret_cast<Wide*>(scratch.data());
    readRow(tables[3], 0, wide, width);
    readRow(tables[4], 0, wide + width, width);
    const RowRule<Wide> rule{.scale = wide, .shift = wide + width, .epsilon = m_epsilon, .centered = true};
    T* target = y->span<T>().data();
    tasks.run([&](int64_t task, int64_t begin, int64_t end) {
      Wide *sum = wide + (2 + 2 * task) * width, *other = sum + width;
      for (int64_t row = begin; row < end; ++row) {
        readRow(tables[0], wordIds.at(row), sum, width);
        addRow(tables[1], positionIds.tensor != nullptr ? positionIds.at(row % sizes.positionIds) : row % length, sum,
               other, width);
        if (segmentIds.tensor != nullptr) addRow(tables[2], segmentIds.at(row), sum, other, width);
        if (sums != nullptr) store(sum, sums + row * width, width);
        if constexpr (cpu::isHalf<T>) {
          normalizeRow(sum, rule, sum, width);
          store(sum, target + row * width, width);
        } else {
          normalizeRow(sum, rule, target + row * width, width);
        }
      }
    });
    return {};
  }

 private:
  static void addRow(const Table& table, int64_t row, Wide* sum, Wide* other, int64_t count) {
    if (table.tensor->type() == ElementTypeOf<Wide>::value)
      return addRows(sum, table.tensor->span<Wide>().data() + row * count, nullptr, sum, count);
    readRow(table, row, other, count);
    addRows(sum, other, nullptr, sum, count);
  }

  static void store(const Wide* from, T* to, int64_t count) {
    if constexpr (cpu::isHalf<T>) {
      cpu::narrowRun(from, to, count);
    } else {
      std::copy_n(from, count, to);
    }
  }

  Result<void> writeMask(KernelContext& context, const operators::EmbedSizes& sizes) const {
    if (context.outputCount() < 2 || !context.hasOutput(1)) return {};
    const Tensor* mask = m_slots.mask < context.inputCount() ? context.input(m_slots.mask) : nullptr;
    if (mask != nullptr) CUTAWAY_CHECK(operators::checkEmbedMask(sizes, *mask));
    const int64_t length = sizes.length;
    CUTAWAY_TRY(Tensor * counts, context.output(1, ElementType::kInt32, std::array<int64_t, 1>{sizes.batch}));
    for (int64_t b = 0; b < sizes.batch; ++b) {
      const int64_t ones =
          mask != nullptr
              ? std::ranges::count(
                    mask->span<int32_t>().subspan(static_cast<size_t>(b * length), static_cast<size_t>(length)), 1)
              : 0;
      counts->span<int32_t>()[static_cast<size_t>(b)] = static_cast<int32_t>(ones);
    }
    return {};
  }

  Slots m_slots;
  Wide m_epsilon;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  const float epsilon = info.attribute<float>("epsilon", 1e-12f);
  std::unique_ptr<Kernel> kernel;
  cpu::dispatchType(cpu::FloatTypes{}, info.inputElement(2), [&]<typename T>(cpu::TypeTag<T>) {
    kernel = std::make_unique<EmbedLayerNormalization<T>>(Slots{}, epsilon);
  });
  if (!kernel)
    return fail(ErrorCode::kNotImplemented, "EmbedLayerNormalization over tables of {}",
                elementTypeName(info.inputElement(2)));
  return kernel;
}

Result<std::unique_ptr<Kernel>> createQuantized(const KernelInfo& info) {
  return std::make_unique<EmbedLayerNormalization<float>>(Slots{.mask = 7, .positions = 1000, .quantized = true},
                                                          info.attribute<float>("epsilon", 1e-12f));
}

constexpr ElementType kIds[] = {ElementType::kInt32, ElementType::kInt64};
constexpr ElementType kEightBit[] = {ElementType::kUint8, ElementType::kInt8};
constexpr TypeRule kEmbed[] = {{0, kIds}, {2, kRealList}};
constexpr TypeRule kQuantized[] = {{0, kIds}, {2, kEightBit}};

constexpr KernelRow kRows[] = {
    {.opType = "EmbedLayerNormalization",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kEmbed,
     .fastPath = "highway",
     .create = create},
    {.opType = "QEmbedLayerNormalization",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kQuantized,
     .fastPath = "highway",
     .create = createQuantized},
};

}  // namespace

KernelRows kernel_embed_layer_normalization() {
  return kRows;
}

}  // namespace cutaway::cpu
