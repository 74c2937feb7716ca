#include "tests/fuzz/readers/json_mutation.h"

#include <array>
#include <limits>
#include <vector>

#include <nlohmann/json.hpp>

namespace cutaway::fuzz {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostPlaces = 4096, kMostBytes = 1 << 20;
// One change in so many makes the document large: such a case takes as long as hundreds of others.
constexpr size_t kSeldom = 256;

void gather(Json& value, std::vector<Json*>& places) {
  if (places.size() >= kMostPlaces) return;
  places.push_back(&value);
  if (!value.is_structured()) return;
  for (Json& each : value)
    gather(each, places);
}

Json oddText(Random& random) {
  static const std::array<std::string, 9> kTexts{
      "",      "\x1b[31m", "../../etc/passwd", "/dev/zero", std::string("a\0b", 3),
      "1e999", "-1",       "\xf0\x9f\x98\x80", "name"};
  return random.oneIn(kSeldom) ? std::string(100'000, 'x') : kTexts[random.below(kTexts.size())];
}

Json oddNumber(Random& random) {
  switch (random.below(8)) {
    case 0:
      return std::numeric_limits<int64_t>::min();
    case 1:
      return std::numeric_limits<uint64_t>::max();
    case 2:
      return 1e308;
    case 3:
      return -0.5;
    case 4:
      return int64_t{1} << 31;
    default:
      return static_cast<int64_t>(random.below(9)) - 4;
  }
}

Json deep(Random& random) {
  Json value = 1;
  for (size_t depth = random.below(600); depth-- > 0;)
    value = random.oneIn(2) ? Json::array({std::move(value)}) : Json{{"a", std::move(value)}};
  return value;
}

Json odd(Random& random) {
  switch (random.below(8)) {
    case 0:
      return nullptr;
    case 1:
      return random.oneIn(2);
    case 2:
    case 3:
      return oddNumber(random);
    case 4:
    case 5:
      return oddText(random);
    case 6:
      return random.oneIn(2) ? Json::array() : Json::object();
    default:
      return deep(random);
  }
}

void changeList(Json& list, Random& random) {
  const size_t at = random.below(list.size());
  if (random.oneIn(2)) {
    list.erase(at);
  } else {
    constexpr size_t kMany = 1000;
    const Json again = list[at];
    const bool isMany = random.oneIn(kSeldom / 2) && again.dump().size() < kMostBytes / kMany;
    for (size_t times = isMany ? kMany : 1; times-- > 0;)
      list.push_back(again);
  }
}

void changeObject(Json& object, Random& random) {
  auto member = object.begin();
  std::advance(member, static_cast<std::ptrdiff_t>(random.below(object.size())));
  const std::string key = member.key();
  Json value = member.value();
  if (random.oneIn(2)) object.erase(key);
  if (random.oneIn(2)) object[oddText(random).get<std::string>()] = std::move(value);
}

void change(Json& root, Random& random) {
  std::vector<Json*> places;
  gather(root, places);
  Json& place = *places[random.below(places.size())];
  const size_t how = random.below(4);
  if (how == 0) {
    const Json other = *places[random.below(places.size())];  // a copy: it may be around this place
    if (other.dump().size() < kMostBytes) place = other;
  } else if (how == 1 || !place.is_structured() || place.empty()) {
    place = odd(random);
  } else if (place.is_array()) {
    changeList(place, random);
  } else {
    changeObject(place, random);
  }
}

std::optional<std::string> mutatedDocument(std::string_view bytes, Random& random) {
  Json root = Json::parse(bytes, nullptr, false);
  if (root.is_discarded()) return std::nullopt;
  for (size_t times = 1 + random.below(4); times-- > 0;)
    change(root, random);
  return root.dump(random.oneIn(4) ? 1 : -1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::optional<std::string> mutatedJson(std::string_view bytes, Random& random) {
  if (std::optional<std::string> whole = mutatedDocument(bytes, random)) return whole;
  std::vector<std::string_view> lines;
  for (size_t at = 0; at <= bytes.size();) {
    const size_t end = std::min(bytes.find('\n', at), bytes.size());
    lines.push_back(bytes.substr(at, end - at));
    at = end + 1;
  }
  if (lines.size() < 2) return std::nullopt;
  const size_t chosen = random.below(lines.size());
  const std::optional<std::string> changed = mutatedDocument(lines[chosen], random);
  if (!changed || changed->find('\n') != std::string::npos) return std::nullopt;
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i)
    text.append(i == 0 ? "" : "\n").append(i == chosen ? std::string_view(*changed) : lines[i]);
  return text;
}

}  // namespace cutaway::fuzz
