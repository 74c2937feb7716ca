#include "engine/operators/residual.h"

namespace cutaway::operators {

bool addsWithoutBroadcast(const ValueType& a, const ValueType& b) {
  if (!a.shape || !b.shape || a.element != b.element || a.shape->rank() != b.shape->rank()) return false;
  for (size_t axis = 0; axis < a.shape->rank(); ++axis) {
    if (!(*a.shape)[axis].sameAs((*b.shape)[axis])) return false;
  }
  return true;
}

}  // namespace cutaway::operators
