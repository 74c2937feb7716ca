# One function for each kind of target. All of them compile with the repository root as their include path.
#
#   cutaway_library(cutaway_graph SOURCES graph.cpp LINK_PUBLIC cutaway_tensor LINK_PRIVATE spdlog::spdlog)
#   cutaway_executable(cutaway-cli SOURCES main.cpp LINK cutaway_session)
#   cutaway_test(tst_graph SOURCES tst_graph.cpp LINK cutaway_graph)
#   cutaway_script_test(lint_sizes lint.py ARGUMENTS sizes LABELS lint)
#
# Targets named cutaway_ui_* and everything given the word QT run moc, uic and rcc.

function(cutaway_prepare_target target)
  target_include_directories(${target} PUBLIC "${CMAKE_SOURCE_DIR}")
endfunction()

function(cutaway_enable_qt target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOUIC ON AUTORCC ON)
endfunction()

function(cutaway_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QT" "" "SOURCES;LINK_PUBLIC;LINK_PRIVATE")
  add_library(${target} STATIC ${arg_SOURCES})
  cutaway_prepare_target(${target})
  target_link_libraries(${target} PUBLIC ${arg_LINK_PUBLIC} PRIVATE ${arg_LINK_PRIVATE})
  if(arg_QT OR target MATCHES "^cutaway_ui_")
    cutaway_enable_qt(${target})
  endif()
  if(arg_LINK_PUBLIC MATCHES "Qt6::Widgets|cutaway_ui_(canvas_view|panels)")
    cutaway_precompile(${target} widgets)
  elseif(arg_LINK_PUBLIC MATCHES "Qt6::Gui|cutaway_ui_base|cutaway_ui_canvas")
    cutaway_precompile(${target} gui)
  elseif(arg_LINK_PRIVATE MATCHES "cutaway_threads")
    cutaway_precompile(${target} library_threads)
  else()
    cutaway_precompile(${target} library)
  endif()
endfunction()

function(cutaway_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "QT" "" "SOURCES;LINK")
  add_executable(${target} ${arg_SOURCES})
  cutaway_prepare_target(${target})
  target_link_libraries(${target} PRIVATE ${arg_LINK})
  if(arg_QT)
    cutaway_enable_qt(${target})
  endif()
endfunction()

# A Qt Test, run by CTest under its own name. TIMEOUT is in seconds; LABELS choose it with ctest -L.
# The test finds the repository in CUTAWAY_SOURCE_DIR and written test data in CUTAWAY_TEST_DATA_DIR (macros),
# and the built programs in the environment variable CUTAWAY_BIN_DIR.
#
# All tests of a folder are one program (tests/program), named after the folder: build/release/tests/unit_engine_graph tst_graph
# runs one; building the target tst_graph builds that program. ALONE makes a program of its own: for a test with its own main(),
# with its own operator new, or with flags that its neighbours must not have.
function(cutaway_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ALONE" "TIMEOUT" "SOURCES;LINK;LABELS")
  set(settings LABELS ${arg_LABELS})
  if(arg_TIMEOUT)
    list(APPEND settings TIMEOUT ${arg_TIMEOUT})
  endif()
  if(NOT CUTAWAY_BUILD_TESTS)
    return()
  endif()
  if(arg_ALONE)
    add_executable(${name} ${arg_SOURCES})
    cutaway_prepare_target(${name})
    target_link_libraries(${name} PRIVATE Qt6::Test ${arg_LINK})
    target_compile_options(${name} PRIVATE ${CUTAWAY_TEST_OPTIONS})
    set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
    add_test(NAME ${name} COMMAND ${name})
  else()
    cutaway_test_program(program)
    get_target_property(sources ${program} SOURCES)
    foreach(source IN LISTS arg_SOURCES)
      cmake_path(ABSOLUTE_PATH source NORMALIZE)
      if(NOT source IN_LIST sources)
        target_sources(${program} PRIVATE "${source}")
      endif()
    endforeach()
    target_link_libraries(${program} PRIVATE ${arg_LINK})
    list(GET arg_SOURCES 0 first)
    set_property(TARGET ${program} APPEND PROPERTY CUTAWAY_TESTS "${name}=${CMAKE_CURRENT_SOURCE_DIR}/${first}")
    add_custom_target(${name})
    add_dependencies(${name} ${program})
    add_test(NAME ${name} COMMAND ${program} ${name})
  endif()
  cutaway_test_paths(${arg_SOURCES})
  cutaway_test_settings(${name} ${settings})
endfunction()

# Gives the name of the program of this folder's tests; makes it on the first call, and once the folder is read its table of tests.
function(cutaway_test_program result)
  cmake_path(RELATIVE_PATH CMAKE_CURRENT_SOURCE_DIR BASE_DIRECTORY "${CMAKE_SOURCE_DIR}/tests" OUTPUT_VARIABLE program)
  string(REPLACE "/" "_" program "${program}_tests")
  set(${result} ${program} PARENT_SCOPE)
  if(TARGET ${program})
    return()
  endif()
  set(folder "${CMAKE_BINARY_DIR}/units/${program}")
  add_executable(${program} "${CMAKE_SOURCE_DIR}/tests/program/main.cpp" "${folder}/test_table.inc")
  cutaway_prepare_target(${program})
  target_include_directories(${program} PRIVATE "${folder}")
  target_link_libraries(${program} PRIVATE Qt6::Test)
  target_compile_options(${program} PRIVATE ${CUTAWAY_TEST_OPTIONS})
  set_target_properties(${program} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  set_property(SOURCE "${CMAKE_SOURCE_DIR}/tests/program/main.cpp" "${folder}/test_table.inc" PROPERTY SKIP_AUTOGEN ON)
  cmake_language(EVAL CODE "cmake_language(DEFER CALL cutaway_finish_test_program ${program})")
endfunction()

function(cutaway_finish_test_program program)
  get_target_property(tests ${program} CUTAWAY_TESTS)
  list(TRANSFORM tests REPLACE "^[^=]+=" "" OUTPUT_VARIABLE files)
  list(JOIN tests "," tests)
  set(table "${CMAKE_BINARY_DIR}/units/${program}/test_table.inc")
  set(script "${CMAKE_SOURCE_DIR}/packaging/cmake/TestTable.cmake")
  add_custom_command(OUTPUT "${table}"
    COMMAND "${CMAKE_COMMAND}" "-DOUTPUT=${table}" "-DTESTS=${tests}" -P "${script}"
    DEPENDS ${files} "${script}" VERBATIM COMMENT "")
  get_target_property(links ${program} LINK_LIBRARIES)
  if(links MATCHES "cutaway_window_driver|cutaway_ui_(panels|shell|sweep|canvas_view)")
    cutaway_precompile(${program} test_widgets)
  elseif(links MATCHES "cutaway_ui_|cutaway_engine_host")
    cutaway_precompile(${program} test_gui)
  else()
    cutaway_precompile(${program} test)
  endif()
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${program} PRIVATE -include "${CMAKE_SOURCE_DIR}/tests/program/test_entry.h")
  endif()
endfunction()

# Defines the two paths for the sources that name them. The others compile to the same object in every clone.
function(cutaway_test_paths)
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" uses LIMIT_COUNT 1 REGEX "CUTAWAY_(SOURCE|TEST_DATA)_DIR")
    if(uses)
      set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_DEFINITIONS
        CUTAWAY_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CUTAWAY_TEST_DATA_DIR="${CMAKE_SOURCE_DIR}/build/test-data")
    endif()
  endforeach()
endfunction()

# A test that is a Python script, run with build/env's Python: cutaway_script_test(name path/of/script.py ARGUMENTS ... TIMEOUT ... LABELS ...)
function(cutaway_script_test name script)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "TIMEOUT" "ARGUMENTS;LABELS")
  set(settings LABELS ${arg_LABELS})
  if(arg_TIMEOUT)
    list(APPEND settings TIMEOUT ${arg_TIMEOUT})
  endif()
  add_test(NAME ${name} COMMAND "${CMAKE_SOURCE_DIR}/build/env/bin/python" -B "${CMAKE_CURRENT_SOURCE_DIR}/${script}" ${arg_ARGUMENTS})
  cutaway_test_settings(${name} ${settings})
