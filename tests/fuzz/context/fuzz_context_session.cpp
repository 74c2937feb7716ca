// The whole way: an exported model whose EPContext nodes were damaged is opened as a session, looked at or restored,
// and run. What is not damaged gives the same bits as before.

#include <array>
#include <cstring>

#include "engine/base/log.h"
#include "engine/compile/compile.h"
#include "engine/context_binary/context_node.h"
#include "engine/graph/text.h"
#include "engine/stages/load/model_bytes.h"
#include "providers/cpu/provider.h"
#include "providers/onednn/provider.h"
#include "tests/fuzz/context/mutate.h"
#include "tests/fuzz/context/targets.h"

namespace cutaway::fuzz {
namespace {

// Two groups with a node between them that oneDNN does not take.
constexpr const char* kText = R"(<ir_version: 10, opset_import: ["" : 21]>
main (float[2,3,6,6] x) => (float[2,4,6,6] y) <float[4,3,1,1] w = {1,2,3,4,5,6,-7,8,9,1,-2,3}, float[4,4,1,1] v = {1,0,0,2,0,1,0,0,-1,0,1,0,0,3,0,1}> {
  [conv1] a = Conv (x, w)
  [relu1] b = Relu (a)
  [sinh] c = Sinh (b)
  [conv2] d = Conv (c, v)
  [relu2] y = Relu (d)
})";

struct Start {
  ProviderTable table{onednnProvider(), cpuProvider()};
  session::SessionOptions options;
  Model exported;
  std::vector<std::string> binaries;
  std::vector<execute::Feed> feeds;
  std::vector<std::byte> expected;
};

Result<std::string> bytesOf(const Model& model) {
  std::string bytes;
  CUTAWAY_CHECK(load::writeModelBytes(model, [&](std::span<const std::byte> more) -> Result<void> {
    bytes.append(reinterpret_cast<const char*>(more.data()), more.size());
    return {};
  }));
  return bytes;
}

load::ModelSource sourceOf(const std::string& bytes) {
  return load::ModelSource::memory(std::as_bytes(std::span(bytes.data(), bytes.size())), nullptr);
}

std::vector<std::byte> resultOf(session::Session& session, const std::vector<execute::Feed>& feeds) {
  auto result = session.run(feeds, {});
  if (!result || result->outputs.empty()) return {};
  const auto bytes = result->outputs[0].value.tensor().bytes();
  return {bytes.begin(), bytes.end()};
}

template <typename T>
T taken(Result<T> result) {
  require(result.has_value(), result ? "" : describe(result.error()));
  return *std::move(result);
}

Start& start() {
  static Start made = [] {
    Start start;
    Progress progress;
    start.options.providers = {"onednn{claim_all=1}", "cpu"};
    start.options.threads = 1;
    start.options.optimizationLevel = 0;
    const auto model = std::make_shared<const Model>(taken(parseModelText(kText)));
    compile::CompileRequest request{.input = load::ModelSource::loaded(model), .session = start.options};
    request.hasLevel = true;
    request.toBytes = true;
    request.embed = true;
    const compile::Compiled compiled = taken(compile::compileModel(request, start.table, progress));
    start.exported = taken(load::load(sourceOf(compiled.bytes), {}, progress)).model;
    for (const NodeId id : start.exported.graph.nodeIds()) {
      const Node& node = start.exported.graph.node(id);
      if (context_binary::isContextNode(node))
        start.binaries.emplace_back(taken(context_binary::readContextNode(node)).cache);
    }
    require(start.binaries.size() == 2,
            fmt::format("the model was exported with {} context nodes instead of two", start.binaries.size()));
    const auto session =
        taken(session::Session::create(sourceOf(compiled.bytes), start.options, start.table, progress));
    start.feeds = taken(session::randomFeeds(*session, 1, {}, {}));
    start.expected = resultOf(*session, start.feeds);
    require(!start.expected.empty(), "the exported model does not run");
    const auto original =
        taken(session::Session::create(load::ModelSource::loaded(model), start.options, start.table, progress));
    require(resultOf(*original, start.feeds) == start.expected,
            "the exported model gives other bits than the original");
    return start;
  }();
  return made;
}

// Bytes of sections, in their places: what providers read, below everything that was checked before.
void damageChunks(std::string& bytes, Random& random) {
  uint64_t directory = 0;
  std::memcpy(&directory, bytes.data() + 24, sizeof(directory));
  std::string chunks = bytes.substr(64, directory - 64);
  const size_t size = chunks.size();
  damageBytes(chunks, start().binaries, random);
  chunks.resize(size);
  bytes.replace(64, size, chunks);
  repairBinary(bytes, false);
}

void damageNode(Node& node, Random& random) {
  const context_binary::ContextNode read = taken(context_binary::readContextNode(node));
  std::string binary(read.cache);
  context_binary::ContextNode context = read;
  context.cache = binary;
  static constexpr std::array<const char*, 5> kTexts{"", "onednn_0", "onednn", "cpu", "x"};
  switch (random.below(8)) {
    case 0:
      context.isMain = false;
      break;
    case 1:
      context.partitionName = kTexts[random.below(kTexts.size())];
      break;
    case 2:
      context.source = kTexts[random.below(kTexts.size())];
      break;
    case 3:
      context.cache = start().binaries[random.below(2)];
      break;
    case 4:
      damageBinary(binary, start().binaries, random);
      context.cache = binary;
      break;
    default:
      damageChunks(binary, random);
      context.cache = binary;
      break;
  }
  context_binary::writeContextNode(context, node);
}

void fuzzSession(Random& random) {
  Start& seed = start();
  Model model = seed.exported;
  bool isDamaged = false;
  for (const NodeId id : model.graph.nodeIds()) {
    if (!context_binary::isContextNode(model.graph.node(id)) || random.oneIn(3)) continue;
    damageNode(model.graph.mutableNode(id), random);
    isDamaged = true;
  }
  std::string bytes = taken(bytesOf(model));
  if (random.oneIn(8)) {
    damageBytes(bytes, seed.binaries, random);
    isDamaged = true;
  }
  session::SessionOptions options = seed.options;
  options.prepareRun = !random.oneIn(4);
  Progress progress;
  const auto session = session::Session::create(sourceOf(bytes), options, seed.table, progress);
  if (!session) {
    require(!session.error().message.empty(), "an error without a message");
    require(isDamaged, "what was not damaged does not open: " + describe(session.error()));
    return;
  }
  if (!options.prepareRun) return;
  countAccepted();
  const std::vector<std::byte> result = resultOf(**session, seed.feeds);
  require(isDamaged || result == seed.expected, "what was not damaged gives other bits");
}

}  // namespace
}  // namespace cutaway::fuzz

int main(int count, char** texts) {
  using namespace cutaway::fuzz;
  (void)cutaway::log::setLevel("off");
  return runFuzzer(count, texts, {{"session", fuzzSession}}, [] { (void)start(); });
}
