// Unique: the distinct elements, or slices along an axis, with where each was first, which one each input is, and how
// often it came.
//
// Numbers are grouped by hashing; slices of several elements, texts and complex numbers by sorting their indices.
// Without `sorted`, groups stand in the order of their first member.

#include <algorithm>
#include <bit>
#include <complex>
#include <numeric>

#include "providers/cpu/kernels/indexing/index_list.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {
namespace {

// The input seen as slices: element e of slice s lies at s * inner + (e / inner) * length * inner + e % inner.
struct Slices {
  int64_t length, inner, size;
  int64_t offset(int64_t slice, int64_t element) const {
    return slice * inner + element / inner * length * inner + element % inner;
  }
};

// Not a number comes last and is equal to itself, so that the order is total.
template <typename T>
int compareElements(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    const bool aNan = a != a;
    const bool bNan = b != b;
    if (aNan || bNan) return static_cast<int>(aNan) - static_cast<int>(bNan);
  }
  return a < b ? -1 : (b < a ? 1 : 0);
}

template <typename T>
constexpr bool isComplexNumber = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// Complex numbers are ordered by their real part, then by their imaginary one, as numpy does.
template <typename T>
int compareSlices(const Slices& slices, const T* data, int64_t a, int64_t b) {
  for (int64_t e = 0; e < slices.size; ++e) {
    const T& left = data[slices.offset(a, e)];
    const T& right = data[slices.offset(b, e)];
    int order = 0;
    if constexpr (isComplexNumber<T>) {
      order = compareElements(left.real(), right.real());
      if (order == 0) order = compareElements(left.imag(), right.imag());
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>)
      order = compareElements(left, right);
    else
      order = compareElements(left.toFloat(), right.toFloat());
    if (order != 0) return order;
  }
  return 0;
}

using Compare = int (*)(const Slices&, const void*, int64_t, int64_t);
template <typename T>
int compareAs(const Slices& slices, const void* data, int64_t a, int64_t b) {
  return compareSlices(slices, static_cast<const T*>(data), a, b);
}

Compare compareOf(ElementType type) {
  switch (type) {
    case ElementType::kFloat:
      return compareAs<float>;
    case ElementType::kDouble:
      return compareAs<double>;
    case ElementType::kFloat16:
      return compareAs<Float16>;
    case ElementType::kBfloat16:
      return compareAs<Bfloat16>;
    case ElementType::kBool:
    case ElementType::kUint8:
      return compareAs<uint8_t>;
    case ElementType::kInt8:
      return compareAs<int8_t>;
    case ElementType::kUint16:
      return compareAs<uint16_t>;
    case ElementType::kInt16:
      return compareAs<int16_t>;
    case ElementType::kUint32:
      return compareAs<uint32_t>;
    case ElementType::kInt32:
      return compareAs<int32_t>;
    case ElementType::kUint64:
      return compareAs<uint64_t>;
    case ElementType::kInt64:
      return compareAs<int64_t>;
    case ElementType::kString:
      return compareAs<std::string>;
    case ElementType::kComplex64:
      return compareAs<std::complex<float>>;
    case ElementType::kComplex128:
      return compareAs<std::complex<double>>;
    default:
      return nullptr;
  }
}

// Scratch memory of one run. A slice's group is numbered as the output has it.
struct Groups {
  int64_t count = 0;
  std::span<int64_t> first;    // per group: its earliest slice
  std::span<int64_t> counts;   // per group
  std::span<int64_t> groupOf;  // per slice
  std::span<int64_t> order, renamed;

  static Result<Groups> book(KernelContext& context, int64_t slices) {
    CUTAWAY_TRY(const std::span<int64_t> numbers, scratchNumbers(context, 5 * slices));
    const auto part = [&](int64_t i) {
      return numbers.subspan(static_cast<size_t>(i * slices), static_cast<size_t>(slices));
    };
    return Groups{0, part(0), part(1), part(2), part(3), part(4)};
  }

