# Batches: several sources compiled as one, for those who build everything once and change little. Most of a compiler's time goes
# into headers, and a batch reads them once; building again after touching one file takes as long as its batch.
#
# batches.py says which sources may share a batch without meaning anything else; nothing has to be written so that it can be
# batched, and what cannot is compiled alone. packaging/build.sh turns this on for a build folder that it makes. Work that
# touches one file after the other is quicker without: cmake --preset release -DCUTAWAY_BATCHES=OFF.

option(CUTAWAY_BATCHES "Compile sources in batches: quicker for a whole build, slower for one file" OFF)

# Targets of a folder and of all below it.
function(cutaway_targets_below folder result)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    cutaway_targets_below("${below}" more)
    list(APPEND targets ${more})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

function(cutaway_make_batches)
  set(request "")
  cutaway_targets_below("${CMAKE_SOURCE_DIR}" targets)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "^(STATIC_LIBRARY|MODULE_LIBRARY|SHARED_LIBRARY|EXECUTABLE)$")
      continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    if(folder MATCHES "/tests(/|$)")
      continue()  # tests of a folder mostly share the names of their helpers: little could be batched
    endif()
    set(row ${target})
    foreach(source IN LISTS sources)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}" NORMALIZE)
      cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${source}" is_written)
      if(source MATCHES "\\.cpp$" AND NOT is_written)
        list(APPEND row "${source}")
      endif()
    endforeach()
    string(APPEND request "${row}\n")
  endforeach()
  set(written "${CMAKE_BINARY_DIR}/batches.request")
  file(WRITE "${written}" "${request}")
  execute_process(COMMAND "${CMAKE_SOURCE_DIR}/build/env/bin/python" -B "${CMAKE_SOURCE_DIR}/packaging/cmake/batches.py" "${CMAKE_SOURCE_DIR}" "${written}"
    OUTPUT_FILE "${CMAKE_BINARY_DIR}/batches.txt" COMMAND_ERROR_IS_FATAL ANY)
  file(STRINGS "${CMAKE_BINARY_DIR}/batches.txt" rows)
  foreach(row IN LISTS rows)
    string(REPLACE "|" ";" fields "${row}")
    list(POP_FRONT fields target)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_RELOCATABLE ON)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # A class of a source that uses its anonymous namespace: g++ warns of it wherever that is no main file.
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    endif()
    while(fields)
      list(POP_FRONT fields source batch)
      set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP "${batch}")
    endwhile()
  endforeach()
endfunction()

if(CUTAWAY_BATCHES)
  cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL cutaway_make_batches)
else()
  file(REMOVE "${CMAKE_BINARY_DIR}/batches.txt")  # build.sh looks whether it still holds
endif()