endfunction()

# What every CTest entry gets, Qt Test program or script: no window system, the folder of the built programs, the names of
# the sanitizers they were built with (scripts that bound memory ask for it), a time limit, and for programs with
# sanitizers what these cannot know of libraries. An allocation that is too large fails, as it does without them, and
# programs whose standard error is looked at do not list what was suppressed. oneTBB opens its libraries as sanitizers
# bear it, and blocks of thread-local storage are not followed, which the search for leaks falls over beside OpenVINO.
function(cutaway_test_settings name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(patience "")
  if(CUTAWAY_SANITIZE)
    math(EXPR arg_TIMEOUT "${arg_TIMEOUT} * 5")
    set(patience "QTEST_FUNCTION_TIMEOUT=1500000;")  # milliseconds; Qt Test's own limit is a fifth of it
  endif()
  set(known "${CMAKE_SOURCE_DIR}/tests/program")
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${arg_TIMEOUT}
    LABELS "${arg_LABELS}"
    ENVIRONMENT "${patience}QT_QPA_PLATFORM=offscreen;CUTAWAY_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};CUTAWAY_SANITIZE=${CUTAWAY_SANITIZE};TBB_ENABLE_SANITIZERS=1;TSAN_OPTIONS=suppressions=${known}/races_of_libraries.txt:die_after_fork=0:handle_segv=0;ASAN_OPTIONS=allocator_may_return_null=1:intercept_tls_get_addr=0;LSAN_OPTIONS=suppressions=${known}/leaks_of_libraries.txt:print_suppressions=0;UBSAN_OPTIONS=print_stacktrace=1")
endfunction()
