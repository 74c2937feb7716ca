// What the answers read: whole tables at once, joined here, which for ten thousand cells is quicker than a query each.
#include <unordered_map>

#include "sweep/results/store.h"

namespace cutaway::sweep {

namespace {

using Records = std::unordered_map<std::string, Record>;

template <typename Row>
Result<void> eachRow(Database& database, const char* sql, Row row) {
  CUTAWAY_TRY(Statement statement, database.prepare(sql));
  while (true) {
    CUTAWAY_TRY(const bool more, statement.step());
    if (!more) return {};
    row(statement);
  }
}

Result<Records> readResults(Database& database) {
  std::unordered_map<int64_t, Machine> machines;
  CUTAWAY_CHECK(eachRow(database,
                        "SELECT id, host, architecture, processor, system, gpus, cores, memory_bytes "
                        "FROM machines",
                        [&](const Statement& row) {
                          machines[row.integer(0)] = {row.text(1), row.text(2),    row.text(3),   row.text(4),
                                                      row.text(5), row.integer(6), row.integer(7)};
                        }));
  Records records;
  CUTAWAY_CHECK(eachRow(database,
                        "SELECT key, outcome, exit_code, signal, message, wall_s, peak_rss_bytes, started_ms, program, "
                        "model_hash, machine FROM results",
                        [&](const Statement& row) {
                          Record& record = records[row.text(0)];
                          record.key = row.text(0);
                          record.outcome = outcomeOf(row.text(1)).value_or(Outcome::kRubbish);
                          record.exitCode = static_cast<int>(row.integer(2));
                          record.signal = static_cast<int>(row.integer(3));
                          record.message = row.text(4);
                          record.wallSeconds = row.real(5);
                          record.peakBytes = row.integer(6);
                          record.startedMs = row.integer(7);
                          record.program = row.text(8);
                          record.modelHash = row.text(9);
                          record.machine = machines[row.integer(10)];
                        }));
  return records;
}

Result<void> readFindings(Database& database, Records& records) {
  const auto findings = [&](const Statement& row) -> Findings* {
    const auto found = records.find(row.text(0));
    return found == records.end() ? nullptr : &found->second.findings;
  };
  CUTAWAY_CHECK(eachRow(
      database, "SELECT key, name, value, low, high, runs, unit, truth FROM figures", [&](const Statement& row) {
        if (Findings* all = findings(row))
          all->figures[row.text(1)] = {row.real(2), row.real(3), row.real(4), row.integer(5), row.text(6), row.text(7)};
      }));
  CUTAWAY_CHECK(eachRow(database, "SELECT key, provider, nodes, groups FROM providers ORDER BY key, place",
                        [&](const Statement& row) {
                          if (Findings* all = findings(row))
                            all->providers.push_back({row.text(1), row.integer(2), row.integer(3)});
                        }));
  return eachRow(database, "SELECT key, provider, reason, nodes FROM refusals ORDER BY key, place",
                 [&](const Statement& row) {
                   if (Findings* all = findings(row))
                     all->refusals.push_back({row.text(1), row.text(2), row.integer(3)});
                 });
}

}  // namespace

Result<std::vector<std::string>> Store::programs() {
  std::vector<std::string> programs;
  CUTAWAY_CHECK(eachRow(m_database, "SELECT program, MAX(seen_ms) AS seen FROM cells GROUP BY program ORDER BY seen",
                        [&](const Statement& row) { programs.push_back(row.text(0)); }));
  return programs;
}

Result<std::vector<CellResult>> Store::cells(const std::string& program) {
  CUTAWAY_TRY(Records records, readResults(m_database));
  CUTAWAY_CHECK(readFindings(m_database, records));
  CUTAWAY_TRY(Statement statement,
              m_database.prepare("SELECT model, configuration, measure, repeat, key, file, settings FROM cells "
                                 "WHERE program = ? ORDER BY place"));
  CUTAWAY_CHECK(statement.start(program));
  std::vector<CellResult> cells;
  while (true) {
    CUTAWAY_TRY(const bool more, statement.step());
    if (!more) return cells;
    const auto measure = measureKind(statement.text(2));
    if (!measure) continue;
    CellResult& cell = cells.emplace_back();
    cell.cell = {statement.text(0), statement.text(1), *measure, statement.integer(3)};
    cell.key = statement.text(4);
    cell.program = program;
    cell.file = statement.text(5);
    cell.settings = statement.text(6);
    if (const auto found = records.find(cell.key); found != records.end()) {
      cell.isDone = true;
      cell.record = found->second;
    }
  }
}

Result<std::vector<NodePlacement>> Store::placements(const std::string& key) {
  CUTAWAY_TRY(Statement statement, m_database.prepare("SELECT nodes FROM placements WHERE key = ?"));
  CUTAWAY_CHECK(statement.start(key));
  CUTAWAY_TRY(const bool found, statement.step());
  std::vector<NodePlacement> placements;
  if (!found) return placements;
  const Json nodes = Json::parse(statement.text(0), nullptr, false);
  if (!nodes.is_array()) return placements;
  for (const Json& node : nodes) {
    if (node.is_array() && node.size() == 2 && node[0].is_string() && node[1].is_string())
      placements.push_back({node[0].get<std::string>(), node[1].get<std::string>()});
  }
  return placements;
}

Result<Trend> Store::trend(const std::string& model, const std::string& configuration) {
  CUTAWAY_TRY(const std::vector<std::string> all, programs());
  CUTAWAY_TRY(
      Statement statement,
      m_database.prepare("SELECT f.name, f.value, f.unit, f.truth FROM cells c JOIN figures f ON f.key = c.key "
                         "WHERE c.program = ? AND c.model = ? AND c.configuration = ? ORDER BY f.name, f.value"));
  Trend trend;
  for (const std::string& program : all) {
    std::map<std::string, std::vector<Figure>> repeats;
    CUTAWAY_CHECK(statement.start(program, model, configuration));
    while (true) {
      CUTAWAY_TRY(const bool more, statement.step());
      if (!more) break;
      const double value = statement.real(1);
      repeats[statement.text(0)].push_back(
          {.value = value, .low = value, .high = value, .unit = statement.text(2), .truth = statement.text(3)});
    }
    TrendPoint point{program, {}};
    for (const auto& [name, figures] : repeats) {
      Figure& middle = point.figures[name] = figures[figures.size() / 2];
      std::tie(middle.low, middle.high) = std::pair(figures.front().value, figures.back().value);
    }
    if (!point.figures.empty()) trend.push_back(std::move(point));
  }
  return trend;
}

}  // namespace cutaway::sweep
