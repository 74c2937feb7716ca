#include "ui/sweep/sweep_tab.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QStackedLayout>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/gui_call.h"
#include "ui/document/window_words.h"
#include "ui/panels/empty_state.h"
#include "ui/sweep/sweep_details.h"
#include "ui/sweep/sweep_grid.h"

namespace cutaway::ui {
namespace {

const QString kViewKey = QStringLiteral("sweep/view");
const QString kFolderKey = QStringLiteral("sweep/folder");
enum BaselineData { kNobody, kProgram, kFile, kAskFile };

QComboBox* makeBox(const QString& name, int letters) {
  auto* box = new QComboBox;
  box->setAccessibleName(name);
  box->setToolTip(name);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(letters);
  return box;
}

QString programWords(const std::string& program) {
  return shortened(text(program), 60);
}

}  // namespace

SweepTab::SweepTab(ThemeStore* themes, ViewState* viewState, QWidget* parent)
    : QWidget(parent),
      m_themes(themes),
      m_viewState(viewState),
      m_view(makeBox(tr("What cells show"), 14)),
      m_program(makeBox(tr("Version of the program"), 14)),
      m_baseline(makeBox(tr("Compare with"), 14)),
      m_reload(new QPushButton(tr("Reload"))),
      m_open(new QPushButton(tr("Open model in this configuration"))),
      m_summary(new QLabel),
      m_legend(new QLabel),
      m_grid(new SweepGrid(themes)),
      m_details(new QTextBrowser),
      m_empty(new EmptyState(themes)),
      m_stack(new QStackedLayout(this)) {
  setObjectName(QStringLiteral("sweepTab"));
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(makeControls());
  auto* split = new QSplitter(Qt::Horizontal);
  split->setChildrenCollapsible(false);
  split->addWidget(m_grid);
  split->addWidget(makeDetails());
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  column->addWidget(split, 1);
  m_stack->addWidget(m_empty);
  m_stack->addWidget(content);
  connect(m_grid, &SweepGrid::chosen, this, &SweepTab::showCell);
  connect(m_grid, &SweepGrid::opened, this, [this](int row, int cell) {
    m_grid->choose(row, cell);
    openModel();
  });
  connect(m_open, &QPushButton::clicked, this, &SweepTab::openModel);
  connect(m_reload, &QPushButton::clicked, this, [this] { read(m_request); });
  connect(m_empty, &EmptyState::actionRequested, this, [this] { read(m_request); });
  connect(themes, &ThemeStore::changed, this, &SweepTab::showFaces);
}

QWidget* SweepTab::makeControls() {
  auto* controls = new QWidget;
  auto* column = new QVBoxLayout(controls);
  column->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpace);
  column->setSpacing(kSpaceSmall);
  auto* row = new QHBoxLayout;
  row->setSpacing(kSpace);
  for (int view = 0; view < kSweepViewCount; ++view)
    m_view->addItem(viewTitle(static_cast<SweepView>(view)));
  m_view->setCurrentIndex(std::clamp(m_viewState->get(kViewKey, 0).toInt(), 0, kSweepViewCount - 2));
  row->addWidget(m_view, 1);
  row->addWidget(m_program, 2);
  row->addWidget(m_baseline, 2);
  row->addWidget(m_reload);
  column->addLayout(row);
  for (QLabel* label : {m_summary, m_legend}) {
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    column->addWidget(label);
  }
  m_legend->setProperty("role", "faint");
  connect(m_view, &QComboBox::currentIndexChanged, this, [this](int view) {
    if (view != static_cast<int>(SweepView::kChange)) m_viewState->put(kViewKey, view);
    showFaces();
  });
  connect(m_program, &QComboBox::activated, this, [this](int index) {
    SweepRequest request = m_request;
    request.program = m_program->itemData(index).toString().toStdString();
    read(std::move(request));
  });
  connect(m_baseline, &QComboBox::activated, this, &SweepTab::chooseBaseline);
  return controls;
}

