#include "engine/study/second_opinion/type_words.h"

#include <algorithm>

namespace cutaway::study {

namespace {

bool isNumber(const std::string& dim) {
  return std::ranges::all_of(dim, [](char c) { return c >= '0' && c <= '9'; });
}

enum class DimKind { kNumber, kName, kNothing };
DimKind kindOf(const std::string& dim) {
  return isNumber(dim) ? DimKind::kNumber : dim == "?" ? DimKind::kNothing : DimKind::kName;
}

}  // namespace

TypeWords wordsOf(const std::string& type) {
  TypeWords words{.element = type.substr(0, type.find('[')), .dims = {}};
  if (words.element.size() == type.size()) return words;
  words.dims.emplace();
  const std::string inside = type.substr(words.element.size() + 1, type.size() - words.element.size() - 2);
  for (size_t begin = 0; begin < inside.size();) {
    const size_t end = std::min(inside.find(',', begin), inside.size());
    words.dims->push_back(inside.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

TypeMatch matchTypes(const TypeWords& one, const TypeWords& other) {
  if (one.element != other.element) return TypeMatch::kDifferent;
  if (!one.dims && !other.dims) return TypeMatch::kSame;
  if (!one.dims || !other.dims) return TypeMatch::kOneTellsMore;
  if (one.dims->size() != other.dims->size()) return TypeMatch::kDifferent;
  TypeMatch match = TypeMatch::kSame;
  for (size_t axis = 0; axis < one.dims->size(); ++axis) {
    const std::string &a = (*one.dims)[axis], &b = (*other.dims)[axis];
    if (isNumber(a) && isNumber(b) && a != b) return TypeMatch::kDifferent;
    if (isNumber(a) != isNumber(b)) match = TypeMatch::kOneTellsMore;
  }
  return match;
}

bool tellTheSame(const TypeWords& one, const TypeWords& other) {
  if (one.dims.has_value() != other.dims.has_value()) return false;
  return !one.dims || std::ranges::equal(*one.dims, *other.dims, [](const std::string& a, const std::string& b) {
    return kindOf(a) == kindOf(b) && (kindOf(a) != DimKind::kNumber || a == b);
  });
}

}  // namespace cutaway::study
