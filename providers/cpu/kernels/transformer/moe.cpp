// com.microsoft MoE and QMoE: a router picks k experts for every token, each expert is two (gated: three) matrix
// products with an activation between, and their results are mixed.
//
// Mixing weights are the softmax of the router's logits at the picked experts, divided by their sum on request. Tokens
// are gathered by expert, so that each expert's weights are read (and unpacked) once a run and its products are matrix
// by matrix (oneDNN). gelu is the tanh form, as in onnxruntime.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/base/parallel.h"
#include "engine/math/matrix_product.h"
#include "providers/cpu/kernels/elementwise/pointwise.h"
#include "providers/cpu/kernels/normalization/norm_row.h"
#include "providers/cpu/kernels/transformer/expert_weights.h"
#include "providers/cpu/kernels/type_lists.h"

namespace cutaway::cpu {
namespace {

enum class Activation { kRelu, kGelu, kSilu, kIdentity, kSwiGlu };

struct Rule {
  int64_t k = 1;
  Activation activation = Activation::kRelu;
  int64_t fusion = 0;  // of SwiGLU: 0 two products, 1 interleaved, 2 side by side
  bool normalize = false, quantized = false;
  float alpha = 1.0f, beta = 0.0f, limit = std::numeric_limits<float>::infinity();
  int64_t blockSize = 0;
  std::array<int, 3> bits = {4, 4, 4};

  bool gated() const { return activation == Activation::kSwiGlu; }
};

struct Slots {
  std::array<size_t, 3> weights, scales, bias, zeros;
  size_t routerWeights;
};
constexpr size_t kNone = 1000;
constexpr Slots kPlain{{2, 4, 6}, {kNone, kNone, kNone}, {3, 5, 7}, {kNone, kNone, kNone}, kNone};
constexpr Slots kPacked{{2, 5, 8}, {3, 6, 9}, {4, 7, 10}, {11, 12, 13}, 14};

struct Pick {
  int64_t token;
  float weight;
};

class MixtureOfExperts final : public Kernel {
 public:
  explicit MixtureOfExperts(Rule rule) : m_rule(rule), m_slots(rule.quantized ? kPacked : kPlain) {}
  std::string_view variant() const override { return "onednn:gemm"; }

  Result<void> run(KernelContext& context) const override {
    const Tensor &x = *context.input(0), &router = *context.input(1);
    const std::span<const int64_t> dims = x.dims();
    if (dims.size() != 2 && dims.size() != 3)
      return fail(ErrorCode::kInvalidArgument, "MoE: the input must have rank 2 or 3, it is {}", dimsToText(dims));
    const int64_t width = dims.back(), tokens = elementCount(dims.first(dims.size() - 1));
    if (router.rank() != 2 || router.dims()[0] != tokens || router.dims()[1] < m_rule.k || router.type() != x.type())
      return fail(ErrorCode::kInvalidArgument, "MoE: router_probs are {}, there are {} tokens and k is {}",
                  dimsToText(router.dims()), tokens, m_rule.k);
    const int64_t experts = router.dims()[1];
    std::array<ExpertWeights, 3> layers;
    CUTAWAY_CHECK(openLayers(context, experts, width, layers));
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    if (tokens == 0 || width == 0) return {};
    const int64_t hidden = layers[0].rows, inner = layers[1].depth, picks = tokens * m_rule.k;
    const int64_t weightFloats = std::max({layers[0].floats(), layers[1].floats(), layers[2].floats()});
    const int64_t floats = 2 * tokens * width + tokens * (width + 2 * hidden + inner) + weightFloats +
                           tokens * experts + experts + std::max(hidden, width);
    CUTAWAY_TRY(
        std::span<std::byte> scratch,
        context.scratch(static_cast<size_t>(floats) * sizeof(float) + static_cast<size_t>(picks) * sizeof(Pick) +
                        static_cast<size_t>(experts + 1 + picks) * sizeof(int64_t)));
    auto* at = reinterpret_cast<float*>(scratch.data() + static_cast<size_t>(picks) * sizeof(Pick) +
                                        static_cast<size_t>(experts + 1 + picks) * sizeof(int64_t));
    const auto take = [&at](int64_t count) { return std::exchange(at, at + count); };
    Memory memory{.input = take(tokens * width),
                  .result = take(tokens * width),
                  .gathered = take(tokens * width),
                  .first = take(tokens * hidden),
                  .second = take(tokens * hidden),
                  .active = take(tokens * inner),
                  .weights = take(weightFloats),
                  .logits = take(tokens * experts),
                  .chances = take(experts),
                  .bias = take(std::max(hidden, width)),
                  .picks = reinterpret_cast<Pick*>(scratch.data()),
                  .starts = reinterpret_cast<int64_t*>(scratch.data() + static_cast<size_t>(picks) * sizeof(Pick))};
    if (!widenTo(x, memory.input) || !widenTo(router, memory.logits))
      return fail(ErrorCode::kInvalidArgument, "MoE: inputs must be floats");
    CUTAWAY_CHECK(route(context, tokens, experts, memory));
    std::fill_n(memory.result, tokens * width, 0.0f);
    for (int64_t expert = 0; expert < experts; ++expert) {
      const std::span<const Pick> chosen(memory.picks + memory.starts[expert],
                                         static_cast<size_t>(memory.starts[expert + 1] - memory.starts[expert]));
      if (!chosen.empty()) CUTAWAY_CHECK(runExpert(layers, expert, width, chosen, memory));
    }
    narrowTo(memory.result, *y);
    return {};
  }

