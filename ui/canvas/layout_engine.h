#pragma once
// Who places nodes: the near-linear layout of this program (layered_layout.h), or Graphviz's dot (dot_layout.h).

namespace cutaway::ui {

enum class LayoutEngine : unsigned char { kOwn, kDot };

}  // namespace cutaway::ui
