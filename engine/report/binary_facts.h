#pragma once
// What a vendor's own library tells of a context binary: its target, its graphs, and the tensors that go in and out.
//
// Thread rule: immutable once published. Example: for (const BinaryGraph& graph : facts.graphs) show(graph.name);

#include <string>
#include <utility>
#include <vector>

namespace cutaway {

struct BinaryTensor {
  std::string name;
  std::string type;      // "uint8[1,224,224,3]"
  std::string encoding;  // "(q - 128) x 0.0078"; empty: the numbers are the values

  // "image uint8[1,224,224,3], (q - 128) x 0.0078". As the library tells it: not to be trusted on a terminal.
  std::string words() const { return name + " " + type + (encoding.empty() ? "" : ", " + encoding); }
};

struct BinaryGraph {
  std::string name;
  std::vector<std::pair<std::string, std::string>> facts;  // "VTCM" -> "4.19 MB"
  std::vector<BinaryTensor> inputs, outputs;
};

struct BinaryDescription {
  std::string toldBy;                                      // file of the library; empty: nobody was asked
  std::vector<std::pair<std::string, std::string>> facts;  // "chip" -> "soc_model 69 (SM8750)"
  std::vector<BinaryGraph> graphs;
};

}  // namespace cutaway
