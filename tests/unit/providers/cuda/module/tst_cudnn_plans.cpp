// cuDNN plans convolutions and attention for an H100 without one: the graphs are valid, an engine takes them, and a
// plan comes back from its bytes without a search.
//
// Plans whose kernels cuDNN compiles at run time want a driver, and are not made here.
#include <map>

#include <dlfcn.h>

#include <QtTest/QtTest>

#include "providers/cuda/module/cudnn_operations.h"

using namespace cutaway;
using namespace cutaway::cuda;

namespace {

constexpr ElementType kFloat = ElementType::kFloat, kHalf = ElementType::kFloat16, kBrain = ElementType::kBfloat16;

class MapStore final : public ArtifactStore {
 public:
  bool find(std::string_view key, std::vector<std::byte>& bytes) const override {
    const auto found = m_kept.find(std::string(key));
    if (found == m_kept.end()) return false;
    bytes = found->second;
    return true;
  }
  void keep(std::string_view key, std::span<const std::byte> bytes) override {
    m_kept[std::string(key)].assign(bytes.begin(), bytes.end());
  }
  bool sealed() const override { return m_sealed; }
  void seal() { m_sealed = true; }
  size_t size() const { return m_kept.size(); }

 private:
  std::map<std::string, std::vector<std::byte>> m_kept;
  bool m_sealed = false;
};

// Bytes that no plan has.
class DamagedStore final : public ArtifactStore {
 public:
  bool find(std::string_view, std::vector<std::byte>& bytes) const override {
    bytes.assign(100, std::byte{0x7f});
    bytes[3] = std::byte{0};
    return true;
  }
  void keep(std::string_view, std::span<const std::byte>) override {}
};

const CudnnDevice kDevice{.facts = nullptr, .search = false, .plansOnly = true};

struct Layer {
  int64_t channels, size, filters, kernel, stride, pad, groups, batch;
};

ConvolutionDescription convolution(const Layer& layer, ElementType type, bool channelsLast, Epilogue epilogue) {
  ConvolutionDescription d;
  d.batch = layer.batch;
  d.channels = layer.channels;
  d.filters = layer.filters;
  d.groups = layer.groups;
  const int64_t output = (layer.size + 2 * layer.pad - layer.kernel) / layer.stride + 1;
  d.input = {layer.size, layer.size, 1};
  d.output = {output, output, 1};
  d.kernel = {layer.kernel, layer.kernel, 1};
  d.stride = {layer.stride, layer.stride, 1};
  d.padBegin = d.padEnd = {layer.pad, layer.pad, 0};
  d.channelsLast = channelsLast;
  d.type = d.bias = type;
  d.epilogue = epilogue;
  d.math = type == kFloat ? MathMode::kTf32 : MathMode::kPrecise;
  return d;
}

AttentionDescription attention(int64_t batch, int64_t heads, int64_t keyHeads, int64_t queries, int64_t keys,
                               int64_t size, ElementType type) {
  AttentionDescription d;
  d.batch = batch;
  d.heads = heads;
  d.keyHeads = keyHeads;
  d.queries = queries;
  d.keys = keys;
  d.size = d.valueSize = size;
  d.strideQ = d.strideY = {heads * queries * size, queries * size, size};
  d.strideK = d.strideV = {keyHeads * keys * size, keys * size, size};
  d.type = type;
  d.scale = 0.125f;
  return d;
}

struct NamedAttention {
  const char* name;
  int64_t batch, heads, keyHeads, queries, keys, size;
  void (*change)(AttentionDescription& d);
};

// What the projections leave: [batch, rows, heads, size], read as heads.
void headsInside(AttentionDescription& d) {
  d.strideQ = d.strideY = {d.queries * d.heads * d.size, d.size, d.heads * d.size};
  d.strideK = d.strideV = {d.keys * d.keyHeads * d.size, d.size, d.keyHeads * d.size};
}
// One matrix of queries, keys and values side by side.
void packed(AttentionDescription& d) {
  headsInside(d);
  d.strideQ = d.strideK = d.strideV = {d.queries * 3 * d.heads * d.size, d.size, 3 * d.heads * d.size};
}
void mask(AttentionDescription& d, bool ofBatch, bool ofHeads, bool ofRows) {
  const int64_t rows = ofRows ? d.queries : 1, heads = ofHeads ? d.heads : 1;
  d.mask = true;
  d.maskType = d.type;
  d.maskStride = {ofBatch ? heads * rows * d.keys : 0, ofHeads ? rows * d.keys : 0, ofRows ? d.keys : 0};
}

const NamedAttention kAttentions[] = {
    {"BERT", 8, 12, 12, 128, 128, 64, [](AttentionDescription& d) { headsInside(d); }},
    {"BERT, one batch, packed", 1, 12, 12, 128, 128, 64, [](AttentionDescription& d) { packed(d); }},
    {"BERT, mask of keys", 8, 12, 12, 128, 128, 64,
     [](AttentionDescription& d) { headsInside(d), mask(d, true, false, false); }},
    {"BERT, mask of rows", 8, 12, 12, 128, 128, 64, [](AttentionDescription& d) { mask(d, true, false, true); }},
    {"BERT, mask of floats", 8, 12, 12, 128, 128, 64,
     [](AttentionDescription& d) { mask(d, true, true, true), d.maskType = kFloat; }},
    {"BERT, one mask for all", 8, 12, 12, 128, 128, 64, [](AttentionDescription& d) { mask(d, false, false, true); }},
    {"BERT, mask, 77 rows", 2, 12, 12, 77, 77, 64, [](AttentionDescription& d) { mask(d, true, false, true); }},
    {"BERT, key lengths", 8, 12, 12, 128, 128, 64,
     [](AttentionDescription& d) { headsInside(d), d.keyLengths = true; }},
    {"BERT, key lengths and mask", 8, 12, 12, 128, 128, 64,
     [](AttentionDescription& d) { d.keyLengths = true, mask(d, false, true, true); }},
    {"GPT-2, first tokens", 1, 12, 12, 256, 256, 64, [](AttentionDescription& d) { packed(d), d.causal = true; }},
    {"GPT-2, first tokens, mask", 1, 12, 12, 256, 256, 64,
     [](AttentionDescription& d) { d.causal = true, mask(d, true, false, true); }},
    {"GPT-2, top left", 1, 12, 12, 64, 256, 64,
     [](AttentionDescription& d) { d.causal = true, d.causalFromEnd = false; }},
    {"GPT-2, more tokens after a cache", 1, 12, 12, 64, 320, 64, [](AttentionDescription& d) { d.causal = true; }},
    {"GPT-2, one token after a cache", 1, 12, 12, 1, 257, 64, [](AttentionDescription&) {}},
    {"Llama, grouped heads", 1, 32, 8, 512, 512, 128, [](AttentionDescription& d) { headsInside(d), d.causal = true; }},
    {"Llama, grouped heads after a cache", 1, 32, 8, 128, 640, 128, [](AttentionDescription& d) { d.causal = true; }},
    {"Llama, one token after a cache", 1, 32, 8, 1, 641, 128, [](AttentionDescription&) {}},
    {"Llama, window", 1, 32, 8, 512, 512, 128, [](AttentionDescription& d) { d.causal = true, d.window = 127; }},
    {"Llama, window after a cache", 1, 32, 8, 128, 640, 128,
     [](AttentionDescription& d) { d.causal = true, d.window = 127; }},
    {"ViT", 1, 12, 12, 197, 197, 64, [](AttentionDescription& d) { headsInside(d); }},
    {"cross attention", 2, 8, 8, 64, 77, 40, [](AttentionDescription& d) { headsInside(d); }},
};

template <typename Description, typename Make>
void planAndRestore(const Description& description, Make make) {
  MapStore store;
  std::unique_ptr<Operation> planned, restored;
  const Status status = make(kDevice, description, store, planned);
  QVERIFY2(status.ok(), status.text.c_str());
  QCOMPARE(store.size(), size_t{1});
  store.seal();
  const Status again = make(kDevice, description, store, restored);
  QVERIFY2(again.ok(), again.text.c_str());
  QCOMPARE(restored->variant(), planned->variant());
  QCOMPARE(restored->workspaceBytes(), planned->workspaceBytes());
  qInfo("%s, workspace %zu bytes", std::string(planned->variant()).c_str(), planned->workspaceBytes());
}

struct NamedLayer {
  const char* name;
  Layer layer;
  Epilogue epilogue;
};
const Epilogue kNothing{}, kBias{true, false, Activation::kNone, 0, 0}, kBiasRelu{true, false, Activation::kRelu, 0, 0},
    kBiasClip{true, false, Activation::kClip, 0, 6};
const NamedLayer kLayers[] = {
    {"ResNet stem", {3, 224, 64, 7, 2, 3, 1, 1}, kBiasRelu},
    {"ResNet 3x3", {64, 56, 64, 3, 1, 1, 1, 1}, kBiasRelu},
    {"ResNet 3x3, batch 32", {512, 7, 512, 3, 1, 1, 1, 32}, kBiasRelu},
    {"ResNet shortcut", {256, 56, 512, 1, 2, 0, 1, 1}, kBias},
    {"MobileNet depthwise", {96, 112, 96, 3, 2, 1, 96, 1}, kBiasClip},
    {"ResNeXt groups", {128, 56, 128, 3, 1, 1, 32, 1}, kBiasRelu},
    {"U-Net", {128, 128, 64, 3, 1, 1, 1, 1}, kNothing},
    {"ViT patches", {3, 224, 768, 16, 16, 0, 1, 1}, kBias},
};

}  // namespace

