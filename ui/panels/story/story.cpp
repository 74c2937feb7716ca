// Story: the one selection through all stages, in both directions.
#include <QCoreApplication>
#include <QLabel>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme_store.h"
#include "ui/document/document.h"
#include "ui/panels/panel.h"
#include "ui/panels/story/station_card.h"

namespace cutaway::ui {
namespace {

class StoryPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::StoryPanel)

 public:
  StoryPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent),
        m_context(context),
        m_title(new QLabel),
        m_subtitle(new QLabel),
        m_empty(new QLabel),
        m_area(new QScrollArea) {
    setProperty("role", "surface");
    setAttribute(Qt::WA_StyledBackground);
    m_title->setFont(interfaceFont(1, QFont::DemiBold));
    m_title->setWordWrap(true);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, 0);
    m_subtitle->setProperty("role", "secondary");
    m_subtitle->setWordWrap(true);
    m_subtitle->setTextFormat(Qt::PlainText);
    m_subtitle->setContentsMargins(kSpaceLarge, 0, kSpaceLarge, kSpaceSmall);
    m_empty->setText(tr("Select a node or a value, in any stage,\nto follow it through all of them."));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setProperty("role", "faint");
    m_empty->setMargin(kSpaceHuge);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->setAccessibleName(tr("Story of the selection"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addWidget(m_subtitle);
    column->addWidget(m_area, 1);
    column->addWidget(m_empty, 1);
    // Selection, stage and walk often change together: told once.
    m_soon.setSingleShot(true);
    m_soon.setInterval(0);
    connect(&m_soon, &QTimer::timeout, this, [this] { refresh(); });
    const auto soon = [this] {
      if (isVisible()) m_soon.start();
    };
    connect(&context.document->selection(), &Selection::changed, this, soon);
    context.document->onWalkChange(kReports, this, soon);
    connect(context.document, &Document::stageChanged, this, soon);
    connect(context.themes, &ThemeStore::changed, this, soon);
  }

 protected:
  void showEvent(QShowEvent*) override { refresh(); }

 private:
  void refresh() {
    const Story story = storyOf(*m_context.document);
    const bool told = !story.title.isEmpty();
    m_empty->setVisible(!told);
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_area})
      part->setVisible(told);
    m_subtitle->setVisible(told && !story.subtitle.isEmpty());
    m_title->setText(story.title);
    m_subtitle->setText(story.subtitle);
    const bool focused = m_area->widget() && m_area->widget()->isAncestorOf(focusWidget());
    auto* list = new QWidget;
    list->setProperty("role", "surface");
    list->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(list);
    column->setContentsMargins(0, 0, 0, kSpace);
    column->setSpacing(0);
    StationCard* here = nullptr;
    for (size_t i = 0; i < story.stations.size(); ++i) {
      const bool now = !here && story.stations[i].stage == m_context.document->stage();
      auto* card =
          new StationCard(story.stations[i], m_context.themes->current(), i == 0, i + 1 == story.stations.size(), now);
      if (now) here = card;
      connect(card, &StationCard::chosen, this, [this, card] { choose(card->station()); });
      connect(card, &StationCard::lineChosen, this, [this, card](int line) {
        const Station station = card->station();  // the card goes when the selection changes
        m_context.document->selection().select(station.lines[static_cast<size_t>(line)].target);
        m_context.document->setStage(station.stage);
      });
      column->addWidget(card);
    }
    column->addStretch(1);
    if (QWidget* before = m_area->takeWidget()) before->deleteLater();
    m_area->setWidget(list);
    if (here) {
      list->adjustSize();
      m_area->ensureWidgetVisible(here, 0, 40);
      if (focused) here->setFocus();
    }
  }

  // The stage is shown with what the story is of; the station's own node only where nothing else stands for it there.
  void choose(Station station) {
    Document& document = *m_context.document;
    document.setStage(station.stage);
    Selection& selection = document.selection();
    const bool there = selection.value().valid() || selection.focusIn(document.shownVersion()).valid();
    if (!there) selection.select(station.target);
    emit selection.revealRequested();
  }

  PanelContext m_context;
  QLabel* m_title;
  QLabel* m_subtitle;
  QLabel* m_empty;
  QScrollArea* m_area;
  QTimer m_soon;
};

}  // namespace

const PanelDescriptor& panel_story() {
  static const PanelDescriptor descriptor{.id = "story",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Story"),
                                          .icon = "step-on",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBeside,
                                          .keys = "F7",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new StoryPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
