#pragma once
// Shapes with symbolic dimensions, and the types of values.
//
// A Dim is a number (>= 0), a named symbol ("batch"), or unknown. A Shape has a known rank and one Dim per axis; an
// unknown rank is no Shape at all (std::optional). Thread rule: plain values. Example: Shape shape{Dim("batch"),
// Dim(3), Dim(224), Dim(224)};  shape.elementCount() == nullopt;  toText(shape) == "[batch,3,224,224]".

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/result.h"
#include "engine/base/shared_text.h"
#include "engine/tensor/element_type.h"

namespace cutaway {

class Dim {
 public:
  Dim() = default;  // unknown
  explicit Dim(int64_t value) : m_value(value) {}
  explicit Dim(SharedText symbol) : m_symbol(std::move(symbol)) {}

  bool isKnown() const { return m_value >= 0; }
  bool isSymbol() const { return m_value < 0 && !m_symbol.empty(); }
  int64_t value() const { return m_value; }                        // -1 unless known
  const std::string& symbol() const { return m_symbol.string(); }  // empty unless a symbol
  void shareSymbol(TextPool& texts) { texts.share(m_symbol); }
  // Both known and equal, or both the same symbol. Two unknown dimensions are not the same.
  bool sameAs(const Dim& other) const {
    return isKnown() ? m_value == other.m_value : isSymbol() && !other.isKnown() && m_symbol == other.m_symbol;
  }
  bool operator==(const Dim&) const = default;

 private:
  int64_t m_value = -1;
  SharedText m_symbol;  // copies of a shape share it
};

class Shape {
 public:
  Shape() = default;  // rank 0
  Shape(std::initializer_list<Dim> dims) : m_dims(dims) {}
  explicit Shape(std::vector<Dim> dims) : m_dims(std::move(dims)) {}
  static Shape of(std::span<const int64_t> dims);

  size_t rank() const { return m_dims.size(); }
  const Dim& operator[](size_t axis) const { return m_dims[axis]; }
  Dim& operator[](size_t axis) { return m_dims[axis]; }
  std::span<const Dim> dims() const { return m_dims; }
  std::vector<Dim>& mutableDims() { return m_dims; }

  bool isStatic() const;
  // Product of the dimensions; nullopt when one is not known or the product does not fit.
  std::optional<int64_t> elementCount() const;
  std::optional<std::vector<int64_t>> staticDims() const;
  bool operator==(const Shape&) const = default;

 private:
  std::vector<Dim> m_dims;
};

// "[batch,3,?]"; a scalar is "[]". Symbols that are not identifiers stand in quotes.
std::string toText(const Shape& shape);
std::string dimsToText(std::span<const int64_t> dims);

// How the elements of a tensor lie in memory. Blocked layouts hold axis 1 in blocks of 8 or 16, padded with zeros (as
// oneDNN's nChw8c, nChw16c).
enum class Layout : uint8_t { kPlain, kChannelsLast, kBlocked8, kBlocked16 };

enum class TypeKind : uint8_t { kUnknown, kTensor, kSparseTensor, kSequence, kMap, kOptional, kOpaque };

// The type of a value (ONNX TypeProto). Copies share the inner type.
struct ValueType {
  TypeKind kind = TypeKind::kUnknown;
  Layout layout = Layout::kPlain;
  ElementType element = ElementType::kUndefined;  // tensor and sparse tensor
  ElementType key = ElementType::kUndefined;      // map
  std::optional<Shape> shape;                     // tensor and sparse tensor; nullopt: unknown rank
  std::shared_ptr<const ValueType> inner;         // sequence, map (its values), optional
  SharedText denotation;

  static ValueType tensor(ElementType element, std::optional<Shape> shape);
  static ValueType sequence(ValueType inner);
  static ValueType optional(ValueType inner);
  bool isTensor() const { return kind == TypeKind::kTensor; }
  bool known() const { return kind != TypeKind::kUnknown; }
  bool operator==(const ValueType& other) const;
};

// "float[batch,3,224,224]", "float" with unknown rank, "seq(float[?])", "map(int64,float)", "optional(...)",
// "sparse_tensor(float[3])", "opaque", "unknown"; a layout follows: "float[1,64,7,7]@blocked16".
std::string toText(const ValueType& type);

// Bytes of a dense tensor; sub-byte elements packed; layout padding counted. Fails (INVALID_ARGUMENT) on negative
// dimensions or overflow. Strings: count * sizeof(std::string).
Result<int64_t> byteSize(ElementType type, std::span<const int64_t> dims, Layout layout = Layout::kPlain);
// nullopt when not a tensor, of unknown shape, or string.
std::optional<int64_t> staticByteSize(const ValueType& type);
// Product of dims; 1 for a scalar. For dims already validated.
int64_t elementCount(std::span<const int64_t> dims);

}  // namespace cutaway
