// Convolutions of the emulator: patches gathered into a matrix and multiplied (transposed: multiplied and
// scattered), an image and group at a time.
#include <spdlog/fmt/fmt.h>

#include "engine/base/checked_math.h"
#include "engine/math/matrix_product.h"
#include "providers/cuda/emulator/emulated_numbers.h"
#include "providers/cuda/emulator/emulated_work.h"

namespace cutaway::cuda {
namespace {

int64_t product(const std::array<int64_t, 3>& values, int spatial) {
  int64_t all = 1;
  for (int i = 0; i < spatial; ++i)
    all *= values[static_cast<size_t>(i)];
  return all;
}

// How the sides of x, w and y lie: elements between neighbours.
struct Side {
  int64_t batch = 0, channel = 0, point = 0;
};

struct Layout {
  int64_t points = 0;   // of the input
  int64_t taps = 0;     // of the window
  int64_t results = 0;  // of the output
  Side x, y;
  int64_t wOuter = 0, wInner = 0, wTap = 0;
};

Layout layoutOf(const ConvolutionDescription& d) {
  Layout l{.points = product(d.input, d.spatial),
           .taps = product(d.kernel, d.spatial),
           .results = product(d.output, d.spatial),
           .x = {},
           .y = {}};
  const int64_t inner = (d.transposed ? d.filters : d.channels) / d.groups;
  l.x = d.channelsLast ? Side{l.points * d.channels, 1, d.channels} : Side{l.points * d.channels, l.points, 1};
  l.y = d.channelsLast ? Side{l.results * d.filters, 1, d.filters} : Side{l.results * d.filters, l.results, 1};
  l.wOuter = inner * l.taps;
  l.wInner = d.channelsLast ? 1 : l.taps;
  l.wTap = d.channelsLast ? inner : 1;
  return l;
}

// Where `tap` of the window at `place` reads: a flat point of `sizes`, -1 outside.
int64_t reached(const ConvolutionDescription& d, const std::array<int64_t, 3>& places,
                const std::array<int64_t, 3>& sizes, int64_t place, int64_t tap) {
  int64_t flat = 0, step = 1;
  for (int axis = d.spatial - 1; axis >= 0; --axis) {
    const auto i = static_cast<size_t>(axis);
    const int64_t at = place % places[i] * d.stride[i] - d.padBegin[i] + tap % d.kernel[i] * d.dilation[i];
    if (at < 0 || at >= sizes[i]) return -1;
    flat += at * step;
    step *= sizes[i];
    place /= places[i];
    tap /= d.kernel[i];
  }
  return flat;
}

// Filters of one product. The host's product adds the last few rows in another order, and equal filters would not give
// equal sums; devices fill their tiles up, and theirs do.
int64_t filledUp(int64_t filters) {
  constexpr int64_t kTile = 48;
  return filters < kTile ? filters : alignUp(filters, kTile);
}

struct Operands {
  const void* x = nullptr;
  const void* w = nullptr;
  void* y = nullptr;
  const void* bias = nullptr;
  const void* residual = nullptr;
};

class Convolver {
 public:
  Convolver(const ConvolutionDescription& description, const Operands& operands)
      : d(description),
        l(layoutOf(description)),
        o(operands),
        m_inner(d.channels / d.groups),
        m_outer(d.filters / d.groups) {
    m_places.resize(static_cast<size_t>((d.transposed ? l.points : l.results) * l.taps));
    for (size_t i = 0; i < m_places.size(); ++i) {
      const auto place = static_cast<int64_t>(i) / l.taps, tap = static_cast<int64_t>(i) % l.taps;
      m_places[i] =
          d.transposed ? reached(d, d.input, d.output, place, tap) : reached(d, d.output, d.input, place, tap);
    }
  }

  void run() {
    for (int64_t group = 0; group < d.groups; ++group) {
      readWeights(group);
      for (int64_t image = 0; image < d.batch; ++image) {
        if (d.transposed)
          scatter(image, group);
        else
          gather(image, group);
      }
    }
  }

 private:
  // [filter of the group, channel, tap], or transposed [channel, filter of the group, tap].
  void readWeights(int64_t group) {
    const int64_t outer = d.transposed ? m_inner : m_outer, inner = d.transposed ? m_outer : m_inner;
    m_weights.resize(static_cast<size_t>((d.transposed ? outer : filledUp(outer)) * inner * l.taps));
    size_t next = 0;
    for (int64_t f = 0; f < outer; ++f) {
      for (int64_t c = 0; c < inner; ++c) {
        for (int64_t tap = 0; tap < l.taps; ++tap)
          m_weights[next++] =
              static_cast<float>(readNumber(d.type, o.w, (group * outer + f) * l.wOuter + c * l.wInner + tap * l.wTap));
      }
    }
  }

  float input(int64_t image, int64_t channel, int64_t point) const {
    return static_cast<float>(readNumber(d.type, o.x, image * l.x.batch + channel * l.x.channel + point * l.x.point));
  }

