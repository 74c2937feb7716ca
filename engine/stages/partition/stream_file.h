#pragma once
// The node partition file of session.node_partition_config_file: nodes in streams, each stream on a device, as JSON
// that the user may edit.
//
//   {"type": "DeviceBasedPartitioner", "streams": [["conv1", "relu1"], ["softmax"]], "devices": ["npu", "cpu"]}
//
// A file that is there decides: its nodes are kept for the provider of their stream's device (a provider's name, a
// device word, or onnxruntime's numbers: 0 cpu, 1 gpu, 2 fpga, 3 npu). A file that is not there is written
// with the assignment that was made, so that it can be edited. Thread rule: as Reservations; one file at a time.
// Linear. Example:
//   CUTAWAY_TRY(StreamFile streams, StreamFile::read(rules.partitionFile, providers, kept));
//   streams.bind(model, kept);   ...   CUTAWAY_CHECK(streams.writeIfMissing(model, kept.providers()));

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>

#include "engine/provider/execution_provider.h"
#include "engine/stages/partition/reservations.h"

namespace cutaway::partition {

class StreamFile {
 public:
  StreamFile() = default;
  // INVALID_ARGUMENT with file and place: no JSON, wrong members, a node twice, streams and devices of different
  // number, an unknown device.
  static Result<StreamFile> read(const std::string& file, std::span<const std::unique_ptr<ExecutionProvider>> providers,
                                 Reservations& kept);

  void bind(const Model& model, Reservations& kept) const;
  // One stream for each provider with its nodes (Node::provider), written when the file was not there. FAIL when that
  // is not possible.
  Result<void> writeIfMissing(const Model& model, std::span<const std::string> providers) const;

 private:
  Result<void> readText(const std::string& text, std::span<const std::unique_ptr<ExecutionProvider>> providers,
                        Reservations& kept);

  std::filesystem::path m_file;
  bool m_missing = false;
  std::unordered_map<std::string, int32_t> m_ruleOfNode;  // by statisticsName
};

}  // namespace cutaway::partition
