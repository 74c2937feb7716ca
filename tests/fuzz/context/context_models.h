#pragma once
// Models with EPContext nodes that name good and damaged binaries, carry them, or say nonsense; and looking for what
// they name.
//
// Thread rule: one thread. Example: Model model = contextModel(random);  findContexts(model, random);

#include <filesystem>

#include "engine/graph/model.h"
#include "tests/fuzz/driver.h"

namespace cutaway::fuzz {

Model contextModel(Random& random);
// Where the files lie that the nodes name.
std::filesystem::path contextFolder();
// Reads every context node and its metadata, and finds its binary; ends the program when something comes from outside
// of the folder or unverified.
void findContexts(Model& model, Random& random);

}  // namespace cutaway::fuzz
