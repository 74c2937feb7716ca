#pragma once
// Transposing a matrix of four-byte elements, in squares of four by four that turn in registers. Vectorised with
// Highway.
//
// Thread rule: pure. Example: turnWords(from, columns * 4, to, rows * 4, rows, columns);

#include <cstddef>
#include <cstdint>

namespace cutaway::cpu {

// Element r of the input's line c (lines are fromStep bytes apart) becomes element c of the output's line r (toStep
// bytes apart), for r < rows and c < columns.
void turnWords(const std::byte* from, int64_t fromStep, std::byte* to, int64_t toStep, int64_t rows, int64_t columns);

}  // namespace cutaway::cpu
