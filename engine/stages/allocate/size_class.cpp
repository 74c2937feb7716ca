#include "engine/stages/allocate/size_class.h"

namespace cutaway::allocate {
namespace {

bool hasSize(const ValueType& type) {
  return type.isTensor() && type.shape && type.element != ElementType::kString && bitsOf(type.element) > 0;
}

}  // namespace

size_t SizeTable::TypeHash::operator()(const ValueType* type) const {
  size_t hash = static_cast<size_t>(bitsOf(type->element)) * 8 + static_cast<size_t>(type->layout);
  for (const Dim& dim : type->shape->dims()) {
    const size_t part = dim.isKnown() ? static_cast<size_t>(dim.value()) : std::hash<std::string>{}(dim.symbol());
    hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

bool SizeTable::TypeEqual::operator()(const ValueType* a, const ValueType* b) const {
  return a == b || (bitsOf(a->element) == bitsOf(b->element) && a->layout == b->layout && a->shape == b->shape);
}

SizeTable::SizeTable(const Graph& graph, const AllocateOptions& options)
    : m_graph(graph), m_bounds{options.leastDims, options.mostDims} {
  for (const auto& [symbol, least] : options.leastDims) {
    const auto most = options.mostDims.find(symbol);
    if (most != options.mostDims.end() && most->second == least && least >= 0) m_pinned.emplace(symbol, least);
  }
  m_sizes.resize(graph.valueSlots());
  for (size_t i = 0; i < m_sizes.size(); ++i) {
    const ValueType& type = graph.value(ValueId{i}).type;
    if (graph.value(ValueId{i}).removed || !hasSize(type)) continue;
    const auto known = m_ofType.find(&type);
    m_sizes[i] = known != m_ofType.end() ? known->second : m_ofType.emplace(&type, measure(type)).first->second;
  }
}

ValueSize SizeTable::measure(const ValueType& type) {
  ValueSize size;
  for (const Dim& dim : type.shape->dims()) {
    if (!dim.isKnown() && !dim.isSymbol()) return size;
  }
  size.shape = static_cast<int32_t>(m_ofType.size());
  if (type.shape->isStatic()) {
    size.bytes = staticByteSize(type).value_or(-1);
    return size;
  }
  auto polynomial = byteSizeOf(type);
  if (polynomial && !m_pinned.empty()) polynomial = polynomial->with(m_pinned);
  if (!polynomial) return size;
  if (polynomial->isConstant()) {
    if (polynomial->constantTerm() >= 0) size.bytes = polynomial->constantTerm();
  } else {
    size.polynomial = intern(*std::move(polynomial));
  }
  return size;
}

int32_t SizeTable::intern(SizePolynomial polynomial) {
  const auto [entry, isNew] = m_ids.try_emplace(polynomial.toText(), static_cast<int32_t>(m_polynomials.size()));
  if (isNew) m_polynomials.emplace_back(std::move(polynomial));
  return entry->second;
}

bool SizeTable::sameBytes(ValueId a, ValueId b) const {
  const ValueSize& first = of(a);
  const ValueSize& second = of(b);
  return first.known() && first.bytes == second.bytes && first.polynomial == second.polynomial;
}

std::optional<SizePolynomial> SizeTable::polynomialOf(ValueId value) const {
  const ValueSize& size = of(value);
  if (size.bytes >= 0) return SizePolynomial::constant(size.bytes);
  return size.polynomial >= 0 ? m_polynomials[static_cast<size_t>(size.polynomial)] : std::nullopt;
}

bool SizeTable::holdsWithoutMuchWaste(const ValueSize& have, const ValueSize& need) {
  if (!have.known() || !need.known()) return false;
  if (have.bytes >= 0 && need.bytes >= 0) return have.bytes >= need.bytes && have.bytes - need.bytes <= need.bytes;
  if (have.polynomial < 0 || need.polynomial < 0) return false;  // a number and a symbol: the waste has no bound
  const auto [entry, isNew] = m_holds.try_emplace({have.polynomial, need.polynomial}, false);
  if (isNew) {
    const SizePolynomial& large = polynomial(have.polynomial);
    const SizePolynomial& small = polynomial(need.polynomial);
    const auto twice = small.plus(small);
    entry->second = twice && large.atLeast(small, m_bounds) && twice->atLeast(large, m_bounds);
  }
  return entry->second;
}

std::string SizeTable::text(const ValueSize& size) const {
  if (size.bytes >= 0) return fmt::format("{} {}", size.bytes, size.bytes == 1 ? "byte" : "bytes");
  return size.polynomial >= 0 ? polynomial(size.polynomial).toText() + " bytes" : "an unknown number of bytes";
}

std::optional<int64_t> SizeTable::numberOf(const Dim& dim) const {
  if (dim.isKnown()) return dim.value();
  if (!dim.isSymbol() || m_pinned.empty()) return std::nullopt;
  const auto polynomial = cutaway::polynomialOf(dim);
  return polynomial ? polynomial->evaluate(m_pinned) : std::nullopt;
}

std::string sizeText(const ValueType& type) {
  if (!type.isTensor() || !type.shape) return "unknown";
  const int bits = bitsOf(type.element);
  if (bits == 0) return "unknown";
  if (const auto bytes = staticByteSize(type)) return std::to_string(*bytes);
  if (const auto polynomial = byteSizeOf(type)) return polynomial->toText();
  std::string text = bits >= 8 ? std::to_string(bits / 8) : std::string("1");
  for (const Dim& dim : type.shape->dims()) {
    text += '*';
    text += dim.isKnown() ? std::to_string(dim.value()) : dim.isSymbol() ? dim.symbol() : "?";
  }
  if (bits < 8) text += fmt::format("/{}", 8 / bits);
  return text;
}

}  // namespace cutaway::allocate
