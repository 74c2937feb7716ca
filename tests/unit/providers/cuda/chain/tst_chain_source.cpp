// Generated sources of chains: each compiled by the host's compiler and run against the interpreter, bit for bit or
// nearly; and compiled by NVRTC to machine code of an H100 where the toolkit is.
#include <cmath>
#include <fstream>
#include <random>

#include <dlfcn.h>

#include <QtTest/QtTest>

#include "engine/tensor/narrow_float.h"
#include "providers/cuda/chain/chain_source.h"
#include "providers/cuda/functors/executor.h"

using namespace cutaway;
using namespace cutaway::cuda;

namespace {

struct Case {
  const char* name;
  const char* text;
};
constexpr Case kCases[] = {
    {"scale and shift",
     "Input float\nInput float\nConstant float | 0.5\nMul float v0 v2\nAdd float v3 v1\nOutput v4\n"},
    {"half",
     "Input float16\nInput float16\nAdd float16 v0 v1\nGelu float16 v2\nClip float16 v3 | -0.25 inf\nOutput v4\nOutput "
     "v2\n"},
    {"bfloat16 and float",
     "Input bfloat16\nInput float\nCast float v0\nSub float v2 v1\nTanh float v3\nCast bfloat16 v4\nOutput v5\nOutput "
     "v3\n"},
    {"double", "Input double\nExp double v0\nSigmoid double v1\nPow double v2 v0\nOutput v3\n"},
    {"integers",
     "Input int32\nInput int32\nAdd int32 v0 v1\nMul int32 v2 v2\nDiv int32 v3 v1\nFloorMod int32 v4 v0\nNeg int32 "
     "v5\nMax int32 v6 v0\nOutput v7\n"},
    {"wide integers",
     "Input int64\nConstant int64 | -9223372036854775808\nMax int64 v0 v1\nConstant int64 | 3\nMul int64 v2 v3\nCast "
     "float v4\nOutput v5\nOutput v4\n"},
    {"bytes",
     "Input uint8\nInput int8\nCast float v0\nCast float v1\nMul float v2 v3\nCast int8 v4\nCast uint8 v4\nOutput "
     "v5\nOutput v6\n"},
    {"conditions",
     "Input float\nInput float\nInput bool\nLess bool v0 v1\nIsNaN bool v0\nNot bool v4\nAnd bool v3 v5\nOr bool v6 "
     "v2\nXor bool v7 v2\nGreaterOrEqual bool v0 v1\nEqual bool v8 v9\nWhere float v8 v0 v1\nOutput v11\nOutput v10\n"},
    {"activations",
     "Input float\nLeakyRelu float v0 | 0.1\nElu float v1 | 1\nHardSwish float v2\nMish float v3\nSoftplus float "
     "v4\nErf float v5\nSwish float v6 | 1.702\nFloor float v7\nRound float v8\nSign float v9\nAdd float v9 "
     "v10\nOutput v11\nOutput v7\n"},
    {"odd constants",
     "Input float\nConstant float | nan\nConstant float | -inf\nMax float v0 v2\nMin float v3 v1\nOutput v4\nOutput "
     "v3\n"},
    {"softmax",
     "Input float\nInput float\nConstant float | 0.125\nMul float v0 v2\nAdd float v3 v1\nRowMax float v4\nSub float "
     "v4 v5\nExp float v6\nRowSum float v7\nDiv float v7 v8\nOutput v9\n"},
    {"layer normalisation",
     "Input float16\nInput float16\nAdd float16 v0 v1\nCast float v2\nRowMean float v3\nSub float v3 v4\nMul float v5 "
     "v5\nRowMean float v6\nAffine float v7 | 1 1e-05\nSqrt float v8\nDiv float v5 v9\nCast float16 v10\nOutput "
     "v11\nOutput v2\nOutput v4\n"},
    {"mean square",
     "Input float\nInput float\nMul float v0 v0\nRowMean float v2\nConstant float | 3\nConstant float | 0.5\nMul float "
     "v4 v5\nAdd float v3 v6\nSqrt float v7\nDiv float v0 v8\nMul float v9 v1\nOutput v10\nOutput v8\n"},
    {"row value alone",
     "Input float\nMul float v0 v0\nRowSum float v1\nSqrt float v2\nConstant float | 2\nMul float v3 v4\nOutput v5\n"},
};

void addCases() {
  QTest::addColumn<QString>("text");
  for (const Case& each : kCases)
    QTest::newRow(each.name) << each.text;
}

constexpr int64_t kRows = 5, kLength = 13;
constexpr int64_t kElements = kRows * kLength;
constexpr int64_t kOdd =
    3 * kLength + 3;  // NaN there: not in the first row, whose values nothing else has computed before

// Inputs: the first one whole, the second one a row for all rows (broadcast), the third whole.
std::vector<std::byte> inputOf(ElementType type, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> real(-2.5f, 2.5f);
  std::vector<std::byte> bytes(static_cast<size_t>(kElements * 8));
  for (int64_t i = 0; i < kElements; ++i) {
    const float value = i == kOdd ? NAN : real(random);
    const auto whole = static_cast<int64_t>(random());
    std::byte* at = bytes.data() + i * bitsOf(type) / 8;
    switch (type) {
      case ElementType::kFloat:
        std::memcpy(at, &value, 4);
        break;
      case ElementType::kFloat16: {
        const Float16 half = Float16::fromFloat(i == kOdd ? 0.5f : value);
        std::memcpy(at, &half, 2);
        break;
      }
      case ElementType::kBfloat16: {
        const Bfloat16 half = Bfloat16::fromFloat(value);
        std::memcpy(at, &half, 2);
        break;
      }
      case ElementType::kDouble: {
        const auto wide = static_cast<double>(value);
        std::memcpy(at, &wide, 8);
        break;
      }
      case ElementType::kBool: {
        const uint8_t yes = whole % 2 == 0;
        std::memcpy(at, &yes, 1);
        break;
      }
      default:
        std::memcpy(at, &whole, static_cast<size_t>(bitsOf(type) / 8));
        break;
    }
  }
  return bytes;
}

double valueAt(ElementType type, const std::byte* base, int64_t i) {
  const auto whole = [&]<typename T>(T) {
    T value;
    std::memcpy(&value, base + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
    return value;
  };
  switch (type) {
    case ElementType::kFloat:
      return static_cast<double>(whole(float{}));
    case ElementType::kDouble:
      return whole(double{});
    case ElementType::kFloat16:
      return static_cast<double>(whole(Float16{}).toFloat());
    case ElementType::kBfloat16:
      return static_cast<double>(whole(Bfloat16{}).toFloat());
    case ElementType::kInt64:
      return static_cast<double>(whole(int64_t{}));
    case ElementType::kInt32:
      return whole(int32_t{});
    case ElementType::kInt8:
      return whole(int8_t{});
    default:
      return whole(uint8_t{});
  }
}

struct Operands {
  std::vector<std::vector<std::byte>> inputs, outputs;
  ChainArguments arguments;
};

Operands operandsFor(const ChainProgram& program, int width) {
  Operands made;
  ChainArguments& p = made.arguments;
  const bool rows = program.hasRows();
  for (int i = 0; i < program.inputs; ++i) {
    made.inputs.push_back(inputOf(program.inputType(i), static_cast<uint32_t>(i) + 1));
    const bool row = i == 1;
    p.step[i] = 1;
    p.strides[i][0] = row ? 0 : kLength;
    p.strides[i][1] = 1;
  }
  for (size_t o = 0; o < program.outputs.size(); ++o)
    made.outputs.emplace_back(static_cast<size_t>(kElements * 8));
  for (int i = 0; i < program.inputs; ++i)
    p.from[i] = made.inputs[static_cast<size_t>(i)].data();
  for (size_t o = 0; o < program.outputs.size(); ++o)
    p.to[o] = made.outputs[o].data();
  p.count = kElements;
  p.dims[0] = kRows;
  p.dims[1] = kLength;
  p.rank = rows ? 1 : 2;
  p.rowLength = kLength;
  p.indexes = rows ? kRows : kElements;
  p.narrow = width % 2;
  if (!rows && width > 1) {  // one axis, so that the last pack is short; the second operand stays at its first element
    p.rank = 1;
    p.width = width;
    p.indexes = p.dims[0] = (kElements + width - 1) / width;
    for (int i = 0; i < program.inputs; ++i) {
      p.step[i] = i == 1 ? 0 : 1;
      p.strides[i][0] = i == 1 ? 0 : width;
    }
  }
  return made;
}

void interpret(const ChainProgram& program, Operands& operands) {
  ChainParameters p;
  p.arguments = operands.arguments;
  p.steps = static_cast<int32_t>(program.steps.size());
  p.inputs = program.inputs;
  p.outputs = static_cast<int32_t>(program.outputs.size());
  p.rowValues = program.rowValues();
  p.constants = program.constantValues();
  std::ranges::copy(program.steps, p.code);
  for (size_t o = 0; o < program.outputs.size(); ++o)
    p.output[o] = static_cast<uint8_t>(program.outputs[o]);
  if (program.hasRows()) {
    forEachBlock(ChainRows{p}, p.arguments.indexes, nullptr, 1);
    return;
  }
  // The interpreter takes one element an index.
  const int width = p.arguments.width;
  p.arguments.indexes = kElements;
  p.arguments.width = 1;
  if (width > 1) {
    p.arguments.dims[0] = kElements;
    for (int i = 0; i < program.inputs; ++i)
      p.arguments.strides[i][0] /= width;
  }
  forEach(ChainElements{p}, p.arguments.indexes, nullptr, 1);
}

using Entry = void (*)(ChainArguments);

}  // namespace

class TestChainSource : public QObject {
  Q_OBJECT
 private slots:
  void asTheInterpreter_data() { addCases(); }
  void asTheInterpreter() {
    QFETCH(QString, text);
    const auto program = ChainProgram::parse(text.toStdString());
    QVERIFY2(program, program ? "" : program.error().message.c_str());
    const ChainSource source = chainSource(*program);
    const Entry entry = compiledOnHost(source);
    if (entry == nullptr) QFAIL(qPrintable("the host's compiler refused: " + m_log));
    for (const int width : {1, source.width}) {
      Operands expected = operandsFor(*program, width), seen = operandsFor(*program, width);
      interpret(*program, expected);
      entry(seen.arguments);
      for (size_t o = 0; o < program->outputs.size(); ++o) {
        const ElementType type = program->outputType(o);
        const bool row = (program->rowValues() >> program->outputs[o] & 1) != 0;
        for (int64_t i = 0; i < (row ? kRows : kElements); ++i) {
          const double a = valueAt(type, expected.outputs[o].data(), i), b = valueAt(type, seen.outputs[o].data(), i);
          const bool same =
              (std::isnan(a) && std::isnan(b)) || a == b || std::fabs(a - b) <= 1e-6 * std::fabs(a) + 1e-7;
          QVERIFY2(same, qPrintable(QString("output %1, element %2, width %3: interpreter %4, source %5")
                                        .arg(o)
                                        .arg(i)
                                        .arg(width)
                                        .arg(a)
                                        .arg(b)));
        }
      }
    }
  }

#ifdef CUTAWAY_NVRTC
  void compiledForTheDevice_data() { addCases(); }
  void compiledForTheDevice() {
    QFETCH(QString, text);
    void* library = dlopen(CUTAWAY_NVRTC, RTLD_NOW | RTLD_LOCAL);
    QVERIFY2(library != nullptr, "NVRTC was there when this was built");
    const auto program = ChainProgram::parse(text.toStdString());
    QVERIFY(program);
    const ChainSource source = chainSource(*program);
    using Program = void*;
    const auto create =
        reinterpret_cast<int (*)(Program*, const char*, const char*, int, const char* const*, const char* const*)>(
            dlsym(library, "nvrtcCreateProgram"));
    const auto compile =
        reinterpret_cast<int (*)(Program, int, const char* const*)>(dlsym(library, "nvrtcCompileProgram"));
    const auto logSize = reinterpret_cast<int (*)(Program, size_t*)>(dlsym(library, "nvrtcGetProgramLogSize"));
    const auto log = reinterpret_cast<int (*)(Program, char*)>(dlsym(library, "nvrtcGetProgramLog"));
    const auto cubinSize = reinterpret_cast<int (*)(Program, size_t*)>(dlsym(library, "nvrtcGetCUBINSize"));
    const auto destroy = reinterpret_cast<int (*)(Program*)>(dlsym(library, "nvrtcDestroyProgram"));
    QVERIFY(create && compile && logSize && log && cubinSize && destroy);
    Program handle = nullptr;
    QCOMPARE(create(&handle, source.text.c_str(), "chain.cu", 0, nullptr, nullptr), 0);
    const char* const options[] = {"--gpu-architecture=sm_90", "--std=c++20"};
    const int result = compile(handle, 2, options);
    size_t size = 0;
    logSize(handle, &size);
    std::string said(size, '\0');
    log(handle, said.data());
    QVERIFY2(result == 0, said.c_str());
    QVERIFY2(said.find("warning") == std::string::npos, said.c_str());
    QCOMPARE(cubinSize(handle, &size), 0);
    QVERIFY(size > 1000);
    destroy(&handle);
  }
#endif