 private:
  struct Memory {
    float *input, *result, *gathered, *first, *second, *active, *weights, *logits, *chances, *bias;
    Pick* picks;
    int64_t* starts;  // of each expert's picks; behind them a choice for every pick
  };

  Result<void> openLayers(KernelContext& context, int64_t experts, int64_t width,
                          std::array<ExpertWeights, 3>& layers) const {
    const bool fused = m_rule.gated() && m_rule.fusion != 0, three = m_rule.gated() && !fused;
    const auto open = [&](size_t layer) {
      return openExpertWeights(context,
                               {.weights = m_slots.weights[layer],
                                .scales = m_slots.scales[layer],
                                .bias = m_slots.bias[layer],
                                .zeros = m_slots.zeros[layer],
                                .quantized = m_rule.quantized,
                                .bits = m_rule.bits[layer],
                                .blockSize = m_rule.blockSize},
                               experts);
    };
    CUTAWAY_TRY(layers[0], open(0));
    CUTAWAY_TRY(layers[1], open(1));
    if (three) {
      CUTAWAY_TRY(layers[2], open(2));
    }
    const int64_t inner = fused ? layers[0].rows / 2 : layers[0].rows;
    const bool fits = layers[0].depth == width && layers[1].rows == width && layers[1].depth == inner &&
                      (!fused || layers[0].rows % 2 == 0) &&
                      (!three || (layers[2].rows == inner && layers[2].depth == width));
    if (!fits)
      return fail(ErrorCode::kInvalidArgument, "MoE: experts of {}x{} and {}x{} do not fit a hidden size of {}",
                  layers[0].rows, layers[0].depth, layers[1].rows, layers[1].depth, width);
    return {};
  }

  // The k likeliest experts of each token (the first of equals), sorted by expert.
  Result<void> route(KernelContext& context, int64_t tokens, int64_t experts, Memory& memory) const {
    const Tensor* given = m_slots.routerWeights < context.inputCount() ? context.input(m_slots.routerWeights) : nullptr;
    if (given != nullptr && (given->elementCount() != tokens * experts || given->type() != context.input(0)->type()))
      return fail(ErrorCode::kInvalidArgument, "MoE: router_weights are {}, not [{},{}]", dimsToText(given->dims()),
                  tokens, experts);
    int64_t* choices = memory.starts + experts + 1;
    std::fill_n(memory.starts, experts + 1, int64_t{0});
    for (int64_t token = 0; token < tokens; ++token) {
      const float* logits = memory.logits + token * experts;
      int64_t* chosen = choices + token * m_rule.k;
      for (int64_t i = 0; i < m_rule.k; ++i) {
        int64_t best = -1;
        for (int64_t expert = 0; expert < experts; ++expert) {
          if (std::find(chosen, chosen + i, expert) == chosen + i && (best < 0 || logits[expert] > logits[best]))
            best = expert;
        }
        chosen[i] = best;
        ++memory.starts[best + 1];
      }
    }
    std::partial_sum(memory.starts, memory.starts + experts + 1, memory.starts);
    if (given == nullptr) {
      for (int64_t token = 0; token < tokens; ++token)
        softmax(memory.logits + token * experts, experts);
    } else {
      widenTo(*given, memory.logits);
    }
    // Filled from the back of each expert's part; starts end where they began.
    for (int64_t token = tokens; token-- > 0;) {
      const float* chances = memory.logits + token * experts;
      const int64_t* chosen = choices + token * m_rule.k;
      float sum = 0;
      for (int64_t i = 0; i < m_rule.k; ++i)
        sum += chances[chosen[i]];
      const float factor = m_rule.normalize && sum > 0 ? 1.0f / sum : 1.0f;
      for (int64_t i = 0; i < m_rule.k; ++i)
        memory.picks[--memory.starts[chosen[i] + 1]] = {token, chances[chosen[i]] * factor};
    }
    for (int64_t expert = 0; expert < experts; ++expert)
      memory.starts[expert] = memory.starts[expert + 1];
    memory.starts[experts] = tokens * m_rule.k;
    return {};
  }

