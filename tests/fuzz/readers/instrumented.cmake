# fuzz_readers: libFuzzer over the readers, in an ordinary build. What reads bytes is compiled once more, by clang, so that coverage
# of it is followed and sanitizers watch it; everything else is linked as this build has it. Not part of a whole build:
# cmake --build build/release --target fuzz_readers.
find_program(CUTAWAY_FUZZ_COMPILER NAMES clang++-19 clang++-20 DOC "clang++ for libFuzzer; 19 or later knows the language")
if(NOT CUTAWAY_FUZZ_COMPILER OR CUTAWAY_SANITIZE)
  return()
endif()

set(instrumented
  engine/context_binary/binary_parser engine/context_binary/binary_reader engine/context_binary/directory_bytes
  engine/context_binary/inside_nodes
  engine/edit/edit_json
  engine/graph/text_lexer engine/graph/text_parser engine/graph/text_parser_values engine/graph/text_tensor
  engine/profile/recorded_devices engine/profile/saved_profile engine/profile/trace_events engine/profile/trace_reader
  engine/schema/function_reader engine/schema/graph_reader engine/schema/tensor_reader engine/schema/type_reader engine/schema/wire_reader
  engine/session/configuration/configuration_json engine/session/configuration/configuration_line
  engine/stages/load/external_data engine/stages/load/file_signature engine/stages/load/load engine/stages/load/npy_file
  engine/stages/load/tensor_file engine/stages/load/text_model
  engine/stages/load/ort_format/flat_buffer engine/stages/load/ort_format/ort_model engine/stages/load/ort_format/ort_values
  providers/declared/located_json providers/declared/object_reader providers/declared/operator_reader
  providers/declared/profile_reader
  providers/onnxruntime/protocol/channel providers/onnxruntime/record/record_file
  providers/openvino/asking/wire)

set(definitions "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:cutaway_fuzz_readers,COMPILE_DEFINITIONS>>")
set(folders "$<REMOVE_DUPLICATES:$<TARGET_PROPERTY:cutaway_fuzz_readers,INCLUDE_DIRECTORIES>>")
set(objects "")
foreach(source IN LISTS instrumented)
  string(REPLACE "/" "_" name "${source}")
  set(object "${CMAKE_CURRENT_BINARY_DIR}/instrumented/${name}.o")
  add_custom_command(OUTPUT "${object}"
    COMMAND "${CUTAWAY_FUZZ_COMPILER}" -std=c++20 -O1 -g1 -w -fPIC -fno-omit-frame-pointer
            -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fprofile-instr-generate -fcoverage-mapping
            "-D$<JOIN:${definitions},;-D>" "-I$<JOIN:${folders},;-I>"
            -include "${CMAKE_CURRENT_SOURCE_DIR}/json_layout.h" -MD -MF "${object}.d" -c "${CMAKE_SOURCE_DIR}/${source}.cpp" -o "${object}"
    DEPENDS "${CMAKE_SOURCE_DIR}/${source}.cpp" DEPFILE "${object}.d"
    COMMENT "Instrumenting ${source}" COMMAND_EXPAND_LISTS VERBATIM)
  list(APPEND objects "${object}")
endforeach()
file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/instrumented")
set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
add_custom_target(fuzz_instrumented DEPENDS ${objects})  # by themselves they wait for no library

# Of what stands in these objects and in a library, the first is taken.
cutaway_executable(fuzz_readers SOURCES main.cpp ${objects} LINK cutaway_fuzz_readers)
add_dependencies(fuzz_readers fuzz_instrumented)
target_link_options(fuzz_readers PRIVATE -fsanitize=fuzzer,address,undefined -fprofile-instr-generate -Wl,--allow-multiple-definition)
set_target_properties(fuzz_readers PROPERTIES
  EXCLUDE_FROM_ALL ON
  RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests"
  CXX_LINKER_LAUNCHER "sh;${CMAKE_CURRENT_SOURCE_DIR}/link_with.sh;${CUTAWAY_FUZZ_COMPILER}")
