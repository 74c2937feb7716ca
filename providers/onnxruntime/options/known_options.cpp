#include "providers/onnxruntime/options/known_options.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::onnxruntime {
namespace {

constexpr std::string_view kHeader = "option\tvalues\tdefault\tneeded\ttogether\tabout";
constexpr size_t kColumns = 6;

std::vector<std::string_view> split(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(between);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Takes the first word off a text.
std::string_view takeWord(std::string_view& text) {
  const size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

bool readWhole(std::string_view text, int64_t& value) {
  const auto [stop, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && stop == text.data() + text.size();
}

// "0..", "1..4096"
bool readSpan(std::string_view text, KnownOption& option) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos || !readWhole(text.substr(0, dots), option.least)) return false;
  const std::string_view most = text.substr(dots + 2);
  return most.empty() || readWhole(most, option.most);
}

// "69=SM8750": the library takes either; "39:SA8295": the name is for people.
KnownValue readValue(std::string_view text) {
  const size_t end = text.find_first_of("=:");
  if (end == std::string_view::npos) return {.text = std::string(text), .title = {}};
  return {std::string(text.substr(0, end)), std::string(text.substr(end + 1)), text[end] == '='};
}

bool readValues(std::string_view text, KnownOption& option) {
  if (text == "text" || text == "refused") {
    option.rule = text == "text" ? ValueRule::kText : ValueRule::kRefused;
    return true;
  }
  std::string_view rest = text;
  const std::string_view first = takeWord(rest);
  if (first == "whole") {
    option.rule = ValueRule::kWhole;
    return readSpan(rest, option);
  }
  option.rule = ValueRule::kOneOf;
  option.isList = first == "list";
  for (const std::string_view value : split(option.isList ? rest : text, '|')) {
    if (value.empty()) return false;
    option.values.push_back(readValue(value));
  }
  return true;
}

// "always", "unless backend_path", "if backend_type=htp"
bool readNeeded(std::string_view text, KnownOption& option) {
  if (text.empty()) return true;
  option.isNeeded = true;
  const std::string_view word = takeWord(text);
  if (word == "always") return text.empty();
  if (word == "unless") {
    option.neededUnless = text;
    return !text.empty();
  }
  const size_t equals = text.find('=');
  if (word != "if" || equals == std::string_view::npos) return false;
  option.neededIf = text.substr(0, equals);
  option.neededValue = text.substr(equals + 1);
  return true;
}

// "not backend_type", "with dump=1", "at_least soc_model 88", "count soc_model"
bool readTogether(std::string_view text, KnownOption& option) {
  if (text.empty()) return true;
  const std::string_view word = takeWord(text);
  if (word == "with") {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) return false;
    option.together.push_back(
        {TogetherRule::kWith, std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))});
    return true;
  }
  const std::string other(takeWord(text));
  if (other.empty()) return false;
  if (word == "at_least") {
    int64_t least = 0;
    option.together.push_back({TogetherRule::kAtLeast, other, std::string(text)});
    return readWhole(text, least);
  }
  option.together.push_back({word == "not" ? TogetherRule::kNot : TogetherRule::kCount, other});
  return word == "not" || word == "count";
}

Result<KnownOption> readRow(std::string_view line, size_t number) {
  const std::vector<std::string_view> cells = split(line, '\t');
  if (cells.size() != kColumns)
    return fail(ErrorCode::kInvalidArgument, "line {}: {} columns instead of {}", number, cells.size(), kColumns);
  KnownOption option{.name = std::string(cells[0])};
  if (!readValues(cells[1], option)) return fail(ErrorCode::kInvalidArgument, "line {}: values '{}'", number, cells[1]);
  option.standard = cells[2];
  if (!readNeeded(cells[3], option)) return fail(ErrorCode::kInvalidArgument, "line {}: needed '{}'", number, cells[3]);
  for (const std::string_view rule : split(cells[4], ';')) {
    if (!readTogether(rule, option)) return fail(ErrorCode::kInvalidArgument, "line {}: together '{}'", number, rule);
  }
  option.about = cells[5];
  return option;
}

}  // namespace

Result<KnownProvider> readOptionTable(std::string_view text) {
  KnownProvider known;
  const std::array<std::pair<std::string_view, std::string*>, 3> heads{
      {{"provider", &known.provider}, {"package", &known.package}, {"version", &known.version}}};
  bool isInRows = false;
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (line.empty()) continue;
    if (isInRows) {
      CUTAWAY_TRY(KnownOption option, readRow(line, number));
      known.options.push_back(std::move(option));
    } else if (line == kHeader) {
      isInRows = true;
    } else {
      const size_t tab = std::min(line.find('\t'), line.size());
      const auto* const head =
          std::ranges::find(heads, line.substr(0, tab), [](const auto& each) { return each.first; });
      if (head == heads.end() || tab == line.size())
        return fail(ErrorCode::kInvalidArgument, "line {}: '{}' is neither provider, package, version nor the header",
                    number, line);
      *head->second = line.substr(tab + 1);
    }
  }
  for (const auto& [name, value] : heads) {
    if (value->empty()) return fail(ErrorCode::kInvalidArgument, "the table does not name its {}", name);
  }
  return known;
}

std::span<const KnownProvider> knownProviders() {
  static const std::vector<KnownProvider> known = [] {
    std::vector<KnownProvider> all;
    for (const std::string_view table : optionTables()) {
      if (Result<KnownProvider> provider = readOptionTable(table)) all.push_back(*std::move(provider));
    }
    return all;
  }();
  return known;
}

const KnownProvider* findKnownProvider(std::string_view provider) {
  const std::span<const KnownProvider> known = knownProviders();
  const auto found = std::ranges::find(known, provider, &KnownProvider::provider);
  return found == known.end() ? nullptr : &*found;
}

}  // namespace cutaway::onnxruntime
