#pragma once
// Configurations that can be compared: the session as it is, and variations of it.
//
// Thread rule: GUI thread. Example: for (const AccuracyChoice& choice : accuracyChoices(document))
// box->addItem(choice.title);

#include <vector>

#include <QString>

#include "engine/session/session.h"

namespace cutaway::ui {

class Document;

struct AccuracyChoice {
  QString id;
  QString title;
  QString help;
  Result<session::SessionOptions> options;  // an error: it cannot be chosen now, and why
};

// The session, only cpu, without optimisation, both, the what-if draft, and each provider before cpu alone.
std::vector<AccuracyChoice> accuracyChoices(Document& document);

}  // namespace cutaway::ui
