#include "sweep/results/database.h"

#include <cerrno>

#include <sqlite3.h>

#include "engine/base/new_file.h"

namespace cutaway::sweep {

namespace {

constexpr int kBusyMs = 30'000;  // another program reads or writes: waited for so long

Error failure(sqlite3* database, const std::string& file) {
  const int code = sqlite3_extended_errcode(database) & 0xff;
  if (code == SQLITE_FULL) return writeFailure(file, ENOSPC, 0);
  std::string advice;
  if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT)
    advice =
        ": this is no file of results, or a damaged one; without it, `sweep resume` makes it anew from the records";
  return {ErrorCode::kFail, fmt::format("'{}': {}{}", file, sqlite3_errmsg(database), advice), {}};
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::reset() {
  sqlite3_reset(m_statement.get());
}

void Statement::bind(int index, std::string_view text) {
  sqlite3_bind_text64(m_statement.get(), index, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}

void Statement::bind(int index, int64_t value) {
  sqlite3_bind_int64(m_statement.get(), index, value);
}

void Statement::bind(int index, double value) {
  sqlite3_bind_double(m_statement.get(), index, value);
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(m_statement.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return fail(failure(sqlite3_db_handle(m_statement.get()), m_file));
}

Result<void> Statement::finish() {
  while (true) {
    CUTAWAY_TRY(const bool more, step());
    if (!more) break;
  }
  reset();
  return {};
}

std::string Statement::text(int column) const {
  const auto* const bytes = reinterpret_cast<const char*>(sqlite3_column_text(m_statement.get(), column));
  return bytes == nullptr ? std::string()
                          : std::string(bytes, static_cast<size_t>(sqlite3_column_bytes(m_statement.get(), column)));
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(m_statement.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(m_statement.get(), column);
}

void Database::Close::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

Result<Database> Database::open(const std::filesystem::path& file, Mode mode) {
  std::error_code ignored;
  if (mode == Mode::kRead && !std::filesystem::is_regular_file(file, ignored))
    return fail(
        atFile(Error{ErrorCode::kNoSuchFile,
                     fmt::format("there is no file of results '{}': cutaway-cli sweep run makes it", file.string()),
                     {}},
               file.string()));
  sqlite3* opened = nullptr;
  const int flags = mode == Mode::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(file.c_str(), &opened, flags, nullptr);
  Database database;
  database.m_database.reset(opened);
  database.m_file = file.string();
  if (code != SQLITE_OK) return fail(failure(opened, database.m_file));
  sqlite3_busy_timeout(opened, kBusyMs);
  // A file of results from somewhere else may hold views and triggers: they do nothing here.
  sqlite3_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(opened, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  return database;
}

Result<void> Database::execute(const std::string& sql) {
  if (sqlite3_exec(m_database.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return fail(failure(m_database.get(), m_file));
}

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* prepared = nullptr;
  if (sqlite3_prepare_v2(m_database.get(), sql.data(), static_cast<int>(sql.size()), &prepared, nullptr) != SQLITE_OK)
    return fail(failure(m_database.get(), m_file));
  Statement statement;
  statement.m_statement.reset(prepared);
  statement.m_file = m_file;
  return statement;
}

int64_t Database::lastRow() const {
  return sqlite3_last_insert_rowid(m_database.get());
}

}  // namespace cutaway::sweep