class TestCudnnPlans : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    std::string reason;
    QVERIFY2(cudnnVersion(reason).starts_with("9."), reason.c_str());
    // Engines that compile their kernels ask for the driver: where there is none, the toolkit's stub stands in.
    if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL) == nullptr)
      QVERIFY2(dlopen(CUTAWAY_CUDA_TOOLKIT_FOLDER "/stubs/libcuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr, dlerror());
  }

  void convolutions_data() {
    QTest::addColumn<int>("layer");
    QTest::addColumn<int>("type");
    QTest::addColumn<bool>("last");
    for (int layer = 0; layer < static_cast<int>(std::size(kLayers)); ++layer) {
      for (const ElementType type : {kFloat, kHalf, kBrain}) {
        for (const bool last : {true, false})
          QTest::addRow("%s %s %s", kLayers[layer].name, std::string(elementTypeName(type)).c_str(),
                        last ? "last" : "first")
              << layer << static_cast<int>(type) << last;
      }
    }
  }
  void convolutions() {
    QFETCH(int, layer);
    QFETCH(int, type);
    QFETCH(bool, last);
    planAndRestore(convolution(kLayers[layer].layer, static_cast<ElementType>(type), last, kLayers[layer].epilogue),
                   makeCudnnConvolution);
  }

  void fullPrecision() {
    ConvolutionDescription d = convolution(kLayers[1].layer, kFloat, true, kBiasRelu);
    d.math = MathMode::kPrecise;
    planAndRestore(d, makeCudnnConvolution);
  }

  void transposed() {
    for (const ElementType type : {kFloat, kHalf}) {
      ConvolutionDescription d;
      d.channels = 128;
      d.filters = 64;
      d.input = {28, 28, 1};
      d.output = {56, 56, 1};
      d.kernel = d.stride = {2, 2, 1};
      d.channelsLast = d.transposed = true;
      d.type = d.bias = type;
      d.math = type == kFloat ? MathMode::kTf32 : MathMode::kPrecise;
      planAndRestore(d, makeCudnnConvolution);
    }
  }

  void attentions_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<int>("type");
    for (int which = 0; which < static_cast<int>(std::size(kAttentions)); ++which) {
      for (const ElementType type : {kHalf, kBrain}) {
        if (type == kBrain && which > 0) continue;  // the same engines; each row compiles kernels for two seconds
        QTest::addRow("%s, %s", kAttentions[which].name, std::string(elementTypeName(type)).c_str())
            << which << static_cast<int>(type);
      }
    }
  }
  void attentions() {
    QFETCH(int, which);
    QFETCH(int, type);
    const NamedAttention& named = kAttentions[which];
    AttentionDescription d = attention(named.batch, named.heads, named.keyHeads, named.queries, named.keys, named.size,
                                       static_cast<ElementType>(type));
    named.change(d);
    // cuDNN finds an engine and compiles its kernel for the H100; without a driver it gets as far as loading it (the
    // toolkit's stub of the driver refuses everything).
    MapStore store;
    std::unique_ptr<Operation> operation;
    const Status status = makeCudnnAttention(kDevice, d, store, operation);
    QVERIFY2(status.ok() || status.text.find("cuLibraryLoadData") != std::string::npos, status.text.c_str());
  }

  void sealedStoreSearchesNothing() {
    MapStore store;
    store.seal();
    std::unique_ptr<Operation> operation;
    const Status status =
        makeCudnnConvolution(kDevice, convolution(kLayers[1].layer, kHalf, true, kBiasRelu), store, operation);
    QCOMPARE(status.code, StatusCode::kUnsupported);
    QCOMPARE(store.size(), size_t{0});
  }

  void damagedBytesArePlannedAnew() {
    DamagedStore damaged;
    std::unique_ptr<Operation> operation;
    const Status status =
        makeCudnnConvolution(kDevice, convolution(kLayers[1].layer, kHalf, true, kBiasRelu), damaged, operation);
    QVERIFY2(status.ok(), status.text.c_str());
  }

  void refused() {
    MapStore store;
    std::unique_ptr<Operation> operation;
    QCOMPARE(makeCudnnAttention(kDevice, attention(1, 8, 8, 64, 64, 64, kFloat), store, operation).code,
             StatusCode::kUnsupported);
    QCOMPARE(makeCudnnConvolution(kDevice, convolution(kLayers[1].layer, ElementType::kDouble, true, kNothing), store,
                                  operation)
                 .code,
             StatusCode::kUnsupported);
  }
};

QTEST_APPLESS_MAIN(TestCudnnPlans)
#include "tst_cudnn_plans.moc"
