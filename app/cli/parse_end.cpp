#include "app/cli/parse_end.h"

#include "app/cli/output.h"
#include "app/cli/verb.h"
#include "engine/base/printable.h"
#include "engine/base/text_stream.h"

namespace cutaway::cli {

namespace {

constexpr size_t kLongestLine = 1000;

}  // namespace

int endOfParsing(const CLI::App& app, const CLI::ParseError& error) {
  TextStream out, err;
  const int code = app.exit(error, out, err);
  putText(out.str());
  const std::string said = err.str();
  for (std::string_view rest = said; !rest.empty();) {
    const size_t end = rest.find('\n');
    putError("{}\n", shortenedText(printable(rest.substr(0, end)), kLongestLine));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return code == 0 ? kDone : kUsage;
}

}  // namespace cutaway::cli
