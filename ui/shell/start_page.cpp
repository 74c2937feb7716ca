#include "ui/shell/start_page.h"

#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/base/comfort.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/shell/samples.h"

namespace cutaway::ui {
namespace {

constexpr int kContentWidth = 760;

// A button of two lines: what it opens, and why one would.
class CardButton : public QPushButton {
 public:
  CardButton(const QString& title, const QString& line, QWidget* parent) : QPushButton(parent) {
    setObjectName(QStringLiteral("card"));
    setAccessibleName(title);
    setAccessibleDescription(line);
    auto* name = new QLabel(title, this);
    QFont font = interfaceFont(0, QFont::DemiBold);
    name->setFont(font);
    auto* words = new QLabel(line, this);
    words->setProperty("role", "secondary");
    words->setWordWrap(true);
    words->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    for (QLabel* label : {name, words})
      label->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 10, 14, 10);
    column->setSpacing(3);
    column->addWidget(name);
    column->addWidget(words, 1);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
  }
};

}  // namespace

StartPage::StartPage(ThemeStore* themes, ViewState* viewState, QWidget* parent)
    : QWidget(parent), m_themes(themes), m_viewState(viewState) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  new ThemeFollower(this, themes, [this] { refresh(); });
  refresh();
}

QWidget* StartPage::makeCard(const QString& title, const QString& line, const QString& path) {
  auto* card = new CardButton(title, line, this);
  card->setToolTip(path);
  connect(card, &QPushButton::clicked, this, [this, path] { emit openRequested(path); });
  return card;
}

void StartPage::refresh() {
  delete m_content;
  m_content = new QWidget(this);
  m_content->setFixedWidth(scaled(kContentWidth));
  auto* column = new QVBoxLayout(m_content);
  column->setSpacing(kSpace);
  column->addStretch(2);

  auto* logo = new QLabel;
  logo->setPixmap(iconPixmap(QStringLiteral("cutaway"), Qt::black, 64, devicePixelRatioF()));
  column->addWidget(logo, 0, Qt::AlignHCenter);
  auto* title = new QLabel(tr("See what inference does with your model"));
  title->setFont(interfaceFont(9, QFont::DemiBold));
  column->addWidget(title, 0, Qt::AlignHCenter);
  auto* hint = new QLabel(tr("Drop an .onnx file here. Cutaway shows every stage, from the file to the finished run."));
  hint->setProperty("role", "secondary");
  column->addWidget(hint, 0, Qt::AlignHCenter);
  column->addSpacing(kSpace);
  auto* open = new QPushButton(tr("Open a model \u2026"));
  open->setProperty("primary", true);
  open->setMinimumHeight(scaled(32));
  connect(open, &QPushButton::clicked, this, &StartPage::dialogRequested);
  column->addWidget(open, 0, Qt::AlignHCenter);
  column->addSpacing(kSpaceHuge);
  addFiles(column);
  addKeys(column);
  column->addStretch(3);
  static_cast<QVBoxLayout*>(layout())->addWidget(m_content, 1, Qt::AlignHCenter);
  const Theme& theme = m_themes->current();
  m_content->setStyleSheet(
      QStringLiteral(
          "QPushButton#card, QPushButton#recentFile { text-align: left; background: %1; border: 1px solid %2; "
          "border-radius: 8px; padding: 0; }"
          "QPushButton#card { min-height: 96px; } QPushButton#recentFile { min-height: 30px; padding-left: 14px; }"
          "QPushButton#recentFile[missing=\"true\"] { color: %6; }"
          "QPushButton#card:hover, QPushButton#recentFile:hover { background: %3; border-color: %4; }"
          "QPushButton#card:focus, QPushButton#recentFile:focus { border-color: %5; }")
          .arg(theme.surface.name(), theme.border.name(), theme.raised.name(), theme.borderStrong.name(),
               theme.accent.name(), theme.textFaint.name()));
}

void StartPage::addFiles(QVBoxLayout* column) {
  const auto section = [&](const QString& words) {
    auto* label = new QLabel(words);
    label->setProperty("role", "section");
    column->addWidget(label);
  };
  const std::vector<Sample> samples = bundledSamples();
  if (!samples.empty()) {
    section(tr("Sample models: small networks that read handwritten digits"));
    auto* grid = new QGridLayout;
    grid->setSpacing(kSpaceLarge);
    for (size_t i = 0; i < samples.size(); ++i)
      grid->addWidget(makeCard(samples[i].name, samples[i].shows, samples[i].path), static_cast<int>(i / 3),
                      static_cast<int>(i % 3));
    for (int c = 0; c < 3; ++c)
      grid->setColumnStretch(c, 1);
    column->addLayout(grid);
  }
  QStringList recent = m_viewState->recentFiles();
  while (recent.size() > 4)
    recent.removeLast();
  if (recent.isEmpty()) return;
  column->addSpacing(kSpaceLarge);
  section(tr("Recent"));
  for (const QString& path : recent) {
    const bool missing = !QFileInfo::exists(path);
    const QString folder = shortened(QDir::toNativeSeparators(QFileInfo(path).path()), 64);
    auto* link = new QPushButton(QFileInfo(path).fileName() + QStringLiteral("   \u2013   ") +
                                 (missing ? tr("missing") + QStringLiteral("   \u00b7   ") + folder : folder));
    link->setObjectName(QStringLiteral("recentFile"));
    link->setToolTip(missing ? tr("%1 no longer exists; click to remove it from the list").arg(path) : path);
    link->setProperty("missing", missing);
    link->setCursor(Qt::PointingHandCursor);
    connect(link, &QPushButton::clicked, this, [this, path] {
      if (QFileInfo::exists(path)) return emit openRequested(path);
      m_viewState->removeRecentFile(path);
      QTimer::singleShot(0, this, &StartPage::refresh);  // it replaces the button that was pressed
    });
    column->addWidget(link);
  }
}

// The keys that help at once.
void StartPage::addKeys(QVBoxLayout* column) {
  const std::pair<QString, QString> keys[] = {{QStringLiteral("Ctrl+O"), tr("open")},
                                              {QStringLiteral("Ctrl+Shift+P"), tr("find any command")},
                                              {QStringLiteral("?"), tr("all keys")}};
  QStringList words;
  for (const auto& [key, does] : keys)
    words << QStringLiteral("<b>%1</b>&nbsp; %2").arg(key, does.toHtmlEscaped());
  auto* label = new QLabel(words.join(QStringLiteral("&nbsp;&nbsp;&nbsp;&nbsp;\u00b7&nbsp;&nbsp;&nbsp;&nbsp;")));
  label->setProperty("role", "faint");
  column->addSpacing(kSpaceLarge);
  column->addWidget(label, 0, Qt::AlignHCenter);
}

}  // namespace cutaway::ui