  void open(int64_t slice) {
    first[static_cast<size_t>(count)] = slice;
    counts[static_cast<size_t>(count++)] = 0;
  }
  void add(int64_t slice, int64_t group) {
    groupOf[static_cast<size_t>(slice)] = group;
    ++counts[static_cast<size_t>(group)];
  }

  // Group order[i] becomes group i.
  void renumber() {
    const size_t n = static_cast<size_t>(count);
    for (size_t i = 0; i < n; ++i)
      renamed[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
    for (int64_t& group : groupOf)
      group = renamed[static_cast<size_t>(group)];
    std::copy_n(first.begin(), n, renamed.begin());
    for (size_t i = 0; i < n; ++i)
      first[i] = renamed[static_cast<size_t>(order[i])];
    std::copy_n(counts.begin(), n, renamed.begin());
    for (size_t i = 0; i < n; ++i)
      counts[i] = renamed[static_cast<size_t>(order[i])];
  }
};

// Any slices: sorted by index, equal neighbours are a group.
void groupBySorting(const Slices& slices, Compare compare, const void* data, bool sorted, Groups& groups) {
  std::iota(groups.order.begin(), groups.order.end(), int64_t{0});
  std::sort(groups.order.begin(), groups.order.end(), [&](int64_t a, int64_t b) {
    const int order = compare(slices, data, a, b);
    return order != 0 ? order < 0 : a < b;
  });
  for (size_t i = 0; i < groups.order.size(); ++i) {
    if (i == 0 || compare(slices, data, groups.order[i - 1], groups.order[i]) != 0) groups.open(groups.order[i]);
    groups.add(groups.order[i], groups.count - 1);
  }
  if (sorted) return;
  const auto seen = groups.order.first(static_cast<size_t>(groups.count));
  std::iota(seen.begin(), seen.end(), int64_t{0});
  std::ranges::sort(seen, [&](int64_t a, int64_t b) {
    return groups.first[static_cast<size_t>(a)] < groups.first[static_cast<size_t>(b)];
  });
  groups.renumber();
}

// The bits of a number such that equal numbers have equal bits.
template <typename T>
uint64_t equalityBits(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    if (value != value) return ~uint64_t{0};
    return std::bit_cast<std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>(value + T{0});  // -0 is 0
  } else {
    return static_cast<uint64_t>(value);
  }
}

// Lists of numbers: groups are looked up by their number, in order of appearance, and only they are sorted.
template <typename T>
Result<void> groupByHashing(KernelContext& context, const T* data, bool sorted, Groups& groups) {
  const auto length = static_cast<int64_t>(groups.groupOf.size());
  const auto capacity = static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(2 * length)));
  CUTAWAY_TRY(const std::span<int64_t> slots, scratchNumbers(context, capacity));
  std::ranges::fill(slots, int64_t{-1});
  const int shift = 64 - std::countr_zero(static_cast<uint64_t>(capacity));
  for (int64_t i = 0; i < length; ++i) {
    const uint64_t bits = equalityBits(data[i]);
    constexpr uint64_t kGolden = 0x9E3779B97F4A7C15;  // Fibonacci hashing
    auto slot = static_cast<size_t>(((bits ^ (bits >> 32)) * kGolden) >> shift);
    while (slots[slot] >= 0 && equalityBits(data[groups.first[static_cast<size_t>(slots[slot])]]) != bits)
      slot = (slot + 1) & static_cast<size_t>(capacity - 1);
    if (slots[slot] < 0) {
      slots[slot] = groups.count;
      groups.open(i);
    }
    groups.add(i, slots[slot]);
  }
  if (!sorted) return {};
  const auto order = groups.order.first(static_cast<size_t>(groups.count));
  std::iota(order.begin(), order.end(), int64_t{0});
  std::ranges::sort(order, [&](int64_t a, int64_t b) {
    return compareElements(data[groups.first[static_cast<size_t>(a)]], data[groups.first[static_cast<size_t>(b)]]) < 0;
  });
  groups.renumber();
  return {};
}

