// The main() of every test program: PROGRAM TEST [QT TEST ARGUMENTS]. Without a test it lists its tests.

#include <cstdio>
#include <cstring>
#include <string>

// test_table.inc is written from the folder's test files: CUTAWAY_TEST(tst_graph, TestGraph) for each.
#define CUTAWAY_TEST(name, TestObject) int run_##TestObject(int argc, char** argv);
#include "test_table.inc"
#undef CUTAWAY_TEST

namespace {

struct Test {
  const char* name;
  int (*run)(int argc, char** argv);
};

constexpr Test kTests[] = {
#define CUTAWAY_TEST(name, TestObject) {#name, run_##TestObject},
#include "test_table.inc"
#undef CUTAWAY_TEST
};

}  // namespace

int main(int argc, char** argv) {
  for (const Test& test : kTests) {
    if (argc < 2 || std::strcmp(argv[1], test.name) != 0) continue;
    // The application is named after the test, as if the test were a program of its own: settings and folders follow
    // that name.
    const std::string program = argv[0];
    std::string path = program.substr(0, program.find_last_of('/') + 1) + test.name;
    argv[1] = path.data();
    return test.run(argc - 1, argv + 1);
  }
  for (const Test& test : kTests)
    std::puts(test.name);
  return argc < 2 ? 0 : 2;
}
