# Writes the support profiles of a folder into a C++ file: cmake -DFOLDER=resources/profiles -DOUTPUT=shipped_profiles.cpp -P EmbedProfiles.cmake
#
# Every *.json but schema.json; name, title, version and date are taken out here, so that a list of profiles costs nothing at run time.
file(GLOB files "${FOLDER}/*.json")
list(FILTER files EXCLUDE REGEX "/schema\\.json$")
list(SORT files)

set(arrays "")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  cmake_path(GET file FILENAME short)
  file(READ "${file}" text)
  set(row "\"${short}\"")
  foreach(member name title version date)
    string(JSON value ERROR_VARIABLE error GET "${text}" ${member})
    if(error)
      message(FATAL_ERROR "${file}: no \"${member}\" can be read: ${error}")
    endif()
    string(REPLACE "\\" "\\\\" value "${value}")
    string(REPLACE "\"" "\\\"" value "${value}")
    string(APPEND row ", \"${value}\"")
  endforeach()
  file(READ "${file}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char kFile${number}[] = {${bytes}0};\n")
  string(APPEND rows "    {${row}, {reinterpret_cast<const char*>(kFile${number}), sizeof kFile${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()

file(WRITE "${OUTPUT}.new" "// Written by packaging/cmake/EmbedProfiles.cmake from resources/profiles.
#include \"providers/declared/profile_store.h\"

namespace cutaway::declared {

namespace {
${arrays}}  // namespace

std::span<const ShippedProfile> shippedProfiles() {
  static const std::vector<ShippedProfile> profiles = {
${rows}  };
  return profiles;
}

}  // namespace cutaway::declared
")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