  static void softmax(float* values, int64_t count) {
    const float largest = *std::max_element(values, values + count);
    double sum = 0;
    for (int64_t i = 0; i < count; ++i)
      sum += values[i] = std::exp(values[i] - largest);
    for (int64_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(values[i] / sum);
  }

  static Result<void> product(const ExpertWeights& layer, int64_t expert, int64_t rows, const float* a, Memory& memory,
                              float* y) {
    const float* weights = layer.expand(expert, memory.weights);
    CUTAWAY_CHECK(
        math::multiply({.rows = rows, .columns = layer.rows, .depth = layer.depth, .transposeB = true}, a, weights, y));
    if (layer.bias == nullptr) return {};
    layer.expandBias(expert, memory.bias);
    for (int64_t row = 0; row < rows; ++row)
      addRows(y + row * layer.rows, memory.bias, nullptr, y + row * layer.rows, layer.rows);
    return {};
  }

  Result<void> runExpert(const std::array<ExpertWeights, 3>& layers, int64_t expert, int64_t width,
                         std::span<const Pick> picks, Memory& memory) const {
    const int64_t rows = static_cast<int64_t>(picks.size()), inner = layers[1].depth;
    for (int64_t row = 0; row < rows; ++row)
      std::copy_n(memory.input + picks[static_cast<size_t>(row)].token * width, width, memory.gathered + row * width);
    CUTAWAY_CHECK(product(layers[0], expert, rows, memory.gathered, memory, memory.first));
    const float* active = memory.first;
    if (m_rule.gated()) {
      if (m_rule.fusion == 0) CUTAWAY_CHECK(product(layers[2], expert, rows, memory.gathered, memory, memory.second));
      gate(rows, inner, memory);
      active = memory.active;
    } else {
      activate(memory.first, rows * inner);
    }
    CUTAWAY_CHECK(product(layers[1], expert, rows, active, memory, memory.gathered));
    for (int64_t row = 0; row < rows; ++row) {
      const Pick pick = picks[static_cast<size_t>(row)];
      float* to = memory.result + pick.token * width;
      for (int64_t i = 0; i < width; ++i)
        to[i] += pick.weight * memory.gathered[row * width + i];
    }
    return {};
  }

  void activate(float* values, int64_t count) const {
    using Op = cpu::PointwiseOp;
    if (m_rule.activation == Activation::kIdentity) return;
    const Op op = m_rule.activation == Activation::kRelu   ? Op::kRelu
                  : m_rule.activation == Activation::kGelu ? Op::kGeluTanh
                                                           : Op::kSwish;
    const cpu::FloatLoop loop = cpu::floatLoop(op);
    parallelFor(count, 8192,
                [&](int64_t begin, int64_t end) { loop(values + begin, values + begin, end - begin, {.alpha = 1.0}); });
  }

  // min(g, limit) * sigmoid(alpha g) * (clamp(l) + beta).
  void gate(int64_t rows, int64_t inner, Memory& memory) const {
    const cpu::FloatLoop swish = cpu::floatLoop(cpu::PointwiseOp::kSwish);
    parallelFor(rows, std::max<int64_t>(1, 8192 / std::max<int64_t>(inner, 1)), [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        float* to = memory.active + row * inner;
        const float* both = memory.first + row * inner * (m_rule.fusion == 0 ? 1 : 2);
        const int64_t step = m_rule.fusion == 1 ? 2 : 1;
        const float* linear = m_rule.fusion == 0   ? memory.second + row * inner
                              : m_rule.fusion == 1 ? both + 1
                                                   : both + inner;
        for (int64_t i = 0; i < inner; ++i)
          to[i] = std::min(both[i * step], m_rule.limit);
        swish(to, to, inner, {.alpha = static_cast<double>(m_rule.alpha)});
        for (int64_t i = 0; i < inner; ++i)
          to[i] *= std::clamp(linear[i * step], -m_rule.limit, m_rule.limit) + m_rule.beta;
      }
    });
  }

