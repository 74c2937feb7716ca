#pragma once
// The selection in words, as a page of rich text with links to neighbours: pure, so that it can be tested without a
// window.
//
// Links: "value:<graph>:<name>", "node:<version>:<graph>:<index>", "graph:<index>", "tool:<id>", "look:<graph>:<name>"
// (the value in the tensor viewer), "copy:<words>", "attribute:<name>" (copies its value), "more:<what>" (asks for the
// page again with <what> among the open ones). Thread rule: GUI thread, reads snapshots. Example:
// browser->setHtml(inspectorPage(document, theme));

#include <QSet>
#include <QString>

namespace cutaway::ui {

class Document;
struct Theme;

// open: what is shown whole; without it lists and texts are cut short.
QString inspectorPage(const Document& document, const Theme& theme, const QSet<QString>& open = {});

}  // namespace cutaway::ui
