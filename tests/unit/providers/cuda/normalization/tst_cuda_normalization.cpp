// Normalisations and biases on the emulator against cpu: types, shapes, optional inputs and outputs, paths, with
// blocks of one thread and of many.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

const std::vector<ElementType> kFloats = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                          ElementType::kDouble};
const std::vector<std::string> kBlocks = {"strict=1", "strict=1,blocks=forward", "strict=1,blocks=backward"};
const std::map<std::string, int> kMicrosoft = {{"com.microsoft", 1}};

std::string nameOf(ElementType type) {
  return std::string(elementTypeName(type));
}

#define FITS(each) \
  QVERIFY2(differenceOf(each).empty(), ((each).nodes + " " + nameOf(type) + ": " + differenceOf(each)).c_str())

}  // namespace

class TestCudaNormalization : public QObject {
  Q_OBJECT
 private slots:
  void layers() {
    for (const ElementType type : kFloats) {
      for (const int64_t width : {5, 64, 768, 30000}) {
        if (width == 30000 && type == ElementType::kBfloat16) continue;
        const std::vector<int64_t> dims = {2, 3, width};
        const auto x = randomOf(type, dims, 1, -2, 3), scale = randomOf(type, {width}, 2),
                   shift = randomOf(type, {width}, 3);
        for (const std::string& blocks : kBlocks) {
          if (type != ElementType::kFloat && blocks != kBlocks[0]) continue;
          FITS((CudaCase{.nodes = "y = LayerNormalization (x, s, b)",
                         .inputs = {{"x", x}, {"s", scale}, {"b", shift}},
                         .outputs = nameOf(type) + " y",
                         .options = blocks}));
          FITS((CudaCase{.nodes = "y = RMSNormalization (x, s)",
                         .inputs = {{"x", x}, {"s", scale}},
                         .outputs = nameOf(type) + " y",
                         .opset = 23,
                         .options = blocks}));
        }
      }
    }
  }
  void layerDetails() {
    const ElementType type = ElementType::kFloat;
    const auto x = randomOf(type, {4, 3, 8}, 1);
    FITS((CudaCase{.nodes = "y, m, i = LayerNormalization <axis = 1, epsilon = 0.1> (x, s)",
                   .inputs = {{"x", x}, {"s", randomOf(type, {3, 8}, 2)}},
                   .outputs = "float y, float m, float i"}));
    FITS((CudaCase{.nodes = "y = LayerNormalization <axis = 1> (x, s, b)",
                   .inputs = {{"x", x}, {"s", randomOf(type, {8}, 2)}, {"b", randomOf(type, {3, 1}, 3)}}}));
    FITS((CudaCase{.nodes = "y = LayerNormalization (x, s)",
                   .inputs = {{"x", randomOf(type, {0, 8}, 1)}, {"s", randomOf(type, {8}, 2)}}}));
    FITS((CudaCase{.nodes = "y = SimplifiedLayerNormalization (x, s)",
                   .inputs = {{"x", randomOf(ElementType::kFloat16, {4, 8}, 1)}, {"s", randomOf(type, {8}, 2)}}}));
    FITS((CudaCase{.nodes = "y = LayerNormalization (x, s)",
                   .inputs = {{"x", randomOf(type, {2000, 16}, 1)}, {"s", randomOf(type, {16}, 2)}},
                   .options = kBlocks[1]}));
  }

  void skips() {
    for (const ElementType type : kFloats) {
      for (const int64_t width : {7, 96, 28000}) {
        if (width > 1000 && type == ElementType::kDouble) continue;
        const auto x = randomOf(type, {2, 3, width}, 1), scale = randomOf(type, {width}, 3),
                   shift = randomOf(type, {width}, 4), bias = randomOf(type, {width}, 5);
        const auto skip = width == 96 ? randomOf(type, {3, width}, 2) : randomOf(type, {2, 3, width}, 2);
        const std::string n = nameOf(type);
        FITS((CudaCase{.nodes = "y, m, i, sum = com.microsoft.SkipLayerNormalization (x, k, s, b, c)",
                       .inputs = {{"x", x}, {"k", skip}, {"s", scale}, {"b", shift}, {"c", bias}},
                       .outputs = n + " y, float m, float i, " + n + " sum",
                       .domains = kMicrosoft,
                       .options = type == ElementType::kFloat ? kBlocks[2] : kBlocks[0],
                       .relative = width > 1000 ? 5e-3 : -1,
                       .absolute = width > 1000 ? 5e-2 : -1}));
        FITS((CudaCase{.nodes = "y = com.microsoft.SkipSimplifiedLayerNormalization (x, k, s)",
                       .inputs = {{"x", x}, {"k", skip}, {"s", scale}},
                       .outputs = n + " y",
                       .domains = kMicrosoft}));
      }
    }
  }

