#include "tests/unit/engine/session/plain_cpu.h"

#include <cmath>
#include <cstring>

#include <QTemporaryDir>

#include "engine/base/parallel.h"
#include "engine/graph/text.h"
#include "engine/stages/load/save.h"
#include "tests/provider/test_provider.h"

namespace cutaway {
namespace {

// Eight numbers a part, and each part in a loop of its own: loops within loops on the pool, as little as there is to
// do.
template <typename Each>
void forEachNumber(size_t count, Each&& each) {
  parallelFor(static_cast<int64_t>(count), 8, [&](int64_t begin, int64_t end) {
    parallelFor(end - begin, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = begin + first; i < begin + last; ++i)
        each(static_cast<size_t>(i));
    });
  });
}

template <float (*function)(float)>
class Unary final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor* x = context.input(0);
    CUTAWAY_TRY(Tensor * y, context.output(0, x->dims()));
    const auto from = x->span<float>();
    const auto to = y->span<float>();
    forEachNumber(from.size(), [&](size_t i) { to[i] = function(from[i]); });
    return {};
  }
};

template <float (*function)(float, float)>
class Binary final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor *a = context.input(0), *b = context.input(1);
    CUTAWAY_TRY(Tensor * y, context.output(0, a->dims()));
    const auto left = a->span<float>(), right = b->span<float>();
    const auto to = y->span<float>();
    if (left.size() != right.size())
      return fail(ErrorCode::kInvalidArgument, "{} and {} elements", left.size(), right.size());
    forEachNumber(left.size(), [&](size_t i) { to[i] = function(left[i], right[i]); });
    return {};
  }
};

void move(std::byte* to, const void* from, size_t sizeBytes) {
  if (to != from && sizeBytes > 0) std::memmove(to, from, sizeBytes);
}

class Reshape final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor *x = context.input(0), *wanted = context.input(1);
    std::vector<int64_t> dims(wanted->span<int64_t>().begin(), wanted->span<int64_t>().end());
    int64_t known = 1;
    for (int64_t dim : dims)
      known *= dim < 0 ? 1 : dim;
    for (int64_t& dim : dims)
      if (dim < 0) dim = x->elementCount() / known;
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    move(y->mutableBytes().data(), x->data(), static_cast<size_t>(x->sizeBytes()));
    return {};
  }
};

// Along axis 0.
class Concat final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    Dims dims = context.input(0)->dims();
    dims[0] = 0;
    for (size_t i = 0; i < context.inputCount(); ++i)
      dims[0] += context.input(i)->dims()[0];
    CUTAWAY_TRY(Tensor * y, context.output(0, dims));
    std::byte* to = y->mutableBytes().data();
    for (size_t i = 0; i < context.inputCount(); ++i) {
      const auto bytes = context.input(i)->bytes();
      move(to, bytes.data(), bytes.size());
      to += bytes.size();
    }
    return {};
  }
};

// Along axis 0, in equal parts.
class Split final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    const Tensor* x = context.input(0);
    Dims dims = x->dims();
    dims[0] /= static_cast<int64_t>(context.outputCount());
    const auto* from = static_cast<const std::byte*>(x->data());
    for (size_t i = 0; i < context.outputCount(); ++i) {
      CUTAWAY_TRY(Tensor * y, context.output(i, dims));
      const auto bytes = y->mutableBytes();
      move(bytes.data(), from, bytes.size());
      from += bytes.size();
    }
    return {};
  }
};

// else_branch is the first body: attributes are in the order the text has them, then_branch first.
class If final : public Kernel {
 public:
  Result<void> run(KernelContext& context) const override {
    std::vector<RuntimeValue> outputs;
    CUTAWAY_CHECK(context.bodies().run(context.input(0)->span<bool>()[0] ? 0 : 1, {}, outputs));
    for (size_t i = 0; i < outputs.size(); ++i)
      *context.outputValue(i) = std::move(outputs[i]);
    return {};
  }
};

template <typename Made>
Result<std::unique_ptr<Kernel>> make(const KernelInfo&) {
  return std::make_unique<Made>();
}

