#pragma once
// Models of one group each, over every family of operators; for tests of compiling, exporting and restoring.
//
// Thread rule: pure. Example: for (const GroupCase& each : groupCases()) run(each.text);

#include <initializer_list>
#include <string>
#include <vector>

namespace cutaway {

// Input float[2, channels, rows, rows] "x".
struct GroupCase {
  const char* name;
  std::string text;
  int channels = 16, rows = 9;
};
std::vector<GroupCase> groupCases();
// Conv between quantisers, for option int8=1; input float[2,4,9,9].
std::string integerConvolution();

// "float[2,3] name = {...}" with seeded numbers.
std::string weightsText(const char* name, std::initializer_list<int64_t> dims, unsigned seed, float low = -0.5f,
                        float high = 0.5f);
std::string modelText(const char* type, const std::string& constants, const char* body);

}  // namespace cutaway
