#pragma once
// The fields of what crosses the border about plug-in providers (archive.h says how).
//
// Thread rule: plain values. Example: const std::string body = toBytes(PluginPlace{.registration = "test"});

#include "providers/onnxruntime/protocol/archive.h"
#include "providers/onnxruntime/session_facts.h"

namespace cutaway::onnxruntime {

template <typename A, Describes<PluginPlace> T>
void describe(A& archive, T& m) {
  archive(m.registration, m.library, m.environment);
}
template <typename A, Describes<KnownShape> T>
void describe(A& archive, T& m) {
  archive(m.value, m.dims);
}
template <typename A, Describes<NodePorts> T>
void describe(A& archive, T& m) {
  archive(m.inputs, m.outputs);
}
template <typename A, Describes<CapabilityCall> T>
void describe(A& archive, T& m) {
  archive(m.provider, m.nested, m.nodes, m.ports, m.groups, m.singles, m.withoutKernel, m.shapes, m.tookNs, m.error);
}
template <typename A, Describes<AskedFacts> T>
void describe(A& archive, T& m) {
  archive(m.code, m.message, m.compiles, m.calls, m.assignment, m.tookNs);
}
}  // namespace cutaway::onnxruntime
