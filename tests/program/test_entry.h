#pragma once

// One program holds all tests of a folder: Qt Test's main macros define a function run_<class> here in place of main(),
// and main.cpp calls the one whose test is named on the command line. cutaway_test() sees to it that every test file is
// compiled with this header, so a test is written as Qt's manual says.

#include <QtTest>

#undef QTEST_MAIN_WRAPPER
#define QTEST_MAIN_WRAPPER(TestObject, ...)                            \
  int run_##TestObject(int argc, char** argv) {                        \
    QT_PREPEND_NAMESPACE(QTest::Internal::callInitMain)<TestObject>(); \
    __VA_ARGS__                                                        \
    TestObject tc;                                                     \
    QTEST_SET_MAIN_SOURCE_PATH                                         \
    return QTest::qExec(&tc, argc, argv);                              \
  }
