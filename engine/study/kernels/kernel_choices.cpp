#include "engine/study/kernels/kernel_choices.h"

#include <algorithm>

#include "engine/graph/node_label.h"
#include "engine/provider/kernel_watch.h"
#include "engine/stages/resolve/resolve.h"

namespace cutaway::study {
namespace {

NodeKernel describe(const KernelWatch::Made& made, int32_t graph) {
  const Node& node = made.graph->node(made.node);
  NodeKernel kernel;
  kernel.graph = graph;
  kernel.node = static_cast<int32_t>(made.node.index());
  kernel.name = nodeName(*made.graph, made.node);
  kernel.opType = node.opType;
  kernel.provider = node.provider;
  kernel.variant = made.variant;
  kernel.packedBytes = made.packedBytes;
  kernel.compiled = made.offers.empty();
  for (const KernelWatch::Offer& offer : made.offers) {
    if (offer.refusal.empty())
      kernel.fastPath = offer.row->fastPath;
    else
      kernel.refused.push_back({std::string(offer.row->fastPath), offer.refusal});
  }
  return kernel;
}

}  // namespace

Result<KernelChoices> kernelChoices(const load::ModelSource& source, session::SessionOptions options,
                                    const ProviderTable& table, Progress& progress) {
  options.prepareRun = true;
  options.lastStage = Stage::kPattern;
  const KernelWatch watch;
  CUTAWAY_TRY(const auto session, session::Session::create(source, options, table, progress));
  KernelChoices choices{session->report(), {}};
  const std::vector<const Graph*> graphs = resolve::graphsInReportOrder(session->model());
  for (const KernelWatch::Made& made : watch.made()) {
    const auto graph = std::ranges::find(graphs, made.graph);
    if (graph != graphs.end())
      choices.report.nodes.push_back(describe(made, static_cast<int32_t>(graph - graphs.begin())));
  }
  return choices;
}

}  // namespace cutaway::study