  void groups() {
    for (const ElementType type : kFloats) {
      const std::string n = nameOf(type);
      for (const std::vector<int64_t>& dims :
           {std::vector<int64_t>{2, 6, 5, 7}, {1, 4, 8, 8}, {2, 4, 160, 128}, {3, 8}}) {
        const int64_t channels = dims[1];
        const auto x = randomOf(type, dims, 1, -1, 4), scale = randomOf(type, {channels}, 2),
                   shift = randomOf(type, {channels}, 3);
        const std::string options = type == ElementType::kFloat ? kBlocks[1] : kBlocks[0];
        FITS((CudaCase{.nodes = "y = InstanceNormalization (x, s, b)",
                       .inputs = {{"x", x}, {"s", scale}, {"b", shift}},
                       .outputs = n + " y",
                       .opset = 22,
                       .options = options}));
        FITS((CudaCase{.nodes = "y = GroupNormalization <num_groups = 2> (x, s, b)",
                       .inputs = {{"x", x}, {"s", scale}, {"b", shift}},
                       .outputs = n + " y",
                       .options = options}));
      }
    }
  }
  void imagesOfDiffusion() {
    for (const ElementType type : {ElementType::kFloat, ElementType::kFloat16}) {
      const std::string n = nameOf(type), options = type == ElementType::kFloat ? kBlocks[2] : kBlocks[0];
      for (const int last : {0, 1}) {
        for (const int64_t side : {3, 72}) {
          const std::vector<int64_t> dims =
              last ? std::vector<int64_t>{2, side, side, 20} : std::vector<int64_t>{2, 20, side, side};
          const std::string attributes = "<groups = 4, activation = 1, channels_last = " + std::to_string(last) + ">";
          const auto x = randomOf(type, dims, 1), scale = randomOf(ElementType::kFloat, {20}, 2),
                     shift = randomOf(ElementType::kFloat, {20}, 3);
          FITS((CudaCase{.nodes = "y = com.microsoft.GroupNorm " + attributes + " (x, s, b)",
                         .inputs = {{"x", x}, {"s", scale}, {"b", shift}},
                         .outputs = n + " y",
                         .domains = kMicrosoft,
                         .options = options}));
          FITS((CudaCase{.nodes = "y, sum = com.microsoft.SkipGroupNorm " + attributes + " (x, s, b, k, c)",
                         .inputs = {{"x", x},
                                    {"s", scale},
                                    {"b", shift},
                                    {"k", randomOf(type, dims, 4)},
                                    {"c", randomOf(type, {20}, 5)}},
                         .outputs = n + " y, " + n + " sum",
                         .domains = kMicrosoft,
                         .options = options}));
          FITS((CudaCase{.nodes = "y = com.microsoft.SkipGroupNorm " + attributes + " (x, s, b, k)",
                         .inputs = {{"x", x}, {"s", scale}, {"b", shift}, {"k", randomOf(type, {2, 20}, 4)}},
                         .outputs = n + " y",
                         .domains = kMicrosoft,
                         .options = options}));
        }
      }
    }
  }