using HashedTypes =
    cpu::TypeList<float, double, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;

Result<Groups> groupSlices(KernelContext& context, const Slices& slices, const Tensor& data, Compare compare,
                           bool sorted) {
  CUTAWAY_TRY(Groups groups, Groups::book(context, slices.length));
  if (slices.length > 0 && slices.size == 1) {
    Result<void> done;
    if (cpu::dispatchType(HashedTypes{}, data.type(), [&]<typename T>(cpu::TypeTag<T>) {
          done = groupByHashing(context, static_cast<const T*>(data.data()), sorted, groups);
        })) {
      CUTAWAY_CHECK(done);
      return groups;
    }
  }
  groupBySorting(slices, compare, data.data(), sorted, groups);
  return groups;
}

class UniqueKernel final : public Kernel {
 public:
  explicit UniqueKernel(const KernelInfo& info)
      : m_flat(info.node().findAttribute("axis") == nullptr),
        m_axis(info.attribute<int64_t>("axis", 0)),
        m_sorted(info.attribute<int64_t>("sorted", 1) != 0) {
    if (info.node().domain.empty()) return;
    // com.microsoft's: a list in the order of appearance, and no places of first ones.
    m_sorted = false;
    m_flat = true;
    m_withFirst = false;
  }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    const Compare compare = compareOf(data->type());
    if (compare == nullptr)
      return fail(ErrorCode::kNotImplemented, "Unique of {} is not covered", elementTypeName(data->type()));
    Dims dims = data->dims();
    size_t axis = 0;
    if (m_flat) {
      dims = Dims{data->elementCount()};
    } else {
      CUTAWAY_TRY(const int64_t resolved, resolveAxis(m_axis, data->rank()));
      axis = static_cast<size_t>(resolved);
    }
    const int64_t inner = productOf(dims, axis + 1, dims.size());
    const int64_t outer = productOf(dims, 0, axis);
    // A tensor without elements may still claim an axis of any length.
    constexpr int64_t kMostEmptySlices = int64_t{1} << 24;
    if (outer * inner == 0 && dims[axis] > kMostEmptySlices)
      return fail(ErrorCode::kInvalidArgument, "{} empty slices are too many", dims[axis]);
    const Slices slices{dims[axis], inner, outer * inner};
    CUTAWAY_TRY(const Groups groups, groupSlices(context, slices, *data, compare, m_sorted));
    dims[axis] = groups.count;
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    for (size_t g = 0; g < static_cast<size_t>(groups.count); ++g) {
      moveStrided(data->type(),
                  {.dims = Dims{outer, inner},
                   .fromStrides = Dims{slices.length * inner, 1},
                   .toStrides = Dims{dims[axis] * inner, 1}},
                  elementAt(data->type(), data->data(), groups.first[g] * inner),
                  elementAt(data->type(), output->mutableData(), static_cast<int64_t>(g) * inner));
    }
    const size_t found = static_cast<size_t>(groups.count);
    const std::span<const int64_t> lists[] = {groups.first.first(found), groups.groupOf, groups.counts.first(found)};
    for (size_t i = 0; i < std::size(lists); ++i) {
      const size_t slot = m_withFirst ? i + 1 : i;
      if (slot == 0 || !context.hasOutput(slot)) continue;
      CUTAWAY_TRY(Tensor * list,
                  context.output(slot, ElementType::kInt64, Dims{static_cast<int64_t>(lists[i].size())}));
      std::ranges::copy(lists[i], list->span<int64_t>().begin());
    }
    return {};
  }

 private:
  bool m_flat;
  int64_t m_axis;
  bool m_sorted;
  bool m_withFirst = true;
};

constexpr KernelRow kRows[] = {
    {.opType = "Unique", .versions = {11}, .create = makeKernel<UniqueKernel>},
    {.opType = "Unique", .domain = "com.microsoft", .versions = {1}, .create = makeKernel<UniqueKernel>},
};

}  // namespace

KernelRows kernel_unique() {
  return kRows;
}

}  // namespace cutaway::cpu