QWidget* SweepTab::makeDetails() {
  auto* side = new QWidget;
  side->setMinimumWidth(scaled(220));
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_details->setFrameShape(QFrame::NoFrame);
  m_details->setProperty("role", "page");
  m_details->setAccessibleName(tr("Details of the cell"));
  m_details->document()->setDocumentMargin(kSpaceLarge);
  column->addWidget(m_details, 1);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpace);
  foot->addWidget(m_open);
  foot->addStretch(1);
  column->addLayout(foot);
  return side;
}

QString SweepTab::path() const {
  return QString::fromStdString(m_request.file.string());
}

// The name of the plan: its folder is called so, too.
QString SweepTab::title() const {
  const QFileInfo file(path());
  const QFileInfo folder(file.path());
  return folder.suffix() == QLatin1String("sweep") ? folder.completeBaseName() : file.completeBaseName();
}

void SweepTab::open(const QString& named) {
  m_request = {.file = resultsFile(named.toStdString()), .program = {}, .baselineFile = {}, .baselineProgram = {}};
  m_empty->present({QStringLiteral("stage-load"), tr("Reading the sweep \u2026"), path(), {}});
  read(m_request);
}

void SweepTab::read(SweepRequest request) {
  m_request = request;
  const int number = ++m_reading;
  elsewhere(
      this, [request = std::move(request)] { return readSweep(request); },
      [number](SweepTab& owner, const Result<SweepPart>& read) {
        if (number == owner.m_reading) owner.present(read);
      });
}

void SweepTab::present(const Result<SweepPart>& read) {
  if (!read) {
    m_sweep = nullptr;
    m_empty->present(
        {QStringLiteral("problems"), tr("The sweep could not be read"), told(read.error().message), tr("Try again")});
    // What cannot be compared with is forgotten, so that trying again shows the sweep itself.
    m_request.baselineFile.clear();
    m_request.baselineProgram.clear();
    m_stack->setCurrentIndex(0);
    emit shown();
    return;
  }
  m_sweep = *read;
  m_request = m_sweep->request;
  fillPrograms();
  showFaces();
  m_stack->setCurrentIndex(1);
  if (m_grid->row() < 0 && !m_sweep->matrix.cells.empty()) m_grid->choose(0, 0);
  showCell();
  emit shown();
}

void SweepTab::fillPrograms() {
  m_program->clear();
  for (const std::string& program : m_sweep->programs)
    m_program->addItem(programWords(program), text(program));
  m_program->setCurrentIndex(m_program->findData(text(m_request.program)));
  m_baseline->clear();
  m_baseline->addItem(tr("Compared with nothing"), kNobody);
  for (const std::string& program : m_sweep->programs) {
    if (program == m_request.program) continue;
    m_baseline->addItem(tr("Beside %1").arg(programWords(program)), kProgram);
    m_baseline->setItemData(m_baseline->count() - 1, text(program), Qt::UserRole + 1);
  }
  int current = 0;
  if (!m_request.baselineFile.empty()) {
    m_baseline->addItem(
        tr("Beside %1").arg(QFileInfo(QString::fromStdString(m_request.baselineFile.string())).fileName()), kFile);
    current = m_baseline->count() - 1;
  } else if (!m_request.baselineProgram.empty()) {
    current = std::max(0, m_baseline->findData(text(m_request.baselineProgram), Qt::UserRole + 1));
  }
  m_baseline->addItem(tr("Beside another file \u2026"), kAskFile);
  m_baseline->setCurrentIndex(current);
  if (!m_sweep->comparison && m_view->currentIndex() == static_cast<int>(SweepView::kChange)) {
    const QSignalBlocker blocker(m_view);
    m_view->setCurrentIndex(0);
  }
}

void SweepTab::chooseBaseline(int index) {
  SweepRequest request = m_request;
  request.baselineFile.clear();
  request.baselineProgram.clear();
  switch (m_baseline->itemData(index).toInt()) {
    case kNobody:
      break;
    case kProgram:
      request.baselineProgram = m_baseline->itemData(index, Qt::UserRole + 1).toString().toStdString();
      setView(SweepView::kChange);
      break;
    case kAskFile: {
      const QString file = QFileDialog::getOpenFileName(
          this, tr("Results to compare with"), m_viewState->get(kFolderKey, QFileInfo(path()).path()).toString(),
          tr("Results of a sweep (*.sqlite);;All files (*)"));
      if (file.isEmpty()) return fillPrograms();
      m_viewState->put(kFolderKey, QFileInfo(file).path());
      return compareWith(file);
    }
    default:
      return;
  }
  read(std::move(request));
}

