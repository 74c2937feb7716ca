#pragma once
// SQLite, as far as results need it: a database that closes itself, statements that bind and read by position.
//
// Nothing else includes SQLite's header. Thread rule: one thread at a time. Example:
//   CUTAWAY_TRY(Database database, Database::open("results.sqlite", Database::Mode::kWrite));
//   CUTAWAY_TRY(Statement insert, database.prepare("INSERT INTO t VALUES (?, ?)"));
//   CUTAWAY_CHECK(insert.run("a", 1.5));

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "engine/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace cutaway::sweep {

class Statement {
 public:
  // Binds all parameters, runs to the end, and is ready again.
  template <typename... Args>
  Result<void> run(const Args&... arguments) {
    CUTAWAY_CHECK(start(arguments...));
    return finish();
  }
  // Binds all parameters; step() then gives row after row.
  template <typename... Args>
  Result<void> start(const Args&... arguments) {
    reset();
    int index = 0;
    (bind(++index, arguments), ...);
    return {};
  }
  Result<bool> step();  // false: there are no more rows
  std::string text(int column) const;
  int64_t integer(int column) const;
  double real(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  void reset();
  Result<void> finish();
  void bind(int index, std::string_view text);
  void bind(int index, int64_t value);
  void bind(int index, int value) { bind(index, static_cast<int64_t>(value)); }
  void bind(int index, double value);

  std::unique_ptr<sqlite3_stmt, Finalize> m_statement;
  std::string m_file;
};

class Database {
 public:
  enum class Mode { kRead, kWrite };
  // kWrite makes the file where it is missing. NO_SUCHFILE; FAIL with SQLite's words.
  static Result<Database> open(const std::filesystem::path& file, Mode mode);
  Result<void> execute(const std::string& sql);
  Result<Statement> prepare(std::string_view sql);
  int64_t lastRow() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::unique_ptr<sqlite3, Close> m_database;
  std::string m_file;
};

}  // namespace cutaway::sweep
