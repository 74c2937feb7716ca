#pragma once
// What gates do to states, as vector loops over one row. Counts are multiples of panelLanes(): rows are padded.
//
// Thread rule: pure functions. Example: updateCell(cell, forget, in, candidate, count);   // cell = forget cell + in
// candidate

#include <cstdint>

namespace cutaway::cpu {

void addProduct(const float* a, const float* b, float* sum, int64_t count);        // sum += a b
void multiplyRows(const float* a, const float* b, float* product, int64_t count);  // product = a b
void oneMinus(const float* x, float* y, int64_t count);                            // y = 1 - x
void updateCell(float* cell, const float* forget, const float* in, const float* candidate, int64_t count);
void mixHidden(float* hidden, const float* update, const float* candidate,
               int64_t count);  // hidden = (1 - update) candidate + update hidden

}  // namespace cutaway::cpu
