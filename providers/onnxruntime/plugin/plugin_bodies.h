#pragma once
// What a plug-in provider takes inside the bodies of If, Loop and Scan, where ONNX Runtime asks it about them: as
// graphs inside the model. A body that is asked about as a model of its own gets another answer, because a provider may
// leave every graph that is inside another one.
//
// Thread rule: one thread. Example: CUTAWAY_TRY(const bool none, m_bodies.takesNothing(source, settings, request));

#include "providers/onnxruntime/plugin/plugin_question.h"

namespace cutaway::onnxruntime {

class BodyQuestion {
 public:
  // Whether it is known that the provider takes nothing inside any body of request.model. One question for a model,
  // however many bodies it has. MODEL_LOAD_CANCELED.
  Result<bool> takesNothing(const AnswerSource& source, const PluginSettings& settings,
                            const CapabilityRequest& request);

 private:
  // The model that was asked about: its address, and how many nodes it had.
  std::pair<const Model*, size_t> m_asked{};
  bool m_takesNothing = false;
};

}  // namespace cutaway::onnxruntime
