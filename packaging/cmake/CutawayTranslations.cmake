# Translations: resources/translations/cutaway_<language>.ts become .qm files inside the program, under :/i18n.
#
#   cutaway_translations(cutaway_ui_shell de zh)
#
# Beside each goes the list of its contexts, for texts whose context the compiler sees differently from lupdate. Without
# lrelease the window speaks English.
find_program(CUTAWAY_LRELEASE NAMES lrelease lrelease-qt6 HINTS /usr/lib/qt6/bin)

function(cutaway_translations target)
  set(folder "${CMAKE_BINARY_DIR}/translations")
  set(entries "")
  set(written "")
  set(sources "")
  foreach(language IN LISTS ARGN)
    set(ts "${CMAKE_SOURCE_DIR}/resources/translations/cutaway_${language}.ts")
    if(NOT CUTAWAY_LRELEASE OR NOT EXISTS "${ts}")
      message(STATUS "No translation into '${language}': lrelease or ${ts} is missing")
      continue()
    endif()
    string(APPEND entries "<file>cutaway_${language}.qm</file><file>cutaway_${language}.contexts</file>")
    add_custom_command(OUTPUT "${folder}/cutaway_${language}.qm" "${folder}/cutaway_${language}.contexts"
      COMMAND "${CUTAWAY_LRELEASE}" -silent -nounfinished "${ts}" -qm "${folder}/cutaway_${language}.qm"
      COMMAND "${CMAKE_COMMAND}" -DTS=${ts} -DOUT=${folder}/cutaway_${language}.contexts -P "${CMAKE_SOURCE_DIR}/packaging/cmake/ListContexts.cmake"
      DEPENDS "${ts}" "${CMAKE_SOURCE_DIR}/packaging/cmake/ListContexts.cmake" VERBATIM)
    list(APPEND written "${folder}/cutaway_${language}.qm" "${folder}/cutaway_${language}.contexts")
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/translations.qrc" CONTENT "<RCC><qresource prefix=\"/i18n\">${entries}</qresource></RCC>\n" @ONLY)
  add_custom_command(OUTPUT "${folder}/qrc_translations.cpp"
    COMMAND Qt6::rcc --name translations --output "${folder}/qrc_translations.cpp" "${folder}/translations.qrc"
    DEPENDS "${folder}/translations.qrc" ${written} VERBATIM)
  set_source_files_properties("${folder}/qrc_translations.cpp" PROPERTIES SKIP_AUTOGEN ON)
  target_sources(${target} PRIVATE "${folder}/qrc_translations.cpp")
endfunction()
