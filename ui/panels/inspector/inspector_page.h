#pragma once
// The selection in words, as a page of rich text with links to neighbours: pure, so that it can be tested without a window.
//
// Links: "value:<graph>:<name>", "node:<version>:<graph>:<index>", "graph:<index>".
// Thread rule: GUI thread, reads snapshots. Example: browser->setHtml(inspectorPage(document, theme));

#include <QString>

namespace cutaway::ui {

class Document;
struct Theme;

QString inspectorPage(const Document& document, const Theme& theme);

}  // namespace cutaway::ui
