#pragma once
// What is fuzzed of contexts, and what every run starts from.
//
// Thread rule: one thread. Example: Random random(1);  fuzzBinary(random);

#include "tests/fuzz/driver.h"

namespace cutaway::fuzz {

// Corpus and seeds; before the others.
void prepareContexts();
// Binaries: opened, verified, every section read; what opens is written again and opens again.
void fuzzBinary(Random& random);
// Metadata about the nodes inside.
void fuzzInside(Random& random);
// Context nodes that say nonsense, and the files that they name.
void fuzzCatalog(Random& random);
// Models from memory with damaged EPContext nodes, whose binaries are inside or beside them: loaded, attributes read,
// binaries found.
void fuzzModel(Random& random);

// Small binaries, made by the writer.
const std::vector<std::string>& binarySeeds();

}  // namespace cutaway::fuzz
