#include "ui/panels/model/metadata_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QJsonDocument>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/report_model.h"

namespace cutaway::ui {
namespace {
constexpr qsizetype kLongestJson = qsizetype{8} << 20;
constexpr int kLongestCell = 120;
}  // namespace

QString setOut(const QString& value) {
  const QString trimmed = value.trimmed();
  if (trimmed.size() > kLongestJson || !(trimmed.startsWith(QLatin1Char('{')) || trimmed.startsWith(QLatin1Char('['))))
    return value;
  const QJsonDocument json = QJsonDocument::fromJson(trimmed.toUtf8());
  return json.isNull() ? value : QString::fromUtf8(json.toJson(QJsonDocument::Indented)).trimmed();
}

MetadataPage::MetadataPage(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_model(new ReportModel(this)),
      m_table(new LinkedTable(context, QStringLiteral("model/metadata"))),
      m_value(new QPlainTextEdit) {
  m_table->setModel(m_model);
  m_value->setReadOnly(true);
  m_value->setFrameShape(QFrame::NoFrame);
  m_value->setFont(monospaceFont());
  m_value->setLineWrapMode(QPlainTextEdit::WidgetWidth);
  m_value->setAccessibleName(tr("Value of the key"));
  m_value->setPlaceholderText(tr("Choose a key to read its whole value."));
  auto* copy = new QPushButton(tr("Copy value"));
  auto* right = new QWidget;
  auto* column = new QVBoxLayout(right);
  column->setContentsMargins(0, kSpaceSmall, kSpace, kSpaceSmall);
  column->addWidget(m_value, 1);
  column->addWidget(copy, 0, Qt::AlignRight);
  auto* splitter = new QSplitter;
  splitter->addWidget(m_table);
  splitter->addWidget(right);
  splitter->setStretchFactor(0, 1);
  splitter->setStretchFactor(1, 1);
  splitter->setChildrenCollapsible(false);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(splitter);
  connect(m_table->view()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) {
            showValue(index.isValid() ? m_table->proxy()->mapToSource(index).row() : -1);
          });
  connect(copy, &QPushButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(m_value->toPlainText()); });
}

void MetadataPage::present(std::shared_ptr<const LoadReport> load) {
  m_load = load;
  using Entry = std::pair<std::string, std::string>;
  const auto report = load ? load : std::make_shared<const LoadReport>();
  m_model->present(rowsOf<Entry>(
      partOf(report, report->metadata),
      {{.title = tr("Key"), .text = &Entry::first},
       {.title = tr("Value"), .text = [](const Entry& entry) {
          return shortened(text(std::string_view(entry.second).substr(0, 4 * kLongestCell)).simplified(), kLongestCell);
        }}}));
  showValue(load && !load->metadata.empty() ? 0 : -1);
}

void MetadataPage::showValue(int row) {
  m_value->setPlainText(m_load && row >= 0 && row < static_cast<int>(m_load->metadata.size())
                            ? setOut(text(m_load->metadata[static_cast<size_t>(row)].second))
                            : QString());
}

}  // namespace cutaway::ui
