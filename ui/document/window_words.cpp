#include "ui/document/window_words.h"

#include <array>
#include <string_view>
#include <utility>

namespace cutaway::ui {

std::string inWindowWords(std::string message) {
  constexpr session::AssumedDimsRemedy kOptions;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kWords{
      {{kOptions.named, kShapesBarRemedy.named}, {kOptions.nameless, kShapesBarRemedy.nameless}}};
  for (const auto& [option, bar] : kWords)
    if (const size_t at = message.rfind(option); at != std::string::npos) message.replace(at, option.size(), bar);
  return message;
}

Error inWindowWords(Error error) {
  error.message = inWindowWords(std::move(error.message));
  return error;
}

}  // namespace cutaway::ui