float relu(float x) {
  return x > 0 ? x : 0;
}
float tanhOf(float x) {
  return std::tanh(x);
}
float sigmoid(float x) {
  return 1.0f / (1.0f + std::exp(-x));
}
float absolute(float x) {
  return std::fabs(x);
}
float negative(float x) {
  return -x;
}
float softsign(float x) {
  return x / (1.0f + std::fabs(x));
}
float add(float a, float b) {
  return a + b;
}
float subtract(float a, float b) {
  return a - b;
}
float multiply(float a, float b) {
  return a * b;
}
float larger(float a, float b) {
  return a > b ? a : b;
}
float smaller(float a, float b) {
  return a < b ? a : b;
}

constexpr InplaceHint kOverFirst[] = {{0, 0, AliasKind::kMayInplace}};
constexpr InplaceHint kOverEither[] = {{0, 0, AliasKind::kMayInplace}, {1, 0, AliasKind::kMayInplace}};
constexpr InplaceHint kView[] = {{0, 0, AliasKind::kAlias}};
constexpr InplaceHint kJoin[] = {{InplaceHint::kEveryInput, 0, AliasKind::kJoin}};
constexpr InplaceHint kSplit[] = {{0, InplaceHint::kEveryOutput, AliasKind::kSplit}};
constexpr KernelRow kRows[] = {
    {.opType = "Relu", .inplace = kOverFirst, .create = make<Unary<relu>>},
    {.opType = "Tanh", .inplace = kOverFirst, .create = make<Unary<tanhOf>>},
    {.opType = "Sigmoid", .inplace = kOverFirst, .create = make<Unary<sigmoid>>},
    {.opType = "Abs", .inplace = kOverFirst, .create = make<Unary<absolute>>},
    {.opType = "Neg", .inplace = kOverFirst, .create = make<Unary<negative>>},
    {.opType = "Softsign", .inplace = kOverFirst, .create = make<Unary<softsign>>},
    {.opType = "Add", .inplace = kOverEither, .create = make<Binary<add>>},
    {.opType = "Sub", .inplace = kOverEither, .create = make<Binary<subtract>>},
    {.opType = "Mul", .inplace = kOverEither, .create = make<Binary<multiply>>},
    {.opType = "Max", .inplace = kOverEither, .create = make<Binary<larger>>},
    {.opType = "Min", .inplace = kOverEither, .create = make<Binary<smaller>>},
    {.opType = "Reshape", .inplace = kView, .create = make<Reshape>},
    {.opType = "Concat", .inplace = kJoin, .create = make<Concat>},
    {.opType = "Split", .inplace = kSplit, .create = make<Split>},
    {.opType = "If", .create = make<If>},
};

Result<std::unique_ptr<ExecutionProvider>> makePlain(const ProviderRequest&) {
  static constexpr KernelRows tables[] = {kRows};
  static const KernelRegistry kernels(tables);
  TestProviderPlan plan;
  plan.name = "cpu";
  plan.kernels = &kernels;
  plan.answer = [](const CapabilityRequest& request) -> Result<CapabilityAnswer> {
    CapabilityAnswer answer;
    for (const NodeId id : request.free)
      answer.claims.push_back({.subGraph = {.nodes = {id}, .metaDef = std::nullopt}});
    return answer;
  };
  return makeTestProvider(std::move(plan));
}

}  // namespace

ProviderTable plainTable() {
  return {{.name = "cpu", .displayName = "Plain", .description = "", .create = makePlain, .takesTheRest = true}};
}

Result<std::unique_ptr<session::Session>> plainSession(const std::string& text,
                                                       const session::SessionOptions& options) {
  const QTemporaryDir folder;
  const std::filesystem::path path = std::filesystem::path(folder.path().toStdString()) / "model.onnx";
  CUTAWAY_TRY(const Model model, parseModelText(text));
  CUTAWAY_CHECK(load::save(model, path, {}));
  Progress progress;
  return session::Session::create(load::ModelSource::file(path), options, plainTable(), progress);
}

}  // namespace cutaway
