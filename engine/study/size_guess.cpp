// The names that exporters give dimensions tell what they are.
#include "engine/study/size_guess.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace cutaway::study {
namespace {

struct SizeGuess {
  std::string_view word;  // in the name of the dimension, in small letters
  int64_t size;
};
// The first that fits. What is not here is 1.
constexpr std::array kGuesses = {SizeGuess{"batch", 1},   SizeGuess{"past", 16},    SizeGuess{"seq", 128},
                                 SizeGuess{"len", 128},   SizeGuess{"token", 128},  SizeGuess{"time", 128},
                                 SizeGuess{"frame", 128}, SizeGuess{"height", 224}, SizeGuess{"width", 224}};

}  // namespace

int64_t guessSize(const std::string& symbol, size_t axis, const ValueType& type) {
  if (axis == 0) return 1;
  std::string name = symbol;
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  for (const SizeGuess& guess : kGuesses)
    if (!name.empty() && name.find(guess.word) != std::string::npos) return guess.size;
  if (type.shape->rank() == 4 && axis >= 2) return 224;                // of an image
  if (type.shape->rank() == 2 && isInteger(type.element)) return 128;  // tokens of a text
  return 1;
}

}  // namespace cutaway::study
