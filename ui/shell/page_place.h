#pragma once
// Where a page's canvas is, as a bookmark, and going back there.
//
// Thread rule: GUI thread. Example: const auto here = placeOf(*page);  ...  unfoldPlace(*page, *here);  ...
// goToPlace(*page, *here);

#include <optional>

#include <QString>

#include "ui/document/bookmarks.h"

namespace cutaway::ui {

class DocumentPage;

std::optional<Bookmark> placeOf(DocumentPage& page);          // none: nothing is on screen yet
void unfoldPlace(DocumentPage& page, const Bookmark& place);  // graph and groups; the scene comes later
void goToPlace(DocumentPage& page, const Bookmark& place);    // in the scene that is shown
QString chosenOverlay(DocumentPage& page);                    // empty: that of the stage

}  // namespace cutaway::ui
