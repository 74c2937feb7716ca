// The pages of the viewer; histogram and statistics are small enough to stand here.
#include "ui/panels/tensor/tensor_pages.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/panels/report_model.h"
#include "ui/panels/tensor/histogram_chart.h"
#include "ui/panels/tensor/picture_page.h"
#include "ui/panels/tensor/slice_page.h"

namespace cutaway::ui {
namespace {

class HistogramPage : public TensorPage {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::HistogramPage)

 public:
  explicit HistogramPage(const PanelContext& context)
      : m_chart(new HistogramChart(context.themes)), m_special(new QLabel), m_words(new QLabel) {
    setWindowTitle(tr("Histogram"));
    auto* logarithmic = new QCheckBox(tr("Logarithmic counts"));
    m_special->setProperty("role", "secondary");
    m_words->setFont(monospaceFont());
    m_words->setContentsMargins(kSpace, kSpaceTiny, kSpace, kSpaceSmall);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
    top->addWidget(logarithmic);
    top->addStretch(1);
    top->addWidget(m_special);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(m_chart, 1);
    column->addWidget(m_words);
    QObject::connect(logarithmic, &QCheckBox::toggled, m_chart, [this, context](bool on) {
      context.viewState->put(QStringLiteral("tensor/logarithmic"), on);
      m_chart->setLogarithmic(on);
    });
    QObject::connect(m_chart, &HistogramChart::pointed, m_words,
                     [this](const QString& words) { m_words->setText(words.isEmpty() ? QStringLiteral(" ") : words); });
    logarithmic->setChecked(context.viewState->get(QStringLiteral("tensor/logarithmic"), false).toBool());
  }

  void present(std::shared_ptr<const study::TensorContent> content) override {
    m_chart->present(content);
    if (!content) return m_special->clear();
    const study::TensorStatistics& numbers = content->statistics();
    QStringList parts = {tr("zero: %1").arg(countText(numbers.zeros))};
    if (numbers.notNumbers > 0) parts << tr("\u26a0 NaN: %1").arg(countText(numbers.notNumbers));
    if (numbers.infinite > 0) parts << tr("\u26a0 infinite: %1").arg(countText(numbers.infinite));
    m_special->setText(parts.join(QStringLiteral("   ")));
  }
  QWidget* picture() override { return m_chart; }

 private:
  HistogramChart* m_chart;
  QLabel* m_special;
  QLabel* m_words;
};

class StatisticsPage : public TensorPage {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::StatisticsPage)

 public:
  StatisticsPage() : m_model(new ReportModel(this)), m_view(new QTableView) {
    setWindowTitle(tr("Statistics"));
    m_view->setModel(m_model);
    m_view->setAccessibleName(tr("Statistics of the tensor"));
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setShowGrid(false);
    m_view->setAlternatingRowColors(true);
    m_view->setTabKeyNavigation(false);
    m_view->verticalHeader()->hide();
    m_view->verticalHeader()->setDefaultSectionSize(26);
    m_view->horizontalHeader()->setStretchLastSection(true);
    m_view->horizontalHeader()->setDefaultSectionSize(190);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_view);
  }

  bool shows(const study::TensorContent&) const override { return true; }

  void present(std::shared_ptr<const study::TensorContent> content) override {
    using Figure = std::pair<QString, QString>;
    std::vector<Figure> figures;
    if (content) fill(figures, *content);
    m_model->present(rowsOf<Figure>(std::move(figures), {{.title = tr("Figure"), .text = &Figure::first},
                                                         {.title = tr("Value"), .text = &Figure::second}}));
  }

  QString copyText() const override { return m_model->toCsv(); }

 private:
  static QString shape(const study::TensorContent& content) {
    QStringList parts;
    for (const int64_t each : content.dims())
      parts << QString::number(each);
    return parts.isEmpty() ? tr("scalar") : parts.join(QChar(0x00d7));
  }

  static void fill(std::vector<std::pair<QString, QString>>& rows, const study::TensorContent& content) {
    const study::TensorStatistics& numbers = content.statistics();
    const auto write = [](double number) { return QString::number(number, 'g', 9); };
    const auto part = [&](int64_t count) {
      return tr("%1 (%2)").arg(
          countText(count),
          percentText(numbers.count > 0 ? static_cast<double>(count) / static_cast<double>(numbers.count) : 0));
    };
    rows = {{tr("Type"), text(content.elementType())},
            {tr("Shape"), shape(content)},
            {tr("Elements"), countText(content.count())},
            {tr("Size"), sizeText(content.sizeBytes())}};
    if (!content.isNumeric() || content.count() == 0) return;
    for (const auto& [title, words] : {std::pair{tr("Smallest"), write(numbers.smallest)},
                                       {tr("Largest"), write(numbers.largest)},
                                       {tr("Mean"), write(numbers.mean)},
                                       {tr("Standard deviation"), write(numbers.deviation)},
                                       {tr("Median, about"), write(numbers.medianEstimate)},
                                       {tr("Mean of magnitudes"), write(numbers.absoluteMean)},
                                       {tr("Euclidean norm"), write(numbers.norm)},
                                       {tr("Zeros"), part(numbers.zeros)},
                                       {tr("NaN"), part(numbers.notNumbers)},
                                       {tr("Infinite"), part(numbers.infinite)}})
      rows.emplace_back(title, words);
  }

  ReportModel* m_model;
  QTableView* m_view;
};

}  // namespace

std::vector<TensorPage*> makeTensorPages(const PanelContext& context) {
  return {new SlicePage(context), new PicturePage(context, PicturePage::kImage),
          new PicturePage(context, PicturePage::kHeatMap), new HistogramPage(context), new StatisticsPage};
}

}  // namespace cutaway::ui
