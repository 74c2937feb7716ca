# Writes the table of a test program: cmake -DOUTPUT=test_table.inc -DTESTS=tst_a=/path/tst_a.cpp,tst_b=/path/tst_b.cpp -P TestTable.cmake
#
# One line CUTAWAY_TEST(tst_a, TestA) for each, the class taken from the file's QTEST_MAIN(TestA).
string(REPLACE "," ";" tests "${TESTS}")
set(rows "")
foreach(test IN LISTS tests)
  string(REGEX MATCH "^([^=]+)=(.*)$" whole "${test}")
  set(name "${CMAKE_MATCH_1}")
  set(source "${CMAKE_MATCH_2}")
  file(STRINGS "${source}" lines REGEX "^QTEST_[A-Z]*_?MAIN\\(")
  if(NOT lines MATCHES "^QTEST_[A-Z_]*MAIN\\(([A-Za-z0-9_]+)\\)")
    message(FATAL_ERROR "${source}: there is no line QTEST_MAIN(Class), QTEST_GUILESS_MAIN(Class) or QTEST_APPLESS_MAIN(Class)")
  endif()
  string(APPEND rows "CUTAWAY_TEST(${name}, ${CMAKE_MATCH_1})\n")
endforeach()
file(WRITE "${OUTPUT}.new" "${rows}")
file(COPY_FILE "${OUTPUT}.new" "${OUTPUT}" ONLY_IF_DIFFERENT)
