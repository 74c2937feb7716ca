// Log: what the program says while it works, whatever document is shown.
#include <algorithm>
#include <array>

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/base/file_writing.h"
#include "ui/base/icons.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/panels/linked_table.h"
#include "ui/panels/log/log_rows.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/report_model.h"
#include "ui/panels/without_figures.h"

namespace cutaway::ui {
namespace {

constexpr int kLookEveryMs = 250;  // while it is shown
constexpr std::array<log::Level, 4> kLevels = {log::kWarn, log::kInfo, log::kDebug, log::kTrace};
const QString kFollowKey = QStringLiteral("log/follow");

class LogPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::LogPanel)

 public:
  LogPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent),
        m_context(context),
        m_model(new ReportModel(this)),
        m_table(new LinkedTable(context, QStringLiteral("log/table"))),
        m_level(new QComboBox),
        m_category(new QComboBox),
        m_follow(new QCheckBox(tr("Follow"))),
        m_timer(new QTimer(this)) {
    setProperty("role", "surface");
    setProperty(kWithoutFigures, true);
    setAttribute(Qt::WA_StyledBackground);
    m_table->setModel(m_model);
    m_table->view()->setAccessibleName(tr("Messages"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(makeBar());
    column->addWidget(m_table, 1);
    m_timer->setInterval(kLookEveryMs);
    connect(m_timer, &QTimer::timeout, this, &LogPanel::look);
    new ThemeFollower(this, context.themes, [this] { present(); });
  }

 protected:
  void showEvent(QShowEvent*) override {
    const QSignalBlocker quiet(m_level);
    const auto level = std::ranges::find(kLevels, m_recent.level());
    m_level->setCurrentIndex(static_cast<int>(level - kLevels.begin()));
    m_timer->start();
    look();
  }
  void hideEvent(QHideEvent*) override { m_timer->stop(); }

 private:
  QHBoxLayout* makeBar() {
    m_level->addItems(
        {tr("Warnings and errors"), tr("Also what is done"), tr("Also chosen kernels"), tr("Everything")});
    m_level->setAccessibleName(tr("What is written"));
    m_level->setToolTip(tr("What is written from now on, in all windows"));
    m_category->addItem(tr("All categories"));
    for (size_t i = 0; i < log::kCategoryCount; ++i)
      m_category->addItem(text(log::nameOf(static_cast<log::Category>(i))));
    m_category->setAccessibleName(tr("Category that is shown"));
    m_follow->setToolTip(tr("Keeps the latest message in sight"));
    m_follow->setChecked(m_context.viewState->get(kFollowKey, true).toBool());
    auto* copy = new QPushButton(tr("Copy"));
    copy->setToolTip(tr("Copies the messages that are shown"));
    auto* save = new QPushButton(tr("Save \u2026"));
    save->setToolTip(tr("Saves the messages that are shown as text"));
    auto* bar = new QHBoxLayout;
    bar->setContentsMargins(kSpace, kSpaceSmall, kSpace, 0);
    bar->setSpacing(kSpaceSmall);
    for (QWidget* each : std::initializer_list<QWidget*>{m_level, m_category, m_follow})
      bar->addWidget(each);
    bar->addStretch(1);
    bar->addWidget(copy);
    bar->addWidget(save);
    connect(m_level, &QComboBox::currentIndexChanged, this,
            [this](int index) { m_recent.setLevel(kLevels[static_cast<size_t>(std::max(index, 0))]); });
    connect(m_category, &QComboBox::currentIndexChanged, this, &LogPanel::filter);
    connect(m_follow, &QCheckBox::toggled, this, [this](bool on) {
      m_context.viewState->put(kFollowKey, on);
      if (on) m_table->view()->scrollToBottom();
    });
    connect(copy, &QPushButton::clicked, this, &LogPanel::copy);
    connect(save, &QPushButton::clicked, this, &LogPanel::save);
    return bar;
  }

  void look() {
    const int64_t shown = m_records->empty() ? 0 : m_records->back().number;
    if (m_recent.last() == shown) return;
    auto records = std::make_shared<std::vector<log::Record>>(m_recent.after(0));
    m_records = std::move(records);
    present();
  }

  void present() {
    QScrollBar* place = m_table->view()->verticalScrollBar();
    const int scrolled = place->value();
    const Theme& theme = m_context.themes->current();
    m_model->present(
        logRows(m_records, {QIcon(iconPixmap(QStringLiteral("error"), theme.error, 16, devicePixelRatioF())),
                            QIcon(iconPixmap(QStringLiteral("warning"), theme.warning, 16, devicePixelRatioF()))}));
    place->setValue(scrolled);
    filter();
  }

  void filter() {
    const std::string wanted =
        m_category->currentIndex() <= 0 ? std::string() : m_category->currentText().toStdString();
    if (wanted.empty()) {
      m_table->proxy()->setCondition({});
    } else {
      m_table->proxy()->setCondition([records = m_records, wanted](int row) {
        return row < static_cast<int>(records->size()) && (*records)[static_cast<size_t>(row)].category == wanted;
      });
    }
    if (m_follow->isChecked()) m_table->view()->scrollToBottom();
  }

  // In the table's order.
  QString shownText(int* lines) const {
    QString all;
    FilterProxy& proxy = *m_table->proxy();
    for (int row = 0; row < proxy.rowCount(); ++row)
      all +=
          logLine((*m_records)[static_cast<size_t>(proxy.mapToSource(proxy.index(row, 0)).row())]) + QLatin1Char('\n');
    *lines = proxy.rowCount();
    return all;
  }

  void copy() {
    int lines = 0;
    QGuiApplication::clipboard()->setText(shownText(&lines));
    emit m_context.actions->message(tr("Copied %1 lines").arg(lines));
  }

  void save() {
    int lines = 0;
    const QString text = shownText(&lines);
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the log"), QStringLiteral("cutaway.log"), tr("Log (*.log *.txt)"));
    if (path.isEmpty()) return;
    if (const Result<void> written = writeFileSafely(path, text.toUtf8()); !written)
      return emit m_context.actions->message(
          tr("Cannot write %1: %2").arg(path, QString::fromStdString(written.error().message)));
    emit m_context.actions->message(tr("Saved %1").arg(path));
  }

  PanelContext m_context;
  log::Recent& m_recent = log::Recent::keep();
  ReportModel* m_model;
  LinkedTable* m_table;
  QComboBox* m_level;
  QComboBox* m_category;
  QCheckBox* m_follow;
  QTimer* m_timer;
  RowList<log::Record> m_records = std::make_shared<const std::vector<log::Record>>();
};

}  // namespace

const PanelDescriptor& panel_log() {
  static const PanelDescriptor descriptor{
      .id = "log",
      .title = QT_TRANSLATE_NOOP("Panel", "Program log"),
      .icon = "legend",
      .area = PanelArea::kTool,
      .place = ToolPlace::kBelow,
      .keys = "Ctrl+Shift+L",
      .create = [](const PanelContext& context, QWidget* parent) -> QWidget* { return new LogPanel(context, parent); }};
  return descriptor;
}

}  // namespace cutaway::ui
