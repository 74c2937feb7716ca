#include "app/options/taken_option.h"

#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

namespace cutaway {
namespace {

void mustTake(const std::string& name, const TakeValue& take, const std::string& value) {
  if (const Result<void> taken = take(value); !taken) throw CLI::ValidationError(name, taken.error().message);
}

}  // namespace

CLI::Option* addTakenOption(CLI::App& command, const std::string& name, TakeValue take, const std::string& help,
                            const std::string& valueName) {
  return command
      .add_option_function<std::string>(
          name, [name, take = std::move(take)](const std::string& value) { mustTake(name, take, value); }, help)
      ->type_name(valueName);
}

CLI::Option* addTakenOptions(CLI::App& command, const std::string& name, TakeValue take, const std::string& help,
                             const std::string& valueName) {
  return command
      .add_option_function<std::vector<std::string>>(
          name,
          [name, take = std::move(take)](const std::vector<std::string>& values) {
            for (const std::string& value : values)
              mustTake(name, take, value);
          },
          help)
      ->type_name(valueName)
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
}

}  // namespace cutaway
