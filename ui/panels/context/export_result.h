#pragma once
// What an export wrote and how it fared when it was loaded again, as a page of rich text.
//
// Thread rule: pure. Example: browser->setHtml(exportResultPage(*written, verification, theme));

#include <QString>

#include "engine/report/context_report.h"

namespace cutaway::ui {

struct Theme;

// `seen`: null while nothing was compared.
// simulated: providers of the walk that compute in a simulator; then no time is compared with another.
QString exportResultPage(const ContextWritten& written, const ContextVerification* seen, const Theme& theme,
                         const std::vector<std::string>& simulated = {});
// "It reloads and is bit-identical, ready to run 34× faster."
QString verificationSentence(const ContextVerification& seen, bool isSimulated = false);

}  // namespace cutaway::ui
