#include "engine/context_binary/binary_writer.h"
#include "tests/fuzz/context/targets.h"

namespace cutaway::fuzz {
namespace {

std::vector<std::string>& seeds() {
  static std::vector<std::string> all;
  return all;
}

context_binary::ContextSection section(std::string name, std::string contents) {
  const auto held = std::make_shared<const std::string>(std::move(contents));
  return {std::move(name), std::as_bytes(std::span(held->data(), held->size())), held};
}

context_binary::ContextPartition partition(std::string source, std::string name, size_t sections) {
  context_binary::ContextPartition made{.name = std::move(name),
                                        .source = std::move(source),
                                        .sdkVersion = "2.6.3",
                                        .hardware = "x86-64 avx512_core",
                                        .notes = "\xC3\xBC"};
  made.inputs = {{"x", ValueType::tensor(ElementType::kFloat, Shape{Dim("batch"), Dim(3), Dim()})},
                 {"", ValueType::tensor(ElementType::kInt4, std::nullopt)}};
  made.outputs = {{"y", ValueType::tensor(ElementType::kString, Shape())}};
  for (size_t i = 0; i < sections; ++i)
    made.sections.push_back(section("section " + std::to_string(i),
                                    std::string(i % 3 == 2 ? 4096 + i : i * 7, static_cast<char>('a' + i % 2))));
  return made;
}

std::string write(const std::vector<context_binary::ContextPartition>& partitions) {
  std::string bytes;
  context_binary::ContextBinaryWriter writer(context_binary::sinkOf(bytes));
  for (const context_binary::ContextPartition& each : partitions)
    require(writer.add(each, Progress()).has_value(), "a seed cannot be written");
  require(writer.finish().has_value(), "a seed cannot be written");
  return bytes;
}

}  // namespace

const std::vector<std::string>& binarySeeds() {
  return seeds();
}

void prepareContexts() {
  seeds() = {write({}), write({partition("onednn", "onednn_0", 1)}),
             write({partition("onednn", "onednn_0", 4), partition("openvino", "onednn_0", 2),
                    partition("onednn", "onednn_1", 4)}),
             write({{.name = "n", .source = "onednn"}}), write({partition("onednn", "many", 40)})};
  for (std::string& file : corpusFiles(".bin"))
    seeds().push_back(std::move(file));
}

}  // namespace cutaway::fuzz
