// The tiled product functor against plain loops: odd sizes, both storages, batches, strides, everything after the sum,
// every type.
#include <cmath>
#include <random>

#include <QtTest/QtTest>

#include "providers/cuda/functors/gemm_functors.h"
#include "providers/cuda/functors/launch_table.h"

using namespace cutaway::cuda;

namespace {

struct GemmCase {
  const char* name;
  int64_t m, n, k, batches = 1;
  bool transposeA = false, transposeB = false;
  bool sameB = false;  // one b for all batches
  int64_t pad = 0;     // between stored rows
  bool bias = false, residual = false;
  int32_t activation = kActivationNone;
  float alpha = 1, beta = 1, first = 0, second = 0;
};

const GemmCase kCases[] = {
    {.name = "one", .m = 1, .n = 1, .k = 1},
    {.name = "tile", .m = 64, .n = 64, .k = 16},
    {.name = "odd", .m = 67, .n = 131, .k = 35},
    {.name = "no depth", .m = 5, .n = 3, .k = 0, .bias = true},
    {.name = "row", .m = 1, .n = 200, .k = 77, .transposeB = true},
    {.name = "column", .m = 130, .n = 1, .k = 40, .transposeA = true},
    {.name = "both transposed, batches, padded",
     .m = 20,
     .n = 33,
     .k = 17,
     .batches = 3,
     .transposeA = true,
     .transposeB = true,
     .pad = 3},
    {.name = "one b for all", .m = 9, .n = 70, .k = 18, .batches = 4, .sameB = true, .pad = 1},
    {.name = "bias, residual, gelu",
     .m = 30,
     .n = 65,
     .k = 50,
     .batches = 2,
     .bias = true,
     .residual = true,
     .activation = kActivationGeluErf,
     .alpha = 0.5f,
     .beta = 2},
    {.name = "clip", .m = 3, .n = 4, .k = 50, .activation = kActivationClip, .first = -0.5f, .second = 0.25f},
    {.name = "relu", .m = 3, .n = 66, .k = 5, .bias = true, .activation = kActivationRelu},
};

double plainActivation(int32_t code, double x, double first, double second) {
  if (code == kActivationRelu) return std::max(x, 0.0);
  if (code == kActivationClip) return std::min(std::max(x, first), second);
  if (code == kActivationGeluErf) return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  return x;
}

template <typename T>
struct Numbers {
  std::vector<T> values;
  Numbers(int64_t count, unsigned seed, bool whole) : values(static_cast<size_t>(count + 1)) {
    std::mt19937 generator(seed);
    for (T& value : values) {
      const float random = static_cast<float>(generator()) / 2147483648.0f - 1.0f;
      if constexpr (sizeof(Compute<T>) == sizeof(T) && std::is_integral_v<T>)
        value = static_cast<T>(static_cast<int>(random * (whole ? 100 : 1)) + (std::is_unsigned_v<T> ? 100 : 0));
      else
        value = store<T>(Compute<T>(random));
    }
  }
};

// Empty when the functor gives what plain loops give.
template <typename TA, typename TB, typename TY>
QString wrong(const char* functor, const GemmCase& each, double tolerance, bool zeros = false) {
  const bool whole = std::is_integral_v<TY>;
  const int64_t rowA = (each.transposeA ? each.m : each.k) + each.pad,
                rowB = (each.transposeB ? each.k : each.n) + each.pad, rowY = each.n + each.pad;
  const int64_t sizeA = rowA * (each.transposeA ? each.k : each.m), sizeB = rowB * (each.transposeB ? each.n : each.k),
                sizeY = rowY * each.m;
  const Numbers<TA> a(sizeA * each.batches, 1, whole), zeroA(each.m, 5, whole);
  const Numbers<TB> b(sizeB * each.batches, 2, whole), zeroB(each.n, 6, whole);
  const Numbers<TY> bias(each.n, 3, whole), residual(sizeY * each.batches, 4, whole);
  Numbers<TY> y(sizeY * each.batches, 7, whole);
  const std::vector<TY> before = y.values;
  GemmParameters p{.a = a.values.data(),
                   .b = b.values.data(),
                   .y = y.values.data(),
                   .bias = each.bias ? bias.values.data() : nullptr,
                   .residual = each.residual ? residual.values.data() : nullptr,
                   .zeroA = zeros ? zeroA.values.data() : nullptr,
                   .zeroB = zeros ? zeroB.values.data() : nullptr,
                   .m = each.m,
                   .n = each.n,
                   .k = each.k,
                   .batches = each.batches,
                   .batchStrideA = sizeA,
                   .batchStrideB = each.sameB ? 0 : sizeB,
                   .batchStrideY = sizeY,
                   .batchStrideResidual = sizeY,
                   .rowStrideA = rowA,
                   .rowStrideB = rowB,
                   .rowStrideY = rowY,
                   .rowStrideResidual = rowY,
                   .alpha = each.alpha,
                   .beta = each.beta,
                   .first = each.first,
                   .second = each.second,
                   .activation = each.activation,
                   .transposeA = each.transposeA,
                   .transposeB = each.transposeB,
                   .zeroStrideA = 1,
                   .zeroStrideB = 1};
  const auto entry = launchTable().find(functor);
  if (entry.launch == nullptr) return QString("there is no ") + functor;
  if (entry.launch(&p, nullptr, 1) != 0) return "refused";
  for (int64_t batch = 0; batch < each.batches; ++batch) {
    for (int64_t row = 0; row < each.m; ++row) {
      for (int64_t column = 0; column < rowY; ++column) {
        const size_t at = static_cast<size_t>(batch * sizeY + row * rowY + column);
        if (column >= each.n) {
          if (std::memcmp(&y.values[at], &before[at], sizeof(TY)) != 0) return "wrote between rows";
          continue;
        }
        double sum = 0;
        for (int64_t k = 0; k < each.k; ++k) {
          const auto indexA = static_cast<size_t>(batch * sizeA + (each.transposeA ? k * rowA + row : row * rowA + k)),
                     indexB = static_cast<size_t>((each.sameB ? 0 : batch * sizeB) +
                                                  (each.transposeB ? column * rowB + k : k * rowB + column));
          const double left = static_cast<double>(load(a.values[indexA])) -
                              (zeros ? static_cast<double>(load(zeroA.values[static_cast<size_t>(row)])) : 0);
          sum += left * (static_cast<double>(load(b.values[indexB])) -
                         (zeros ? static_cast<double>(load(zeroB.values[static_cast<size_t>(column)])) : 0));
        }
        double wanted = whole ? sum : each.alpha * sum;
        if (each.bias) wanted += static_cast<double>(load(bias.values[static_cast<size_t>(column)]));
        if (each.residual) wanted += (whole ? 1.0 : double(each.beta)) * static_cast<double>(load(residual.values[at]));
        if (!whole) wanted = plainActivation(each.activation, wanted, each.first, each.second);
        const double got = static_cast<double>(load(y.values[at]));
        if (!(std::fabs(got - wanted) <= tolerance * (1 + std::fabs(wanted))))
          return QString("[%1,%2,%3] is %4 instead of %5").arg(batch).arg(row).arg(column).arg(got).arg(wanted);
      }
    }
  }
  return {};
}

}  // namespace

