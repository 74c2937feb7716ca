#pragma once
// Which rows were asked for a kernel, and what they said: kept while somebody watches.
//
// A watch sees what its own thread makes, from KernelRegistry::create() (offers) to the program that keeps the kernel.
// Without a watch nothing is kept. Thread rule: belongs to one thread; an inner watch hides the outer one. Example:
//   const KernelWatch watch;
//   CUTAWAY_TRY(auto session, Session::create(source, options, table, progress));
//   for (const KernelWatch::Made& made : watch.made()) show(made.variant, made.offers);

#include <string>
#include <string_view>
#include <vector>

#include "engine/provider/kernel.h"

namespace cutaway {

class KernelWatch {
 public:
  // A row of the table that has this operator and version, in the order of asking.
  struct Offer {
    const KernelRow* row = nullptr;
    std::string refusal;  // empty: it made the kernel
  };
  struct Made {
    const Graph* graph = nullptr;
    NodeId node;
    std::string variant;
    int64_t packedBytes = 0;
    std::vector<Offer> offers;  // none: no table was asked (compiled groups, copies)
  };

  KernelWatch();
  ~KernelWatch();
  KernelWatch(const KernelWatch&) = delete;
  KernelWatch& operator=(const KernelWatch&) = delete;

  const std::vector<Made>& made() const { return m_made; }

  // For those who make kernels.
  static void offered(const KernelInfo& info, const KernelRow& row, std::string_view refusal);
  static void kept(const Graph& graph, NodeId node, const Kernel& kernel);

 private:
  struct Pending {
    const Graph* graph;
    NodeId node;
    Offer offer;
  };
  KernelWatch* m_outer;
  std::vector<Pending> m_pending;  // offers for kernels that nobody has kept yet
  std::vector<Made> m_made;
};

}  // namespace cutaway
