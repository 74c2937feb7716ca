#include "engine/base/log_privacy.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <mutex>
#include <set>
#include <vector>

#include "engine/base/printable.h"

namespace cutaway::log {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFolders = 256;  // the latest
constexpr std::string_view kBeforePath = " \t'\"(=[<>,;:`|";
constexpr std::string_view kAfterPath = " \t'\"()<>,;`|[]";
constexpr std::string_view kHidden = "***";

struct Folders {
  std::mutex mutex;
  std::vector<fs::path> allowed;
};

Folders& folders() {
  static Folders& instance = *new Folders;
  return instance;
}

const std::set<std::string>& namesAtRoot() {
  static const std::set<std::string>& names = *[] {
    auto* found = new std::set<std::string>;
    std::error_code problem;
    for (fs::directory_iterator each("/", problem), end; !problem && each != end; each.increment(problem))
      found->insert(each->path().filename().string());
    return found;
  }();
  return names;
}

bool startsPath(std::string_view rest) {
  if (rest.starts_with("~/") || rest.starts_with("../")) return true;
  if (rest.size() < 2 || rest[0] != '/' || rest[1] == '/') return false;
  const std::string_view first = rest.substr(1, rest.find_first_of("/ \t'\"", 1) - 1);
  return namesAtRoot().contains(std::string(first));
}

// How long the path is that text begins with. quote: the sign before it, which ends it where there is another.
size_t pathLength(std::string_view text, char quote) {
  if (quote == '\'' || quote == '"' || quote == '`') {
    if (const size_t end = text.find(quote); end != std::string_view::npos) return end;
  }
  size_t end = std::min(text.find_first_of(kAfterPath), text.size());
  while (end > 1 && (text[end - 1] == '.' || text[end - 1] == ':'))
    --end;  // a sentence's
  return end;
}

std::string shownPath(std::string_view text) {
  const fs::path path = fs::path(text).lexically_normal();
  {
    Folders& all = folders();
    const std::lock_guard lock(all.mutex);
    for (const fs::path& folder : all.allowed) {
      const fs::path from = path.lexically_relative(folder);
      if (!from.empty() && *from.begin() != "..") return from.string();
    }
  }
  const fs::path name = path.has_filename() ? path.filename() : path.parent_path().filename();
  return "\u2026/" + name.string();
}

std::string withoutPaths(std::string_view text) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const char before = at == 0 ? ' ' : text[at - 1];
    if (kBeforePath.find(before) == std::string_view::npos || !startsPath(text.substr(at))) {
      shown += text[at++];
      continue;
    }
    const size_t length = pathLength(text.substr(at), before);
    shown += shownPath(text.substr(at, length));
    at += length;
  }
  return shown;
}

bool namesSecret(std::string word) {
  static constexpr std::array<std::string_view, 10> kEnds = {"password",      "passwd",    "secret",  "token",
                                                             "apikey",        "api_key",   "api-key", "access_key",
                                                             "authorization", "credential"};
  std::ranges::transform(word, word.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return word.ends_with(end); });
}

std::string wordBefore(std::string_view text, size_t end) {
  while (end > 0 && (text[end - 1] == '"' || text[end - 1] == '\'' || text[end - 1] == ' '))
    --end;
  size_t begin = end;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) != 0 || text[begin - 1] == '_' ||
                       text[begin - 1] == '-'))
    --begin;
  return std::string(text.substr(begin, end - begin));
}

// The end of the value that begins at `from`; a scheme's name ("Bearer") takes the word behind it along.
size_t valueEnd(std::string_view text, size_t from) {
  const size_t end = std::min(text.find_first_of(" \t'\",;)}&", from), text.size());
  const std::string_view value = text.substr(from, end - from);
  if ((value == "Bearer" || value == "Basic") && end < text.size())
    return std::min(text.find_first_of(" \t'\",;)}&", end + 1), text.size());
  return end;
}

std::string withoutSecrets(std::string_view text) {
  std::string shown;
  size_t at = 0;
  for (size_t sign = text.find_first_of("=:"); sign != std::string_view::npos; sign = text.find_first_of("=:", at)) {
    shown += text.substr(at, sign + 1 - at);
    at = sign + 1;
    const std::string_view rest = text.substr(at);
    if (text[sign] == ':' && rest.starts_with("//")) {  // https://user:password@host
      const size_t host = std::min(rest.find_first_of("/ \t'\"", 2), rest.size());
      if (const size_t end = rest.substr(0, host).rfind('@'); end != std::string_view::npos) {
        shown += "//";
        shown += kHidden;
        at += end;
      }
      continue;
    }
    if (!namesSecret(wordBefore(text, sign))) continue;
    const size_t from = text.find_first_not_of(" \t'\"", at);
    if (from == std::string_view::npos) break;
    shown += text.substr(at, from - at);
    shown += kHidden;
    at = valueEnd(text, from);
  }
  shown += text.substr(at);
  return shown;
}

}  // namespace

void allowFolder(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> spellings = {fs::absolute(folder, problem).lexically_normal()};
  if (problem) return;
  if (const fs::path real = fs::canonical(folder, problem); !problem && real != spellings[0]) spellings.push_back(real);
  Folders& all = folders();
  const std::lock_guard lock(all.mutex);
  for (fs::path& each : spellings) {
    if (!each.has_filename()) each = each.parent_path();  // of "models/"
    if (std::ranges::find(all.allowed, each) != all.allowed.end()) continue;
    if (all.allowed.size() == kMostFolders) all.allowed.erase(all.allowed.begin());
    all.allowed.push_back(std::move(each));
  }
}

std::string forOthers(std::string_view text) {
  return printable(withoutPaths(withoutSecrets(text)));
}

}  // namespace cutaway::log