void SweepTab::compareWith(const QString& file) {
  SweepRequest request = m_request;
  request.baselineFile = resultsFile(file.toStdString());
  request.baselineProgram.clear();
  setView(SweepView::kChange);
  read(std::move(request));
}

void SweepTab::setView(SweepView view) {
  m_view->setCurrentIndex(static_cast<int>(view));
}

void SweepTab::showFaces() {
  if (!m_sweep) return;
  const auto view = static_cast<SweepView>(m_view->currentIndex());
  const sweep::Matrix& matrix = m_sweep->matrix;
  m_grid->present(rowTitles(*m_sweep), columnTitles(*m_sweep), sweepFaces(*m_sweep, view, m_themes->current()));
  QStringList words = {tr("%1 models \u00d7 %2 configurations, %3 jobs")
                           .arg(countText(static_cast<int64_t>(matrix.models.size())))
                           .arg(matrix.configurations.size())
                           .arg(countText(matrix.jobs))};
  for (const auto& [outcome, count] : matrix.outcomes)
    words << QStringLiteral("%1 %2").arg(countText(count), outcomeTitle(outcome));
  if (matrix.open > 0) words << tr("%1 open").arg(countText(matrix.open));
  if (const auto& comparison = m_sweep->comparison)
    words << tr("%1 worse, %2 better of %3 compared")
                 .arg(countText(comparison->worse), countText(comparison->better), countText(comparison->compared));
  m_summary->setText(words.join(QStringLiteral(" \u00b7 ")));
  m_legend->setText(view == SweepView::kChange && !m_sweep->comparison ? tr("Choose what to compare with.")
                                                                       : viewLegend(view));
  showTrend(m_trend);
}

const sweep::CellResult* SweepTab::chosenResult() const {
  if (!m_sweep || m_grid->row() < 0) return nullptr;
  const sweep::MatrixCell& cell =
      m_sweep->matrix.at(static_cast<size_t>(m_grid->row()), static_cast<size_t>(m_grid->column()));
  return cell.isEmpty() ? nullptr : cell.results.front();
}

void SweepTab::showCell() {
  m_trend.clear();
  showTrend(m_trend);
  const sweep::CellResult* result = chosenResult();
  m_open->setEnabled(result != nullptr);
  if (result == nullptr || m_sweep->programs.size() < 2) return;
  elsewhere(
      this,
      [file = m_request.file, cell = result->cell]() -> Result<sweep::Trend> {
        CUTAWAY_TRY(sweep::Store store, sweep::Store::open(file, sweep::Database::Mode::kRead));
        return store.trend(cell.model, cell.configuration);
      },
      [cell = result->cell](SweepTab& owner, const Result<sweep::Trend>& trend) {
        const sweep::CellResult* chosen = owner.chosenResult();
        if (trend && chosen != nullptr && chosen->cell == cell) owner.showTrend(*trend);
      });
}

void SweepTab::showTrend(const sweep::Trend& trend) {
  if (&trend != &m_trend) m_trend = trend;
  if (!m_sweep || m_grid->row() < 0) return m_details->clear();
  const Theme& theme = m_themes->current();
  const size_t place = static_cast<size_t>(m_grid->row()) * m_sweep->matrix.configurations.size() +
                       static_cast<size_t>(m_grid->column());
  m_details->setHtml(sweepDetails(*m_sweep, place, m_trend, theme));
}

void SweepTab::openModel() {
  const sweep::CellResult* result = chosenResult();
  if (result == nullptr) return;
  const sweep::Json settings = sweep::Json::parse(result->settings, nullptr, false);
  emit modelRequested(text(result->file),
                      text(sweep::configurationText(settings.is_object() ? settings : sweep::Json::object())));
}

}  // namespace cutaway::ui
