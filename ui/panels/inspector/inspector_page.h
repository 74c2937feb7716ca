#pragma once
// The selection in words, as a page of rich text with links to neighbours: pure, so that it can be tested without a
// window.
//
// Links: "value:<graph>:<name>", "node:<version>:<graph>:<index>", "graph:<index>", "tool:<id>", "look:<graph>:<name>"
// (the value in the tensor viewer), "copy:<words>", "attribute:<name>" (copies its value), "more:<what>" (asks for the
// page again with <what> among the open ones), "kernels:find" (looks for the kernels of all nodes). Thread rule: GUI
// thread, reads snapshots. Example: browser->setHtml(inspectorPage(document, theme));

#include <memory>

#include <QSet>
#include <QString>

#include "engine/study/kernels/kernel_choices.h"

namespace cutaway::ui {

class Document;
struct Theme;

// What is known of the kernels of the present walk.
struct KernelFacts {
  bool canFind = false;                                           // they are not there, and somebody may look for them
  bool busy = false;                                              // somebody looks
  std::shared_ptr<const study::KernelChoices> choices = nullptr;  // of this walk's model and settings
  QString problem = {};                                           // why the last look found none
};

// open: what is shown whole; without it lists and texts are cut short.
QString inspectorPage(const Document& document, const Theme& theme, const QSet<QString>& open = {},
                      const KernelFacts& kernels = {});

}  // namespace cutaway::ui
