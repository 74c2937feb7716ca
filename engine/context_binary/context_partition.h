#pragma once
// What one compiled group leaves behind: named sections of bytes, its ports, and who made it.
//
// Thread rule: plain values. Bytes are borrowed: keepAlive holds them.
// Example: partition.sections.push_back({"graph", asBytes(*text), text});

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/graph/attribute.h"
#include "engine/tensor/shape.h"

namespace cutaway::context_binary {

struct ContextSection {
  std::string name;  // unique in its partition
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> keepAlive;
};

// An input or output of the group as it was compiled: a restored kernel has them in this order.
struct ContextPort {
  std::string name;
  ValueType type;  // tensors only; symbols as text
};

struct ContextPartition {
  std::string name;        // the EPContext node's
  std::string source;      // provider
  std::string sdkVersion;  // of the provider's library
  std::string hardware;    // what it was compiled for
  std::string notes;
  std::vector<ContextPort> inputs, outputs;
  std::vector<ContextSection> sections;
  // Of the provider's own, for the EPContext node: numbers, texts and lists of them, under names that the schema does
  // not have. They stand in the node alone, not in the binary.
  std::vector<Attribute> attributes{};

  const ContextSection* find(std::string_view section) const;  // nullptr: not there
  int64_t sizeBytes() const;                                   // of all sections
};

}  // namespace cutaway::context_binary