class TestCudaGemm : public QObject {
  Q_OBJECT
 private slots:
  void cases_data() {
    QTest::addColumn<int>("number");
    for (size_t i = 0; i < std::size(kCases); ++i)
      QTest::newRow(kCases[i].name) << int(i);
  }
  void cases() {
    QFETCH(int, number);
    const GemmCase& each = kCases[number];
    QCOMPARE((wrong<float, float, float>("gemm.float", each, 1e-5)), QString());
    QCOMPARE((wrong<double, double, double>("gemm.double", each, 1e-7)), QString());
    QCOMPARE((wrong<Half, Half, Half>("gemm.half", each, 2e-3)), QString());
    QCOMPARE((wrong<Brain, Brain, Brain>("gemm.brain", each, 2e-2)), QString());
    for (const HostBlocks blocks : {HostBlocks::kForward, HostBlocks::kBackward}) {
      hostBlocks() = blocks;
      QCOMPARE((wrong<float, float, float>("gemm.float", each, 1e-5)), QString());
      hostBlocks() = HostBlocks::kSingle;
    }
    GemmCase sums = each;
    sums.activation = kActivationNone;
    QCOMPARE((wrong<uint32_t, uint32_t, uint32_t>("gemm.uint32", sums, 0)), QString());
    QCOMPARE((wrong<uint64_t, uint64_t, uint64_t>("gemm.uint64", sums, 0)), QString());
    for (const bool zeros : {false, true}) {
      QCOMPARE((wrong<int8_t, int8_t, int32_t>("gemm.int8.int8", sums, 0, zeros)), QString());
      QCOMPARE((wrong<uint8_t, int8_t, int32_t>("gemm.uint8.int8", sums, 0, zeros)), QString());
      QCOMPARE((wrong<int8_t, uint8_t, int32_t>("gemm.int8.uint8", sums, 0, zeros)), QString());
      QCOMPARE((wrong<uint8_t, uint8_t, int32_t>("gemm.uint8.uint8", sums, 0, zeros)), QString());
    }
  }
  // Batches of a and b that are broadcast against each other.
  void broadcastBatches() {
    const std::vector<float> a{1, 2, 3, 4, 5, 6}, b{1, 10, 100, 1000};  // a[3,1] of 1x2, b[1,2] of 2x1
    std::vector<float> y(6);
    GemmParameters p{.a = a.data(),
                     .b = b.data(),
                     .y = y.data(),
                     .m = 1,
                     .n = 1,
                     .k = 2,
                     .batches = 6,
                     .batchMap = {.rank = 2, .dims = {3, 2}, .strides = {{2, 0}, {0, 2}}},
                     .batchStrideY = 1,
                     .rowStrideA = 2,
                     .rowStrideB = 1,
                     .rowStrideY = 1};
    QCOMPARE(launchTable().find("gemm.float").launch(&p, nullptr, 1), 0);
    QCOMPARE(y, (std::vector<float>{21, 2100, 43, 4300, 65, 6500}));
  }
};

QTEST_GUILESS_MAIN(TestCudaGemm)
#include "tst_cuda_gemm.moc"
