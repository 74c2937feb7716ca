// What a compiled group leaves behind. Bytes are borrowed: those of the model's constants and those that the kernel
// packed.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "engine/schema/graph_message.h"
#include "engine/schema/schema.h"
#include "providers/onednn/context.h"
#include "providers/onednn/layout.h"
#include "providers/onednn/plan_builder.h"
#include "providers/onednn/record_bytes.h"
#include "providers/onednn/stored_graph.h"

namespace cutaway::onednn {

namespace {

// What the nodes alone do not tell: formulas of open dimensions, which the walk knows from the whole model. Where they
// are lost, operands that were of one shape are no longer known to be, and the group is refused when it is restored.
void fillUnknown(ValueType& computed, const ValueType& known) {
  if (!computed.shape) {
    computed = known;
    return;
  }
  if (!known.shape || known.shape->rank() != computed.shape->rank()) return;
  for (size_t axis = 0; axis < known.shape->rank(); ++axis) {
    Dim& dim = (*computed.shape)[axis];
    if (!dim.isKnown() && !dim.isSymbol()) dim = (*known.shape)[axis];
  }
}

// Types of inner values as the nodes compute them: files declare some that their nodes contradict, and who restores the
// group holds the nodes to what is declared.
Graph withComputedTypes(const Graph& group, const std::vector<OpsetImport>& opsets) {
  Graph graph = group;
  for (const ValueId id : graph.valueIds()) {
    if (graph.value(id).producer.valid()) graph.mutableValue(id).type.shape.reset();
  }
  Model model;
  model.opsets = opsets;
  std::vector<InferenceWarning> warnings;
  if (!inferGraph(model, graph, {}, warnings)) return group;
  for (const ValueId id : graph.valueIds())
    fillUnknown(graph.mutableValue(id).type, group.value(id).type);
  return graph;
}

class GroupSections {
 public:
  explicit GroupSections(const GroupKernel& kernel) : m_kernel(kernel), m_plan(kernel.firstPlan()) {
    if (m_plan != nullptr) m_raw.insert(m_plan->readConstants.begin(), m_plan->readConstants.end());
  }

  Result<std::vector<context_binary::ContextSection>> make(const std::vector<OpsetImport>& opsets) {
    addPlan();
    CUTAWAY_TRY(std::string graph,
                writeGraphMessage(withComputedTypes(m_kernel.graph(), opsets), opsets, placesOfConstants()));
    addText(kGraphSection, std::move(graph));
    return std::move(m_sections);
  }

 private:
  void addText(std::string name, std::string bytes) {
    const auto text = std::make_shared<const std::string>(std::move(bytes));
    m_sections.push_back({std::move(name), std::as_bytes(std::span(*text)), text});
  }

  void addPlan() {
    RecordWriter writer;
    writer.number(kContextRevision);
    writer.number(m_kernel.options().fuse ? 1 : 0);
    writer.number(optionBits(m_kernel.options()));
    std::string links;
    for (const NodeId id : m_kernel.graph().nodeIds())
      links += static_cast<char>(m_plan != nullptr ? m_plan->fusedLinks[id.index()] : kNotTried);
    writer.text(m_plan != nullptr ? links : std::string());
    addPacked(writer);
    addText(kPlanSection, writer.take());
  }

  // A layout that holds more than the constant cannot be turned into another one: the original goes along, for machines
  // with another number of threads.
  void addPacked(RecordWriter& writer) {
    std::vector<WeightStore::Entry> entries = m_kernel.packedConstants();
    for (const auto& entry : entries) {
      if (layoutBytes(entry.wanted).empty() || layoutBytes(entry.from).empty() || holdsCompensation(entry.wanted))
        m_raw.insert(entry.key);
    }
    std::erase_if(entries, [](const auto& entry) {
      return layoutBytes(entry.wanted).empty() || layoutBytes(entry.from).empty();
    });
    writer.number(entries.size());
    for (const auto& entry : entries) {
      std::string section = fmt::format("{}{}", kPackedSectionPrefix, m_sections.size());
      writer.text(m_kernel.graph().value(ValueId{entry.key}).name);
      writer.text(layoutBytes(entry.from));
      writer.text(layoutBytes(entry.wanted));
      writer.text(section);
      m_sections.push_back({std::move(section),
                            {static_cast<const std::byte*>(entry.bytes.get()), entry.wanted.get_size()},
                            entry.bytes});
    }
  }

  // Small constants stand in the message; large ones in sections of their own when somebody reads them as they are. A
  // group without a plan keeps all of them: what plans will read is not known.
  WeightPlace placesOfConstants() {
    for (const ValueId id : m_kernel.graph().initializers()) {
      const Tensor& tensor = *m_kernel.graph().value(id).initializer;
      if (tensor.sizeBytes() > kLargestInlineBytes &&
          (m_plan == nullptr || m_raw.contains(static_cast<uint32_t>(id.index()))))
        m_rawBytes.insert(tensor.data());
    }
    return [this](const Tensor& tensor) -> std::optional<std::string> {
      if (tensor.sizeBytes() <= kLargestInlineBytes) return std::nullopt;
      if (!m_rawBytes.contains(tensor.data())) return kElsewhere;
      const auto [place, isNew] = m_rawSections.try_emplace({tensor.data(), tensor.sizeBytes()},
                                                            fmt::format("{}{}", kRawSectionPrefix, m_sections.size()));
      if (isNew) m_sections.push_back({place->second, tensor.bytes(), std::make_shared<const Tensor>(tensor)});
      return place->second;
    };
  }

  const GroupKernel& m_kernel;
  std::shared_ptr<const Plan> m_plan;
  std::unordered_set<uint32_t> m_raw;  // value indexes
  std::unordered_set<const void*> m_rawBytes;
  std::map<std::pair<const void*, int64_t>, std::string> m_rawSections;
  std::vector<context_binary::ContextSection> m_sections;
};

}  // namespace

Result<context_binary::ContextPartition> exportGroup(const FusedSubGraph& group, const GroupKernel& kernel) {
  context_binary::ContextPartition partition;
  CUTAWAY_TRY(partition.sections, GroupSections(kernel).make(group.model.opsets));
  partition.notes = fmt::format("{} nodes, {}", kernel.graph().nodeCount(), kernel.variant());
  return partition;
}

}  // namespace cutaway::onednn
