// Unique: the distinct elements, or slices along an axis, with where each was first, which one each input is, and how often it came.
//
// Slices are sorted by index (stable, element by element); equal neighbours form a group. Without `sorted`, groups stand in the order of their first member.

#include <algorithm>
#include <complex>
#include <vector>

#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/shape/strided_copy.h"

namespace cutaway {
namespace {

// The input seen as slices: element e of slice s lies at s * inner + (e / inner) * length * inner + e % inner.
struct Slices {
  int64_t length, inner, size;
  int64_t offset(int64_t slice, int64_t element) const { return slice * inner + element / inner * length * inner + element % inner; }
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
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) order = compareElements(left, right);
    else order = compareElements(left.toFloat(), right.toFloat());
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
    case ElementType::kFloat: return compareAs<float>;
    case ElementType::kDouble: return compareAs<double>;
    case ElementType::kFloat16: return compareAs<Float16>;
    case ElementType::kBfloat16: return compareAs<Bfloat16>;
    case ElementType::kBool:
    case ElementType::kUint8: return compareAs<uint8_t>;
    case ElementType::kInt8: return compareAs<int8_t>;
    case ElementType::kUint16: return compareAs<uint16_t>;
    case ElementType::kInt16: return compareAs<int16_t>;
    case ElementType::kUint32: return compareAs<uint32_t>;
    case ElementType::kInt32: return compareAs<int32_t>;
    case ElementType::kUint64: return compareAs<uint64_t>;
    case ElementType::kInt64: return compareAs<int64_t>;
    case ElementType::kString: return compareAs<std::string>;
    case ElementType::kComplex64: return compareAs<std::complex<float>>;
    case ElementType::kComplex128: return compareAs<std::complex<double>>;
    default: return nullptr;
  }
}

struct Groups {
  std::vector<int64_t> first;   // per group: its earliest slice
  std::vector<int64_t> counts;  // per group
  std::vector<int64_t> groupOf;  // per slice
};

Groups groupSlices(const Slices& slices, Compare compare, const void* data, bool sorted) {
  std::vector<int64_t> order(static_cast<size_t>(slices.length));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return compare(slices, data, a, b) < 0; });
  Groups groups;
  groups.groupOf.resize(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || compare(slices, data, order[i - 1], order[i]) != 0) {
      groups.first.push_back(order[i]);
      groups.counts.push_back(0);
    }
    groups.groupOf[static_cast<size_t>(order[i])] = static_cast<int64_t>(groups.first.size()) - 1;
    ++groups.counts.back();
  }
  if (sorted) return groups;
  // Renumber by first appearance.
  Groups asSeen;
  std::vector<int64_t> renamed(groups.first.size(), -1);
  for (const int64_t group : groups.groupOf) {
    int64_t& name = renamed[static_cast<size_t>(group)];
    if (name < 0) {
      name = static_cast<int64_t>(asSeen.first.size());
      asSeen.first.push_back(groups.first[static_cast<size_t>(group)]);
      asSeen.counts.push_back(groups.counts[static_cast<size_t>(group)]);
    }
    asSeen.groupOf.push_back(name);
  }
  return asSeen;
}

class UniqueKernel final : public Kernel {
 public:
  explicit UniqueKernel(const KernelInfo& info)
      : m_flat(info.node().findAttribute("axis") == nullptr), m_axis(info.attribute<int64_t>("axis", 0)), m_sorted(info.attribute<int64_t>("sorted", 1) != 0) {
    if (info.node().domain.empty()) return;
    // com.microsoft's: a list in the order of appearance, and no places of first ones.
    m_sorted = false;
    m_flat = true;
    m_withFirst = false;
  }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* data, requireTensor(context, 0));
    const Compare compare = compareOf(data->type());
    if (compare == nullptr) return fail(ErrorCode::kNotImplemented, "Unique of {} is not covered", elementTypeName(data->type()));
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
    if (outer * inner == 0 && dims[axis] > kMostEmptySlices) return fail(ErrorCode::kInvalidArgument, "{} empty slices are too many", dims[axis]);
    const Slices slices{dims[axis], inner, outer * inner};
    const Groups groups = groupSlices(slices, compare, data->data(), m_sorted);
    dims[axis] = static_cast<int64_t>(groups.first.size());
    CUTAWAY_TRY(Tensor * output, context.output(0, data->type(), dims));
    for (size_t g = 0; g < groups.first.size(); ++g) {
      moveStrided(data->type(), {.dims = Dims{outer, inner}, .fromStrides = Dims{slices.length * inner, 1}, .toStrides = Dims{dims[axis] * inner, 1}},
                  elementAt(data->type(), data->data(), groups.first[g] * inner), elementAt(data->type(), output->mutableData(), static_cast<int64_t>(g) * inner));
    }
    const std::vector<int64_t>* lists[] = {&groups.first, &groups.groupOf, &groups.counts};
    for (size_t i = 0; i < std::size(lists); ++i) {
      const size_t slot = m_withFirst ? i + 1 : i;
      if (slot == 0 || !context.hasOutput(slot)) continue;
      CUTAWAY_TRY(Tensor * list, context.output(slot, ElementType::kInt64, Dims{static_cast<int64_t>(lists[i]->size())}));
      std::ranges::copy(*lists[i], list->span<int64_t>().begin());
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

KernelRows kernel_unique() { return kRows; }

}  // namespace cutaway
