#include "engine/session/choice/model_key.h"

#include <spdlog/fmt/fmt.h>

#include "engine/base/hash.h"

namespace cutaway::session {
namespace {

// Contents of constants up to here are shapes, axes and scales, which change what a node has to do.
constexpr int64_t kSmallBytes = 128;

class Digest {
 public:
  void add(std::string_view text) {
    m_hash = hash64(text, m_hash);
    add(static_cast<int64_t>(text.size()));
  }
  void add(int64_t number) { m_hash = hash64(std::as_bytes(std::span(&number, 1)), m_hash); }
  void add(std::span<const std::byte> bytes) { m_hash = hash64(bytes, m_hash); }
  uint64_t value() const { return m_hash; }

 private:
  uint64_t m_hash = 0;
};

void addTensor(const Tensor& tensor, Digest& digest) {
  digest.add(static_cast<int64_t>(tensor.type()));
  for (const int64_t dim : tensor.dims())
    digest.add(dim);
  const bool isSmall = tensor.type() != ElementType::kString && tensor.sizeBytes() <= kSmallBytes;
  if (isSmall && tensor.data() != nullptr) digest.add(tensor.bytes());
}

// Bodies are graphs of their own; what is rare among attributes (types, sparse tensors) counts by its kind.
void addAttribute(const Attribute& attribute, Digest& digest) {
  digest.add(attribute.name);
  digest.add(static_cast<int64_t>(attribute.value.index()));
  if (const auto* number = std::get_if<int64_t>(&attribute.value)) digest.add(*number);
  if (const auto* real = std::get_if<float>(&attribute.value)) digest.add(std::as_bytes(std::span(real, 1)));
  if (const auto* text = std::get_if<std::string>(&attribute.value)) digest.add(std::string_view(*text));
  if (const auto* tensor = heldAs<Tensor>(attribute.value)) addTensor(*tensor, digest);
  if (const auto* numbers = std::get_if<std::vector<int64_t>>(&attribute.value))
    digest.add(std::as_bytes(std::span(*numbers)));
  if (const auto* reals = std::get_if<std::vector<float>>(&attribute.value))
    digest.add(std::as_bytes(std::span(*reals)));
}

// Values are numbered as they are met, so that neither their names nor their places in the file count.
class GraphDigest {
 public:
  GraphDigest(const Graph& graph, Digest& digest)
      : m_graph(graph), m_digest(digest), m_numbers(graph.valueSlots(), kNone) {}

  void run() {
    for (const ValueId id : m_graph.inputs())
      m_digest.add(toText(m_graph.value(id).type));
    addValues(m_graph.inputs());
    for (const NodeId id : m_graph.nodeIds()) {
      const Node& node = m_graph.node(id);
      for (const SharedText* text : {&node.opType, &node.domain, &node.name})
        m_digest.add(std::string_view(*text));
      for (const Attribute& attribute : node.attributes)
        addAttribute(attribute, m_digest);
      addValues(node.inputs);
      addValues(node.outputs);
    }
    addValues(m_graph.outputs());
  }

 private:
  static constexpr int64_t kNone = -1;

  void addValues(std::span<const ValueId> values) {
    m_digest.add(static_cast<int64_t>(values.size()));
    for (const ValueId id : values)
      addValue(id);
  }

  void addValue(ValueId id) {
    if (!id.valid()) return m_digest.add(kNone);
    int64_t& number = m_numbers[id.index()];
    const bool isNew = number == kNone;
    if (isNew) number = m_next++;
    m_digest.add(number);
    if (isNew && m_graph.value(id).initializer) addTensor(*m_graph.value(id).initializer, m_digest);
  }

  const Graph& m_graph;
  Digest& m_digest;
  std::vector<int64_t> m_numbers;  // by value index
  int64_t m_next = 0;
};

}  // namespace

std::string modelKey(const Model& model) {
  Digest digest;
  for (const OpsetImport& import : model.opsets) {
    digest.add(std::string_view(import.domain));
    digest.add(import.version);
  }
  const auto addAll = [&](const Graph& root) {
    forEachGraph(root, [&](const Graph& graph) { GraphDigest(graph, digest).run(); });
  };
  addAll(model.graph);
  for (const Function& function : model.functions) {
    digest.add(std::string_view(function.name));
    addAll(function.body);
  }
  return fmt::format("{:016x}", digest.value());
}

}  // namespace cutaway::session
