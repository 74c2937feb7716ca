// A folder with good and damaged binaries, links and a pipe; models whose EPContext nodes name them, carry binaries, or
// say nonsense.

#include "tests/fuzz/context/context_models.h"

#include <array>
#include <fstream>

#include <sys/stat.h>
#include <unistd.h>

#include "engine/context_binary/context_catalog.h"
#include "engine/context_binary/inside_nodes.h"
#include "tests/fuzz/context/mutate.h"
#include "tests/fuzz/context/targets.h"

namespace cutaway::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDamagedFiles = 64;

class Folder {
 public:
  Folder() : m_path(fs::temp_directory_path() / ("cutaway_fuzz_" + std::to_string(::getpid()))) {
    fs::create_directories(m_path / "model/below");
    Random random(7);
    for (size_t i = 0; i < binarySeeds().size(); ++i)
      put("model/good" + std::to_string(i) + ".bin", binarySeeds()[i]);
    for (size_t i = 0; i < kDamagedFiles; ++i) {
      std::string bytes = binarySeeds()[i % binarySeeds().size()];
      damageBinary(bytes, binarySeeds(), random);
      put("model/damaged" + std::to_string(i) + ".bin", bytes);
    }
    put("outside.bin", binarySeeds()[1]);
    put("model/empty.bin", "");
    fs::create_symlink("../outside.bin", m_path / "model/out");
    fs::create_symlink("good1.bin", m_path / "model/in");
    ::mkfifo((m_path / "model/pipe").c_str(), 0600);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
  }
  fs::path model() const { return m_path / "model"; }

 private:
  void put(const std::string& name, const std::string& bytes) const {
    std::ofstream(m_path / name, std::ios::binary) << bytes;
  }
  fs::path m_path;
};

const Folder& folder() {
  static const Folder made;
  return made;
}

std::string pathFor(Random& random) {
  static constexpr std::array<const char*, 12> kOdd{
      "",   ".",    "..",        "../outside.bin", "/etc/passwd",        "out",
      "in", "pipe", "empty.bin", "below",          "below/../good1.bin", "missing.bin"};
  switch (random.below(4)) {
    case 0:
      return kOdd[random.below(kOdd.size())];
    case 1:
      return "damaged" + std::to_string(random.below(kDamagedFiles)) + ".bin";
    default:
      return "good" + std::to_string(random.below(binarySeeds().size())) + ".bin";
  }
}

std::string binaryFor(Random& random) {
  std::string bytes = binarySeeds()[random.below(binarySeeds().size())];
  if (random.oneIn(2)) damageBinary(bytes, binarySeeds(), random);
  return bytes;
}

AttributeValue oddValue(Random& random) {
  switch (random.below(7)) {
    case 0:
      return static_cast<int64_t>(extremeNumber(1, 100, random));
    case 1:
      return 0.5f;
    case 2:
      return std::string("\xFF\0odd", 5);
    case 3:
      return std::vector<int64_t>{1, 2};
    case 4:
      return Tensor::of<uint8_t>(std::array<uint8_t, 4>{'C', 'U', 'T', 0});
    case 5:
      return GraphBox();
    default:
      return std::string();
  }
}

void addContext(Graph& graph, ValueId& last, size_t number, Random& random) {
  static constexpr std::array<const char*, 6> kSources{"",    "onednn", "openvino", "OpenVINOExecutionProvider",
                                                       "QNN", "\xFE"};
  static constexpr std::array<const char*, 6> kNames{"onednn_0", "onednn_1", "n", "many", "", "unknown"};
  static constexpr std::array<const char*, 10> kAttributes{
      "main_context",          "ep_cache_context", "embed_mode", "ep_sdk_version", "onnx_model_filename",
      "hardware_architecture", "partition_name",   "source",     "notes",          "max_size"};
  Node node{.name = kNames[random.below(kNames.size())]};
  context_binary::ContextNode context{.isMain = !random.oneIn(3), .isEmbedded = random.oneIn(2)};
  const std::string cache = context.isEmbedded ? binaryFor(random) : pathFor(random);
  context.hasCache = context.isMain;
  if (context.isMain) context.cache = cache;
  context.source = kSources[random.below(kSources.size())];
  context.partitionName = kNames[random.below(kNames.size())];
  context_binary::writeContextNode(context, node);
  if (random.oneIn(3)) node.setAttribute(kAttributes[random.below(kAttributes.size())], oddValue(random));
  if (random.oneIn(4))
    node.metadata.emplace_back(context_binary::kInsideKey, random.oneIn(2) ? context_binary::writeInside(graph) : "[[");
  last = graph
             .node(graph.addNode(std::move(node), std::initializer_list<ValueId>{last},
                                 {"value_" + std::to_string(number)}))
             .outputs[0];
}

}  // namespace

Model contextModel(Random& random) {
  Model model;
  model.irVersion = 10;
  model.opsets = {{"", 21}, {"com.microsoft", 1}};
  ValueId last = model.graph.addInput("x", ValueType::tensor(ElementType::kFloat, Shape{Dim(2)}));
  for (size_t i = random.below(4) + 1; i > 0; --i)
    addContext(model.graph, last, i, random);
  model.graph.addOutput(last);
  return model;
}

fs::path contextFolder() {
  return folder().model();
}

void findContexts(Model& model, Random& random) {
  context_binary::ContextCatalog catalog(model, {folder().model(), random.oneIn(4), random.oneIn(8), "fuzz"});
  forEachGraph(model.graph, [&](const Graph& graph) {
    for (const NodeId id : graph.nodeIds()) {
      const Node& node = graph.node(id);
      if (!context_binary::isContextNode(node)) continue;
      for (const auto& [key, text] : node.metadata)
        (void)context_binary::readInside(text);
      const auto attributes = context_binary::readContextNode(node);
      const auto found = catalog.find(node, random.oneIn(4) ? "openvino" : "onednn", Progress());
      if (!found) continue;
      countAccepted();
      require(attributes.has_value(), "a binary was found for a node whose attributes are bad");
      require(!found->binary->name().starts_with("out") && !found->binary->name().starts_with("/"),
              "a binary outside of the folder was opened");
      require(found->binary->verify(*found->partition, Progress()).has_value(),
              "a partition was given that was not verified");
    }
  });
}

void fuzzCatalog(Random& random) {
  Model model = contextModel(random);
  findContexts(model, random);
}

}  // namespace cutaway::fuzz