  void givenStatistics() {
    for (const ElementType type : kFloats) {
      for (const std::vector<int64_t>& dims : {std::vector<int64_t>{2, 3, 4, 4}, {2, 3, 5}, {4, 3}}) {
        const auto of = [&](uint32_t seed, double low, double high) { return randomOf(type, {3}, seed, low, high); };
        FITS((CudaCase{.nodes = "y = BatchNormalization (x, s, b, m, v)",
                       .inputs = {{"x", randomOf(type, dims, 1)},
                                  {"s", of(2, 0.5, 2)},
                                  {"b", of(3, -1, 1)},
                                  {"m", of(4, -1, 1)},
                                  {"v", of(5, 0.5, 2)}},
                       .outputs = nameOf(type) + " y",
                       .opset = 22}));
        FITS((CudaCase{.nodes = "y = LpNormalization <axis = 1, p = 1> (x)",
                       .inputs = {{"x", randomOf(type, dims, 1)}},
                       .outputs = nameOf(type) + " y",
                       .opset = 22}));
        FITS((CudaCase{.nodes = "y = LpNormalization (x)",
                       .inputs = {{"x", randomOf(type, dims, 1)}},
                       .outputs = nameOf(type) + " y",
                       .opset = 22,
                       .options = kBlocks[1]}));
      }
      FITS((CudaCase{.nodes = "y = MeanVarianceNormalization (x)",
                     .inputs = {{"x", randomOf(type, {2, 3, 4, 5}, 1)}},
                     .outputs = nameOf(type) + " y",
                     .opset = 22,
                     .options = kBlocks[2]}));
      FITS((CudaCase{.nodes = "y = MeanVarianceNormalization <axes = [1, 3]> (x)",
                     .inputs = {{"x", randomOf(type, {2, 3, 4, 5}, 1)}},
                     .outputs = nameOf(type) + " y",
                     .opset = 22}));
    }
    const auto f = [](std::vector<int64_t> dims) { return randomOf(ElementType::kFloat, dims, 1, 0.5, 1); };
    CudaCase training{.nodes = "y, a, b = BatchNormalization <training_mode = 1> (x, s, t, m, v)",
                      .inputs = {{"x", f({2, 3, 4})}, {"s", f({3})}, {"t", f({3})}, {"m", f({3})}, {"v", f({3})}},
                      .outputs = "float y, float a, float b"};
    QVERIFY(differenceOf(training).find("training mode") != std::string::npos);
  }

  void biases() {
    for (const ElementType type : kFloats) {
      const std::string n = nameOf(type);
      for (const int64_t width : {6, 64}) {
        const auto x = randomOf(type, {2, 3, width}, 1, -3, 3), bias = randomOf(type, {width}, 2),
                   residual = randomOf(type, {2, 3, width}, 3);
        FITS((CudaCase{.nodes = "y = com.microsoft.BiasGelu (x, b)",
                       .inputs = {{"x", x}, {"b", bias}},
                       .outputs = n + " y",
                       .domains = kMicrosoft}));
        FITS((CudaCase{.nodes = "y = com.microsoft.FastGelu (x, b)",
                       .inputs = {{"x", x}, {"b", bias}},
                       .outputs = n + " y",
                       .domains = kMicrosoft}));
        FITS((CudaCase{.nodes = "y = com.microsoft.FastGelu (x)",
                       .inputs = {{"x", x}},
                       .outputs = n + " y",
                       .domains = kMicrosoft}));
        FITS((CudaCase{.nodes = "y = com.microsoft.BiasAdd (x, b, r)",
                       .inputs = {{"x", x}, {"b", bias}, {"r", residual}},
                       .outputs = n + " y",
                       .domains = kMicrosoft}));
        FITS((CudaCase{.nodes = "y = com.microsoft.BiasSplitGelu (x, b)",
                       .inputs = {{"x", x}, {"b", bias}},
                       .outputs = n + " y",
                       .domains = kMicrosoft}));
        FITS((CudaCase{.nodes = "y, mask = com.microsoft.BiasDropout (x, b, r)",
                       .inputs = {{"x", x}, {"b", bias}, {"r", residual}},
                       .outputs = n + " y, bool mask",
                       .domains = kMicrosoft}));
        FITS((CudaCase{.nodes = "y, mask = Dropout (x)", .inputs = {{"x", x}}, .outputs = n + " y, bool mask"}));
      }
    }
  }
};

QTEST_GUILESS_MAIN(TestCudaNormalization)
#include "tst_cuda_normalization.moc"
