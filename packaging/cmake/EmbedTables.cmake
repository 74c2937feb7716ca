# Writes text files into a C++ file: cmake "-DFILES=a.tsv,b.tsv" -DOUTPUT=tables.cpp -DHEADER=some/known_options.h -DNAMESPACE=cutaway::some -DFUNCTION=optionTables -P EmbedTables.cmake
#
# The header declares std::span<const std::string_view> FUNCTION(), the files' texts in the order given.
string(REPLACE "," ";" files "${FILES}")
set(arrays "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {${bytes}0};\n")
  string(APPEND rows "    {reinterpret_cast<const char*>(kFile${number}), sizeof kFile${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE "${OUTPUT}.new" "// Written by packaging/cmake/EmbedTables.cmake.
#include \"${HEADER}\"

#include <vector>

namespace ${NAMESPACE} {

namespace {
${arrays}}  // namespace

std::span<const std::string_view> ${FUNCTION}() {
  static const std::vector<std::string_view> tables = {
${rows}  };
  return tables;
}

}  // namespace ${NAMESPACE}
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
