#include "engine/stages/allocate/free_buffers.h"

#include <algorithm>

namespace cutaway::allocate {

namespace {

constexpr size_t kLookedAt = 32;
constexpr size_t kPolynomialsTried = 8;
constexpr int64_t kSmallBuffer = 256;  // every block takes this much room at least

}  // namespace

FreeBuffers::Shelf& FreeBuffers::shelf(int32_t device) {
  if (m_shelves.size() <= static_cast<size_t>(device)) m_shelves.resize(static_cast<size_t>(device) + 1);
  return m_shelves[static_cast<size_t>(device)];
}

void FreeBuffers::put(int32_t device, ValueId root, bool remember) {
  const ValueSize& size = m_sizes.of(root);
  Shelf& at = shelf(device);
  if (m_rules == AllocRules::kOnnxruntime) {
    if (size.shape < 0) return;
    at.byShape[size.shape].push_back(root);
  } else if (size.bytes >= 0) {
    at.byBytes[size.bytes].push_back(root);
  } else if (size.polynomial >= 0) {
    at.byPolynomial[size.polynomial].push_back(root);
    if (at.polynomials.empty() || at.polynomials.back() != size.polynomial) {
      std::erase(at.polynomials, size.polynomial);
      at.polynomials.push_back(size.polynomial);
      if (at.polynomials.size() > kPolynomialsTried) at.polynomials.erase(at.polynomials.begin());
    }
  } else {
    return;
  }
  m_isFree[root.index()] = true;
  ++m_count;
  if (remember) m_history.push_back(root);
}

ValueId FreeBuffers::pop(std::vector<ValueId>& roots) {
  const ValueId root = roots.back();
  roots.pop_back();
  m_isFree[root.index()] = false;
  --m_count;
  return root;
}

FreeBuffers::Taken FreeBuffers::take(int32_t device, const ValueSize& need, bool largerToo) {
  Shelf& at = shelf(device);
  if (m_rules == AllocRules::kOnnxruntime) {
    const auto found = at.byShape.find(need.shape);
    return need.shape < 0 || found == at.byShape.end() || found->second.empty() ? Taken{}
                                                                                : Taken{pop(found->second), false};
  }
  if (need.bytes >= 0) return takeByBytes(at, need.bytes, largerToo);
  const auto found = at.byPolynomial.find(need.polynomial);
  if (found != at.byPolynomial.end() && !found->second.empty()) return {pop(found->second), false};
  return largerToo ? takeLargerSymbolic(at, need) : Taken{};
}

FreeBuffers::Taken FreeBuffers::takeByBytes(Shelf& at, int64_t need, bool largerToo) {
  const auto found = at.byBytes.lower_bound(need);
  if (found == at.byBytes.end()) return {};
  const bool isLarger = found->first != need;
  if (isLarger && (!largerToo || (found->first > kSmallBuffer && found->first - need > need))) return {};
  const ValueId root = pop(found->second);
  if (found->second.empty()) at.byBytes.erase(found);
  return {root, isLarger};
}

FreeBuffers::Taken FreeBuffers::takeLargerSymbolic(Shelf& at, const ValueSize& need) {
  for (size_t i = at.polynomials.size(); i-- > 0;) {
    const int32_t candidate = at.polynomials[i];
    auto& roots = at.byPolynomial[candidate];
    if (!roots.empty() && m_sizes.holdsWithoutMuchWaste({-1, candidate, -1}, need)) return {pop(roots), true};
  }
  return {};
}

std::vector<ValueId> FreeBuffers::newest() const {
  std::vector<ValueId> roots;
  for (size_t i = m_history.size(), looked = 0; i-- > 0 && looked < kLookedAt; ++looked) {
    if (m_isFree[m_history[i].index()] && std::find(roots.begin(), roots.end(), m_history[i]) == roots.end())
      roots.push_back(m_history[i]);
  }
  return roots;
}

}  // namespace cutaway::allocate
