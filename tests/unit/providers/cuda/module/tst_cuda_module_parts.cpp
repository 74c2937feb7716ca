// Parts of the CUDA module that are plain C++: how errors are told apart, how row-major products are laid out for a
// library that thinks in columns, how compiled kernels are kept, where libraries are looked for.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include <QTemporaryDir>
#include <QTest>

#include "providers/cuda/module/errors.h"
#include "providers/cuda/module/libraries.h"
#include "providers/cuda/module/lt_matmul.h"
#include "providers/cuda/module/lt_plan.h"
#include "providers/cuda/module/matmul_layout.h"
#include "providers/cuda/module/program.h"

namespace cutaway::cuda {
namespace {

namespace fs = std::filesystem;

struct Case {
  const char* name;
  MatmulDescription description;
};

// Strides wider than the rows, matrices shared over the batch, single rows.
const std::vector<Case>& products() {
  static const std::vector<Case> cases = {
      {"plain", {.m = 3, .n = 4, .k = 5}},
      {"a transposed", {.m = 3, .n = 4, .k = 5, .transposeA = true}},
      {"b transposed", {.m = 3, .n = 4, .k = 5, .transposeB = true}},
      {"both transposed", {.m = 3, .n = 4, .k = 5, .transposeA = true, .transposeB = true}},
      {"one row", {.m = 1, .n = 4, .k = 5}},
      {"one row, transposed", {.m = 1, .n = 4, .k = 5, .transposeA = true}},
      {"one column", {.m = 3, .n = 1, .k = 5}},
      {"one column, transposed", {.m = 3, .n = 1, .k = 5, .transposeB = true}},
      {"depth one", {.m = 3, .n = 4, .k = 1, .transposeA = true, .transposeB = true}},
      {"batch", {.batch = 2, .m = 3, .n = 4, .k = 5, .batchStrideA = 15, .batchStrideB = 20, .batchStrideY = 12}},
      {"batch, b shared",
       {.batch = 3,
        .m = 3,
        .n = 4,
        .k = 5,
        .transposeB = true,
        .batchStrideA = 15,
        .batchStrideB = 0,
        .batchStrideY = 12}},
      {"wide rows", {.m = 3, .n = 4, .k = 5, .rowStrideA = 7, .rowStrideB = 9, .rowStrideY = 6}},
      {"wide rows, transposed, batch",
       {.batch = 2,
        .m = 3,
        .n = 4,
        .k = 5,
        .transposeA = true,
        .transposeB = true,
        .batchStrideA = 40,
        .batchStrideB = 50,
        .batchStrideY = 30,
        .rowStrideA = 5,
        .rowStrideB = 8,
        .rowStrideY = 6}},
  };
  return cases;
}

std::vector<float> numbers(size_t count, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values)
    value = static_cast<float>(static_cast<int>(random() % 15) - 7);
  return values;
}

// As the description says it, row by row.
std::vector<float> rowMajor(const MatmulDescription& d, const std::vector<float>& a, const std::vector<float>& b,
                            size_t size) {
  std::vector<float> y(size, -1.0F);
  const int64_t ra = d.rowStrideA   ? d.rowStrideA
                     : d.transposeA ? d.m
                                    : d.k,
                rb = d.rowStrideB   ? d.rowStrideB
                     : d.transposeB ? d.k
                                    : d.n,
                ry = d.rowStrideY ? d.rowStrideY : d.n;
  for (int64_t s = 0; s < d.batch; ++s)
    for (int64_t i = 0; i < d.m; ++i)
      for (int64_t j = 0; j < d.n; ++j) {
        float sum = 0;
        for (int64_t p = 0; p < d.k; ++p)
          sum += a[static_cast<size_t>(s * d.batchStrideA + (d.transposeA ? p * ra + i : i * ra + p))] *
                 b[static_cast<size_t>(s * d.batchStrideB + (d.transposeB ? j * rb + p : p * rb + j))];
        y[static_cast<size_t>(s * d.batchStrideY + i * ry + j)] = sum;
      }
  return y;
}

float at(const StoredMatrix& matrix, const std::vector<float>& data, int64_t batch, int64_t row, int64_t column) {
  if (matrix.transposed) std::swap(row, column);
  return data[static_cast<size_t>(batch * matrix.batchStride + column * matrix.leading + row)];
}

// As a library that thinks in columns does it, from the layout alone.
std::vector<float> columnMajor(const MatmulDescription& d, const ProductLayout& layout, const std::vector<float>& a,
                               const std::vector<float>& b, size_t size) {
  std::vector<float> y(size, -1.0F);
  for (int64_t s = 0; s < d.batch; ++s)
    for (int64_t column = 0; column < layout.result.columns; ++column)
      for (int64_t row = 0; row < layout.result.rows; ++row) {
        float sum = 0;
        const int64_t depth = layout.first.transposed ? layout.first.rows : layout.first.columns;
        for (int64_t p = 0; p < depth; ++p)
          sum += at(layout.first, b, s, row, p) * at(layout.second, a, s, p, column);
        y[static_cast<size_t>(s * layout.result.batchStride + column * layout.result.leading + row)] = sum;
      }
  return y;
}

}  // namespace

