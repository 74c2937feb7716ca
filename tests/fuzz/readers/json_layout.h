#pragma once
// Included before everything that clang compiles beside g++: nlohmann/json 3.11 asks clang for [[no_unique_address]] in
// a way that it denies, so that ordered objects would have 32 bytes here and 24 there.

#include <nlohmann/detail/macro_scope.hpp>

#undef JSON_NO_UNIQUE_ADDRESS
#define JSON_NO_UNIQUE_ADDRESS [[no_unique_address]]
