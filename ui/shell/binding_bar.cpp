#include "ui/shell/binding_bar.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QStyleOptionToolButton>
#include <QToolButton>

#include "engine/study/shapes/size_list.h"
#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/binding_words.h"
#include "ui/document/document.h"
#include "ui/document/offered_providers.h"
#include "ui/document/shape_sweeper.h"
#include "ui/document/window_words.h"
#include "ui/shell/command_menus.h"
#include "ui/shell/document_page.h"
#include "ui/shell/main_window.h"
#include "ui/shell/tool_docks.h"
#include "ui/shell/walk_command.h"

namespace cutaway::ui {
namespace {

constexpr int kHeight = 38;
constexpr int kFieldWidth = 104;
constexpr int kLeastConfiguration = 150;
constexpr int kLongestName = 18;
constexpr int kSweepRuns = 5;
constexpr const char* kPresets[] = {"1", "8", "32", "128", "512", "1, 8, 32", "128, 512", "1..32"};

// "qnn > onednn > cpu, level 2, 4 threads": what is not as it is by default is said, and the providers always.
QString configurationWords(const Document& document) {
  const session::SessionOptions& options = document.options();
  const session::SessionOptions plain;
  QStringList providers;
  for (const std::string& provider : options.providers)
    providers << text(provider);
  if (const QString last = text(lastResort(document.service().host().providers));
      !providers.contains(last) && providers != QStringList{QStringLiteral("auto")} &&
      providers != QStringList{QStringLiteral("all")})
    providers << last;
  QStringList words = {providers.join(QStringLiteral(" \u203a "))};
  if (!options.pins.empty())
    words << (options.pins.size() == 1 ? BindingBar::tr("1 pin") : BindingBar::tr("%1 pins").arg(options.pins.size()));
  words << BindingBar::tr("level %1").arg(options.optimizationLevel);
  words << (options.threads == 0   ? BindingBar::tr("all cores")
            : options.threads == 1 ? BindingBar::tr("1 thread")
                                   : BindingBar::tr("%1 threads").arg(options.threads));
  if (options.executor != plain.executor) words << text(options.executor);
  if (options.order != plain.order) words << BindingBar::tr("order %1").arg(text(options.order));
  if (options.planRules != plain.planRules) words << BindingBar::tr("rules %1").arg(text(options.planRules));
  for (const auto& [key, value] : options.config)
    words << QStringLiteral("%1=%2").arg(text(key), text(value));
  return words.join(QStringLiteral(" \u00b7 "));
}

}  // namespace

// A button whose words lose their middle where there is no room for all of them.
class ElidedButton : public QToolButton {
 public:
  ElidedButton() {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setAutoRaise(true);
  }
  QSize sizeHint() const override {
    return {fontMetrics().horizontalAdvance(text()) + 24, QToolButton::sizeHint().height()};
  }
  QSize minimumSizeHint() const override {
    return {scaled(kLeastConfiguration), QToolButton::minimumSizeHint().height()};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    QStyleOptionToolButton option;
    initStyleOption(&option);
    option.text = fontMetrics().elidedText(text(), Qt::ElideMiddle, width() - 20);
    style()->drawComplexControl(QStyle::CC_ToolButton, &option, &painter, this);
  }
};

BindingBar::BindingBar(QWidget* parent)
    : QWidget(parent),
      m_row(new QHBoxLayout(this)),
      m_title(new QLabel(tr("Shapes"))),
      m_fixed(new QLabel(tr("fixed"))),
      m_more(new QToolButton),
      m_sweep(new QPushButton),
      m_configuration(new ElidedButton),
      m_draft(new QToolButton) {
  setProperty("role", "surface");
  setAttribute(Qt::WA_StyledBackground);
  setAccessibleName(tr("Shapes and configuration"));
  m_row->setContentsMargins(kSpaceLarge, kSpaceTiny, kSpaceLarge, kSpaceTiny);
  m_row->setSpacing(kSpace);
  m_title->setProperty("role", "section");
  m_fixed->setProperty("role", "faint");
  m_more->setAutoRaise(true);
  m_more->setToolTip(tr("All dimensions"));
  m_sweep->setObjectName(QStringLiteral("sweepShapes"));
  m_sweep->setProperty("primary", true);
  auto* menu = new QMenu(m_sweep);
  connect(menu->addAction(tr("Plan each")), &QAction::triggered, this, [this] { emit sweepRequested(0); });
  connect(menu->addAction(tr("Plan each and run it %1 times").arg(kSweepRuns)), &QAction::triggered, this,
          [this] { emit sweepRequested(kSweepRuns); });
  m_sweep->setMenu(menu);
  m_configuration->setObjectName(QStringLiteral("configuration"));
  m_configuration->setAccessibleName(tr("Configuration"));
  m_draft->setObjectName(QStringLiteral("draftChip"));
  m_row->addWidget(m_title);
  m_row->addWidget(m_fixed);
  m_row->addWidget(m_more);
  m_row->addWidget(m_sweep);
  m_row->addWidget(m_draft);
  m_row->addWidget(m_configuration, 1);
  connect(m_more, &QToolButton::clicked, this, &BindingBar::settingsRequested);
  connect(m_configuration, &QToolButton::clicked, this, &BindingBar::settingsRequested);
  connect(m_draft, &QToolButton::clicked, this, &BindingBar::draftRequested);
}

QAbstractButton* BindingBar::configuration() {
  return m_configuration;
}
QAbstractButton* BindingBar::draft() {
  return m_draft;
}

QSize BindingBar::minimumSizeHint() const {
  return {0, scaled(kHeight)};  // what has no room stands in the dialog, too: the bar must not make the window grow
}

void BindingBar::present(Document* document) {
  if (document != m_document) {
    if (m_sweeper) disconnect(m_sweeper, nullptr, this, nullptr);
    if (m_document) disconnect(&m_document->draft(), nullptr, this, nullptr);
    clearFields();
    m_document = document;
    m_sweeper = document ? ShapeSweeper::of(document) : nullptr;
    if (m_sweeper) connect(m_sweeper, &ShapeSweeper::changed, this, &BindingBar::fillFields);
    if (document) connect(&document->draft(), &WhatIfDraft::changed, this, &BindingBar::fillConfiguration);
    if (document)
      connect(document, &QObject::destroyed, this, [this, document] {
        if (m_document == document) m_document = nullptr, m_sweeper = nullptr;
      });
  }
  if (!m_document) return;
  makeFields();
  m_fixed->setText(hasUnnamedSizes(*m_document) ? tr("unnamed sizes open") : tr("fixed"));
  m_fixed->setToolTip(hasUnnamedSizes(*m_document)
                          ? tr("Inputs have dimensions without a name: the tensors that are fed give them their sizes")
                          : QString());
  fillFields();
  fillConfiguration();
  shareRoom();
}

void BindingBar::clearFields() {
  for (const Field& field : m_fields) {
    delete field.label;
    delete field.sizes;
  }
  m_fields.clear();
}

// One for each dimension; those of before stay, so that none loses its focus.
void BindingBar::makeFields() {
  const std::set<std::string> names = symbolsOf(*m_document);
  const bool same = names.size() == m_fields.size() && std::ranges::equal(names, m_fields, {}, {}, &Field::dimension);
  // Between two walks not all dimensions are known: the fields wait.
  if (same || !m_document->walk()->resolve) return;
  clearFields();
  int place = 1;
  for (const std::string& name : names) {
    m_fields.push_back(makeField(name));
    m_row->insertWidget(place++, m_fields.back().label);
    m_row->insertWidget(place++, m_fields.back().sizes);
  }
}

BindingBar::Field BindingBar::makeField(const std::string& dimension) {
  Field field{dimension, new QLabel(shortened(text(dimension), kLongestName)), new QComboBox};
  field.label->setProperty("role", "secondary");
  field.label->setToolTip(text(dimension));
  field.label->setBuddy(field.sizes);
  QComboBox* sizes = field.sizes;
  sizes->setObjectName(QStringLiteral("shape-") + text(dimension));
  sizes->setAccessibleName(tr("Sizes of %1").arg(text(dimension)));
  sizes->setEditable(true);
  sizes->setInsertPolicy(QComboBox::NoInsert);
  sizes->setCompleter(nullptr);
  sizes->addItem(tr("open"), QString());
  for (const char* preset : kPresets)
    sizes->addItem(QLatin1String(preset), QLatin1String(preset));
  sizes->lineEdit()->setPlaceholderText(tr("open"));
  sizes->setToolTip(tr("One size, or several to sweep over: 8, or 1, 8, 32, or 1..32, or 16..64:16; empty: open"));
  const auto taken = [this, dimension] {
    for (const Field& each : m_fields)
      if (each.dimension == dimension) return take(each);
  };
  connect(sizes, &QComboBox::activated, this, [sizes, taken](int index) {
    sizes->setEditText(sizes->itemData(index).toString());
    taken();
  });
  connect(sizes->lineEdit(), &QLineEdit::editingFinished, this, taken);
  return field;
}

QString BindingBar::wordsOf(const std::string& dimension) const {
  if (const auto swept = m_sweeper->sizes().find(dimension); swept != m_sweeper->sizes().end())
    return text(study::printSizes(swept->second));
  const auto bound = m_document->options().dims.find(dimension);
  return bound == m_document->options().dims.end() ? QString() : QString::number(bound->second);
}

void BindingBar::fillFields() {
  if (!m_document) return;
  const Job job = m_document->service().job();
  for (const Field& field : m_fields) {
    field.sizes->setEnabled(job == Job::kNone || job == Job::kWalk);
    if (field.sizes->lineEdit()->hasFocus() && field.sizes->lineEdit()->isModified()) continue;  // it is being written
    field.sizes->setEditText(wordsOf(field.dimension));
    field.sizes->lineEdit()->setCursorPosition(0);
  }
  const size_t count = m_sweeper->combinations();
  m_sweep->setVisible(count > 0);
  m_sweep->setText(tr("Sweep %1 shapes").arg(count));
  m_sweep->setEnabled(count <= study::kMostBindings);
  m_sweep->setToolTip(count <= study::kMostBindings ? tr("Latency and planned peak for every combination of sizes")
                                                    : tr("At most %1 combinations").arg(study::kMostBindings));
}

void BindingBar::fillConfiguration() {
  if (!m_document) return;
  const QString words = configurationWords(*m_document);
  m_configuration->setText(words);
  m_configuration->setToolTip(words + QLatin1Char('\n') + walkCommand(m_document->path(), m_document->options()));
  m_configuration->setAccessibleDescription(words);
  const QStringList changes = m_document->draft().changes();
  m_draft->setVisible(!changes.isEmpty());
  m_draft->setText(changes.size() == 1 ? tr("What if: 1 change") : tr("What if: %1 changes").arg(changes.size()));
  m_draft->setToolTip(changes.join(QLatin1Char('\n')));
}

void BindingBar::take(const Field& field) {
  if (!m_document) return;
  const QString line = field.sizes->currentText().trimmed();
  std::vector<int64_t> sizes;
  if (!line.isEmpty() && line != tr("open")) {
    Result<std::vector<int64_t>> read = study::readSizes(line.toStdString());
    if (!read) {
      field.sizes->setProperty("invalid", true);
      field.sizes->style()->polish(field.sizes);
      emit message(told(read.error().message));
      return;
    }
    sizes = *std::move(read);
  }
  if (field.sizes->property("invalid").toBool()) {
    field.sizes->setProperty("invalid", false);
    field.sizes->style()->polish(field.sizes);
  }
  field.sizes->lineEdit()->setModified(false);
  const std::string dimension = field.dimension;  // walking again may replace the fields
  m_sweeper->setSizes(dimension, sizes);
  if (sizes.size() > 1) return;
  session::SessionOptions options = m_document->options();
  if (sizes.empty())
    options.dims.erase(dimension);
  else
    options.dims[dimension] = sizes.front();
  if (options.dims != m_document->options().dims) m_document->setOptions(options);
}

QComboBox* BindingBar::field(const QString& dimension) const {
  for (const Field& field : m_fields)
    if (text(field.dimension) == dimension && !field.sizes->isHidden()) return field.sizes;
  return nullptr;
}

// As many fields as there is room for beside the configuration; the others are in the dialog.
void BindingBar::shareRoom() {
  const int spacing = m_row->spacing();
  int room = width() - 2 * kSpaceLarge - m_title->sizeHint().width() - scaled(kLeastConfiguration) - 2 * spacing -
             m_more->sizeHint().width();
  if (!m_sweep->isHidden()) room -= m_sweep->sizeHint().width() + spacing;
  if (!m_draft->isHidden()) room -= m_draft->sizeHint().width() + spacing;
  size_t shown = 0;
  for (const Field& field : m_fields) {
    room -= field.label->sizeHint().width() + scaled(kFieldWidth) + 2 * spacing;
    const bool fits = room >= 0;
    field.sizes->setFixedWidth(scaled(kFieldWidth));
    field.label->setVisible(fits);
    field.sizes->setVisible(fits);
    shown += fits ? 1 : 0;
  }
  m_fixed->setVisible(m_fields.empty());
  m_more->setVisible(shown < m_fields.size());
  m_more->setText(QStringLiteral("+%1").arg(m_fields.size() - shown));
}

void BindingBar::resizeEvent(QResizeEvent*) {
  if (m_document) shareRoom();
}

BindingLink::BindingLink(MainWindow* window, BindingBar* bar) : QObject(window), m_window(window), m_bar(bar) {
  bar->hide();
  connect(window, &MainWindow::pageShown, this, &BindingLink::follow);
  connect(bar, &BindingBar::settingsRequested, this,
          [this] { m_window->commands()->run(QStringLiteral("model.settings")); });
  connect(bar, &BindingBar::message, window, &MainWindow::message);
  connect(bar, &BindingBar::draftRequested, this, [this] {
    if (DocumentPage* page = m_window->currentPage()) page->document()->setStage(Stage::kPartition);
  });
  connect(bar, &BindingBar::sweepRequested, this, &BindingLink::sweep);
}

void BindingLink::follow(DocumentPage* page) {
  if (m_document) {
    disconnect(m_document, nullptr, this, nullptr);
    disconnect(&m_document->service(), nullptr, this, nullptr);
  }
  Document* document = page ? page->document() : nullptr;
  m_document = document;
  m_bar->setVisible(document != nullptr);
  m_bar->present(document);
  if (!document) return;
  const auto present = [this, document] { m_bar->present(document); };
  connect(document, &Document::walkChanged, this, present);
  connect(document, &Document::titleChanged, this, present);
  connect(&document->service(), &EngineService::activityChanged, this, present);
}

void BindingLink::sweep(int runs) {
  DocumentPage* page = m_window->currentPage();
  if (!page) return;
  m_window->tools()->raise(QStringLiteral("shapes"));  // makes the panel that hears it
  ShapeSweeper::of(page->document())->request(runs);
}

}  // namespace cutaway::ui
