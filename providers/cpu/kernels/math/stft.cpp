// STFT: the Fourier transforms of windowed frames of a signal.

#include <algorithm>

#include "engine/base/parallel.h"
#include "engine/provider/kernel.h"
#include "providers/cpu/kernels/line_ranges.h"
#include "providers/cpu/kernels/math/fourier.h"
#include "providers/cpu/kernels/type_dispatch.h"

namespace cutaway::cpu {

namespace {

using namespace cpu;
using Complex = FourierTransform::Complex;

constexpr auto kFloats = elementTypes(FloatTypes{});
constexpr TypeRule kRules[] = {{0, kFloats}};
constexpr int kSettings[] = {1, 3};

Result<int64_t> integerInput(const Tensor& tensor, std::string_view name) {
  if (tensor.elementCount() == 1 && tensor.type() == ElementType::kInt64) return tensor.span<int64_t>()[0];
  if (tensor.elementCount() == 1 && tensor.type() == ElementType::kInt32) return tensor.span<int32_t>()[0];
  return fail(ErrorCode::kInvalidArgument, "STFT: {} is not one integer", name);
}

struct Frames {
  int64_t batch;
  int64_t signalLength;
  int64_t parts;
  int64_t step;
  int64_t length;
  int64_t count;
  int64_t bins;
};

class StftKernel final : public Kernel {
 public:
  explicit StftKernel(const KernelInfo& info) : m_oneSided(info.attribute<int64_t>("onesided", 1) != 0) {}
  std::string_view variant() const override { return "threads"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor& signal = *context.input(0);
    const Tensor* window = context.input(2);
    CUTAWAY_TRY(const Frames frames, plan(context, signal, window));
    CUTAWAY_TRY(Tensor * y, context.output(0, signal.type(), Dims{frames.batch, frames.count, frames.bins, 2}));
    if (y->elementCount() == 0) return {};
    const int64_t total = frames.batch * frames.count;
    const int64_t own = frames.length + FourierTransform::workSize(frames.length);
    const int64_t ranges = lineRanges(total, total * frames.length / 4096, own * static_cast<int64_t>(sizeof(Complex)));
    const int64_t tables = FourierTransform::tableSize(frames.length);
    CUTAWAY_TRY(const std::span<std::byte> memory,
                context.scratch(static_cast<size_t>(tables + ranges * own) * sizeof(Complex)));
    auto* blocks = reinterpret_cast<Complex*>(memory.data());
    const FourierTransform fourier(frames.length, false, {blocks, static_cast<size_t>(tables)});
    dispatchType(FloatTypes{}, signal.type(), [&]<typename T>(TypeTag<T>) {
      const T* weights = window != nullptr ? window->span<T>().data() : nullptr;
      parallelFor(ranges, 1, [&](int64_t begin, int64_t end) {
        for (int64_t range = begin; range < end; ++range) {
          Complex* line = blocks + tables + range * own;
          for (int64_t i = total * range / ranges; i < total * (range + 1) / ranges; ++i) {
            const T* from = signal.span<T>().data() +
                            (i / frames.count * frames.signalLength + i % frames.count * frames.step) * frames.parts;
            load(frames, from, weights, line);
            fourier.run(line, line + frames.length);
            T* to = y->span<T>().data() + i * frames.bins * 2;
            for (int64_t bin = 0; bin < frames.bins; ++bin) {
              to[2 * bin] = narrow<T>(static_cast<Computed<T>>(line[bin].real()));
              to[2 * bin + 1] = narrow<T>(static_cast<Computed<T>>(line[bin].imag()));
            }
          }
        }
      });
    });
    return {};
  }

 private:
  Result<Frames> plan(KernelContext& context, const Tensor& signal, const Tensor* window) const {
    // The schema's real signals end with a 1; exporters leave it out, and onnxruntime takes them.
    const int64_t parts = signal.rank() == 2 ? 1 : signal.rank() == 3 ? signal.dims()[2] : 0;
    if (parts != 1 && parts != 2) {
      return fail(ErrorCode::kInvalidArgument, "STFT: {} is neither [batch, length] nor [batch, length, 1 or 2]",
                  dimsToText(signal.dims()));
    }
    Frames frames{signal.dims()[0], signal.dims()[1], parts, 0, 0, 0, 0};
    CUTAWAY_TRY(frames.step, integerInput(*context.input(1), "frame_step"));
    frames.length = window != nullptr ? window->elementCount() : frames.signalLength;
    if (const Tensor* given = context.input(3); given != nullptr) {
      CUTAWAY_TRY(frames.length, integerInput(*given, "frame_length"));
    }
    if (window != nullptr && (window->type() != signal.type() || window->elementCount() != frames.length))
      return fail(ErrorCode::kInvalidArgument, "STFT: the window does not fit frames of {}", frames.length);
    if (frames.step < 1 || frames.length < 1 || frames.length > frames.signalLength) {
      return fail(ErrorCode::kInvalidArgument, "STFT: frames of {} every {} do not fit a signal of {}", frames.length,
                  frames.step, frames.signalLength);
    }
    if (m_oneSided && frames.parts == 2)
      return fail(ErrorCode::kInvalidArgument, "STFT: one-sided needs a real signal");
    frames.count = (frames.signalLength - frames.length) / frames.step + 1;
    frames.bins = m_oneSided ? frames.length / 2 + 1 : frames.length;
    return frames;
  }

  template <typename T>
  static void load(const Frames& frames, const T* from, const T* weights, Complex* line) {
    for (int64_t k = 0; k < frames.length; ++k) {
      const double weight = weights != nullptr ? static_cast<double>(widen(weights[k])) : 1;
      const double imaginary = frames.parts == 2 ? static_cast<double>(widen(from[2 * k + 1])) : 0;
      line[k] = {weight * static_cast<double>(widen(from[k * frames.parts])), weight * imaginary};
    }
  }

  bool m_oneSided;
};

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  return std::make_unique<StftKernel>(info);
}

}  // namespace

KernelRows kernel_stft() {
  static constexpr KernelRow rows[] = {{.opType = "STFT",
                                        .versions = {17},
                                        .types = kRules,
                                        .hostInputs = kSettings,
                                        .fastPath = "threads",
                                        .create = create}};
  return rows;
}

}  // namespace cutaway::cpu
