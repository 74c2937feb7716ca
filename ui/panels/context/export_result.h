#pragma once
// What an export wrote and how it fared when it was loaded again, as a page of rich text.
//
// Thread rule: pure. Example: browser->setHtml(exportResultPage(*written, verification, theme));

#include <QString>

#include "engine/report/context_report.h"

namespace cutaway::ui {

struct Theme;

// `seen`: null while nothing was compared.
QString exportResultPage(const ContextWritten& written, const ContextVerification* seen, const Theme& theme);
// "It reloads and is bit-identical, ready to run 34× faster."
QString verificationSentence(const ContextVerification& seen);

}  // namespace cutaway::ui
