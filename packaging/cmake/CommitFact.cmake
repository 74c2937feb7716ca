# Writes the commit of the sources as a source: cmake -DOUTPUT=commit.cpp -DSOURCE=FOLDER [-DCOMMIT=NAME] -P CommitFact.cmake
#
# "1a2b3c4d5e6f", "1a2b3c4d5e6f with changes", or empty where the sources are no clone. The file is written only when it changes.
if(NOT COMMIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" rev-parse --short=12 HEAD OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND git -C "${SOURCE}" --no-optional-locks diff --quiet HEAD -- RESULT_VARIABLE changed ERROR_QUIET)
  if(COMMIT AND changed EQUAL 1)
    string(APPEND COMMIT " with changes")
  endif()
endif()
file(WRITE "${OUTPUT}.new" "// Written by packaging/cmake/CommitFact.cmake.
#include \"app/about/build_facts.h\"

namespace cutaway {

const char* commitOfSources() {
  return \"${COMMIT}\";
}

}  // namespace cutaway
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
