#include "app/options/parse_end.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <CLI/CLI.hpp>
#include <spdlog/fmt/fmt.h>

#include "engine/base/printable.h"
#include "engine/base/text_stream.h"

namespace cutaway {

namespace {

constexpr size_t kLongestLine = 900;  // with the program's name
constexpr std::array<std::string_view, 7> kFiles = {"FILE", "DIR", "FOLDER", "PATH", "TRACE", "CONFIG", "MODEL"};

bool namesFile(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return option.get_positional() ||
         std::ranges::any_of(kFiles, [&](std::string_view file) { return type.find(file) != std::string::npos; });
}

bool isNumber(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.starts_with("FLOAT") || type.starts_with("SECONDS");
}

// What bounds let through, as no comparison with it holds.
std::string whyNotFinite(const std::string& text) {
  double number = 0;
  return CLI::detail::lexical_cast(text, number) && !std::isfinite(number) ? "takes a finite number" : "";
}

std::string whyHollow(const CLI::Option& option, const std::string& value) {
  if (value.empty() && namesFile(option)) return "is given without a name";
  return isNumber(option) ? whyNotFinite(value) : "";
}

// "cutaway-cli run", as far as it was told.
std::string calledName(const CLI::App& app) {
  const std::vector<CLI::App*> verbs = app.get_subcommands();
  return verbs.empty() ? app.get_name() : fmt::format("{} {}", app.get_name(), verbs.front()->get_name());
}

// The library says that a verb is missing where another word stands in its place.
std::string whatIsWrong(const CLI::App& app, const CLI::ParseError& error) {
  const bool wantsVerb = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
  if (!wantsVerb || !app.get_subcommands().empty()) return error.what();
  const std::vector<std::string> words = app.remaining();
  if (error.get_name() != "RequiredError") return error.what();
  return words.empty() ? "a verb is missing" : fmt::format("'{}' is no verb of it", words.front());
}

}  // namespace

ParseEnd endOfParsing(const CLI::App& app, const CLI::ParseError& error) {
  TextStream out, err;
  ParseEnd end;
  end.isUsage = app.exit(error, out, err) != 0;
  end.shown = out.str();
  if (!end.isUsage) return end;
  const std::string wrong = whatIsWrong(app, error);
  for (std::string_view rest = wrong; !rest.empty();) {
    const size_t length = rest.find('\n');
    const std::string line = shortenedText(printable(rest.substr(0, length)), kLongestLine);
    end.said += end.said.empty() ? fmt::format("{}: {}\n", app.get_name(), line) : line + "\n";
    rest.remove_prefix(length == std::string_view::npos ? rest.size() : length + 1);
  }
  end.said += fmt::format("{} --help lists what it takes\n", calledName(app));
  return end;
}

void refuseHollowValues(CLI::App& app) {
  // What an option takes is asked for when a value is there: lists of choices may need what options before it bring.
  for (CLI::Option* const option : app.get_options()) {
    if (option->get_items_expected_max() > 0)
      option->check([option](const std::string& value) { return whyHollow(*option, value); });
  }
  for (CLI::App* const verb : app.get_subcommands({}))
    refuseHollowValues(*verb);
}

}  // namespace cutaway
