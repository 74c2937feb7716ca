# Finds OpenVINO's C++ package: in build/env (PyPI's wheel carries headers, libraries and a CMake package), or where OpenVINO_DIR points.
# Optional: without it the provider is built all the same, and says at run time how to get it.

option(CUTAWAY_OPENVINO "Build the module that talks to OpenVINO where its CMake package is found" ON)
if(CUTAWAY_OPENVINO)
  file(GLOB CUTAWAY_OPENVINO_WHEEL LIST_DIRECTORIES true "${CMAKE_SOURCE_DIR}/build/env/lib/python3*/site-packages/openvino/cmake")
  find_package(OpenVINO QUIET CONFIG COMPONENTS Runtime HINTS ${CUTAWAY_OPENVINO_WHEEL})
endif()
if(OpenVINO_FOUND)
  # Its package defines what is the default, for the whole folder: precompiled headers made without would not be taken.
  remove_definitions(-D_GLIBCXX_USE_CXX11_ABI=1)
  get_target_property(CUTAWAY_OPENVINO_FILE openvino::runtime IMPORTED_LOCATION_RELEASE)
  cmake_path(GET CUTAWAY_OPENVINO_FILE PARENT_PATH CUTAWAY_OPENVINO_LIBRARIES)
  cmake_path(GET CUTAWAY_OPENVINO_FILE FILENAME CUTAWAY_OPENVINO_LIBRARY_NAME)
endif()
