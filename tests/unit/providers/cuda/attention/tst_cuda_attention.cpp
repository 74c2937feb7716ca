// Attention kernels on the emulator against the cpu provider: by its library and by the functors, with blocks of
// one thread and of the device's.
#include <QtTest/QtTest>

#include "tests/unit/providers/cuda/cuda_case.h"

using namespace cutaway;
using namespace cutaway::testing;

namespace {

using Dims4 = std::vector<int64_t>;
constexpr ElementType kF = ElementType::kFloat;

Tensor random(const Dims4& dims, uint32_t seed, ElementType type = kF) {
  return randomOf(type, dims, seed);
}
Tensor ints(const Dims4& dims, const std::vector<double>& values) {
  return tensorOf(ElementType::kInt32, dims, values);
}

struct Named {
  const char* name;
  CudaCase each;
};

using Inputs = std::vector<std::pair<std::string, Tensor>>;

Named standard(const char* name, const std::string& nodes, Inputs inputs, const std::string& outputs = "float y") {
  return {name, {.nodes = nodes, .inputs = std::move(inputs), .outputs = outputs, .opset = 24}};
}

Named microsoft(const char* name, const std::string& nodes, Inputs inputs, const std::string& outputs = "float y") {
  return {name, {.nodes = nodes, .inputs = std::move(inputs), .outputs = outputs, .domains = {{"com.microsoft", 1}}}};
}

std::vector<Named> standardCases() {
  return {
      standard("plain", "y = Attention (q, k, v)",
               {{"q", random({2, 3, 5, 8}, 1)}, {"k", random({2, 3, 7, 8}, 2)}, {"v", random({2, 3, 7, 6}, 3)}}),
      standard("grouped, causal, capped", "y = Attention <is_causal = 1, softcap = 2.0> (q, k, v)",
               {{"q", random({1, 6, 9, 16}, 1)}, {"k", random({1, 2, 9, 16}, 2)}, {"v", random({1, 2, 9, 16}, 3)}}),
      standard("bool mask", "y = Attention (q, k, v, m)",
               {{"q", random({2, 2, 4, 8}, 1)},
                {"k", random({2, 2, 6, 8}, 2)},
                {"v", random({2, 2, 6, 8}, 3)},
                {"m", randomOf(ElementType::kBool, {4, 6}, 4)}}),
      standard("float mask, inside heads", "y = Attention <q_num_heads = 4, kv_num_heads = 2> (q, k, v, m)",
               {{"q", random({2, 5, 32}, 1)},
                {"k", random({2, 6, 16}, 2)},
                {"v", random({2, 6, 16}, 3)},
                {"m", random({2, 4, 5, 6}, 4)}}),
      standard("past and present", "y, pk, pv = Attention <is_causal = 1> (q, k, v, \"\", a, b)",
               {{"q", random({1, 2, 3, 8}, 1)},
                {"k", random({1, 2, 3, 8}, 2)},
                {"v", random({1, 2, 3, 8}, 3)},
                {"a", random({1, 2, 5, 8}, 4)},
                {"b", random({1, 2, 5, 8}, 5)}},
               "float y, float pk, float pv"),
      standard("half", "y = Attention <is_causal = 1> (q, k, v)",
               {{"q", random({1, 2, 40, 64}, 1, ElementType::kFloat16)},
                {"k", random({1, 2, 40, 64}, 2, ElementType::kFloat16)},
                {"v", random({1, 2, 40, 64}, 3, ElementType::kFloat16)}},
               "float16 y"),
      standard(
          "one query, many keys", "y = Attention (q, k, v)",
          {{"q", random({1, 2, 1, 32}, 1)}, {"k", random({1, 1, 2000, 32}, 2)}, {"v", random({1, 1, 2000, 32}, 3)}}),
      standard(
          "wide heads", "y = Attention (q, k, v)",
          {{"q", random({1, 1, 3, 256}, 1)}, {"k", random({1, 1, 70, 256}, 2)}, {"v", random({1, 1, 70, 256}, 3)}}),
      standard("rotary", "y = RotaryEmbedding (x, c, s, p)",
               {{"x", random({2, 3, 4, 8}, 1)},
                {"c", random({9, 4}, 2)},
                {"s", random({9, 4}, 3)},
                {"p", tensorOf(ElementType::kInt64, {2, 4}, {0, 1, 2, 8, 5, 5, 3, 1})}}),
      standard("rotary, part, interleaved",
               "y = RotaryEmbedding <num_heads = 2, rotary_embedding_dim = 4, interleaved = 1> (x, c, s)",
               {{"x", random({2, 3, 12}, 1)}, {"c", random({2, 3, 2}, 2)}, {"s", random({2, 3, 2}, 3)}})};
}

std::vector<Named> microsoftCases() {
  return {microsoft("rotary of com.microsoft", "y = com.microsoft.RotaryEmbedding (x, p, c, s)",
                    {{"x", random({2, 3, 4, 8}, 1)},
                     {"p", tensorOf(ElementType::kInt64, {1}, {2})},
                     {"c", random({9, 4}, 2)},
                     {"s", random({9, 4}, 3)}}),
          microsoft("multi-head, bias, mask", "y = com.microsoft.MultiHeadAttention <num_heads = 2> (q, k, v, b, m)",
                    {{"q", random({2, 3, 16}, 1)},
                     {"k", random({2, 5, 16}, 2)},
                     {"v", random({2, 5, 16}, 3)},
                     {"b", random({48}, 4)},
                     {"m", ints({2, 5}, {1, 1, 1, 0, 0, 1, 1, 1, 1, 1})}}),
          microsoft("multi-head, ends, score bias",
                    "y = com.microsoft.MultiHeadAttention <num_heads = 2, unidirectional = 1> (q, k, v, \"\", m, s)",
                    {{"q", random({2, 5, 16}, 1)},
                     {"k", random({2, 5, 16}, 2)},
                     {"v", random({2, 5, 8}, 3)},
                     {"m", ints({2}, {3, 5})},
                     {"s", random({1, 2, 5, 5}, 4)}}),
          microsoft("multi-head, packed", "y = com.microsoft.MultiHeadAttention <num_heads = 2> (q)",
                    {{"q", random({2, 5, 2, 3, 8}, 1)}}),
          microsoft("multi-head, past",
                    "y, a, b = com.microsoft.MultiHeadAttention <num_heads = 2> (q, k, v, \"\", \"\", \"\", pk, pv)",
                    {{"q", random({2, 1, 16}, 1)},
                     {"k", random({2, 1, 16}, 2)},
                     {"v", random({2, 1, 16}, 3)},
                     {"pk", random({2, 2, 4, 8}, 4)},
                     {"pv", random({2, 2, 4, 8}, 5)}},
                    "float y, float a, float b"),
          microsoft("projected", "y = com.microsoft.Attention <num_heads = 2> (x, w, b, m)",
                    {{"x", random({2, 4, 12}, 1)},
                     {"w", random({12, 24}, 2)},
                     {"b", random({24}, 3)},
                     {"m", ints({2, 4}, {1, 1, 0, 0, 1, 1, 1, 1})}}),
          microsoft("projected, past",
                    "y, z = com.microsoft.Attention <num_heads = 2, unidirectional = 1> (x, w, b, \"\", p)",
                    {{"x", random({2, 1, 12}, 1)},
                     {"w", random({12, 24}, 2)},
                     {"b", random({24}, 3)},
                     {"p", random({2, 2, 2, 3, 4}, 4)}},
                    "float y, float z")};
}

Named groupedCase(const char* name, const std::string& attributes, int64_t sequence, int64_t held,
                  std::vector<double> lengths, double total) {
  const auto batch = static_cast<int64_t>(lengths.size());
  return microsoft(name,
                   "y, a, b = com.microsoft.GroupQueryAttention <num_heads = 4, kv_num_heads = 2" + attributes +
                       "> (q, k, v, pk, pv, n, t, c, s)",
                   {{"q", random({batch, sequence, 32}, 1)},
                    {"k", random({batch, sequence, 16}, 2)},
                    {"v", random({batch, sequence, 16}, 3)},
                    {"pk", random({batch, 2, held, 8}, 4)},
                    {"pv", random({batch, 2, held, 8}, 5)},
                    {"n", ints({batch}, lengths)},
                    {"t", ints({1}, {total})},
                    {"c", random({16, 4}, 6)},
                    {"s", random({16, 4}, 7)}},
                   "float y, float a, float b");
}

std::vector<Named> groupedCases() {
  return {groupedCase("grouped, first", "", 5, 5, {4, 4}, 5),
          groupedCase("grouped, step", ", do_rotary = 1", 1, 6, {6, 6}, 7),
          groupedCase("grouped, window, cap",
                      ", do_rotary = 1, rotary_interleaved = 1, local_window_size = 3, softcap = 1.5", 1, 6, {6, 6}, 7),
          microsoft("embedding",
                    "y, n, s = com.microsoft.EmbedLayerNormalization <epsilon = 0.00001> (i, g, w, p, t, a, b, m)",
                    {{"i", ints({2, 3}, {0, 4, 6, 1, 2, 3})},
                     {"g", ints({2, 3}, {0, 1, 0, 1, 1, 0})},
                     {"w", random({7, 40}, 1)},
                     {"p", random({5, 40}, 2)},
                     {"t", random({2, 40}, 3)},
                     {"a", random({40}, 4)},
                     {"b", random({40}, 5)},
                     {"m", ints({2, 3}, {1, 1, 0, 1, 0, 0})}},
                    "float y, int32 n, float s")};
}

std::vector<Named> cases() {
  std::vector<Named> all;
  for (std::vector<Named>& each : std::vector{standardCases(), microsoftCases(), groupedCases()})
    std::ranges::move(each, std::back_inserter(all));
  return all;
}

}  // namespace

