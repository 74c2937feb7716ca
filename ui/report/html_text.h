#pragma once
// Text that may stand in HTML and in a script's data, whatever a model's names hold.
//
// Thread rule: pure functions. Example: page += "<td>" + escapeHtml(node.name) + "</td>";

#include <string>
#include <string_view>

namespace cutaway::ui {

// & < > " ' replaced, and bytes that are not UTF-8 or are control characters too: names come from the model.
std::string escapeHtml(std::string_view text);

// JSON made fit for a <script> element: < > & and the line separators U+2028 and U+2029 become \u escapes, which only
// ever stand inside strings.
std::string escapeScriptData(std::string_view json);

}  // namespace cutaway::ui