  void namesFollowPrograms() {
    const auto a = ChainProgram::parse(kCases[0].text), b = ChainProgram::parse(kCases[1].text);
    QCOMPARE(chainSource(*a).name, chainSource(*a).name);
    QVERIFY(chainSource(*a).name != chainSource(*b).name);
    QCOMPARE(chainSource(*a).width, 4);
    QCOMPARE(chainSource(*b).width, 8);
  }

 private:
  // nullptr: see m_log. Libraries stay open: their code runs until the test ends.
  Entry compiledOnHost(const ChainSource& source) {
    const QString stem = m_folder.filePath(QString::fromStdString(source.name));
    std::ofstream(QFile::encodeName(stem + ".cpp").constData()) << source.text;
    QProcess compiler;
    compiler.setProcessChannelMode(QProcess::MergedChannels);
    compiler.start(
        CUTAWAY_CXX,
        {"-std=c++20", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-w", "-I" CUTAWAY_SOURCE_DIR, "-include",
         CUTAWAY_SOURCE_DIR "/tests/unit/providers/cuda/chain/host_shim.h", stem + ".cpp", "-o", stem + ".so"});
    if (!compiler.waitForFinished(120000) || compiler.exitCode() != 0) {
      m_log = QString::fromUtf8(compiler.readAll()) + compiler.errorString();
      return nullptr;
    }
    void* library = dlopen(QFile::encodeName(stem + ".so").constData(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      m_log = dlerror();
      return nullptr;
    }
    return reinterpret_cast<Entry>(dlsym(library, source.name.c_str()));
  }

  QTemporaryDir m_folder;
  QString m_log;
};

QTEST_GUILESS_MAIN(TestChainSource)
#include "tst_chain_source.moc"
