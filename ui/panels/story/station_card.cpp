#include "ui/panels/story/station_card.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/icons.h"
#include "ui/base/stage_words.h"

namespace cutaway::ui {
namespace {

constexpr int kRail = 24;  // its middle, from the left
constexpr int kRadius = 13;
constexpr int kTextLeft = 48;
constexpr int kMiddle = 21;  // of the disc, from the top

QColor inkOf(StoryTone tone, const Theme& theme) {
  switch (tone) {
    case StoryTone::kQuiet:
      return theme.textSecondary;
    case StoryTone::kBad:
      return theme.error;
    default:
      return theme.text;
  }
}

}  // namespace

StationCard::StationCard(const Station& station, const Theme& theme, bool first, bool last, bool here, QWidget* parent)
    : QWidget(parent), m_station(station), m_theme(theme), m_first(first), m_last(last), m_here(here) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kTextLeft, kSpace, kSpaceLarge, kSpace);
  column->setSpacing(kSpaceTiny);
  auto* stage = new QLabel(stageWords(station.stage));
  stage->setFont(interfaceFont(-2));
  stage->setProperty("role", "faint");
  column->addWidget(stage);
  auto* title = new QPushButton;
  title->setText(station.title);
  title->setFlat(true);
  title->setFont(interfaceFont(0, QFont::DemiBold));
  title->setCursor(Qt::PointingHandCursor);
  title->setToolTip(tr("Go to this stage; the selection stays"));
  title->setAccessibleName(tr("%1: %2").arg(stage->text(), station.title));
  title->setFocusPolicy(Qt::StrongFocus);
  title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  title->setStyleSheet(QStringLiteral("QPushButton { text-align: left; padding: 1px 0px; min-height: 0px; border: 1px "
                                      "solid transparent; background: transparent; color: %1; } QPushButton:hover { "
                                      "color: %2; } QPushButton:focus { border-color: %2; }")
                           .arg((station.ended ? theme.error : theme.text).name(), theme.accent.name()));
  column->addWidget(title);
  connect(title, &QPushButton::clicked, this, &StationCard::chosen);
  for (size_t i = 0; i < station.lines.size(); ++i) {
    const StoryLine& line = station.lines[i];
    const bool linked = line.target.node.valid() || line.target.value.valid();
    const QString words = line.words.toHtmlEscaped();
    auto* label = new QLabel(linked ? QStringLiteral("<a style='color:%1;text-decoration:none' href='%2'>%3</a>")
                                          .arg(theme.accent.name())
                                          .arg(i)
                                          .arg(words)
                                    : words);
    label->setTextFormat(Qt::RichText);
    label->setWordWrap(true);
    label->setMinimumWidth(40);
    label->setFont(interfaceFont(-1, line.tone == StoryTone::kStrong ? QFont::DemiBold : QFont::Normal));
    label->setTextInteractionFlags(linked ? Qt::LinksAccessibleByKeyboard | Qt::LinksAccessibleByMouse
                                          : Qt::TextSelectableByMouse);
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, inkOf(line.tone, theme));
    label->setPalette(palette);
    column->addWidget(label);
    connect(label, &QLabel::linkActivated, this, [this](const QString& link) { emit lineChosen(link.toInt()); });
  }
}

// A disc with the stage's icon on a line that runs from the first station to the last; where it ends, a cross.
void StationCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  if (m_here) painter.fillRect(rect(), mix(m_theme.surface, m_theme.accentSoft, 0.7));
  painter.setPen(QPen(m_theme.borderStrong, 2));
  if (!m_first) painter.drawLine(QPointF(kRail, 0), QPointF(kRail, kMiddle));
  if (!m_last) painter.drawLine(QPointF(kRail, kMiddle), QPointF(kRail, height()));
  const QColor ring = m_station.ended ? m_theme.error : m_here ? m_theme.accent : m_theme.borderStrong;
  painter.setPen(QPen(ring, 1.6));
  painter.setBrush(m_theme.surface);
  painter.drawEllipse(QPointF(kRail, kMiddle), kRadius, kRadius);
  const QString icon = m_station.ended ? QStringLiteral("close")
                                       : QStringLiteral("stage-") + QString::fromUtf8(stageId(m_station.stage));
  painter.drawPixmap(QPointF(kRail - 8, kMiddle - 8), iconPixmap(icon,
                                                                 m_station.ended ? m_theme.error
                                                                 : m_here        ? m_theme.accent
                                                                                 : m_theme.textSecondary,
                                                                 16, devicePixelRatioF()));
}

}  // namespace cutaway::ui
