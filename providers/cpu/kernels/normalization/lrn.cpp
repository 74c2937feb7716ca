// LRN (local response normalisation across channels): y = x / (bias + alpha / size * sum of squares of the neighbouring
// channels) ^ beta.

#include <array>
#include <cmath>
#include <type_traits>

#include "engine/base/parallel.h"
#include "providers/cpu/kernels/normalization/lrn_cells.h"
#include "providers/cpu/kernels/normalization/lrn_vector.h"
#include "providers/cpu/kernels/through_float.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

constexpr int64_t kMostSquares = 2048;  // of one cell, on the stack

template <typename T>
class Lrn final : public Kernel {
 public:
  Lrn(int64_t size, T alpha, T beta, T bias, bool channelsLast)
      : m_size(size), m_alpha(alpha), m_beta(beta), m_bias(bias), m_channelsLast(channelsLast) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& x = *context.input(0);
    const std::span<const int64_t> dims = x.dims();
    if (dims.size() < 2)
      return fail(ErrorCode::kInvalidArgument, "LRN needs an input of rank 2 or more, not {}", dimsToText(dims));
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    const int64_t channels = dims[1], cells = elementCount(dims.subspan(2));
    const int64_t before = (m_size - 1) / 2, after = m_size - 1 - before;
    const T* source = x.span<T>().data();
    T* target = y->span<T>().data();
    if (m_channelsLast) {
      normalizeCells(source, dims[0] * cells, channels, target);
      return {};
    }
    parallelFor(dims[0] * channels, 1, [&](int64_t begin, int64_t end) {
      for (int64_t plane = begin; plane < end; ++plane) {
        const int64_t c = plane % channels, image = plane - c;
        const int64_t first = image + std::max<int64_t>(0, c - before),
                      last = image + std::min(channels - 1, c + after);
        T* sums = target + plane * cells;
        if constexpr (std::is_same_v<T, float>) {
          // The exponent of every published network.
          if (m_beta == 0.75f) {
            normalizeAcross(source + first * cells, last - first + 1, source + plane * cells, cells,
                            m_alpha / static_cast<float>(m_size), m_bias, sums);
            continue;
          }
        }
        std::fill_n(sums, cells, T(0));
        for (int64_t neighbour = first; neighbour <= last; ++neighbour) {
          const T* values = source + neighbour * cells;
          for (int64_t i = 0; i < cells; ++i)
            sums[i] += values[i] * values[i];
        }
        finish(source + plane * cells, sums, cells);
      }
    });
    return {};
  }

 private:
  // Channels last: the neighbours of a channel lie beside it.
  void normalizeCells(const T* x, int64_t cells, int64_t channels, T* y) const {
    const int64_t before = (m_size - 1) / 2, after = m_size - 1 - before;
    parallelFor(cells, std::max<int64_t>(1, 4096 / std::max<int64_t>(1, channels)), [&](int64_t begin, int64_t end) {
      std::array<float, kMostSquares> squares{};
      for (int64_t cell = begin; cell < end; ++cell) {
        const T* values = x + cell * channels;
        T* sums = y + cell * channels;
        if constexpr (std::is_same_v<T, float>) {
          if (m_beta == T(0.75) && channels + before + after <= kMostSquares) {
            normalizeLrnCell(values, sums, channels, before, after, m_alpha / static_cast<T>(m_size), m_bias,
                             squares.data());
            continue;
          }
        }
        std::fill_n(sums, channels, T(0));
        for (int64_t shift = -before; shift <= after; ++shift) {
          const int64_t first = std::max<int64_t>(0, -shift), last = std::min(channels, channels - shift);
          for (int64_t i = first; i < last; ++i)
            sums[i] += values[i + shift] * values[i + shift];
        }
        finish(values, sums, channels);
      }
    });
  }

  void finish(const T* values, T* sums, int64_t cells) const {
    const T factor = m_alpha / static_cast<T>(m_size);
    for (int64_t i = 0; i < cells; ++i)
      sums[i] = values[i] / std::pow(m_bias + factor * sums[i], m_beta);
  }

  int64_t m_size;
  T m_alpha, m_beta, m_bias;
  bool m_channelsLast;
};

template <typename T>
Result<std::unique_ptr<Kernel>> createLrn(const KernelInfo& info) {
  const int64_t size = info.attribute<int64_t>("size", 0);
  if (size < 1) return fail(ErrorCode::kInvalidArgument, "LRN: size is {}", size);
  return std::make_unique<Lrn<T>>(
      size, static_cast<T>(info.attribute<float>("alpha", 1e-4f)), static_cast<T>(info.attribute<float>("beta", 0.75f)),
      static_cast<T>(info.attribute<float>("bias", 1.0f)), info.inputType(0).layout == Layout::kChannelsLast);
}

constexpr KernelRow kRows[] = {
    {.opType = "LRN", .versions = {1}, .types = kFloatInput, .fastPath = "threads", .create = createLrn<float>},
    {.opType = "LRN", .versions = {1}, .types = kDoubleInput, .fastPath = "threads", .create = createLrn<double>},
    {.opType = "LRN",
     .versions = {1},
     .types = kHalfInput,
     .fastPath = "threads",
     .create = createThroughFloat<createLrn<float>>},
};

}  // namespace

KernelRows kernel_lrn() {
  return kRows;
}

}  // namespace cutaway::cpu
