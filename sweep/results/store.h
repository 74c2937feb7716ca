#pragma once
// The results of a sweep: one SQLite file, whose tables README.md describes.
//
// Everything in it comes from records and from the plan's cells, so that it can be made anew at any time; adding what
// is there already changes nothing. Thread rule: one thread; one collector a file (SweepFolder's lock). Example:
//   CUTAWAY_TRY(Store store, Store::open(folder.database(), Database::Mode::kWrite));
//   CUTAWAY_CHECK(store.addRecords(records));

#include <map>
#include <set>
#include <vector>

#include "sweep/plan/job.h"
#include "sweep/results/database.h"
#include "sweep/results/record.h"

namespace cutaway::sweep {

inline constexpr int kStoreVersion = 1;

// A cell of the matrix with what is known of it, without the placements of nodes.
struct CellResult {
  Cell cell;
  std::string key, program;
  std::string file, settings;  // of the model, absolute; JSON
  bool isDone = false;         // the rest is empty until it is
  Record record;
};

// Figures of one model in one configuration, version after version of the program: oldest first, those without any left
// out.
struct TrendPoint {
  std::string program;
  std::map<std::string, Figure> figures;  // over repeats: the middle one
};
using Trend = std::vector<TrendPoint>;

class Store {
 public:
  // FAIL: no file of results, damaged, or written by a newer program.
  static Result<Store> open(const std::filesystem::path& file, Database::Mode mode);

  // The plan's cells as they are now: those of the same program that are no longer in the plan go.
  Result<void> setCells(const std::vector<Job>& jobs, const std::string& program);
  Result<void> addRecords(const std::vector<Record>& records);  // one transaction
  Result<std::set<std::string>> keys();                         // of all records
  // Forgets results, so that their jobs are open again.
  Result<void> forget(const std::vector<std::string>& keys);

  Result<std::vector<std::string>> programs();  // oldest first, by when their cells were last set
  Result<std::vector<CellResult>> cells(const std::string& program);
  Result<std::vector<NodePlacement>> placements(const std::string& key);
  Result<Trend> trend(const std::string& model, const std::string& configuration);

 private:
  explicit Store(Database database) : m_database(std::move(database)) {}
  Result<int64_t> machineRow(const Machine& machine);
  Result<void> addRecord(const Record& record);

  Database m_database;
};

}  // namespace cutaway::sweep
