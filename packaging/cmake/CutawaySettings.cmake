# What holds for every target: the language, warnings, sanitizers, ccache and where binaries lie.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)  # moc reads sources only: it need not wait for the libraries that a target links
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(CUTAWAY_CCACHE ccache)
if(CUTAWAY_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER "${CUTAWAY_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CUTAWAY_CCACHE}")
endif()

# Designated initialisers leave members out on purpose; -Wrestrict of g++ 12 warns inside std::string (GCC bug 105651),
# and so does -Wstringop-overflow where its header is precompiled.
add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-Wall> $<$<COMPILE_LANGUAGE:C,CXX>:-Wextra> $<$<COMPILE_LANGUAGE:C,CXX>:-Wno-missing-field-initializers>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict> $<$<COMPILE_LANGUAGE:CXX>:-Wno-stringop-overflow>)
endif()
if(CUTAWAY_WERROR)
  # Inside std::string with its header precompiled, g++ 12 sees bounds that are none (GCC bug 105651): shown, no error.
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-Werror> $<$<COMPILE_LANGUAGE:CXX>:-Wno-error=array-bounds>)
endif()
if(CUTAWAY_SANITIZE)
  add_compile_options(-fsanitize=${CUTAWAY_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${CUTAWAY_SANITIZE})
  if(CUTAWAY_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
