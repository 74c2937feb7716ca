#pragma once
// What the engine says in the words of the command line, in those of the window.
//
// Thread rule: pure. Example: return fail(inWindowWords(std::move(verified).error()));

#include "engine/session/assumed_dims.h"

namespace cutaway::ui {

// What the window says about open dimensions of inputs that are made up.
inline constexpr session::AssumedDimsRemedy kShapesBarRemedy{.named = "the bar Shapes gives them sizes",
                                                             .nameless = "give inputs from files, under Inputs"};

// A remedy that is a command line option becomes the one that the window has.
std::string inWindowWords(std::string message);
Error inWindowWords(Error error);

}  // namespace cutaway::ui
