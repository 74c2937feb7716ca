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

# A Qt Test program, run by CTest under its own name. TIMEOUT is in seconds; LABELS choose it with ctest -L.
# The program finds the repository in CUTAWAY_SOURCE_DIR and written test data in CUTAWAY_TEST_DATA_DIR (macros),
# and the built programs in the environment variable CUTAWAY_BIN_DIR.
function(cutaway_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;LINK;LABELS")
  set(settings LABELS ${arg_LABELS})
  if(arg_TIMEOUT)
    list(APPEND settings TIMEOUT ${arg_TIMEOUT})
  endif()
  if(NOT CUTAWAY_BUILD_TESTS)
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  cutaway_prepare_target(${name})
  target_link_libraries(${name} PRIVATE Qt6::Test ${arg_LINK})
  target_compile_definitions(${name} PRIVATE
    CUTAWAY_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
    CUTAWAY_TEST_DATA_DIR="${CMAKE_SOURCE_DIR}/build/test-data")
  set_target_properties(${name} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name})
  cutaway_test_settings(${name} ${settings})
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

# What every CTest entry gets, Qt Test program or script: no window system, the folder of the built programs, a time limit.
function(cutaway_test_settings name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "LABELS")
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES
    TIMEOUT ${arg_TIMEOUT}
    LABELS "${arg_LABELS}"
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;CUTAWAY_BIN_DIR=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
endfunction()
