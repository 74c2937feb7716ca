# Everything the project stands on, found in one place. packaging/setup.sh puts it there.

list(PREPEND CMAKE_PREFIX_PATH "${CMAKE_SOURCE_DIR}/build/deps/onnx")

find_package(Protobuf REQUIRED)  # before ONNX, whose package file uses its targets
find_package(ONNX QUIET CONFIG)
if(NOT ONNX_FOUND)
  message(FATAL_ERROR "The onnx C++ package is not built yet: run packaging/setup.sh first.")
endif()
# Debian's oneDNN package file asks for OpenCL's development files, which nothing here uses: name library and headers directly.
find_library(CUTAWAY_DNNL_LIBRARY dnnl REQUIRED)
find_path(CUTAWAY_DNNL_INCLUDE dnnl.hpp PATH_SUFFIXES oneapi/dnnl REQUIRED)
add_library(DNNL::dnnl SHARED IMPORTED)
set_target_properties(DNNL::dnnl PROPERTIES
  IMPORTED_LOCATION "${CUTAWAY_DNNL_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${CUTAWAY_DNNL_INCLUDE}")
# Debian's RE2 has no package file for CMake.
find_library(CUTAWAY_RE2_LIBRARY re2 REQUIRED)
find_path(CUTAWAY_RE2_INCLUDE re2/re2.h REQUIRED)
add_library(re2::re2 SHARED IMPORTED)
set_target_properties(re2::re2 PROPERTIES
  IMPORTED_LOCATION "${CUTAWAY_RE2_LIBRARY}"
  INTERFACE_INCLUDE_DIRECTORIES "${CUTAWAY_RE2_INCLUDE}")
find_package(ICU REQUIRED COMPONENTS uc)
find_package(spdlog REQUIRED CONFIG)
find_package(nlohmann_json REQUIRED CONFIG)
find_package(CLI11 REQUIRED CONFIG)
find_package(tl-expected REQUIRED CONFIG)
find_package(hwy REQUIRED CONFIG)
find_package(Threads REQUIRED)
# Plans of sweeps are TOML, their results are in SQLite. toml++ is its headers.
find_path(CUTAWAY_TOML_INCLUDE toml++/toml.h REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(benchmark QUIET CONFIG)

# What ImageDecoder reads image files with. WebP and OpenJPEG have no module of CMake's; Debian's package files pull in programs, so their libraries are named directly.
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(TIFF REQUIRED)
find_library(CUTAWAY_WEBP_LIBRARY webp REQUIRED)
find_path(CUTAWAY_WEBP_INCLUDE webp/decode.h REQUIRED)
find_library(CUTAWAY_OPENJPEG_LIBRARY openjp2 REQUIRED)
find_path(CUTAWAY_OPENJPEG_INCLUDE openjpeg.h PATH_SUFFIXES openjpeg-2.5 REQUIRED)
add_library(cutaway_image_formats INTERFACE)
target_include_directories(cutaway_image_formats SYSTEM INTERFACE "${CUTAWAY_WEBP_INCLUDE}" "${CUTAWAY_OPENJPEG_INCLUDE}")
target_link_libraries(cutaway_image_formats INTERFACE JPEG::JPEG PNG::PNG TIFF::TIFF "${CUTAWAY_WEBP_LIBRARY}" "${CUTAWAY_OPENJPEG_LIBRARY}")

# Threads. oneDNN brings libgomp, whose functions engine/base/library_loops.cpp has for it; nothing of ours is compiled for OpenMP.
add_library(cutaway_threads INTERFACE)
target_link_libraries(cutaway_threads INTERFACE Threads::Threads)
if(CUTAWAY_OPENMP)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  target_link_libraries(cutaway_threads INTERFACE OpenMP::OpenMP_CXX)
  target_compile_definitions(cutaway_threads INTERFACE CUTAWAY_OPENMP=1)
endif()

if(CUTAWAY_BUILD_UI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Svg Network)
endif()
if(CUTAWAY_BUILD_TESTS)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Test)
  # Qt Test tells every source its folders, for QFINDTESTDATA. Nothing here uses it, and a path on the command line
  # keeps ccache from knowing the same source in another clone.
  get_target_property(definitions Qt6::Test INTERFACE_COMPILE_DEFINITIONS)
  list(FILTER definitions EXCLUDE REGEX "QT_TESTCASE_(BUILD|SOURCE)DIR")
  set_target_properties(Qt6::Test PROPERTIES INTERFACE_COMPILE_DEFINITIONS "${definitions}")
endif()