  Rule m_rule;
  const Slots& m_slots;
};

Result<Activation> activationOf(const KernelInfo& info) {
  const std::string name = info.attribute<std::string>("activation_type", "relu");
  if (name == "relu") return Activation::kRelu;
  if (name == "gelu") return Activation::kGelu;
  if (name == "silu") return Activation::kSilu;
  if (name == "identity") return Activation::kIdentity;
  if (name == "swiglu") return Activation::kSwiGlu;
  return fail(ErrorCode::kInvalidArgument, "{}: unknown activation '{}'", info.node().opType, name);
}

Result<void> readQuantization(const KernelInfo& info, Rule& rule) {
  const std::string kind = info.attribute<std::string>("quant_type", "int");
  if (kind != "int") return fail(ErrorCode::kNotImplemented, "QMoE of weights of kind '{}'", kind);
  if (info.attribute<int64_t>("weights_prepacked", -1) > 0)
    return fail(ErrorCode::kNotImplemented, "QMoE of weights packed for another device");
  const int64_t bits = info.attribute<int64_t>("expert_weight_bits", 4);
  static constexpr std::string_view kNames[3] = {"fc1_expert_weight_bits", "fc2_expert_weight_bits",
                                                 "fc3_expert_weight_bits"};
  for (size_t layer = 0; layer < 3; ++layer) {
    const int64_t own = info.attribute<int64_t>(kNames[layer], bits);
    if (own != 2 && own != 4 && own != 8)
      return fail(ErrorCode::kInvalidArgument, "QMoE: {} bits; 2, 4 and 8 are known", own);
    rule.bits[layer] = static_cast<int>(own);
  }
  rule.blockSize = info.attribute<int64_t>("block_size", 0);
  return {};
}

Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
  Rule rule{.k = info.attribute<int64_t>("k", 1),
            .fusion = info.attribute<int64_t>("swiglu_fusion", 0),
            .normalize = info.attribute<int64_t>("normalize_routing_weights", 0) != 0,
            .quantized = info.node().opType == "QMoE",
            .alpha = info.attribute<float>("activation_alpha", 1.0f),
            .beta = info.attribute<float>("activation_beta", 0.0f),
            .limit = info.attribute<float>("swiglu_limit", std::numeric_limits<float>::infinity())};
  CUTAWAY_TRY(rule.activation, activationOf(info));
  if (rule.k < 1) return fail(ErrorCode::kInvalidArgument, "{}: k is {}", info.node().opType, rule.k);
  if (rule.fusion < 0 || rule.fusion > 2 || !(rule.limit >= 0))
    return fail(ErrorCode::kInvalidArgument, "{}: swiglu_fusion is {}, swiglu_limit {}", info.node().opType,
                rule.fusion, rule.limit);
  if (info.attribute<int64_t>("use_sparse_mixer", 0) != 0)
    return fail(ErrorCode::kNotImplemented, "{} with a sparse mixer", info.node().opType);
  if (rule.quantized) CUTAWAY_CHECK(readQuantization(info, rule));
  const Slots& slots = rule.quantized ? kPacked : kPlain;
  const bool third = info.hasInput(slots.weights[2]);
  if (third != (rule.gated() && rule.fusion == 0))
    return fail(ErrorCode::kNotImplemented, "{}: fc3 weights go with swiglu that is not fused, and only with it",
                info.node().opType);
  for (size_t layer = 0; layer < (third ? 3u : 2u); ++layer) {
    if (!info.hasInput(slots.weights[layer]) || (rule.quantized && !info.hasInput(slots.scales[layer])))
      return fail(ErrorCode::kInvalidArgument, "{} lacks weights or scales", info.node().opType);
  }
  return std::make_unique<MixtureOfExperts>(rule);
}

constexpr ElementType kInputs[] = {ElementType::kFloat, ElementType::kFloat16, ElementType::kBfloat16};
constexpr TypeRule kRules[] = {{0, kInputs}};

constexpr KernelRow kRows[] = {
    {.opType = "MoE",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .fastPath = "onednn",
     .create = create},
    {.opType = "QMoE",
     .domain = "com.microsoft",
     .versions = {1},
     .types = kRules,
     .fastPath = "onednn",
     .create = create},
};

}  // namespace

KernelRows kernel_moe() {
  return kRows;
}

}  // namespace cutaway::cpu
