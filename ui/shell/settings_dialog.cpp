#include "ui/shell/settings_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include "engine/session/configuration/configuration.h"
#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/view_state.h"
#include "ui/canvas/view/canvas_pane.h"
#include "ui/canvas/view/canvas_settings.h"
#include "ui/canvas/view/graph_view.h"
#include "ui/document/window_words.h"
#include "ui/shell/document_page.h"
#include "ui/shell/file_watch.h"
#include "ui/shell/language.h"
#include "ui/shell/main_window.h"

namespace cutaway::ui {
namespace {

constexpr int kWidth = 520;
constexpr int kTextStep = 10;  // percent

QLabel* section(const QString& words) {
  auto* label = new QLabel(words);
  label->setProperty("role", "section");
  label->setContentsMargins(0, kSpace, 0, 0);
  return label;
}

// "onednn,cpu" as session options take it.
Result<std::vector<std::string>> providersFrom(const std::string& line) {
  if (line.empty()) return std::vector<std::string>();
  CUTAWAY_TRY(const session::Configuration configuration, session::readConfiguration("providers=" + line));
  return configuration.providers.value_or(std::vector<std::string>());
}

}  // namespace

SettingsDialog::SettingsDialog(MainWindow* window) : QDialog(window), m_window(window) {
  setWindowTitle(tr("Settings"));
  setObjectName(QStringLiteral("settingsDialog"));
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(kSpaceHuge);
  form->setVerticalSpacing(kSpace);
  addLook(form);
  addCanvas(form);
  addModels(form);
  auto* closed = new QPushButton(tr("Close"));
  closed->setDefault(true);
  connect(closed, &QPushButton::clicked, this, &QDialog::accept);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceHuge, kSpaceLarge, kSpaceHuge, kSpaceLarge);
  column->addLayout(form);
  column->addSpacing(kSpaceLarge);
  column->addWidget(closed, 0, Qt::AlignRight);
  resize(kWidth, sizeHint().height());
}

QComboBox* SettingsDialog::choice(const QString& name, const QStringList& titles, int present) {
  auto* box = new QComboBox;
  box->setObjectName(name);
  box->addItems(titles);
  box->setCurrentIndex(present);
  return box;
}

void SettingsDialog::addLook(QFormLayout* form) {
  ViewState* state = m_window->viewState();
  form->addRow(section(tr("Look")));
  QComboBox* theme = choice(QStringLiteral("theme"), {tr("as the system"), tr("light"), tr("dark")},
                            static_cast<int>(m_window->themes()->mode()));
  form->addRow(tr("Theme"), theme);
  connect(theme, &QComboBox::currentIndexChanged, this, [this, state](int mode) {
    state->put(QLatin1String(kThemeKey), mode);
    m_window->themes()->setMode(static_cast<ThemeMode>(mode));
  });
  QStringList titles = {tr("as the system")}, languages = {QString()};
  for (const QString& language : shippedLanguages())
    titles << languageTitle(language), languages << language;
  QComboBox* language =
      choice(QStringLiteral("language"), titles,
             std::max(0, static_cast<int>(languages.indexOf(state->get(QLatin1String(kLanguageKey)).toString()))));
  form->addRow(tr("Language"), language);
  connect(language, &QComboBox::currentIndexChanged, this, [this, state, languages](int index) {
    state->put(QLatin1String(kLanguageKey), languages[index]);
    m_window->message(tr("The language changes when Cutaway is started again."));
  });
  auto* size = new QSpinBox;
  size->setObjectName(QStringLiteral("textSize"));
  size->setRange(kSmallestText, kLargestText);
  size->setSingleStep(kTextStep);
  size->setSuffix(tr(" %"));
  size->setKeyboardTracking(false);
  size->setValue(state->get(QLatin1String(kTextScaleKey), 100).toInt());
  form->addRow(tr("Size of text"), size);
  connect(size, &QSpinBox::valueChanged, this, [this](int percent) { m_window->setTextSize(percent); });
  auto* motion = new QCheckBox(tr("Less motion: nothing glides or morphs"));
  motion->setObjectName(QStringLiteral("reducedMotion"));
  motion->setChecked(state->get(QLatin1String(kReducedMotionKey), false).toBool());
  form->addRow(QString(), motion);
  connect(motion, &QCheckBox::toggled, this,
          [state](bool reduced) { state->put(QLatin1String(kReducedMotionKey), reduced); });
}

