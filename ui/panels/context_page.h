#pragma once
// A context node on a page: who compiled it, in plain words what that means here, what is stored where, and what was
// checked.
//
// Thread rule: pure. Example: writeContext(page, *document.contextNode(target), providerNames(*document.walk()));

#include <vector>

#include <QString>

#include "engine/report/context_report.h"

namespace cutaway::ui {

class PageWriter;

void writeContext(PageWriter& page, const ContextNodeReport& node, const std::vector<QString>& providers);

}  // namespace cutaway::ui
