// Convolutions whose own order of tensors has but a slow form in the library: they are done in another one, with the
// same numbers as plain loops.

#include <cmath>
#include <memory>

#include <QTest>

#include "engine/base/parallel.h"
#include "engine/math/channel_loops.h"
#include "engine/math/convolution.h"
#include "engine/math/memory_layout.h"
#include "tests/unit/engine/math/random_floats.h"

using namespace cutaway;
using namespace cutaway::math;

namespace {

struct Case {
  const char* name;
  int64_t in, out, groups, window, size;
  ActivationKind activation = ActivationKind::kRelu;
};

const Case kCases[] = {
    {"ShuffleNet's first group", 24, 112, 4, 1, 14},
    {"six to ten channels", 12, 20, 2, 3, 9, ActivationKind::kHardSwish},
    {"two results a channel", 32, 64, 32, 3, 9},
    {"without activation", 12, 20, 2, 3, 9, ActivationKind::kNone},
};

ConvolutionShape shapeOf(const Case& each) {
  ConvolutionShape shape;
  shape.batch = 2;
  shape.inChannels = each.in;
  shape.outChannels = each.out;
  shape.groups = each.groups;
  shape.input = shape.output = {each.size, each.size};
  shape.kernel = {each.window, each.window};
  shape.strides = shape.dilations = {1, 1};
  shape.padsBegin = shape.padsEnd = {each.window / 2, each.window / 2};
  shape.bias = true;
  shape.activation.kind = each.activation;
  return shape;
}

}  // namespace

class TestConvolutionOrders : public QObject {
  Q_OBJECT
 private slots:
  void noGatheredColumns_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(kCases)); ++i)
      QTest::newRow(kCases[i].name) << i;
  }
  void noGatheredColumns() {
    QFETCH(int, index);
    const ConvolutionShape shape = shapeOf(kCases[index]);
    const int64_t size = shape.input[0], cells = size * size, k = shape.kernel[0];
    const int64_t in = shape.inChannels / shape.groups, out = shape.outChannels / shape.groups;
    const std::vector<float> x = numbers(shape.batch * shape.inChannels * cells, 1),
                             w = numbers(shape.outChannels * in * k * k, 2), b = numbers(shape.outChannels, 3);
    std::vector<float> last;
    for (const int threads : {1, 2}) {
      const ThreadShare share(threads);
      const auto convolution = *Convolution::create(shape);
      const QString name = QString::fromStdString(convolution->implementation());
      // Without AVX-512 the library has nothing better, and we have it for windows of several cells.
      const bool replaced = preferredBlockedLayout() == Layout::kBlocked16 || (channelLoops() != nullptr && k > 1);
      QVERIFY2(!name.contains("gemm") || !replaced, qPrintable(name));
      const auto packed = *convolution->pack(w.data());
      std::vector<std::byte> memory(convolution->scratchBytes() + 64);
      void* start = memory.data();
      size_t space = memory.size();
      std::align(64, convolution->scratchBytes(), start, space);
      std::vector<float> y(static_cast<size_t>(shape.batch * shape.outChannels * cells));
      Convolution::Call call(convolution);
      QVERIFY(call.run({.input = x.data(),
                        .packed = packed.get(),
                        .bias = b.data(),
                        .output = y.data(),
                        .scratch = {static_cast<std::byte*>(start), convolution->scratchBytes()}}));
      for (int64_t place = 0; place < static_cast<int64_t>(y.size()); ++place) {
        const int64_t cell = place % cells, filter = place / cells % shape.outChannels,
                      image = place / cells / shape.outChannels;
        double sum = static_cast<double>(b[static_cast<size_t>(filter)]);
        for (int64_t channel = 0; channel < in; ++channel) {
          for (int64_t tap = 0; tap < k * k; ++tap) {
            const int64_t row = cell / size + tap / k - k / 2, column = cell % size + tap % k - k / 2;
            if (row < 0 || row >= size || column < 0 || column >= size) continue;
            const int64_t from = (image * shape.inChannels + filter / out * in + channel) * cells + row * size + column;
            sum += static_cast<double>(x[static_cast<size_t>(from)]) *
                   static_cast<double>(w[static_cast<size_t>((filter * in + channel) * k * k + tap)]);
          }
        }
        const float wanted = shape.activation(static_cast<float>(sum));
        QVERIFY2(std::abs(wanted - y[static_cast<size_t>(place)]) <= 1e-5f * static_cast<float>(in * k * k),
                 qPrintable(QString("%1: %2, %3").arg(place).arg(wanted).arg(y[static_cast<size_t>(place)])));
      }
      QVERIFY(last.empty() || last == y);
      last = y;
    }
  }
};

QTEST_GUILESS_MAIN(TestConvolutionOrders)
#include "tst_convolution_orders.moc"
