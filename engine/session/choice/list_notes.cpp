#include "engine/session/choice/list_notes.h"

#include <algorithm>

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include "engine/provider/provider_spec.h"

namespace cutaway::session {
namespace {

// The place of `last` in the list; the list's end: it is not named.
std::vector<std::string>::const_iterator placeOf(const std::vector<std::string>& providers, const std::string& last) {
  return std::ranges::find_if(providers, [&](const std::string& text) {
    const auto spec = parseProviderSpec(text);
    return spec && spec->name == last;
  });
}

}  // namespace

size_t namedBehind(const std::vector<std::string>& providers, const std::string& last) {
  const auto place = placeOf(providers, last);
  return place == providers.end() ? 0 : static_cast<size_t>(providers.end() - place) - 1;
}

std::vector<std::string> listNotes(const std::vector<std::string>& providers, const std::string& last,
                                   const ProviderChoice* choice) {
  std::vector<std::string> notes;
  if (choice != nullptr && !choice->reason.empty()) notes.push_back(choice->reason);
  if (providers.empty()) return notes;
  if (placeOf(providers, last) == providers.end())
    notes.push_back(fmt::format("{0} was added at the end of the list: it takes what {1} leave{2}", last,
                                fmt::join(providers, ", "), providers.size() == 1 ? "s" : ""));
  if (const size_t behind = namedBehind(providers, last); behind > 0)
    notes.push_back(fmt::format(
        "{0} stands before {1} in the list and takes every node that no pin gives away; put it last to have {1} asked "
        "first",
        last, fmt::join(providers.end() - static_cast<std::ptrdiff_t>(behind), providers.end(), ", ")));
  return notes;
}

}  // namespace cutaway::session
