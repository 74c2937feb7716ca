#pragma once
// Asking providers about a model, and keeping the session that comes of it where they take all of it.
//
// A provider that takes the whole model is asked and compiles in one go: asking first and compiling then would parse,
// convert and judge it twice. Thread rule: plain values. Example: see messages.h.

#include "providers/onnxruntime/protocol/messages.h"

namespace cutaway::onnxruntime {

struct AskProviders {
  CreateSession session;
  bool keepsWhole = false;  // where one group is the whole model, it is compiled and the session stays
};
struct AskedSession {
  AskedFacts asked;
  SessionFacts kept;  // session 0: none was
};

template <typename A, Describes<AskProviders> T>
void describe(A& archive, T& m) {
  archive(m.session, m.keepsWhole);
}
template <typename A, Describes<AskedSession> T>
void describe(A& archive, T& m) {
  archive(m.asked, m.kept);
}

}  // namespace cutaway::onnxruntime
