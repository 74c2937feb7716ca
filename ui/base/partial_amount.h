#pragma once
// A sum that leaves out what has no size yet, written so that it never reads as a whole.
//
// Thread rule: pure. Example: partialAmount(sizeText(768), true, false) == "\u2265 768 B"

#include <QString>

namespace cutaway::ui {

// amount: of what is known. open: something is left out; nothing: so is everything, and the sum says nothing.
QString partialAmount(const QString& amount, bool open, bool nothing);

}  // namespace cutaway::ui
