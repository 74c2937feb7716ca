#pragma once
// Walk reports made by hand for the window's tests: no engine runs.
//
// Example: document.setWalk(sampleWalk());      document.setWalk(flatWalk(50'000));

#include <memory>

#include "engine/report/walk_report.h"

namespace cutaway::ui::test {

// A small convolutional network with every report filled: BatchNormalization folded into Conv, an If with two bodies,
// two providers ("cpu", "skeleton" that compiles a group), a copy, a schedule, allocations of every kind, a memory
// pattern, and a profiled run.
std::shared_ptr<const WalkReport> sampleWalk();

// The same network stopped by an error after load.
std::shared_ptr<const WalkReport> failedWalk();

// `nodeCount` nodes in blocks of ten with skips, as loaded only; names have no scopes when `scoped` is false.
std::shared_ptr<const WalkReport> flatWalk(int nodeCount, bool scoped = false);

// Builds a graph node by node: values are made when they are first named.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name);
  int value(const std::string& name, const std::string& type = {}, int64_t sizeBytes = -1);
  int input(const std::string& name, const std::string& type);
  int constant(const std::string& name, const std::string& type, int64_t sizeBytes);
  int node(const std::string& opType, const std::string& name, const std::vector<std::string>& inputs,
           const std::vector<std::string>& outputs, std::vector<int32_t> origins = {});
  void output(const std::string& name);
  GraphReport& graph() { return m_graph; }

 private:
  GraphReport m_graph;
};

}  // namespace cutaway::ui::test
