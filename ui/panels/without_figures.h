#pragma once
// A panel without figures says so: its head names no sizes of open dimensions then.
//
// Thread rule: GUI thread. Example: setProperty(kWithoutFigures, true);

namespace cutaway::ui {

inline constexpr char kWithoutFigures[] = "withoutFigures";

}  // namespace cutaway::ui
