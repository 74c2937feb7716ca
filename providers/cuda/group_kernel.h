#pragma once
// A group as one kernel: its nodes' kernels, enqueued one after another, over values in the run's scratch.
//
// Weights are uploaded when it is made. Values of known size have planned places in one block of scratch; others take
// scratch of their own. Outputs are written where the engine wants them. It has resources of its own, so that what its
// kernels searched for and compiled can be kept with it, and given back when it is restored. Thread rule: as Kernel.
// Example: CUTAWAY_TRY(auto kernel, GroupKernel::create(group.graph, resources, false));

#include "engine/provider/kernel.h"
#include "providers/cuda/artifact_memory.h"
#include "providers/cuda/gpu_kernel.h"
#include "providers/cuda/group_plan.h"

namespace cutaway::cuda {

class GroupKernel final : public Kernel {
 public:
  // artifacts: what is known beforehand, and where new ones are kept; sealed: nothing is searched or compiled.
  // NOT_IMPLEMENTED naming the node.
  static Result<std::shared_ptr<const Kernel>> create(Graph graph, const GpuResources& provider,
                                                      std::shared_ptr<ArtifactMemory> artifacts);

  Result<void> run(KernelContext& context) const override;
  std::unique_ptr<KernelState> createState() const override;
  std::string_view variant() const override { return "cuda group"; }
  std::string_view notReplayable() const override { return m_notReplayable; }
  int64_t packedBytes() const override { return m_weightBytes; }
  const ArtifactMemory& artifacts() const { return *m_artifacts; }

 private:
  friend class GroupContext;
  struct Step {
    std::unique_ptr<Kernel> kernel;
    NodeId node;
    std::vector<int32_t> inputs, outputs;  // value indexes; -1: absent
    std::vector<char> onHost;              // by input slot: read on the host, so a constant
    const char* part = nullptr;
  };

  GroupKernel(Graph graph, const GpuResources& provider, std::shared_ptr<ArtifactMemory> artifacts);
  Result<void> prepare();
  Result<void> addStep(NodeId id);
  Result<void> uploadWeights();
  void plan();

  Graph m_graph;
  std::shared_ptr<ArtifactMemory> m_artifacts;
  std::shared_ptr<GpuResources> m_resources;
  Device m_device;
  KernelRegistry m_registry;
  std::vector<Step> m_steps;
  std::vector<RuntimeValue> m_weights;      // by value: on the device
  std::vector<RuntimeValue> m_hostWeights;  // by value: as the graph has them
  std::vector<int32_t> m_outerOutput;       // by value: place among the group's outputs; -1: inside
  std::vector<int32_t> m_viewOf;            // by value: it lies where this one lies; -1: it does not
  GroupPlan m_plan;
  std::string m_notReplayable;
  int64_t m_weightBytes = 0;
};

}  // namespace cutaway::cuda
