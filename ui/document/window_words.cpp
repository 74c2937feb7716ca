#include "ui/document/window_words.h"

#include <array>
#include <string_view>
#include <utility>

#include "engine/session/assumed_dims.h"
#include "ui/base/format.h"

namespace cutaway::ui {
namespace {

// What the window has no place for is an option of its own start. A new option in a sentence of the engine needs a line
// here: tests/lint/window_words.py looks.
constexpr auto kWords = std::to_array<std::pair<std::string_view, std::string_view>>({
    {session::kNamedDimsRemedy, "the bar Shapes gives them sizes"},
    {session::kNamelessDimsRemedy, "give inputs from files, under Inputs"},
    {"(--dim NAME=VALUE)", "(the bar Shapes)"},
    {"(--dim)", "(the bar Shapes)"},
    {"(--input NAME=FILE)", "(under Inputs)"},
    {"(cutaway-cli edit --set-shape NAME=1,3,224,224)", "(Edit model)"},
    {"--order memory", "least memory first as the execution order"},
    {"(--pin, ", "(pinned in their menu, "},
    {"(--custom-ops)", "(cutaway --custom-ops PATH)"},
    {"--custom-ops names", "cutaway --custom-ops names"},
    {"--plugin", "cutaway --plugin"},
    {"--profile-dir DIR", "cutaway --profile-dir DIR"},
    {"'cutaway-cli providers' lists", "the model settings list"},
    {"--ep-library ", "CUTAWAY_EP_LIBRARIES="},
    {"'partition MODEL --providers ... --record FILE'", "'cutaway --providers ... --record FILE MODEL'"},
    {"(--record)", "(cutaway --record)"},
});

}  // namespace

std::string inWindowWords(std::string sentence) {
  for (const auto& [option, window] : kWords)
    for (size_t at = sentence.find(option); at != std::string::npos; at = sentence.find(option, at + window.size()))
      sentence.replace(at, option.size(), window);
  return sentence;
}

QString told(std::string_view sentence) {
  return text(inWindowWords(std::string(sentence)));
}

QString told(const Error& error) {
  return told(describe(error));
}

}  // namespace cutaway::ui
