#pragma once
// What launches on both sides agree on: the stream they are put on, and how large blocks are.

namespace cutaway::cuda {

struct StreamTag;
using Stream = StreamTag*;

inline constexpr int kThreadsPerBlock = 256;
inline constexpr int kMaximumReduceWarps = 32;

}  // namespace cutaway::cuda
