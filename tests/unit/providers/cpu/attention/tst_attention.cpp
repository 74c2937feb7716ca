// The attention operators called with what does not fit: every refusal is INVALID_ARGUMENT and names the operator; and
// a decoding step by hand.

#include <cmath>

#include <QtTest>

#include "tests/unit/providers/cpu/elementwise/operator_call.h"

using namespace cutaway;

namespace {

Tensor zeros(std::initializer_list<int64_t> dims) {
  Tensor tensor = *Tensor::create(ElementType::kFloat, dims);
  std::ranges::fill(tensor.span<float>(), 0.0f);
  return tensor;
}

Tensor integers(std::initializer_list<int64_t> dims, const std::vector<int32_t>& values) {
  return tensorOf<int32_t>(dims, values);
}

// Empty when the call is refused as it should be.
std::string accepted(const OperatorCall& call, const std::vector<Tensor>& inputs) {
  const auto result = tryOperator(call, inputs);
  if (result) return "it ran";
  if (result.error().code != ErrorCode::kInvalidArgument) return describe(result.error());
  return result.error().message.find(call.opType) != std::string::npos
             ? ""
             : "the operator is not named: " + result.error().message;
}

OperatorCall groupQuery(std::vector<Attribute> more = {}) {
  std::vector<Attribute> attributes = {{"num_heads", int64_t{4}}, {"kv_num_heads", int64_t{2}}};
  attributes.insert(attributes.end(), more.begin(), more.end());
  return {
      .opType = "GroupQueryAttention", .domain = "com.microsoft", .version = 1, .attributes = attributes, .outputs = 3};
}

std::vector<Tensor> groupQueryInputs(int32_t length, int32_t total, int64_t past = 4) {
  return {zeros({1, 1, 32}),      zeros({1, 1, 16}),       zeros({1, 1, 16}),     zeros({1, 2, past, 8}),
          zeros({1, 2, past, 8}), integers({1}, {length}), integers({1}, {total})};
}

}  // namespace

#define REFUSED(call, ...)                                   \
  do {                                                       \
    const std::string problem = accepted(call, __VA_ARGS__); \
    QVERIFY2(problem.empty(), problem.c_str());              \
  } while (false)

class TestAttention : public QObject {
  Q_OBJECT

 private slots:
  void standardRefuses();
  void multiHeadRefuses();
  void groupQueryRefuses();
  void projectedRefuses();
  void rotaryRefuses();
  void linearRefuses();
  void oneStepByHand();
  void emptyBatches();
};

void TestAttention::standardRefuses() {
  const OperatorCall call{.opType = "Attention"};
  REFUSED(call, {zeros({1, 3, 2, 4}), zeros({1, 2, 5, 4}), zeros({1, 2, 5, 4})});  // 2 heads do not divide 3
  REFUSED(call, {zeros({1, 2, 2, 4}), zeros({1, 2, 5, 4}), zeros({1, 2, 6, 4})});  // keys without values
  REFUSED(call, {zeros({1, 2, 2, 4}), zeros({1, 2, 5, 4}), zeros({1, 2, 5, 4}),
                 zeros({3, 5})});  // a mask of 3 rows for 2 queries
  REFUSED(call, {zeros({1, 2, 2, 4}), zeros({1, 2, 5, 4}), zeros({1, 2, 5, 4}), Tensor{}, zeros({1, 2, 3, 5}),
                 zeros({1, 2, 3, 4})});
  REFUSED(call, {zeros({1, 2, 2, 4}), zeros({1, 2, 5, 4}), zeros({1, 2, 5, 4}), Tensor{}, Tensor{}, Tensor{},
                 tensorOf<int64_t>({1}, {6})});
  REFUSED(call, {zeros({1, 2, 2, 4}), zeros({1, 2, 5, 4}), zeros({1, 2, 5, 4}), Tensor{}, Tensor{}, Tensor{},
                 tensorOf<int64_t>({1}, {-1})});
}

void TestAttention::multiHeadRefuses() {
  const auto call = [](int64_t heads) {
    return OperatorCall{
        .opType = "MultiHeadAttention", .domain = "com.microsoft", .version = 1, .attributes = {{"num_heads", heads}}};
  };
  REFUSED(call(3), {zeros({1, 2, 8}), zeros({1, 5, 8}), zeros({1, 5, 8})});
  REFUSED(call(0), {zeros({1, 2, 8}), zeros({1, 5, 8}), zeros({1, 5, 8})});
  REFUSED(call(2), {zeros({1, 2, 8}), zeros({1, 5, 8}), zeros({1, 5, 8}), zeros({23})});
  REFUSED(call(2), {zeros({2, 2, 8}), zeros({2, 5, 8}), zeros({2, 5, 8}), Tensor{}, integers({3}, {1, 1, 1})});
  REFUSED(call(2), {zeros({1, 2, 8}), zeros({1, 5, 8}), zeros({1, 5, 8}), Tensor{}, Tensor{}, Tensor{},
                    zeros({1, 2, 3, 3}), zeros({1, 2, 3, 4})});
  REFUSED(call(2), {zeros({1, 2, 8}), zeros({1, 5, 8})});  // keys in no packed form
}

