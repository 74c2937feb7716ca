#pragma once
// The file that Qualcomm's plug-in writes for its option profiling_level: one line an event, as CSV.
//
// On x86 they are figures of the compiler, which is the device's own, and of the simulator, which counts the cycles of
// this machine. Thread rule: pure. Example: profile.figures = readQnnProfile(text, 0, [&](NodeId id) { return of(id);
// });

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/graph/ids.h"
#include "engine/provider/own_profiles.h"

namespace cutaway::onnxruntime {

struct NodeWords {
  std::string name, opType;
};

// Columns as onnxruntime-qnn 2.7.0 writes them: Msg Timestamp, Message, Time, Unit of Measurement, Timing Source, Event
// Level, Event Identifier. Operators of QNN that were made of one node are added up, run by run. Lines of other forms
// are left out, and so is what stands before byte `from`, but for the head. INVALID_ARGUMENT: the head is another one.
Result<std::vector<OwnFigure>> readQnnProfile(std::string_view csv, size_t from,
                                              const std::function<NodeWords(NodeId)>& wordsOf);

}  // namespace cutaway::onnxruntime
