#pragma once
// EPContext nodes in plain words: what one is, who made it, whether it can run here, what was checked.
//
// Thread rule: pure functions.
// Example: browser->setText(contextExplanation(node, providerNames(*walk)));

#include <vector>

#include <QString>

#include "engine/report/context_report.h"

namespace cutaway::ui {

bool isContextNode(const NodeReport& node);  // EPContext of com.microsoft
// "QNN"; "an unnamed compiler" when the node does not say.
QString contextSourceText(const ContextNodeReport& node);
// "main", "dependent".
QString contextRoleText(const ContextNodeReport& node);
// Where its binary is: "in the node", "model_qnn.bin", "with its main node".
QString contextPlaceText(const ContextNodeReport& node);

enum class ContextFate { kRestored, kSimulated, kRefused, kForeign };
// Foreign: none of this session's providers made it.
ContextFate contextFate(const ContextNodeReport& node);
QString contextFateText(ContextFate fate);  // "restored", "placeholder", "cannot be used", "cannot run here"
// Two or three sentences for somebody who did not make the file. `providers`: of the session, in order of priority.
QString contextExplanation(const ContextNodeReport& node, const std::vector<QString>& providers);

struct CheckLook {
  QString mark;  // one character; says the same as the word
  QString word;
};
CheckLook checkLook(CheckState state);

// "<model up to its last dot>_ctx.onnx".
QString defaultContextFile(const QString& model);

}  // namespace cutaway::ui
