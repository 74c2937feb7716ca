#include "providers/cpu/kernels/random/random_source.h"

#include <cmath>

namespace cutaway::cpu {

double RandomSource::uniform() {
  const uint32_t high = static_cast<uint32_t>(m_engine()) >> 5;
  const uint32_t low = static_cast<uint32_t>(m_engine()) >> 6;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double RandomSource::normal() {
  if (m_hasSpare) {
    m_hasSpare = false;
    return m_spare;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2 * uniform() - 1;
    y = 2 * uniform() - 1;
    square = x * x + y * y;
  } while (square >= 1 || square == 0);
  const double factor = std::sqrt(-2 * std::log(square) / square);
  m_spare = factor * x;
  m_hasSpare = true;
  return factor * y;
}

namespace {

// FNV-1a.
uint32_t hashOf(std::string_view text) {
  uint32_t hash = 2166136261u;
  for (const char letter : text)
    hash = (hash ^ static_cast<uint8_t>(letter)) * 16777619u;
  return hash;
}

}  // namespace

SeedRule SeedRule::of(const KernelInfo& info) {
  SeedRule rule;
  const Attribute* attribute = info.node().findAttribute("seed");
  if (attribute != nullptr) {
    rule.m_fixed = true;
    if (const auto* whole = std::get_if<int64_t>(&attribute->value)) {
      rule.m_seed = static_cast<uint32_t>(*whole);
    } else {
      const double value = info.attribute<float>("seed", 0.0f);
      rule.m_seed =
          std::isfinite(value) && std::fabs(value) < 9e18 ? static_cast<uint32_t>(static_cast<int64_t>(value)) : 0;
    }
    return rule;
  }
  rule.m_seed = hashOf(info.node().name);
  if (info.hasOutput(0)) rule.m_seed ^= hashOf(info.graph().value(info.node().outputs[0]).name);
  return rule;
}

uint32_t SeedRule::next(KernelContext& context) const {
  auto* state = dynamic_cast<RandomState*>(context.state());
  if (m_fixed || state == nullptr) return m_seed;
  return m_seed + state->runs++;
}

}  // namespace cutaway::cpu