  void gather(int64_t image, int64_t group) {
    const int64_t depth = m_inner * l.taps;
    m_patches.resize(static_cast<size_t>(depth * l.results));
    for (int64_t c = 0; c < m_inner; ++c) {
      for (int64_t tap = 0; tap < l.taps; ++tap) {
        float* row = m_patches.data() + (c * l.taps + tap) * l.results;
        for (int64_t place = 0; place < l.results; ++place) {
          const int64_t from = m_places[static_cast<size_t>(place * l.taps + tap)];
          row[place] = from < 0 ? 0 : input(image, group * m_inner + c, from);
        }
      }
    }
    const int64_t rows = filledUp(m_outer);
    m_sums.assign(static_cast<size_t>(rows * l.results), 0);
    multiply({.rows = rows, .columns = l.results, .depth = depth}, m_weights, m_patches);
    write(image, group);
  }

  void scatter(int64_t image, int64_t group) {
    std::vector<float> x(static_cast<size_t>(m_inner * l.points));
    for (int64_t c = 0; c < m_inner; ++c) {
      for (int64_t point = 0; point < l.points; ++point)
        x[static_cast<size_t>(c * l.points + point)] = input(image, group * m_inner + c, point);
    }
    const int64_t rows = m_outer * l.taps;
    m_sums.assign(static_cast<size_t>(rows * l.points), 0);
    multiply({.rows = rows, .columns = l.points, .depth = m_inner, .transposeA = true}, m_weights, x);
    m_patches = std::move(m_sums);
    m_sums.assign(static_cast<size_t>(m_outer * l.results), 0);
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t f = row / l.taps, tap = row % l.taps;
      for (int64_t point = 0; point < l.points; ++point) {
        const int64_t to = m_places[static_cast<size_t>(point * l.taps + tap)];
        if (to >= 0)
          m_sums[static_cast<size_t>(f * l.results + to)] += m_patches[static_cast<size_t>(row * l.points + point)];
      }
    }
    write(image, group);
  }

  void multiply(const math::MultiplyShape& shape, const std::vector<float>& a, const std::vector<float>& b) {
    if (shape.rows * shape.columns == 0 || shape.depth == 0) return;
    if (!math::multiply(shape, a.data(), b.data(), m_sums.data()))
      std::fill(m_sums.begin(), m_sums.end(), std::numeric_limits<float>::quiet_NaN());
  }

  void write(int64_t image, int64_t group) const {
    for (int64_t f = 0; f < m_outer; ++f) {
      const int64_t filter = group * m_outer + f;
      const double bias = d.epilogue.bias ? readNumber(d.bias, o.bias, filter) : 0;
      for (int64_t place = 0; place < l.results; ++place) {
        const int64_t at = image * l.y.batch + filter * l.y.channel + place * l.y.point;
        double value = m_sums[static_cast<size_t>(f * l.results + place)] + bias;
        if (d.epilogue.residual) value += readNumber(d.type, o.residual, at);
        writeNumber(d.type, afterwards(d.epilogue, value), o.y, at);
      }
    }
  }

  const ConvolutionDescription& d;
  Layout l;
  Operands o;
  int64_t m_inner, m_outer;  // channels and filters of a group
  std::vector<int64_t> m_places;
  std::vector<float> m_weights, m_patches, m_sums;
};

class EmulatedConvolution final : public Operation {
 public:
  EmulatedConvolution(WorkQueue& queue, const ConvolutionDescription& description)
      : m_queue(queue), m_description(description) {}
  size_t workspaceBytes() const override { return 0; }
  std::string_view variant() const override { return "host convolution"; }
  Status run(const OperationCall& call, Stream stream) const override {
    const size_t wanted = size_t{3} + m_description.epilogue.bias + m_description.epilogue.residual;
    if (call.pointers.size() != wanted)
      return {StatusCode::kOther,
              fmt::format("a convolution with {} operands instead of {}", call.pointers.size(), wanted)};
    Operands operands{call.pointers[0], call.pointers[1], call.pointers[2], nullptr, nullptr};
    if (m_description.epilogue.bias) operands.bias = call.pointers[3];
    if (m_description.epilogue.residual) operands.residual = call.pointers[wanted - 1];
    return m_queue.enqueue(stream, [d = m_description, operands] { Convolver(d, operands).run(); });
  }

 private:
  WorkQueue& m_queue;
  ConvolutionDescription m_description;
};

}  // namespace

Status makeEmulatedConvolution(WorkQueue& queue, const ConvolutionDescription& d,
                               std::unique_ptr<Operation>& operation) {
  // Sums are floats, as cuDNN's are; doubles are the functor's.
  if (!isFloatOperand(d.type) || d.type == ElementType::kDouble)
    return Status::unsupported(fmt::format("no convolution of {}", elementTypeName(d.type)));
  const bool counts =
      d.spatial >= 1 && d.spatial <= 3 && d.groups >= 1 && d.channels % d.groups == 0 && d.filters % d.groups == 0;
  if (!counts || d.batch < 1 || d.channels < 1 || d.filters < 1 || product(d.input, d.spatial) < 1 ||
      product(d.output, d.spatial) < 1)
    return Status::unsupported("a convolution with an empty side, or groups that do not fit");
  operation = std::make_unique<EmulatedConvolution>(queue, d);
  return {};
}

}  // namespace cutaway::cuda
