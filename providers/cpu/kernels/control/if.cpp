// If: one of two bodies runs; its outputs are the node's. Bodies take no inputs of their own, only captured values.

#include "providers/cpu/kernels/control/body_call.h"
#include "providers/cpu/kernels/shape/axis_list.h"

namespace cutaway::cpu {
namespace {

struct IfState final : KernelState {
  std::vector<RuntimeValue> outputs;
};

class IfKernel final : public Kernel {
 public:
  static Result<std::unique_ptr<Kernel>> create(const KernelInfo& info) {
    // Bodies count in attribute order, which is the file's.
    size_t thenBody = 2;
    size_t elseBody = 2;
    size_t next = 0;
    forEachBody(info.node(), [&](const std::string& name, const Graph&) {
      if (name == "then_branch") thenBody = next;
      if (name == "else_branch") elseBody = next;
      ++next;
    });
    if (next != 2 || thenBody == 2 || elseBody == 2)
      return fail(ErrorCode::kInvalidGraph, "If needs then_branch and else_branch");
    return std::unique_ptr<Kernel>(std::make_unique<IfKernel>(thenBody, elseBody));
  }
  IfKernel(size_t thenBody, size_t elseBody) : m_thenBody(thenBody), m_elseBody(elseBody) {}

  std::unique_ptr<KernelState> createState() const override { return std::make_unique<IfState>(); }

  Result<void> run(KernelContext& context) const override {
    const RuntimeValue* condition = context.inputValue(0);
    if (condition == nullptr) return fail(ErrorCode::kInvalidArgument, "the condition is absent");
    CUTAWAY_TRY(const bool chosen, readCondition(*condition));
    IfState local;
    IfState* kept = static_cast<IfState*>(context.state());
    std::vector<RuntimeValue>& outputs = kept == nullptr ? local.outputs : kept->outputs;
    CUTAWAY_CHECK(context.bodies().run(chosen ? m_thenBody : m_elseBody, {}, outputs));
    if (outputs.size() < context.outputCount())
      return fail(ErrorCode::kInvalidGraph, "the {} branch gives {} of {} outputs", chosen ? "then" : "else",
                  outputs.size(), context.outputCount());
    for (size_t i = 0; i < context.outputCount(); ++i)
      CUTAWAY_CHECK(giveValue(context, i, outputs[i]));
    for (RuntimeValue& output : outputs)
      output.reset();
    return {};
  }

 private:
  size_t m_thenBody;
  size_t m_elseBody;
};

constexpr int kConditionOnHost[] = {0};
constexpr KernelRow kRows[] = {
    {.opType = "If", .versions = {1}, .hostInputs = kConditionOnHost, .create = IfKernel::create},
};

}  // namespace

KernelRows kernel_if() {
  return kRows;
}

}  // namespace cutaway::cpu