class TestCudaModuleParts : public QObject {
  Q_OBJECT
 private slots:
  void errorKinds_data() {
    QTest::addColumn<int>("error");
    QTest::addColumn<int>("kind");
    const auto add = [](cudaError_t error, StatusCode code) {
      QTest::newRow(cudaGetErrorName(error)) << static_cast<int>(error) << static_cast<int>(code);
    };
    add(cudaSuccess, StatusCode::kOk);
    add(cudaErrorMemoryAllocation, StatusCode::kOutOfMemory);
    for (const cudaError_t each : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorAssert,
                                   cudaErrorMisalignedAddress, cudaErrorECCUncorrectable, cudaErrorHardwareStackError})
      add(each, StatusCode::kDeviceLost);
    for (const cudaError_t each : {cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated,
                                   cudaErrorStreamCaptureImplicit, cudaErrorStreamCaptureWrongThread})
      add(each, StatusCode::kCaptureRefused);
    for (const cudaError_t each : {cudaErrorNoKernelImageForDevice, cudaErrorNotSupported, cudaErrorInsufficientDriver})
      add(each, StatusCode::kUnsupported);
    for (const cudaError_t each :
         {cudaErrorInvalidValue, cudaErrorInvalidConfiguration, cudaErrorLaunchOutOfResources, cudaErrorTimeout})
      add(each, StatusCode::kOther);
  }
  void errorKinds() {
    QFETCH(int, error);
    QFETCH(int, kind);
    const Status status = statusOf(static_cast<cudaError_t>(error), "unary.relu.float");
    QCOMPARE(static_cast<int>(status.code), kind);
    if (error == 0) return;
    QVERIFY2(status.text.find("unary.relu.float: ") == 0, status.text.c_str());
    QVERIFY2(status.text.find(cudaGetErrorName(static_cast<cudaError_t>(error))) != std::string::npos,
             status.text.c_str());
  }

  void noDevice_data() {
    QTest::addColumn<int>("error");
    QTest::addColumn<int>("driver");
    QTest::addColumn<QString>("says");
    QTest::newRow("no driver") << static_cast<int>(cudaErrorInsufficientDriver) << 0 << "no NVIDIA driver";
    QTest::newRow("old driver") << static_cast<int>(cudaErrorInsufficientDriver) << 12040
                                << "serves CUDA 12.4, and this program was built with CUDA 13.0";
    QTest::newRow("no device") << static_cast<int>(cudaErrorNoDevice) << 13000 << "sees no device";
    QTest::newRow("halves differ") << static_cast<int>(cudaErrorSystemDriverMismatch) << 13000 << "restart";
    QTest::newRow("broken") << static_cast<int>(cudaErrorInitializationError) << 13000
                            << "cudaErrorInitializationError";
  }
  void noDevice() {
    QFETCH(int, error);
    QFETCH(int, driver);
    QFETCH(QString, says);
    const std::string text = whyNoDevice(static_cast<cudaError_t>(error), driver, 13000);
    QVERIFY2(QString::fromStdString(text).contains(says), text.c_str());
  }

  void layout_data() {
    QTest::addColumn<int>("index");
    for (size_t i = 0; i < products().size(); ++i)
      QTest::newRow(products()[i].name) << static_cast<int>(i);
  }
  void layout() {
    QFETCH(int, index);
    const MatmulDescription& d = products()[static_cast<size_t>(index)].description;
    const ProductLayout layout = productLayout(d);
    for (const StoredMatrix* each : {&layout.first, &layout.second, &layout.result})
      QVERIFY(each->leading >= each->rows);
    const std::vector<float> a = numbers(static_cast<size_t>(layout.second.elements(d.batch)), 1),
                             b = numbers(static_cast<size_t>(layout.first.elements(d.batch)), 2);
    const auto size = static_cast<size_t>(layout.result.elements(d.batch));
    QCOMPARE(columnMajor(d, layout, a, b, size), rowMajor(d, a, b, size));
  }

  // cuBLASLt takes the descriptors; that needs the library, and no device.
  void describe() {
    const LtLibrary* lt = nullptr;
    if (Status status = ltLibrary(lt); !status.ok()) {
      QVERIFY2(status.text.find("CUTAWAY_CUDA_DIR") != std::string::npos,
               status.text.c_str());  // not here: the answer says how to get it
      return;
    }
    for (const Case& each : products()) {
      for (const ElementType type : {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16,
                                     ElementType::kDouble, ElementType::kInt8}) {
        MatmulDescription d = each.description;
        d.a = d.b = d.y = d.bias = type;
        if (type == ElementType::kInt8) d.y = ElementType::kInt32;
        const bool rich = type != ElementType::kInt8 && type != ElementType::kDouble;
        if (rich) d.epilogue = {.bias = true, .residual = true, .activation = Activation::kGeluTanh};
        QCOMPARE(refuseLtMatmul(d), std::string());
        LtPlan plan;
        const Status status = plan.describe(*lt, d);
        QVERIFY2(status.ok(), (std::string(each.name) + ": " + status.text).c_str());
      }
    }
  }

  void refused_data() {
    QTest::addColumn<QString>("says");
    QTest::newRow("empty") << "empty";
    QTest::newRow("types") << "float16 and float";
    QTest::newRow("result") << "no float16 of float";
    QTest::newRow("activation") << "relu or the tanh form of gelu";
    QTest::newRow("bias type") << "bias of the result's type";
    QTest::newRow("integer scale") << "no scale";
  }
  void refused() {
    QFETCH(QString, says);
    MatmulDescription d{.m = 2, .n = 2, .k = 2};
    const QString name = QTest::currentDataTag();
    if (name == "empty") d.k = 0;
    if (name == "types") d.a = ElementType::kFloat16;
    if (name == "result") d.y = ElementType::kFloat16;
    if (name == "activation") d.epilogue.activation = Activation::kGeluErf;
    if (name == "bias type") d.epilogue.bias = true, d.bias = ElementType::kFloat16;
    if (name == "integer scale") d.a = d.b = ElementType::kInt8, d.y = ElementType::kInt32, d.alpha = 2;
    const std::string reason = refuseLtMatmul(d);
    QVERIFY2(QString::fromStdString(reason).contains(says), reason.c_str());
  }

  // Every field is in the key: a change of any makes another.
  void keys() {
    const MatmulDescription plain{.m = 3, .n = 4, .k = 5};
    MatmulDescription other = plain;
    QCOMPARE(other.key(), plain.key());
    other.alpha = 1.0000001F;
    QVERIFY(other.key() != plain.key());
    other = plain;
    other.epilogue.residual = true;
    QVERIFY(other.key() != plain.key());
    other = plain;
    other.rowStrideY = 8;
    QVERIFY(other.key() != plain.key());
    other = plain;
    other.math = MathMode::kTf32;
    QVERIFY(other.key() != plain.key());
  }

  void artifact() {
    const std::string source = "extern \"C\" __global__ void f() {}";
    const std::vector<std::byte> cubin = {std::byte{0x7f}, std::byte{'E'}, std::byte{'L'},
                                          std::byte{'F'},  std::byte{1},   std::byte{2}};
    std::vector<std::byte> packed = packCubin(source, cubin), found;
    QVERIFY(unpackCubin(packed, source, found));
    QVERIFY(found == cubin);
    QVERIFY(!unpackCubin(packed, source + " ", found));
    QVERIFY(!unpackCubin(packed, "extern \"C\" __global__ void g() {}", found));
    for (size_t size = 0; size < packed.size(); ++size) {
      const std::vector<std::byte> cut(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
      const bool enough = size > sizeof(uint64_t) + source.size() + 4;
      QCOMPARE(unpackCubin(cut, source, found), enough);
    }
    packed[0] = std::byte{0xff};
    QVERIFY(!unpackCubin(packed, source, found));
    QVERIFY(cubinKey(source, "sm_90", "13.0") != cubinKey(source, "sm_80", "13.0"));
    QVERIFY(cubinKey(source, "sm_90", "13.0") != cubinKey(source, "sm_90", "13.1"));
  }

  void folders() {
    QTemporaryDir folder;
    const fs::path root = folder.path().toStdString();
    const fs::path named = root / "named", base = root / "base", environment = root / "environment";
    for (const fs::path& each :
         {named, base / "bin", base / "lib" / "python3.12" / "site-packages" / "nvidia" / "cudnn" / "lib",
          environment / "bin", environment / "lib" / "python3.12" / "site-packages" / "nvidia" / "cu13" / "lib"})
      fs::create_directories(each);
    std::ofstream(base / "bin" / "python3") << "python";
    fs::create_symlink(base / "bin" / "python3", environment / "bin" / "python3");
    const QByteArray path = qgetenv("PATH"), given = qgetenv("CUTAWAY_CUDA_DIR"), virtualEnv = qgetenv("VIRTUAL_ENV");
    qputenv("CUTAWAY_CUDA_DIR", named.c_str());
    qputenv("PATH", (environment / "bin").c_str());
    qunsetenv("VIRTUAL_ENV");
    const std::vector<fs::path> found = libraryFolders();
    qputenv("PATH", path);
    qputenv("CUTAWAY_CUDA_DIR", given);
    qputenv("VIRTUAL_ENV", virtualEnv);
    const auto place = [&](const fs::path& wanted) {
      return std::find(found.begin(), found.end(), wanted) - found.begin();
    };
    const auto end = static_cast<std::ptrdiff_t>(found.size());
    const auto inEnvironment = place(environment / "lib" / "python3.12" / "site-packages" / "nvidia" / "cu13" / "lib"),
               inBase = place(base / "lib" / "python3.12" / "site-packages" / "nvidia" / "cudnn" / "lib");
    QVERIFY(place(named) < inEnvironment);
    QVERIFY(inEnvironment < inBase);
    QVERIFY(inBase < end);
  }
};

}  // namespace cutaway::cuda

QTEST_GUILESS_MAIN(cutaway::cuda::TestCudaModuleParts)
#include "tst_cuda_module_parts.moc"
