#include "engine/math/memory_layout.h"

#include "engine/math/onednn.h"

namespace cutaway::math {

Layout preferredBlockedLayout() {
  static const Layout layout = [] {
    const auto isa = dnnl::get_effective_cpu_isa();
    using Isa = dnnl::cpu_isa;
    const bool narrow = isa == Isa::sse41 || isa == Isa::avx || isa == Isa::avx2 || isa == Isa::avx2_vnni;
    return narrow ? Layout::kBlocked8 : Layout::kBlocked16;
  }();
  return layout;
}

int64_t channelBlock(Layout layout) {
  return layout == Layout::kBlocked8 ? 8 : layout == Layout::kBlocked16 ? 16 : 1;
}

struct LayoutChange::Plan {
  dnnl::memory::desc from, to, scratch;
  dnnl::primitive primitive;
};

LayoutChange::LayoutChange(std::unique_ptr<const Plan> plan) : m_plan(std::move(plan)) {}
LayoutChange::~LayoutChange() = default;
size_t LayoutChange::scratchBytes() const {
  return m_plan->scratch.get_size();
}

Result<std::shared_ptr<const LayoutChange>> LayoutChange::create(std::span<const int64_t> dims, Layout from,
                                                                 Layout to) {
  auto plan = std::make_unique<Plan>();
  CUTAWAY_CHECK(onednn::attempt("reorder", [&] {
    const dnnl::memory::dims shape(dims.begin(), dims.end());
    plan->from = onednn::activationDescriptor(shape, from);
    plan->to = onednn::activationDescriptor(shape, to);
    const dnnl::reorder::primitive_desc description(onednn::cpuEngine(), plan->from, onednn::cpuEngine(), plan->to,
                                                    onednn::userScratchAttributes());
    plan->scratch = description.scratchpad_desc();
    plan->primitive = dnnl::reorder(description);
  }));
  return std::make_shared<const LayoutChange>(std::move(plan));
}

struct LayoutChange::Call::Handles {
  dnnl::stream stream;
  dnnl::memory from, to, scratch;
};

LayoutChange::Call::Call(std::shared_ptr<const LayoutChange> change) : m_change(std::move(change)) {}
LayoutChange::Call::~Call() = default;

Result<void> LayoutChange::Call::run(const float* from, float* to, std::span<std::byte> scratch) {
  const Plan& plan = *m_change->m_plan;
  if (!m_handles) {
    m_handles = std::make_unique<Handles>();
    CUTAWAY_CHECK(onednn::attempt("reorder", [&] {
      m_handles->stream = dnnl::stream(onednn::cpuEngine());
      m_handles->from = onednn::handleFor(plan.from);
      m_handles->to = onednn::handleFor(plan.to);
      m_handles->scratch = onednn::handleFor(plan.scratch);
    }));
  }
  return onednn::attempt("reorder", [&] {
    Handles& handles = *m_handles;
    onednn::point(handles.from, from);
    onednn::point(handles.to, to);
    onednn::point(handles.scratch, scratch.data());
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_FROM, handles.from.get()},
                                         {DNNL_ARG_TO, handles.to.get()},
                                         {DNNL_ARG_SCRATCHPAD, handles.scratch.get()}};
    if (auto done = onednn::execute(plan.primitive, handles.stream, arguments); !done)
      throw std::runtime_error(done.error().message);
  });
}

}  // namespace cutaway::math
