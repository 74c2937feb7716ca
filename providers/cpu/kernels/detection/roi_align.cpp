// RoiAlign: regions of a feature map resampled to a fixed size, bilinearly, as Mask R-CNN does (He et al., 2017).

#include <cmath>

#include "engine/base/parallel.h"
#include "engine/math/exact_maximum.h"
#include "providers/cpu/kernels/shape/axis_list.h"
#include "providers/cpu/kernels/through_float.h"

namespace cutaway::cpu {
namespace {

struct RoiSettings {
  bool maximum = false;
  bool halfPixel = false;
  int64_t height = 1, width = 1, samplingRatio = 0;
  float spatialScale = 1;
};

// One axis of a region: where it starts and how far samples lie apart.
struct RoiAxis {
  double start = 0, bin = 0;
  int64_t samples = 0;  // per bin
};

// The two cells around a coordinate and the weight of the upper one; outside when no cell is near.
struct Taps {
  int64_t low, high;
  double weight;
  bool outside;
};

Taps tapsAt(double place, int64_t size) {
  if (!(place >= -1.0 && place <= static_cast<double>(size))) return {0, 0, 0, true};
  place = std::max(place, 0.0);
  const int64_t low = static_cast<int64_t>(place);
  if (low >= size - 1) return {size - 1, size - 1, 0, false};
  return {low, low + 1, place - static_cast<double>(low), false};
}

double largerOf(double a, double b) {
  return math::isNewMaximum(b, a) ? b : a;
}

template <typename T>
T poolBin(const RoiSettings& settings, const T* plane, int64_t height, int64_t width, const RoiAxis& rows,
          const RoiAxis& columns, int64_t binRow, int64_t binColumn) {
  double total = 0;
  bool first = true;
  for (int64_t i = 0; i < rows.samples; ++i) {
    const Taps y = tapsAt(rows.start + (static_cast<double>(binRow) +
                                        (static_cast<double>(i) + 0.5) / static_cast<double>(rows.samples)) *
                                           rows.bin,
                          height);
    for (int64_t k = 0; k < columns.samples; ++k) {
      const Taps x = tapsAt(columns.start + (static_cast<double>(binColumn) +
                                             (static_cast<double>(k) + 0.5) / static_cast<double>(columns.samples)) *
                                                columns.bin,
                            width);
      double parts[4] = {};
      if (!y.outside && !x.outside) {
        parts[0] = (1 - y.weight) * (1 - x.weight) * static_cast<double>(plane[y.low * width + x.low]);
        parts[1] = (1 - y.weight) * x.weight * static_cast<double>(plane[y.low * width + x.high]);
        parts[2] = y.weight * (1 - x.weight) * static_cast<double>(plane[y.high * width + x.low]);
        parts[3] = y.weight * x.weight * static_cast<double>(plane[y.high * width + x.high]);
      }
      // The operator's maximum is over weighted corners, not over interpolated samples.
      const double value = settings.maximum ? largerOf(largerOf(parts[0], parts[1]), largerOf(parts[2], parts[3]))
                                            : parts[0] + parts[1] + parts[2] + parts[3];
      total = !settings.maximum ? total + value : (first ? value : largerOf(total, value));
      first = false;
    }
  }
  const double count = static_cast<double>(std::max<int64_t>(1, rows.samples * columns.samples));
  return static_cast<T>(settings.maximum ? total : total / count);
}

// The taps of all samples of one axis, the same for every channel: cells and their weights, both 0 outside.
template <typename T>
struct SampleTaps {
  int64_t low, high;
  T lowWeight, highWeight;
};

template <typename T>
void listTaps(const RoiAxis& axis, int64_t bins, int64_t size, SampleTaps<T>* to) {
  for (int64_t bin = 0; bin < bins; ++bin) {
    for (int64_t i = 0; i < axis.samples; ++i) {
      const Taps taps = tapsAt(
          axis.start + (static_cast<double>(bin) + (static_cast<double>(i) + 0.5) / static_cast<double>(axis.samples)) *
                           axis.bin,
          size);
      *to++ = taps.outside
                  ? SampleTaps<T>{0, 0, 0, 0}
                  : SampleTaps<T>{taps.low, taps.high, static_cast<T>(1 - taps.weight), static_cast<T>(taps.weight)};
    }
  }
}

// poolBin with listed taps, for averages: rows and columns are those of the bin's samples. Outside samples are skipped,
// so that a cell that is not a number does not reach them.
template <typename T>
T averageBin(const T* plane, int64_t width, std::span<const SampleTaps<T>> rows,
             std::span<const SampleTaps<T>> columns) {
  double total = 0;
  for (const SampleTaps<T>& y : rows) {
    if (y.lowWeight == 0 && y.highWeight == 0) continue;
    const T* low = plane + y.low * width;
    const T* high = plane + y.high * width;
    T sum = 0;
    for (const SampleTaps<T>& x : columns) {
      if (x.lowWeight == 0 && x.highWeight == 0) continue;
      sum += y.lowWeight * (x.lowWeight * low[x.low] + x.highWeight * low[x.high]) +
             y.highWeight * (x.lowWeight * high[x.low] + x.highWeight * high[x.high]);
    }
    total += static_cast<double>(sum);
  }
  return static_cast<T>(total / static_cast<double>(std::max<size_t>(1, rows.size() * columns.size())));
}

class RoiAlignKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    RoiSettings s;
    const std::string mode = info.attribute<std::string>("mode", "avg");
    const std::string coordinates = info.attribute<std::string>(
        "coordinate_transformation_mode", info.node().sinceVersion >= 16 ? "half_pixel" : "output_half_pixel");
    if (mode != "avg" && mode != "max") return fail(ErrorCode::kNotImplemented, "mode '{}' is unknown", mode);
    if (coordinates != "half_pixel" && coordinates != "output_half_pixel")
      return fail(ErrorCode::kNotImplemented, "coordinate_transformation_mode '{}' is unknown", coordinates);
    s.maximum = mode == "max";
    s.halfPixel = coordinates == "half_pixel";
    s.height = info.attribute<int64_t>("output_height", 1);
    s.width = info.attribute<int64_t>("output_width", 1);
    s.samplingRatio = info.attribute<int64_t>("sampling_ratio", 0);
    s.spatialScale = info.attribute<float>("spatial_scale", 1.0f);
    if (s.height < 1 || s.width < 1 || s.samplingRatio < 0 || s.samplingRatio > kMostSamples)
      return fail(ErrorCode::kInvalidArgument, "an output of {} x {} with {} samples cannot be made", s.height, s.width,
                  s.samplingRatio);
    return std::unique_ptr<Kernel>(std::make_unique<RoiAlignKernel>(s));
  }
  explicit RoiAlignKernel(const RoiSettings& settings) : m_settings(settings) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    CUTAWAY_TRY(const Tensor* x, requireTensor(context, 0));
    CUTAWAY_TRY(const Tensor* rois, requireTensor(context, 1));
    CUTAWAY_TRY(const Tensor* entries, requireTensor(context, 2));
    if (x->rank() != 4 || rois->rank() != 2 || rois->dims()[1] != 4 || entries->rank() != 1 ||
        entries->dims()[0] != rois->dims()[0] || rois->type() != x->type() || entries->type() != ElementType::kInt64) {
      return fail(ErrorCode::kInvalidArgument, "a map {}, regions {} and batch indices {} do not fit each other",
                  dimsToText(x->dims()), dimsToText(rois->dims()), dimsToText(entries->dims()));
    }
    if (x->type() == ElementType::kFloat) return align<float>(context, *x, *rois, *entries);
    if (x->type() == ElementType::kDouble) return align<double>(context, *x, *rois, *entries);
    return fail(ErrorCode::kNotImplemented, "RoiAlign of {} is not covered", elementTypeName(x->type()));
  }

 private:
  static constexpr int64_t kMostSamples = 1 << 14;  // per bin and axis; more comes from broken regions only

  Result<RoiAxis> roiAxis(double begin, double end, int64_t bins) const {
    const double offset = m_settings.halfPixel ? 0.5 : 0.0;
    RoiAxis axis;
    axis.start = begin * m_settings.spatialScale - offset;
    double length = end * m_settings.spatialScale - offset - axis.start;
    if (!m_settings.halfPixel) length = std::max(length, 1.0);
    axis.bin = length / static_cast<double>(bins);
    const double samples =
        m_settings.samplingRatio > 0 ? static_cast<double>(m_settings.samplingRatio) : std::ceil(axis.bin);
    if (!(samples <= static_cast<double>(kMostSamples)))
      return fail(ErrorCode::kInvalidArgument, "a region from {} to {} would need {} samples a bin", begin, end,
                  samples);
    axis.samples = static_cast<int64_t>(std::max(samples, 0.0));
    return axis;
  }

  template <typename T>
  Result<void> align(KernelContext& context, const Tensor& x, const Tensor& rois, const Tensor& entries) const {
    const int64_t regions = rois.dims()[0];
    const int64_t channels = x.dims()[1];
    const int64_t height = x.dims()[2];
    const int64_t width = x.dims()[3];
    CUTAWAY_TRY(Tensor * output,
                context.output(0, x.type(), Dims{regions, channels, m_settings.height, m_settings.width}));
    if (output->elementCount() == 0) return {};
    if (height == 0 || width == 0)
      return fail(ErrorCode::kInvalidArgument, "an empty map {} has nothing to sample", dimsToText(x.dims()));
    T* to = output->template span<T>().data();
    // Averages with a moderate number of samples list their taps once a region; the rest (and broken regions) goes
    // sample by sample.
    constexpr int64_t kMostTaps = 4096;
    CUTAWAY_TRY(const std::span<std::byte> memory, context.scratch(2 * kMostTaps * sizeof(SampleTaps<T>)));
    auto* rowTaps = reinterpret_cast<SampleTaps<T>*>(memory.data());
    auto* columnTaps = rowTaps + kMostTaps;
    for (int64_t r = 0; r < regions; ++r) {
      if (context.cancelled()) return fail(cancelledError());
      const int64_t entry = entries.span<int64_t>()[static_cast<size_t>(r)];
      if (entry < 0 || entry >= x.dims()[0])
        return fail(ErrorCode::kInvalidArgument, "batch index {} is outside [0, {}]", entry, x.dims()[0] - 1);
      const T* corners = rois.span<T>().data() + r * 4;
      CUTAWAY_TRY(const RoiAxis columns, roiAxis(corners[0], corners[2], m_settings.width));
      CUTAWAY_TRY(const RoiAxis rows, roiAxis(corners[1], corners[3], m_settings.height));
      const bool listed = !m_settings.maximum && rows.samples * m_settings.height <= kMostTaps &&
                          columns.samples * m_settings.width <= kMostTaps;
      if (listed) {
        listTaps(rows, m_settings.height, height, rowTaps);
        listTaps(columns, m_settings.width, width, columnTaps);
      }
      parallelFor(channels, 1, [&](int64_t begin, int64_t end) {
        for (int64_t c = begin; c < end; ++c) {
          const T* plane = x.span<T>().data() + (entry * channels + c) * height * width;
          T* target = to + (r * channels + c) * m_settings.height * m_settings.width;
          if (listed) {
            for (int64_t row = 0; row < m_settings.height; ++row) {
              const std::span<const SampleTaps<T>> bin(rowTaps + row * rows.samples, static_cast<size_t>(rows.samples));
              for (int64_t column = 0; column < m_settings.width; ++column) {
                *target++ = averageBin<T>(
                    plane, width, bin, {columnTaps + column * columns.samples, static_cast<size_t>(columns.samples)});
              }
            }
            continue;
          }
          for (int64_t i = 0; i < m_settings.height * m_settings.width; ++i) {
            target[i] =
                poolBin(m_settings, plane, height, width, rows, columns, i / m_settings.width, i % m_settings.width);
          }
        }
      });
    }
    return {};
  }

  RoiSettings m_settings;
};

constexpr ElementType kWide[] = {ElementType::kFloat, ElementType::kDouble};
constexpr ElementType kHalf[] = {ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kWideRule[] = {{0, kWide}};
constexpr TypeRule kHalfRule[] = {{0, kHalf}};
constexpr KernelRow kRows[] = {
    {.opType = "RoiAlign",
     .versions = {10},
     .types = kWideRule,
     .fastPath = "threads",
     .create = RoiAlignKernel::create},
    {.opType = "RoiAlign",
     .versions = {10},
     .types = kHalfRule,
     .fastPath = "threads",
     .create = createThroughFloat<RoiAlignKernel::create>},
};

}  // namespace

KernelRows kernel_roi_align() {
  return kRows;
}

}  // namespace cutaway::cpu