class TestCudaAttention : public QObject {
  Q_OBJECT
 private slots:
  void sameAsCpu_data() {
    QTest::addColumn<int>("number");
    const std::vector<Named> all = cases();
    for (size_t i = 0; i < all.size(); ++i)
      QTest::newRow(all[i].name) << int(i);
  }
  void sameAsCpu() {
    QFETCH(int, number);
    CudaCase each = cases()[static_cast<size_t>(number)].each;
    for (const char* options :
         {"strict=1", "strict=1,libraries=0", "libraries=0,blocks=forward", "libraries=0,blocks=backward"}) {
      each.options = options;
      QCOMPARE(QString(options) + ": " + QString::fromStdString(differenceOf(each)), QString(options) + ": ");
    }
  }
  void refused() {
    const CudaCase each{
        .nodes = "y, a, b, s = Attention (q, k, v)",
        .inputs = {{"q", random({1, 1, 2, 4}, 1)}, {"k", random({1, 1, 2, 4}, 2)}, {"v", random({1, 1, 2, 4}, 3)}},
        .outputs = "float y, float a, float b, float s",
        .opset = 24};
    QVERIFY2(differenceOf(each).find("qk_matmul_output") != std::string::npos, differenceOf(each).c_str());
  }
};

QTEST_GUILESS_MAIN(TestCudaAttention)
#include "tst_cuda_attention.moc"
