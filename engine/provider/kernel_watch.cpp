#include "engine/provider/kernel_watch.h"

namespace cutaway {

namespace {

thread_local constinit KernelWatch* t_watch = nullptr;

}  // namespace

KernelWatch::KernelWatch() : m_outer(t_watch) {
  t_watch = this;
}

KernelWatch::~KernelWatch() {
  t_watch = m_outer;
}

void KernelWatch::offered(const KernelInfo& info, const KernelRow& row, std::string_view refusal) {
  if (t_watch == nullptr) return;
  t_watch->m_pending.push_back({&info.graph(), info.nodeId(), {&row, std::string(refusal)}});
}

// Kernels that were made and thrown away (folded constants, groups that run their nodes one by one) leave offers
// behind, which nobody asks for.
void KernelWatch::kept(const Graph& graph, NodeId node, const Kernel& kernel) {
  if (t_watch == nullptr) return;
  Made made{&graph, node, std::string(kernel.variant()), kernel.packedBytes(), {}};
  for (Pending& pending : t_watch->m_pending) {
    if (pending.graph == &graph && pending.node == node) made.offers.push_back(std::move(pending.offer));
  }
  t_watch->m_pending.clear();
  t_watch->m_made.push_back(std::move(made));
}

}  // namespace cutaway