// Open models follow; the settings are those of the canvas itself.
void SettingsDialog::addCanvas(QFormLayout* form) {
  ViewState* state = m_window->viewState();
  form->addRow(section(tr("Graph")));
  QComboBox* wheel =
      choice(QStringLiteral("wheel"), {tr("scrolls, with Ctrl it zooms"), tr("zooms, with Ctrl it scrolls")},
             state->get(QLatin1String(kWheelKey), false).toBool());
  form->addRow(tr("Mouse wheel"), wheel);
  connect(wheel, &QComboBox::currentIndexChanged, this, [this, state](int zooms) {
    state->put(QLatin1String(kWheelKey), zooms == 1);
    for (DocumentPage* page : m_window->pages())
      page->canvas()->setWheelZooms(zooms == 1);
  });
  const auto change = [this, state](auto&& set) {
    CanvasSettings settings = CanvasSettings::read(*state);
    set(settings);
    settings.write(*state);
    for (DocumentPage* page : m_window->pages()) {
      CanvasSettings shown = page->canvas()->settings();
      set(shown);
      page->canvas()->setSettings(shown);
    }
  };
  const CanvasSettings present = CanvasSettings::read(*state);
  QComboBox* direction = choice(QStringLiteral("direction"), {tr("from top to bottom"), tr("from left to right")},
                                static_cast<int>(present.direction));
  form->addRow(tr("Layout direction"), direction);
  connect(direction, &QComboBox::currentIndexChanged, this, [change](int index) {
    change([index](CanvasSettings& settings) { settings.direction = static_cast<FlowDirection>(index); });
  });
  QStringList titles;
  for (int i = 0; i < kGroupingCount; ++i)
    titles << groupingTitle(static_cast<Grouping>(i)).remove(QLatin1Char('&'));
  QComboBox* grouping = choice(QStringLiteral("grouping"), titles, static_cast<int>(present.grouping));
  form->addRow(tr("Nodes are grouped"), grouping);
  connect(grouping, &QComboBox::currentIndexChanged, this, [change](int index) {
    change([index](CanvasSettings& settings) { settings.grouping = static_cast<Grouping>(index); });
  });
}

void SettingsDialog::addModels(QFormLayout* form) {
  ViewState* state = m_window->viewState();
  form->addRow(section(tr("The next model that is opened")));
  auto* threads = new QSpinBox;
  threads->setObjectName(QStringLiteral("threads"));
  threads->setRange(0, 1024);
  threads->setSpecialValueText(tr("all cores"));
  threads->setValue(m_window->defaults().threads);
  form->addRow(tr("Threads of a run"), threads);
  connect(threads, &QSpinBox::valueChanged, this, [this, state](int count) {
    state->put(QLatin1String(kDefaultThreadsKey), count);
    session::SessionOptions options = m_window->defaults();
    options.threads = count;
    m_window->setDefaults(options);
  });
  QStringList names;
  for (const std::string& provider : m_window->defaults().providers)
    names << text(provider);
  auto* providers = new QLineEdit(names.join(QLatin1Char(',')));
  providers->setObjectName(QStringLiteral("providers"));
  providers->setPlaceholderText(QStringLiteral("onednn,cpu"));
  providers->setToolTip(tr(
      "Highest priority first, separated by commas, options in braces: openvino{device=CPU},cpu. Empty: cpu alone."));
  form->addRow(tr("Providers"), providers);
  connect(providers, &QLineEdit::editingFinished, this, [this, state, providers] {
    const std::string wanted = providers->text().trimmed().toStdString();
    const Result<std::vector<std::string>> list = providersFrom(wanted);
    if (!list) return m_window->message(told(list.error().message));
    state->put(QLatin1String(kDefaultProvidersKey), providers->text().trimmed());
    session::SessionOptions options = m_window->defaults();
    options.providers = *list;
    m_window->setDefaults(options);
  });
  auto* reload = new QCheckBox(tr("Read files again without asking when they change"));
  reload->setObjectName(QStringLiteral("reload"));
  reload->setChecked(state->get(QLatin1String(kReloadKey), false).toBool());
  form->addRow(QString(), reload);
  connect(reload, &QCheckBox::toggled, this, [state](bool always) { state->put(QLatin1String(kReloadKey), always); });
}

void applyDefaults(MainWindow& window) {
  session::SessionOptions options = window.defaults();
  const session::SessionOptions plain;
  if (options.threads == plain.threads)
    options.threads = std::clamp(window.viewState()->get(QLatin1String(kDefaultThreadsKey), 0).toInt(), 0, 1024);
  const std::string wanted = window.viewState()->get(QLatin1String(kDefaultProvidersKey)).toString().toStdString();
  if (options.providers.empty() && !wanted.empty())
    if (Result<std::vector<std::string>> list = providersFrom(wanted)) options.providers = *std::move(list);
  window.setDefaults(options);
}

}  // namespace cutaway::ui
