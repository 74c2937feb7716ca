#include "ui/shell/walk_settings.h"

#include <set>

#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/document/offered_providers.h"
#include "ui/document/window_words.h"
#include "ui/shell/main_window.h"
#include "ui/shell/walk_command.h"

namespace cutaway::ui {
namespace {

constexpr int kWidth = 560;
constexpr int kMegabyte = 1 << 20;

QSpinBox* number(int value, int least, int most, const QString& leastWords = {}) {
  auto* spin = new QSpinBox;
  spin->setRange(least, most);
  spin->setSpecialValueText(leastWords);
  spin->setValue(value);
  return spin;
}

// Symbols that have a value, or none yet.
std::set<std::string> symbols(const Document& document) {
  std::set<std::string> names;
  for (const auto& [name, value] : document.options().dims)
    names.insert(name);
  if (const auto resolve = document.walk()->resolve)
    names.insert(resolve->openSymbols.begin(), resolve->openSymbols.end());
  return names;
}

}  // namespace

WalkSettings::WalkSettings(Document* document, MainWindow* window)
    : QDialog(window),
      m_document(document),
      m_window(window),
      m_providers(new QListWidget),
      m_level(number(document->options().optimizationLevel, 0, 3)),
      m_threads(number(document->options().threads, 0, 1024, tr("all cores"))),
      m_workers(number(document->options().interThreads, 0, 1024, tr("automatic"))),
      m_group(number(static_cast<int>(document->options().minimumGroupNodes), 1, 1'000'000)),
      m_limit(number(static_cast<int>(document->options().memoryLimitBytes / kMegabyte), 0, 1'000'000, tr("none"))),
      m_command(new QLineEdit),
      m_error(new QLabel) {
  setWindowTitle(tr("Model settings \u2013 %1").arg(document->title()));
  setObjectName(QStringLiteral("walkSettings"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceHuge, kSpaceHuge, kSpaceHuge, kSpaceLarge);
  column->setSpacing(kSpace);
  column->addWidget(makeProviders());
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(kSpaceHuge);
  form->setVerticalSpacing(kSpace);
  addDimensions(form);
  addSettings(form);
  column->addLayout(form);
  m_error->setProperty("role", "error");
  m_error->setWordWrap(true);
  m_error->hide();
  column->addWidget(m_error);
  auto* line = new QHBoxLayout;
  m_command->setReadOnly(true);
  m_command->setFont(monospaceFont(-1));
  m_command->setAccessibleName(tr("The same as a command line"));
  auto* copied = new QPushButton(tr("Copy as command"));
  copied->setObjectName(QStringLiteral("copyCommand"));
  line->addWidget(m_command, 1);
  line->addWidget(copied);
  column->addLayout(line);
  auto* buttons = new QHBoxLayout;
  auto* cancelled = new QPushButton(tr("Cancel"));
  auto* applied = new QPushButton(tr("Apply"));
  applied->setProperty("primary", true);
  applied->setDefault(true);
  applied->setObjectName(QStringLiteral("applyWalk"));
  buttons->addStretch(1);
  buttons->addWidget(cancelled);
  buttons->addWidget(applied);
  column->addSpacing(kSpaceSmall);
  column->addLayout(buttons);
  connect(copied, &QPushButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setText(command());
    m_window->message(tr("Copied."));
  });
  connect(cancelled, &QPushButton::clicked, this, &QDialog::reject);
  connect(applied, &QPushButton::clicked, this, &WalkSettings::apply);
  for (QSpinBox* spin : findChildren<QSpinBox*>())
    connect(spin, &QSpinBox::valueChanged, this, &WalkSettings::follow);
  for (QComboBox* box : findChildren<QComboBox*>())
    connect(box, &QComboBox::currentIndexChanged, this, &WalkSettings::follow);
  connect(m_providers, &QListWidget::itemChanged, this, &WalkSettings::follow);
  resize(kWidth, sizeHint().height());
  follow();
}

// Those of the session first, in their order, then what else was built in.
QWidget* WalkSettings::makeProviders() {
  QStringList asked;
  for (const std::string& provider : m_document->options().providers)
    asked << text(provider);
  if (asked.isEmpty()) asked << text(lastResort(m_document->service().host().providers));
  const auto add = [this](const QString& spec, Qt::CheckState state) {
    auto* item = new QListWidgetItem(spec, m_providers);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable | Qt::ItemIsEditable |
                   Qt::ItemIsDragEnabled);
    item->setCheckState(state);
    return item;
  };
  for (const QString& spec : asked)
    add(spec, Qt::Checked);
  for (const OfferedProvider& each : offeredProviders(m_document->service().host().providers)) {
    const bool there = std::any_of(asked.begin(), asked.end(), [&](const QString& spec) {
      return spec == each.spec || spec.startsWith(each.spec + QLatin1Char('{'));
    });
    if (there) continue;
    QListWidgetItem* item = add(each.spec, Qt::Unchecked);
    if (each.why.isEmpty()) continue;
    item->setFlags(Qt::NoItemFlags);  // it would stop the walk
    item->setText(each.spec + QStringLiteral("  \u2013  ") + shortened(each.why, 60));
    item->setToolTip(each.why);
  }
  m_providers->setDragDropMode(QAbstractItemView::InternalMove);
  m_providers->setMaximumHeight(150);
  m_providers->setAccessibleName(tr("Providers by priority"));
  m_providers->setToolTip(
      tr("Checked providers are used, highest priority first; options in braces: openvino{device=CPU}"));
  connect(m_providers->model(), &QAbstractItemModel::rowsMoved, this, &WalkSettings::follow);
  auto* box = new QWidget;
  auto* grid = new QGridLayout(box);
  grid->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(tr("Providers by priority; nodes that none of them claims go to cpu"));
  label->setProperty("role", "section");
  auto* up = new QPushButton(tr("Up"));
  auto* down = new QPushButton(tr("Down"));
  connect(up, &QPushButton::clicked, this, [this] { moveProvider(-1); });
  connect(down, &QPushButton::clicked, this, [this] { moveProvider(1); });
  grid->addWidget(label, 0, 0, 1, 2);
  grid->addWidget(m_providers, 1, 0, 3, 1);
  grid->addWidget(up, 1, 1);
  grid->addWidget(down, 2, 1);
  grid->setRowStretch(3, 1);
  return box;
}

