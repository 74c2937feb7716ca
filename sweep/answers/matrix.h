#pragma once
// Models x configurations: what the cells of a sweep say together, for every way of showing it.
//
// Thread rule: pure. Example: const Matrix matrix = matrixOf(cells);  putText(matrixText(matrix));

#include <string>
#include <vector>

#include "sweep/results/store.h"

namespace cutaway::sweep {

// All measures and repeats of one model in one configuration.
struct MatrixCell {
  std::vector<const CellResult*> results;  // done or not, in the order of the plan
  bool isEmpty() const { return results.empty(); }
  int64_t open() const;
  Outcome worst() const;                          // kOk where nothing is done
  std::map<std::string, Figure> figures() const;  // over repeats: the median one, low and high their range
  std::optional<Figure> figure(const std::string& name) const;  // one of them
  const std::vector<ProviderShare>* providers() const;          // nullptr: not asked
};

struct Matrix {
  std::vector<std::string> models, configurations;  // in the order of the plan
  std::vector<MatrixCell> cells;                    // models x configurations
  const MatrixCell& at(size_t model, size_t configuration) const {
    return cells[model * configurations.size() + configuration];
  }
  std::map<Outcome, int64_t> outcomes;  // of jobs that are done
  int64_t jobs = 0, open = 0;           // cells; two of one job count twice
};

// The cells must outlive the matrix.
Matrix matrixOf(const std::vector<CellResult>& cells);

double medianOf(std::vector<double> values);                // of at least one
Figure overRepeats(const std::vector<const Figure*>& all);  // of at least one: the median, low and high their range
// The folders, up to the last '/', that all names of several models begin with; "" where there are none.
std::string sharedFolder(const std::vector<std::string>& models);
// "3.25 ms", "1.2 MB", ">= 768 B" of a partial one, "14"
std::string figureText(const Figure& figure);
// "12 onednn, 3 cpu"
std::string shareText(const std::vector<ProviderShare>& providers);
// The one line of a cell: its outcome where that is not ok, else what was measured.
std::string cellText(const MatrixCell& cell);

std::string matrixText(const Matrix& matrix);                // a table for a terminal
std::string cellsCsv(const std::vector<CellResult>& cells);  // a row a figure (RFC 4180)
// HTML, self-contained. trends: in the order of matrix.cells, or none.
std::string matrixPage(const Matrix& matrix, const std::string& title, const std::string& program,
                       const std::vector<Trend>& trends);

}  // namespace cutaway::sweep
