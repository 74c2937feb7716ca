# fuzz_readers: libFuzzer over the readers, in an ordinary build. What reads bytes is compiled once more, by clang, so that coverage
# of it is followed and sanitizers watch it: our readers, and all of onnx and protobuf that a program here may call. Everything
# else is linked as this build has it. Not part of a whole build: cmake --build build/release --target fuzz_readers, after
# packaging/setup.sh --fuzzing.
find_program(CUTAWAY_FUZZ_COMPILER NAMES clang++-19 clang++-20 DOC "clang++ for libFuzzer; 19 or later knows the language")
set(fuzzing "${CMAKE_SOURCE_DIR}/build/deps/fuzzing")
if(NOT CUTAWAY_FUZZ_COMPILER OR NOT EXISTS "${fuzzing}/.stamp" OR CUTAWAY_SANITIZE)
  return()
endif()

set(readers
  engine/context_binary/binary_parser engine/context_binary/binary_reader engine/context_binary/directory_bytes
  engine/context_binary/inside_nodes
  engine/edit/edit_json
  engine/graph/text_lexer engine/graph/text_parser engine/graph/text_parser_values engine/graph/text_tensor
  engine/profile/device_figures engine/profile/saved_profile engine/profile/trace_events engine/profile/trace_reader
  engine/schema/function_reader engine/schema/graph_reader engine/schema/tensor_reader engine/schema/type_reader engine/schema/wire_reader
  engine/session/configuration/configuration_json engine/session/configuration/configuration_line
  engine/stages/load/external_data engine/stages/load/file_signature engine/stages/load/load engine/stages/load/npy_file
  engine/stages/load/tensor_file engine/stages/load/text_model
  engine/stages/load/ort_format/flat_buffer engine/stages/load/ort_format/ort_model engine/stages/load/ort_format/ort_values
  providers/declared/located_json providers/declared/object_reader providers/declared/operator_reader
  providers/declared/profile_reader
  providers/onnxruntime/protocol/channel providers/onnxruntime/record/record_file
  providers/openvino/asking/wire)
if(TARGET cutaway_ui_shell)
  list(APPEND readers ui/shell/session_file)
endif()

# Appends to objects what each of the SOURCES under a FOLDER becomes, in a folder of that NAME.
set(objects "")
function(instrument name)
  cmake_parse_arguments(its "" "FOLDER" "SOURCES;OPTIONS" ${ARGN})
  foreach(source IN LISTS its_SOURCES)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/instrumented/${name}/${source}.o")
    cmake_path(GET object PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${CUTAWAY_FUZZ_COMPILER}" -std=c++20 -O1 -g1 -w -fPIC -fno-omit-frame-pointer
              -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
              ${its_OPTIONS} -MD -MF "${object}.d" -c "${its_FOLDER}/${source}" -o "${object}"
      DEPENDS "${its_FOLDER}/${source}" DEPFILE "${object}.d"
      COMMENT "Instrumenting ${source}" COMMAND_EXPAND_LISTS VERBATIM)
    list(APPEND objects "${object}")
  endforeach()
  set(objects "${objects}" PARENT_SCOPE)
endfunction()

# Ours alone are told in the report of coverage.
set(definitions "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:cutaway_fuzz_readers,COMPILE_DEFINITIONS>>")
set(folders "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:cutaway_fuzz_readers,INCLUDE_DIRECTORIES>>")
list(TRANSFORM readers APPEND .cpp)
instrument(readers FOLDER "${CMAKE_SOURCE_DIR}" SOURCES ${readers}
  OPTIONS "-D$<JOIN:${definitions},$<SEMICOLON>-D>" "-I$<JOIN:${folders},$<SEMICOLON>-I>" -include "${CMAKE_CURRENT_SOURCE_DIR}/json_layout.h"
          -fprofile-instr-generate -fcoverage-mapping)

# Without the binding to Python. Headers are those that all else is compiled with.
set(release -DNDEBUG -DONNX_ML=1 -DONNX_NAMESPACE=onnx "-I${CMAKE_SOURCE_DIR}/build/deps/onnx/include")
file(GLOB_RECURSE sources RELATIVE "${fuzzing}/onnx" "${fuzzing}/onnx/onnx/*.cc")
list(REMOVE_ITEM sources onnx/cpp2py_export.cc)
instrument(onnx FOLDER "${fuzzing}/onnx" SOURCES ${sources} OPTIONS ${release})
file(GLOB sources RELATIVE "${fuzzing}/messages" "${fuzzing}/messages/onnx/*.cc")
instrument(messages FOLDER "${fuzzing}/messages" SOURCES ${sources} OPTIONS ${release})

# What protobuf's own build puts into its library, but for its compiler and its tools, which nothing here calls.
set(lists "${fuzzing}/protobuf/cmake/libprotobuf.cmake" "${fuzzing}/protobuf/cmake/libprotobuf-lite.cmake")
set(sources "")
foreach(list IN LISTS lists)
  file(STRINGS "${list}" named REGEX "/src/google/protobuf/.*\\.cc$")
  list(APPEND sources ${named})
endforeach()
list(TRANSFORM sources REPLACE "^.*/src/" "")
list(FILTER sources EXCLUDE REGEX "/(compiler|util)/|io_win32")
# Lists of no elements are copied there with memcpy() from and to nullptr: no harm is in that.
set(copies google/protobuf/parse_context.cc)
list(REMOVE_ITEM sources ${copies})
set(options -DNDEBUG -DHAVE_PTHREAD "-I${fuzzing}/protobuf/src")
instrument(protobuf FOLDER "${fuzzing}/protobuf/src" SOURCES ${sources} OPTIONS ${options})
instrument(protobuf FOLDER "${fuzzing}/protobuf/src" SOURCES ${copies} OPTIONS ${options} -fno-sanitize=nonnull-attribute)

set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_custom_target(fuzz_instrumented DEPENDS ${objects})  # by themselves they wait for no library

# Of what stands in these objects and in a library of ours, the first is taken.
cutaway_executable(fuzz_readers SOURCES main.cpp ${objects} LINK cutaway_fuzz_readers)
add_dependencies(fuzz_readers fuzz_instrumented)
target_link_options(fuzz_readers PRIVATE -fsanitize=fuzzer,address,undefined -fprofile-instr-generate -Wl,--allow-multiple-definition)
set_target_properties(fuzz_readers PROPERTIES
  EXCLUDE_FROM_ALL ON
  RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests"
  CXX_LINKER_LAUNCHER "sh;${CMAKE_CURRENT_SOURCE_DIR}/link_with.sh;${CUTAWAY_FUZZ_COMPILER}")
