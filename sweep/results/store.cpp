#include "sweep/results/store.h"

#include <chrono>

namespace cutaway::sweep {

namespace {

constexpr int64_t kApplicationId = 0x43757473;  // "Cuts": what SQLite's header says that the file is

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS machines (
  id INTEGER PRIMARY KEY, class TEXT NOT NULL, host TEXT NOT NULL, architecture TEXT NOT NULL, processor TEXT NOT NULL,
  system TEXT NOT NULL, gpus TEXT NOT NULL, cores INTEGER NOT NULL, memory_bytes INTEGER NOT NULL,
  UNIQUE (class, host, system));
CREATE TABLE IF NOT EXISTS results (
  key TEXT PRIMARY KEY, outcome TEXT NOT NULL, exit_code INTEGER NOT NULL, signal INTEGER NOT NULL,
  message TEXT NOT NULL, wall_s REAL NOT NULL, peak_rss_bytes INTEGER NOT NULL, started_ms INTEGER NOT NULL,
  program TEXT NOT NULL, model_hash TEXT NOT NULL, machine INTEGER NOT NULL REFERENCES machines(id)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS figures (
  key TEXT NOT NULL, name TEXT NOT NULL, value REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
  runs INTEGER NOT NULL, unit TEXT NOT NULL, truth TEXT NOT NULL, PRIMARY KEY (key, name)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS providers (
  key TEXT NOT NULL, place INTEGER NOT NULL, provider TEXT NOT NULL, nodes INTEGER NOT NULL, groups INTEGER NOT NULL,
  PRIMARY KEY (key, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS refusals (
  key TEXT NOT NULL, place INTEGER NOT NULL, provider TEXT NOT NULL, reason TEXT NOT NULL, nodes INTEGER NOT NULL,
  PRIMARY KEY (key, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS placements (key TEXT PRIMARY KEY, nodes TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS cells (
  program TEXT NOT NULL, model TEXT NOT NULL, configuration TEXT NOT NULL, measure TEXT NOT NULL,
  repeat INTEGER NOT NULL, key TEXT NOT NULL, file TEXT NOT NULL, settings TEXT NOT NULL, place INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL, PRIMARY KEY (program, model, configuration, measure, repeat)) WITHOUT ROWID;
)";

int64_t nowMs() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Result<int64_t> pragma(Database& database, const char* name) {
  CUTAWAY_TRY(Statement statement, database.prepare(fmt::format("PRAGMA {}", name)));
  CUTAWAY_TRY(const bool found, statement.step());
  return found ? statement.integer(0) : 0;
}

// Everything between is written, or nothing.
template <typename Work>
Result<void> inTransaction(Database& database, Work work) {
  CUTAWAY_CHECK(database.execute("BEGIN IMMEDIATE"));
  Result<void> done = work();
  if (done) done = database.execute("COMMIT");
  if (!done) (void)database.execute("ROLLBACK");
  return done;
}

std::string text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<Store> Store::open(const std::filesystem::path& file, Database::Mode mode) {
  CUTAWAY_TRY(Database database, Database::open(file, mode));
  CUTAWAY_TRY(const int64_t version, pragma(database, "user_version"));
  CUTAWAY_TRY(const int64_t application, pragma(database, "application_id"));
  if (version > kStoreVersion && application == kApplicationId)
    return fail(
        ErrorCode::kFail,
        "'{}' was written by a newer program: its schema is version {}, and this program reads {}; use that one",
        file.string(), version, kStoreVersion);
  if (application != kApplicationId && (mode == Database::Mode::kRead || application != 0 || version != 0))
    return fail(ErrorCode::kFail, "'{}' is a database of another program, and no file of results", file.string());
  if (mode == Database::Mode::kWrite) {
    CUTAWAY_CHECK(inTransaction(database, [&]() -> Result<void> {
      CUTAWAY_CHECK(database.execute(kTables));
      return database.execute(
          fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, kStoreVersion));
    }));
  }
  return Store(std::move(database));
}

Result<void> Store::setCells(const std::vector<Job>& jobs, const std::string& program) {
  return inTransaction(m_database, [&]() -> Result<void> {
    CUTAWAY_TRY(Statement clear, m_database.prepare("DELETE FROM cells WHERE program = ?"));
    CUTAWAY_CHECK(clear.run(program));
    CUTAWAY_TRY(Statement insert,
                m_database.prepare("INSERT OR REPLACE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    const int64_t now = nowMs();
    int64_t place = 0;
    for (const Job& job : jobs) {
      CUTAWAY_CHECK(insert.run(program, job.cell.model, job.cell.configuration, measureName(job.cell.measure),
                               job.cell.repeat, job.key, job.model.string(), text(job.settings), place++, now));
    }
    return {};
  });
}

Result<int64_t> Store::machineRow(const Machine& machine) {
  CUTAWAY_TRY(Statement insert,
              m_database.prepare("INSERT OR IGNORE INTO machines VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const std::string className = machine.className();
  CUTAWAY_CHECK(insert.run(className, machine.host, machine.architecture, machine.processor, machine.system,
                           machine.gpus, machine.cores, machine.memoryBytes));
  CUTAWAY_TRY(Statement find,
              m_database.prepare("SELECT id FROM machines WHERE class = ? AND host = ? AND system = ?"));
  CUTAWAY_CHECK(find.start(className, machine.host, machine.system));
  CUTAWAY_TRY(const bool found, find.step());
  return found ? find.integer(0) : 0;
}

Result<void> Store::addRecord(const Record& record) {
  CUTAWAY_TRY(const int64_t machine, machineRow(record.machine));
  CUTAWAY_TRY(Statement insert,
              m_database.prepare("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  CUTAWAY_CHECK(insert.run(record.key, outcomeName(record.outcome), record.exitCode, record.signal, record.message,
                           record.wallSeconds, record.peakBytes, record.startedMs, record.program, record.modelHash,
                           machine));
  CUTAWAY_TRY(Statement figures, m_database.prepare("INSERT OR REPLACE INTO figures VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
  for (const auto& [name, figure] : record.findings.figures)
    CUTAWAY_CHECK(
        figures.run(record.key, name, figure.value, figure.low, figure.high, figure.runs, figure.unit, figure.truth));
  CUTAWAY_TRY(Statement providers, m_database.prepare("INSERT OR REPLACE INTO providers VALUES (?, ?, ?, ?, ?)"));
  int place = 0;
  for (const ProviderShare& share : record.findings.providers)
    CUTAWAY_CHECK(providers.run(record.key, place++, share.provider, share.nodes, share.groups));
  CUTAWAY_TRY(Statement refusals, m_database.prepare("INSERT OR REPLACE INTO refusals VALUES (?, ?, ?, ?, ?)"));
  place = 0;
  for (const RefusalCount& refusal : record.findings.refusals)
    CUTAWAY_CHECK(refusals.run(record.key, place++, refusal.provider, refusal.reason, refusal.nodes));
  if (record.findings.placements.empty()) return {};
  Json nodes = Json::array();
  for (const NodePlacement& each : record.findings.placements)
    nodes.push_back({each.node, each.provider});
  CUTAWAY_TRY(Statement placements, m_database.prepare("INSERT OR REPLACE INTO placements VALUES (?, ?)"));
  return placements.run(record.key, text(nodes));
}

Result<void> Store::addRecords(const std::vector<Record>& records) {
  if (records.empty()) return {};
  return inTransaction(m_database, [&]() -> Result<void> {
    for (const Record& record : records)
      CUTAWAY_CHECK(addRecord(record));
    return {};
  });
}

Result<std::set<std::string>> Store::keys() {
  CUTAWAY_TRY(Statement statement, m_database.prepare("SELECT key FROM results"));
  std::set<std::string> keys;
  while (true) {
    CUTAWAY_TRY(const bool more, statement.step());
    if (!more) return keys;
    keys.insert(statement.text(0));
  }
}

Result<void> Store::forget(const std::vector<std::string>& keys) {
  return inTransaction(m_database, [&]() -> Result<void> {
    for (const char* table : {"results", "figures", "providers", "refusals", "placements"}) {
      CUTAWAY_TRY(Statement statement, m_database.prepare(fmt::format("DELETE FROM {} WHERE key = ?", table)));
      for (const std::string& key : keys)
        CUTAWAY_CHECK(statement.run(key));
    }
    return {};
  });
}

}  // namespace cutaway::sweep
