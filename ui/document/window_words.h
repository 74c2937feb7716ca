#pragma once
// What engine and providers tell in the words of the command line ("sizes for its dimensions (--dim)"), in those of the
// window ("(the bar Shapes)"). Every sentence of theirs that the window shows goes through told(): reasons, remedies,
// problems, warnings and errors. Names, which are the model's own, do not.
//
// Thread rule: pure. Example: page.text(tr("Supported"), told(answer.remedy));

#include <string>
#include <string_view>

#include <QString>

#include "engine/base/result.h"

namespace cutaway::ui {

std::string inWindowWords(std::string sentence);
QString told(std::string_view sentence);
QString told(const Error& error);  // with its code and place

}  // namespace cutaway::ui
