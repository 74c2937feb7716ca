#pragma once
// The edits that a command line asks for, in the order in which they stand there.
//
// Thread rule: the main thread. Example: EditOptions options;  options.declare(command);  ...  CUTAWAY_TRY(const auto
// edits, options.edits(model));

#include <string>
#include <vector>

#include "app/cli/verb.h"
#include "engine/edit/model_edit.h"

namespace cutaway::cli {

class EditOptions {
 public:
  void declare(CLI::App& command);
  bool any() const;
  // Nodes are named by name, or as #NUMBER in the order of `inspect`. INVALID_ARGUMENT: no such node, several of the
  // name, an option that cannot be read; NO_SUCHFILE for --edits.
  Result<std::vector<edit::ModelEdit>> edits(const Model& model) const;

 private:
  struct Row;
  struct Given {
    CLI::Option* option = nullptr;
    std::vector<std::string> texts;
  };
  Result<void> add(const Row& row, const std::string& text, const Model& model, std::vector<edit::ModelEdit>& edits,
                   std::vector<std::string>& extractInputs) const;
  static const std::vector<Row>& rows();

  CLI::App* m_command = nullptr;
  std::vector<Given> m_given;  // parallel to rows()
};

}  // namespace cutaway::cli