void WalkSettings::moveProvider(int by) {
  const int row = m_providers->currentRow(), to = row + by;
  if (row < 0 || to < 0 || to >= m_providers->count()) return;
  m_providers->insertItem(to, m_providers->takeItem(row));
  m_providers->setCurrentRow(to);
  follow();
}

void WalkSettings::addDimensions(QFormLayout* form) {
  const auto& dims = m_document->options().dims;
  for (const std::string& name : symbols(*m_document)) {
    const auto bound = dims.find(name);
    QSpinBox* spin = number(bound == dims.end() ? -1 : static_cast<int>(std::min<int64_t>(bound->second, 1 << 30)), -1,
                            1 << 30, tr("open"));
    spin->setObjectName(QStringLiteral("dim-") + text(name));
    m_dims[name] = spin;
    form->addRow(tr("Dimension %1").arg(text(name)), spin);
  }
}

QComboBox* WalkSettings::choice(const QStringList& ids, const QStringList& titles, const std::string& present) {
  auto* box = new QComboBox;
  for (int i = 0; i < ids.size(); ++i)
    box->addItem(titles[i], ids[i]);
  box->setCurrentIndex(std::max(0, box->findData(text(present))));
  return box;
}

void WalkSettings::addSettings(QFormLayout* form) {
  const session::SessionOptions& options = m_document->options();
  m_executor = choice({QStringLiteral("sequential"), QStringLiteral("dataflow")},
                      {tr("one node after another"), tr("independent nodes at the same time")}, options.executor);
  m_order = choice({QStringLiteral("default"), QStringLiteral("priority"), QStringLiteral("memory"),
                    QStringLiteral("fifo"), QStringLiteral("onnxruntime")},
                   {tr("default"), tr("by priority"), tr("least memory first"), tr("first in, first out"),
                    tr("onnxruntime's default")},
                   options.order);
  m_plan = choice({QStringLiteral("cutaway"), QStringLiteral("onnxruntime"), QStringLiteral("onnxruntime-counters")},
                  {tr("Cutaway's rules"), tr("onnxruntime's rules"), tr("onnxruntime's rules for training")},
                  options.planRules);
  m_limit->setSuffix(tr(" MB"));
  m_level->setObjectName(QStringLiteral("level"));
  form->addRow(tr("Optimisation level"), m_level);
  form->addRow(tr("Smallest group to compile"), m_group);
  form->addRow(tr("Execution order"), m_order);
  form->addRow(tr("Executor"), m_executor);
  form->addRow(tr("Threads of a run"), m_threads);
  form->addRow(tr("Workers of the executor"), m_workers);
  form->addRow(tr("Memory planning"), m_plan);
  form->addRow(tr("Memory limit"), m_limit);
}

Result<session::SessionOptions> WalkSettings::options() const {
  session::SessionOptions options = m_document->options();
  options.providers.clear();
  for (int row = 0; row < m_providers->count(); ++row)
    if (m_providers->item(row)->checkState() == Qt::Checked)
      options.providers.push_back(m_providers->item(row)->text().trimmed().toStdString());
  if (options.providers.empty())
    return fail(ErrorCode::kInvalidArgument, "{}", tr("No provider is checked.").toStdString());
  if (options.providers == std::vector{lastResort(m_document->service().host().providers)} &&
      m_document->options().providers.empty())
    options.providers.clear();
  for (const auto& [name, spin] : m_dims) {
    options.dims.erase(name);
    if (spin->value() >= 0) options.dims[name] = spin->value();
  }
  options.optimizationLevel = m_level->value();
  options.minimumGroupNodes = m_group->value();
  options.threads = m_threads->value();
  options.interThreads = m_workers->value();
  options.executor = m_executor->currentData().toString().toStdString();
  options.order = m_order->currentData().toString().toStdString();
  options.planRules = m_plan->currentData().toString().toStdString();
  options.memoryLimitBytes = static_cast<int64_t>(m_limit->value()) * kMegabyte;
  return options;
}

QString WalkSettings::command() const {
  const Result<session::SessionOptions> wanted = options();
  return wanted ? walkCommand(m_document->path(), *wanted) : QString();
}

void WalkSettings::follow() {
  const Result<session::SessionOptions> wanted = options();
  m_error->setVisible(!wanted);
  if (!wanted) m_error->setText(told(wanted.error().message));
  m_command->setText(command());
  m_command->setCursorPosition(0);
}

void WalkSettings::apply() {
  const Result<session::SessionOptions> wanted = options();
  if (!wanted) return;
  m_document->setOptions(*wanted);
  accept();
}

}  // namespace cutaway::ui
