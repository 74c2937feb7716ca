#include "ui/base/partial_amount.h"

#include <QObject>

namespace cutaway::ui {

QString partialAmount(const QString& amount, bool open, bool nothing) {
  if (!open) return amount;
  return nothing ? QObject::tr("unknown (dynamic shapes)") : QStringLiteral("\u2265 ") + amount;
}

}  // namespace cutaway::ui
