# Precompiled headers: of the standard library, of tl::expected and fmt, of nlohmann/json and CLI11, and of Qt. They hold no header of ours, so that editing one never rebuilds them.
#
#   cutaway_precompile(cutaway_graph library)      # engine and providers
#   cutaway_precompile(cutaway_ui_base gui)        # Qt Core and Gui
#
# g++ takes a precompiled header only where macros and options are those that it was made with. So each kind has a target
# cutaway_headers_<kind> that makes it once with the options of its users, and all of them reuse it:
#
#   library, library_threads   static libraries of the engine and of providers; with OpenMP where cutaway_threads is linked
#   json                       static libraries whose files nearly all write JSON, with nlohmann/json
#   program                    programs of the command line, with CLI11 and nlohmann/json
#   gui, widgets               static libraries of the window
#   test, test_gui, test_widgets   test programs, with Qt Test and tests/program/test_entry.h
#
# Names stand in angle brackets, because CMake writes quoted ones with their absolute path, and ccache would then find
# nothing of another clone. Every source names what it uses all the same: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds.
# For ccache: -fpch-preprocess and precompile.sh (below), CCACHE_PCH_EXTSUM=1, and in CCACHE_SLOPPINESS pch_defines and
# time_macros (packaging/build.sh).

set(CUTAWAY_STANDARD_HEADERS
  <algorithm> <array> <atomic> <bit> <charconv> <cmath> <cstddef> <cstdint> <cstring> <filesystem> <fstream> <functional>
  <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <string> <string_view> <tuple> <type_traits>
  <unordered_map> <unordered_set> <utility> <vector>)
set(CUTAWAY_ENGINE_HEADERS ${CUTAWAY_STANDARD_HEADERS} <tl/expected.hpp> <spdlog/fmt/fmt.h>)
set(CUTAWAY_CORE_HEADERS <QCoreApplication> <QDir> <QFileInfo> <QHash> <QList> <QObject> <QPointer> <QString> <QStringList> <QTimer> <QVariant> <QAbstractItemModel>)
set(CUTAWAY_GUI_HEADERS <QColor> <QFont> <QFontMetrics> <QGuiApplication> <QImage> <QPainter> <QPainterPath> <QPalette> <QPixmap>)
set(CUTAWAY_WIDGETS_HEADERS <QAction> <QApplication> <QComboBox> <QHBoxLayout> <QHeaderView> <QKeyEvent> <QLabel> <QLineEdit> <QMenu> <QMouseEvent> <QPushButton> <QTableView> <QToolButton> <QVBoxLayout> <QWidget>)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
endif()

# Tests and programs spend their time in the libraries, which are optimised in full; they themselves compile a third faster so.
set(CUTAWAY_TEST_OPTIONS $<$<CONFIG:Release>:-O1>)
set(CUTAWAY_PROGRAM_OPTIONS $<$<CONFIG:Release>:-O1>)

# What makes the headers of one kind: LINK is what all users link, OPTIONS what all are compiled with.
function(cutaway_headers kind)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;LINK;OPTIONS")
  set(target cutaway_headers_${kind})
  set(source "${CMAKE_BINARY_DIR}/headers/${kind}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// Only its precompiled header is used.\n")
  add_library(${target} OBJECT EXCLUDE_FROM_ALL "${source}")
  target_include_directories(${target} PRIVATE "${CMAKE_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE tl::expected spdlog::spdlog ${arg_LINK})
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
  if(CUTAWAY_CCACHE)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "sh;${CMAKE_SOURCE_DIR}/packaging/cmake/precompile.sh;${CUTAWAY_CCACHE}")
  endif()
  if(kind MATCHES "^(test|program)")
    # Programs are compiled with -fPIE where libraries are with -fPIC.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIE)
  endif()
endfunction()

cutaway_headers(library HEADERS ${CUTAWAY_ENGINE_HEADERS})
cutaway_headers(library_threads HEADERS ${CUTAWAY_ENGINE_HEADERS} LINK cutaway_threads)
cutaway_headers(json HEADERS ${CUTAWAY_ENGINE_HEADERS} <nlohmann/json.hpp> LINK nlohmann_json::nlohmann_json)
set(gui "")
if(CUTAWAY_BUILD_UI)
  set(gui Qt6::Gui)  # pictures are painted with it; with Qt, programs too are compiled with -fPIC
endif()
cutaway_headers(program HEADERS ${CUTAWAY_ENGINE_HEADERS} <nlohmann/json.hpp> <CLI/CLI.hpp>
  LINK nlohmann_json::nlohmann_json CLI11::CLI11 ${gui} OPTIONS ${CUTAWAY_PROGRAM_OPTIONS})
if(CUTAWAY_BUILD_UI)
  cutaway_headers(gui HEADERS ${CUTAWAY_ENGINE_HEADERS} ${CUTAWAY_CORE_HEADERS} ${CUTAWAY_GUI_HEADERS} LINK Qt6::Core Qt6::Gui)
  cutaway_headers(widgets HEADERS ${CUTAWAY_ENGINE_HEADERS} ${CUTAWAY_CORE_HEADERS} ${CUTAWAY_GUI_HEADERS} ${CUTAWAY_WIDGETS_HEADERS}
    LINK Qt6::Core Qt6::Gui Qt6::Widgets)
endif()
if(CUTAWAY_BUILD_TESTS)
  set(entry <QtTest> <tests/program/test_entry.h>)
  cutaway_headers(test HEADERS ${CUTAWAY_ENGINE_HEADERS} <QCoreApplication> <QObject> ${entry} LINK Qt6::Core Qt6::Test OPTIONS ${CUTAWAY_TEST_OPTIONS})
  if(CUTAWAY_BUILD_UI)
    cutaway_headers(test_gui HEADERS ${CUTAWAY_ENGINE_HEADERS} ${CUTAWAY_CORE_HEADERS} ${CUTAWAY_GUI_HEADERS} ${entry}
      LINK Qt6::Core Qt6::Gui Qt6::Test OPTIONS ${CUTAWAY_TEST_OPTIONS})
    cutaway_headers(test_widgets HEADERS ${CUTAWAY_ENGINE_HEADERS} ${CUTAWAY_CORE_HEADERS} ${CUTAWAY_GUI_HEADERS} ${CUTAWAY_WIDGETS_HEADERS} ${entry}
      LINK Qt6::Core Qt6::Gui Qt6::Widgets Qt6::Test OPTIONS ${CUTAWAY_TEST_OPTIONS})
  endif()
endif()

function(cutaway_precompile target kind)
  target_precompile_headers(${target} REUSE_FROM cutaway_headers_${kind})
endfunction()
