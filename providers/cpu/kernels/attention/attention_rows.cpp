// Rows of attention's operands as numbers to compute with, and back.

#include <algorithm>

#include "providers/cpu/kernels/attention/attention_core.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu::attention {
namespace {

template <typename Number>
void fetchQuantised(const Rows& rows, int64_t head, int64_t start, int64_t count, Number* to) {
  const float* scale = rows.scale + head * rows.scaleHeadStep;
  const int64_t step = rows.scaleChannelStep;
  const uint8_t* bytes = static_cast<const uint8_t*>(rows.data) + start;
  if (rows.type == ElementType::kInt8) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<Number>(static_cast<int8_t>(bytes[i])) * static_cast<Number>(scale[i * step]);
  } else if (rows.type == ElementType::kUint8) {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<Number>((bytes[i / 2] >> (i % 2 * 4) & 15) - 8) * static_cast<Number>(scale[i * step]);
  } else {
    for (int64_t i = 0; i < count; ++i)
      to[i] = static_cast<Number>(narrowToFloat(rows.type, bytes[i])) * static_cast<Number>(scale[i * step]);
  }
}

template <typename Number>
void fetch(const Rows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, Number* to) {
  const int64_t start = batch * rows.batchStep + head * rows.headStep + row * rows.rowStep;
  if (rows.scale != nullptr) return fetchQuantised(rows, head, start, count, to);
  cpu::dispatchType(cpu::FloatTypes{}, rows.type, [&]<typename T>(cpu::TypeTag<T>) {
    const T* from = static_cast<const T*>(rows.data) + start;
    if constexpr (std::is_same_v<T, Number>) {
      std::copy_n(from, count, to);
    } else if constexpr (cpu::isHalf<T> && std::is_same_v<Number, float>) {
      cpu::widenRun(from, to, count);
    } else {
      for (int64_t i = 0; i < count; ++i)
        to[i] = static_cast<Number>(cpu::widen(from[i]));
    }
  });
}

template <typename Number>
void store(const TargetRows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, const Number* from) {
  const int64_t start = batch * rows.batchStep + head * rows.headStep + row * rows.rowStep;
  cpu::dispatchType(cpu::FloatTypes{}, rows.type, [&]<typename T>(cpu::TypeTag<T>) {
    T* to = static_cast<T*>(rows.data) + start;
    for (int64_t i = 0; i < count; ++i)
      to[i] = cpu::narrow<T>(static_cast<cpu::Computed<T>>(from[i]));
  });
}

}  // namespace

void fetchRow(const Rows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, float* to) {
  fetch(rows, batch, head, row, count, to);
}
void fetchRow(const Rows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, double* to) {
  fetch(rows, batch, head, row, count, to);
}
void storeRow(const TargetRows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, const float* from) {
  store(rows, batch, head, row, count, from);
}
void storeRow(const TargetRows& rows, int64_t batch, int64_t head, int64_t row, int64_t count, const double* from) {
  store(rows, batch, head, row, count, from);
}

}  // namespace cutaway::cpu::attention