void TestAttention::groupQueryRefuses() {
  REFUSED(groupQuery(), groupQueryInputs(9, 5));   // more tokens than there are
  REFUSED(groupQuery(), groupQueryInputs(-1, 5));  // none at all
  REFUSED(groupQuery(), groupQueryInputs(6, 9));   // after more than the cache holds
  REFUSED(groupQuery(), groupQueryInputs(4, 0));
  REFUSED(groupQuery(), groupQueryInputs(4, 2147483647));
  REFUSED(groupQuery({{"do_rotary", int64_t{1}}}), groupQueryInputs(4, 5));  // without caches of angles
  REFUSED(groupQuery({{"qk_output", int64_t{3}}}), groupQueryInputs(4, 5));
  REFUSED(groupQuery({{"local_window_size", int64_t{2}}, {"causal", int64_t{0}}}), groupQueryInputs(4, 5));
  std::vector<Tensor> inputs = groupQueryInputs(4, 5);
  inputs[4] = zeros({1, 2, 3, 8});
  REFUSED(groupQuery(), inputs);
  inputs = groupQueryInputs(4, 5);
  inputs[3] = inputs[4] = *Tensor::create(ElementType::kInt8, {1, 2, 4, 8});
  REFUSED(groupQuery(), inputs);  // a quantised cache without the attributes that say so
}

void TestAttention::projectedRefuses() {
  const OperatorCall call{
      .opType = "Attention", .domain = "com.microsoft", .version = 1, .attributes = {{"num_heads", int64_t{2}}}};
  REFUSED(call, {zeros({1, 3, 4}), zeros({5, 24}), zeros({24})});
  REFUSED(call, {zeros({1, 3, 4}), zeros({4, 25}), zeros({25})});
  REFUSED(call, {zeros({1, 3, 4}), zeros({4, 24}), zeros({24}), integers({1, 4}, {1, 1, 1, 1})});
  REFUSED(call, {zeros({1, 3, 4}), zeros({4, 24}), zeros({24}), Tensor{}, zeros({2, 1, 2, 5, 3})});
}

void TestAttention::rotaryRefuses() {
  const OperatorCall call{.opType = "RotaryEmbedding"};
  REFUSED(call, {zeros({1, 2, 3, 8}), zeros({5, 4}), zeros({5, 4}), tensorOf<int64_t>({1, 3}, {0, 1, 5})});
  REFUSED(call, {zeros({1, 2, 3, 8}), zeros({5, 4}), zeros({5, 4}), tensorOf<int64_t>({1, 3}, {0, 1, -1})});
  REFUSED(call, {zeros({1, 2, 3, 8}), zeros({5, 3}), zeros({5, 3}), tensorOf<int64_t>({1, 3}, {0, 1, 2})});
}

void TestAttention::linearRefuses() {
  const auto call = [](int64_t heads) {
    return OperatorCall{
        .opType = "LinearAttention",
        .domain = "com.microsoft",
        .version = 1,
        .attributes = {{"q_num_heads", heads}, {"kv_num_heads", int64_t{2}}, {"update_rule", std::string("linear")}},
        .outputs = 2};
  };
  REFUSED(call(2), {zeros({1, 2, 8}), zeros({1, 2, 8}), zeros({1, 2, 8}), zeros({1, 2, 4, 3})});
}

// Two keys, one head of one channel: shares e^1 and e^2 of values 10 and 20.
void TestAttention::oneStepByHand() {
  const Tensor y = callOperator({.opType = "Attention", .attributes = {{"scale", 1.0f}}},
                                {tensorOf<float>({1, 1, 1, 1}, {1.0f}), tensorOf<float>({1, 1, 2, 1}, {1.0f, 2.0f}),
                                 tensorOf<float>({1, 1, 2, 1}, {10.0f, 20.0f})});
  const double expected = (10.0 * std::exp(1.0) + 20.0 * std::exp(2.0)) / (std::exp(1.0) + std::exp(2.0));
  QVERIFY(std::fabs(static_cast<double>(valuesOf<float>(y).at(0)) - expected) < 1e-5);
}

void TestAttention::emptyBatches() {
  QVERIFY(tryOperator({.opType = "Attention"}, {zeros({0, 2, 3, 4}), zeros({0, 2, 5, 4}), zeros({0, 2, 5, 4})})
              .has_value());
  QVERIFY(tryOperator({.opType = "Attention"}, {zeros({1, 2, 0, 4}), zeros({1, 2, 5, 4}), zeros({1, 2, 5, 4})})
              .has_value());
  const Tensor none =
      callOperator({.opType = "Attention"}, {zeros({1, 1, 1, 4}), zeros({1, 1, 0, 4}), zeros({1, 1, 0, 4})});
  for (const float value : valuesOf<float>(none))
    QCOMPARE(value, 0.0f);
  QCOMPARE(none.elementCount(), int64_t{4});
}

QTEST_GUILESS_MAIN(TestAttention)
#include "tst_attention.moc"
