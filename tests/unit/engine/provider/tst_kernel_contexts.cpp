// Contexts outside a session's frame: what a kernel finds when it is called alone, and that nothing is lost on the way
// through a kernel that calls another one.
#include <QtTest/QtTest>

#include "engine/provider/kernel_contexts.h"
#include "engine/provider/provider_run.h"

using namespace cutaway;

namespace {

struct Given final : KernelState {};

// Counts what arrives.
class Outermost final : public KernelContext {
 public:
  using KernelContext::output;
  size_t inputCount() const override { return 3; }
  size_t outputCount() const override { return 2; }
  const RuntimeValue* inputValue(size_t slot) const override { return slot == 1 ? &value : nullptr; }
  Result<Tensor*> output(size_t, std::span<const int64_t>) override { return &value.asTensor(); }
  Result<Tensor*> output(size_t, ElementType, std::span<const int64_t>) override { return &value.asTensor(); }
  RuntimeValue* outputValue(size_t) override { return &value; }
  bool hasOutput(size_t slot) const override { return slot == 1; }
  Result<std::span<std::byte>> scratch(size_t sizeBytes) override {
    return fail(ErrorCode::kFail, "{} bytes asked for", sizeBytes);
  }
  KernelState* state() override { return &given; }
  BodyRunner& bodies() override { return noBodies; }
  bool cancelled() const override { return true; }
  void subStep(const char* name) override { steps += name; }
  ProviderRun* providerRun() override { return run; }

  RuntimeValue value{*Tensor::create(ElementType::kFloat, {2})};
  Given given;
  NoBodies noBodies;
  std::string steps;
  ProviderRun* run = reinterpret_cast<ProviderRun*>(&given);  // an address that is only passed on
};

}  // namespace

class TestKernelContexts : public QObject {
  Q_OBJECT
 private slots:
  // A kernel of a device inside another one needs the frame's ProviderRun as much as its inputs.
  void everythingIsPassedOn() {
    Outermost outer;
    PassingContext inner(outer);
    QCOMPARE(inner.inputCount(), size_t{3});
    QCOMPARE(inner.outputCount(), size_t{2});
    QVERIFY(inner.inputValue(1) == &outer.value && inner.inputValue(0) == nullptr);
    QVERIFY(inner.hasOutput(1) && !inner.hasOutput(0));
    QVERIFY(*inner.output(1, {2}) == &outer.value.asTensor() && inner.outputValue(1) == &outer.value);
    QCOMPARE(inner.scratch(7).error().message, std::string("7 bytes asked for"));
    QVERIFY(inner.state() == &outer.given && &inner.bodies() == &outer.noBodies && inner.cancelled());
    inner.subStep("pack");
    QCOMPARE(outer.steps, std::string("pack"));
    QVERIFY(inner.providerRun() == outer.run);
  }

  void outputsOfALoneCall() {
    LoneContext context({.outputs = {{.type = ElementType::kFloat}, {}, {.wanted = false}}}, nullptr);
    const Result<Tensor*> first = context.output(0, {2, 3});
    QVERIFY(first && (*first)->type() == ElementType::kFloat && (*first)->sizeBytes() == 24);
    QCOMPARE(context.output(1, {1}).error().code, ErrorCode::kInvalidGraph);
    const int64_t one[] = {1};
    QVERIFY(context.output(1, ElementType::kInt8, one));
    QCOMPARE(context.output(2, {1}).error().code, ErrorCode::kEngineError);
    QCOMPARE(context.output(3, {1}).error().code, ErrorCode::kEngineError);
    QVERIFY(context.outputValue(2) == nullptr && !context.hasOutput(3));
    const std::vector<RuntimeValue> outputs = context.takeOutputs();
    QCOMPARE(outputs.size(), size_t{3});
    QVERIFY(outputs[0].isTensor() && outputs[1].isTensor() && outputs[2].empty());
  }

  void inputsOfALoneCall() {
    const RuntimeValue there(*Tensor::create(ElementType::kInt64, {1}));
    const RuntimeValue nothing;
    LoneContext context({.inputs = {&there, nullptr, &nothing}}, nullptr);
    QCOMPARE(context.inputCount(), size_t{3});
    QVERIFY(context.inputValue(0) == &there && context.input(0) == &there.tensor());
    for (const size_t slot : {1, 2, 3})
      QVERIFY(context.inputValue(slot) == nullptr);
  }

  void memoryIsTheCallers() {
    float place[4] = {};
    bool stop = false;
    LoneContext context({.outputs = {{.type = ElementType::kFloat}},
                         .makeOutput = [&](size_t, ElementType type, std::span<const int64_t> dims) -> Result<Tensor> {
                           return Tensor::wrap(type, dims, place);
                         },
                         .mostScratchBytes = 64,
                         .cancelled = &stop},
                        nullptr);
    QVERIFY((*context.output(0, {4}))->data() == place);
    const Result<std::span<std::byte>> scratch = context.scratch(64);
    QVERIFY(scratch && scratch->size() == 64);
    const Error tooMuch = context.scratch(65).error();
    QCOMPARE(tooMuch.code, ErrorCode::kFail);
    QVERIFY2(tooMuch.message.starts_with("no memory for scratch of a kernel (65 bytes)"), tooMuch.message.c_str());
    QCOMPARE(context.scratch(1).error().code, ErrorCode::kFail);  // all of one call together
    QVERIFY(!context.cancelled());
    stop = true;
    QVERIFY(context.cancelled());
    std::vector<RuntimeValue> none;
    QCOMPARE(context.bodies().run(0, {}, none).error().code, ErrorCode::kNotImplemented);
  }
};

QTEST_GUILESS_MAIN(TestKernelContexts)
#include "tst_kernel_contexts.moc"
