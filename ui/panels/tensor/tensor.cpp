// Tensor: the numbers in the selected value, as table, image, heat map, histogram and statistics.
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme_follower.h"
#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/document/gui_call.h"
#include "ui/document/window_words.h"
#include "ui/panels/panel.h"
#include "ui/panels/panel_actions.h"
#include "ui/panels/tensor/tensor_difference.h"
#include "ui/panels/tensor/tensor_pages.h"

namespace cutaway::ui {
namespace {

constexpr int64_t kFetchedByItself = int64_t{32} << 20;  // bytes of a weight

using Made = Result<std::shared_ptr<const study::TensorContent>>;

class TensorPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::TensorPanel)

 public:
  TensorPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent),
        m_context(context),
        m_values(new QComboBox),
        m_facts(new QLabel),
        m_fetch(new QPushButton(tr("Fetch"))),
        m_pin(new QToolButton),
        m_more(new QToolButton),
        m_stack(new QStackedWidget),
        m_tabs(new QTabWidget),
        m_title(new QLabel),
        m_words(new QLabel),
        m_bar(new QProgressBar),
        m_act(new QPushButton) {
    arrange();
    for (TensorPage* page : m_pages = makeTensorPages(context))
      m_tabs->addTab(page, page->windowTitle());
    m_tabs->setCurrentIndex(context.viewState->get(QStringLiteral("tensor/tab"), 0).toInt());
    TensorController& controller = context.document->tensors();
    connect(&controller, &TensorController::changed, this, &TensorPanel::refresh);
    connect(&context.document->selection(), &Selection::changed, this, &TensorPanel::follow);
    context.document->onWalkChange(kGraphs | WalkPart::kStates | WalkPart::kComparison, this, &TensorPanel::follow);
    connect(context.document, &Document::stageChanged, this, &TensorPanel::follow);
    connect(m_values, &QComboBox::activated, this, [this] {
      m_chosen = m_values->currentData().toString();
      look();
    });
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
      m_context.viewState->put(QStringLiteral("tensor/tab"), tab);
      showPage();
    });
    connect(m_fetch, &QPushButton::clicked, this, [this] { m_context.document->tensors().fetch(value()); });
    connect(m_act, &QPushButton::clicked, this, [this] {
      TensorController& controller = m_context.document->tensors();
      controller.state() == TensorController::State::kFetching ? controller.cancel() : controller.fetch(value());
    });
    connect(&m_difference, &QFutureWatcherBase::finished, this, &TensorPanel::endDifference);
    new ThemeFollower(this, context.themes, [this] { dress(); });
    dress();
    follow();
  }
  ~TensorPanel() override {
    m_token.cancel();
    m_difference.waitForFinished();
  }

 protected:
  void showEvent(QShowEvent*) override { follow(); }

 private:
  void arrange() {
    m_values->setAccessibleName(tr("Value"));
    m_values->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_values->setMinimumContentsLength(18);
    m_facts->setProperty("role", "secondary");
    m_facts->setMinimumWidth(20);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_pin->setText(tr("Compare"));
    m_pin->setPopupMode(QToolButton::InstantPopup);
    m_pin->setMenu(new QMenu(m_pin));
    m_pin->setToolTip(tr("Keep this tensor and subtract it from others"));
    connect(m_pin->menu(), &QMenu::aboutToShow, this, &TensorPanel::fillCompare);
    m_more->setText(tr("Save"));
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_more->setMenu(new QMenu(m_more));
    connect(m_more->menu(), &QMenu::aboutToShow, this, &TensorPanel::fillMore);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(kSpace, kSpaceSmall, kSpace, kSpaceSmall);
    top->setSpacing(kSpace);
    for (QWidget* each : {static_cast<QWidget*>(m_values), static_cast<QWidget*>(m_facts),
                          static_cast<QWidget*>(m_fetch), static_cast<QWidget*>(m_pin), static_cast<QWidget*>(m_more)})
      top->addWidget(each, each == m_facts || each == m_values ? 1 : 0);
    auto* state = new QWidget;
    auto* rows = new QVBoxLayout(state);
    m_title->setProperty("role", "title");
    m_words->setProperty("role", "secondary");
    m_bar->setRange(0, 0);
    m_bar->setTextVisible(false);
    m_bar->setFixedWidth(220);
    m_bar->setAccessibleName(tr("Fetching"));
    for (QLabel* label : {m_title, m_words}) {
      label->setAlignment(Qt::AlignCenter);
      label->setWordWrap(true);
      label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    rows->setContentsMargins(kSpaceHuge, kSpaceHuge, kSpaceHuge, kSpaceHuge);
    rows->addStretch(1);
    rows->addWidget(m_title);
    rows->addWidget(m_words);
    rows->addWidget(m_bar, 0, Qt::AlignHCenter);
    rows->addWidget(m_act, 0, Qt::AlignHCenter);
    rows->addStretch(1);
    m_stack->setProperty("role", "surface");
    m_stack->setAttribute(Qt::WA_StyledBackground);
    m_stack->addWidget(state);
    m_stack->addWidget(m_tabs);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(m_stack, 1);
  }

  void dress() {
    const Theme& theme = m_context.themes->current();
    m_more->setIcon(themedIcon(QStringLiteral("export"), theme));
    for (QToolButton* each : {m_pin, m_more})
      each->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  }

  ValueTarget value() const { return {m_graph, m_chosen}; }

  // The selected value, or those of the selected node: weights first, then what it makes and reads.
  void follow() {
    if (!isVisible()) return;
    const Document& document = *m_context.document;
    const Selection& selection = document.selection();
    std::vector<std::pair<QString, QString>> offered;  // title, name
    if (selection.value().valid()) {
      m_graph = selection.value().graph;
      offered.emplace_back(selection.value().name, selection.value().name);
    } else if (NodeTarget target = selection.focusIn(document.shownVersion()); document.node(target)) {
      m_graph = target.graph;
      offerOf(document.graphs(target.version)->graphs[static_cast<size_t>(target.graph)], *document.node(target),
              offered);
    }
    m_values->clear();
    int keep = 0;
    for (size_t i = 0; i < offered.size(); ++i) {
      m_values->addItem(shortened(offered[i].first, 60), offered[i].second);
      m_values->setItemData(static_cast<int>(i), offered[i].first, Qt::ToolTipRole);
      if (offered[i].second == m_chosen) keep = static_cast<int>(i);
    }
    m_values->setCurrentIndex(offered.empty() ? -1 : keep);
    m_chosen = m_values->currentData().toString();
    look();
  }

  static void offerOf(const GraphReport& graph, const NodeReport& node,
                      std::vector<std::pair<QString, QString>>& offered) {
    const auto offer = [&](std::span<const int32_t> values, const QString& what, bool initializers) {
      for (const int32_t value : values)
        if (value >= 0 && graph.values[static_cast<size_t>(value)].isInitializer == initializers) {
          const QString name = text(graph.values[static_cast<size_t>(value)].name);
          offered.emplace_back(QStringLiteral("%1: %2").arg(what, name), name);
        }
    };
    offer(node.inputs, tr("weight"), true);
    offer(node.outputs, tr("output"), false);
    offer(node.outputs, tr("output"), true);
    offer(node.inputs, tr("input"), false);
  }

  const ValueReport* report() const {
    for (const GraphVersion version : {m_context.document->shownVersion(), GraphVersion::kLoaded,
                                       GraphVersion::kOptimized, GraphVersion::kPartitioned})
      if (const ValueReport* found = m_context.document->value(version, value())) return found;
    return nullptr;
  }

  // Small weights are fetched without being asked.
  void look() {
    TensorController& controller = m_context.document->tensors();
    const ValueReport* known = value().valid() ? report() : nullptr;
    const bool asked = controller.value() == value() && controller.state() != TensorController::State::kIdle;
    if (known && !asked && isVisible() && controller.wayTo(value()) == TensorController::Way::kFile &&
        known->sizeBytes >= 0 && known->sizeBytes <= kFetchedByItself)
      return controller.fetch(value());
    refresh();
  }

  std::shared_ptr<const study::TensorContent> content() const {
    if (m_shownDifference && value() == m_differenceOf) return m_shownDifference;
    const TensorController& controller = m_context.document->tensors();
    return controller.state() == TensorController::State::kReady && controller.value() == value() ? controller.content()
                                                                                                  : nullptr;
  }

  void refresh() {
    if (!isVisible()) return;
    const TensorController& controller = m_context.document->tensors();
    const auto shown = content();
    const ValueReport* known = value().valid() ? report() : nullptr;
    m_values->setEnabled(m_values->count() > 1);
    m_facts->setText(shown && shown == m_shownDifference ? text(shown->name())
                     : known ? tr("%1 \u00b7 %2").arg(text(known->type), sizeText(known->sizeBytes))
                             : QString());
    m_facts->setToolTip(m_facts->text());
    m_fetch->setVisible(shown && controller.wayTo(value()) == TensorController::Way::kRun);
    m_fetch->setText(tr("Run again"));
    m_pin->setEnabled(static_cast<bool>(shown));
    m_more->setEnabled(static_cast<bool>(shown));
    m_stack->setCurrentIndex(shown ? 1 : 0);
    if (!shown) return showState(controller);
    for (size_t i = 0; i < m_pages.size(); ++i)
      m_tabs->setTabVisible(static_cast<int>(i), m_pages[i]->shows(*shown));
    showPage();
  }

  // Nothing chosen, to be fetched, on its way, failed.
  void showState(const TensorController& controller) {
    const bool mine = controller.value() == value();
    const bool fetching = mine && controller.state() == TensorController::State::kFetching;
    const bool failed = mine && controller.state() == TensorController::State::kFailed;
    const TensorController::Way way = value().valid() ? controller.wayTo(value()) : TensorController::Way::kNone;
    m_bar->setVisible(fetching);
    m_act->setVisible(value().valid() && (fetching || failed || way != TensorController::Way::kNone));
    m_act->setText(fetching                             ? tr("Cancel")
                   : failed                             ? tr("Try again")
                   : way == TensorController::Way::kRun ? tr("Run and keep it")
                                                        : tr("Fetch"));
    m_act->setProperty("primary", !fetching);
    m_title->setText(fetching          ? tr("Fetching %1").arg(shortened(m_chosen, 60))
                     : failed          ? tr("It could not be fetched")
                     : value().valid() ? shortened(m_chosen, 60)
                                       : QString());
    m_title->setVisible(!m_title->text().isEmpty());
    QString words = tr("Choose a value on the graph, or a node: its weights and what it makes can be looked at here.");
    if (value().valid())
      words = failed && controller.error() ? told(*controller.error())
              : way == TensorController::Way::kRun
                  ? tr("It is computed when the model runs: one run with the inputs of the run panel keeps it.")
              : way == TensorController::Way::kFile ? tr("A weight in the file, not read yet because it is large.")
                                                    : controller.whyNot(value());
    if (fetching)
      words = way == TensorController::Way::kRun ? tr("The model runs once.")
                                                 : tr("Read from the file, then counted for the statistics.");
    m_words->setText(words);
  }

  void showPage() {
    const auto shown = content();
    auto* page = static_cast<TensorPage*>(m_tabs->currentWidget());
    if (shown && page) page->present(shown);
  }

  void fillMore() {
    QMenu* menu = m_more->menu();
    menu->clear();
    auto* page = static_cast<TensorPage*>(m_tabs->currentWidget());
    if (!page->copyText().isEmpty())
      menu->addAction(tr("Copy values"), this, [page] { QApplication::clipboard()->setText(page->copyText()); });
    menu->addAction(tr("Save as .npy \u2026"), this, &TensorPanel::saveNpy);
    if (!page->copyImage().isNull()) {
      menu->addAction(tr("Copy picture"), this, [page] { QApplication::clipboard()->setImage(page->copyImage()); });
      menu->addAction(tr("Save picture, a pixel an element \u2026"), this,
                      [this, page] { savePicture(page->copyImage()); });
    }
    if (page->picture())
      menu->addAction(tr("Export what is seen \u2026"), this,
                      [this, page] { emit m_context.actions->exportRequested(page->picture(), fileName()); });
  }

  QString fileName() const {
    QString name = shortName(m_chosen.toStdString());
    for (QChar& c : name)
      if (!c.isLetterOrNumber() && c != QLatin1Char('-') && c != QLatin1Char('.')) c = QLatin1Char('_');
    return name;
  }

  // Large tensors take a while to write, so a worker does.
  void saveNpy() {
    const auto shown = content();
    const QString path = QFileDialog::getSaveFileName(this, tr("Save tensor"), fileName() + QStringLiteral(".npy"),
                                                      tr("NumPy array (*.npy)"));
    if (path.isEmpty() || !shown) return;
    using Saved = Result<void>;
    auto* watcher = new QFutureWatcher<Saved>(m_context.document);
    connect(watcher, &QFutureWatcherBase::finished, m_context.actions, [watcher, path, actions = m_context.actions] {
      const Saved saved = watcher->result();
      emit actions->message(saved ? tr("Saved %1").arg(path) : told(saved.error()));
      watcher->deleteLater();
    });
    watcher->setFuture(promised([shown, file = path.toStdString()] { return shown->saveNpy(file); }));
  }

  void savePicture(const QImage& image) {
    const QString path = QFileDialog::getSaveFileName(this, tr("Save picture"), fileName() + QStringLiteral(".png"),
                                                      tr("PNG picture (*.png)"));
    if (path.isEmpty()) return;
    emit m_context.actions->message(image.save(path) ? tr("Saved %1").arg(path)
                                                     : tr("Cannot write %1: choose another folder").arg(path));
  }

  void fillCompare() {
    QMenu* menu = m_pin->menu();
    menu->clear();
    const auto shown = m_context.document->tensors().content();
    if (m_shownDifference)
      menu->addAction(tr("Show the values again"), this, [this] {
        m_shownDifference.reset();
        refresh();
      });
    if (shown) menu->addAction(tr("Keep this one for comparing"), this, [this, shown] { m_kept = shown; });
    if (!m_kept) return;
    QAction* subtract = menu->addAction(tr("Difference from %1").arg(shortened(text(m_kept->name()), 40)), this,
                                        &TensorPanel::subtract);
    subtract->setEnabled(shown && shown != m_kept && shown->dims() == m_kept->dims() && shown->isNumeric() &&
                         m_kept->isNumeric());
    if (!subtract->isEnabled())
      subtract->setText(shown == m_kept
                            ? tr("Choose another value to compare with %1").arg(shortened(text(m_kept->name()), 40))
                            : tr("%1 has another shape").arg(shortened(text(m_kept->name()), 40)));
    menu->addAction(tr("Forget %1").arg(shortened(text(m_kept->name()), 40)), this, [this] { m_kept.reset(); });
  }

  void subtract() {
    m_token = CancelToken();
    m_differenceOf = value();
    m_difference.setFuture(promised([a = m_kept, b = m_context.document->tensors().content(),
                                     token = m_token]() -> Made { return differenceOf(*a, *b, token); }));
  }

  void endDifference() {
    if (m_difference.future().resultCount() == 0) return;
    const Made made = m_difference.result();
    if (!made) return emit m_context.actions->message(told(made.error()));
    m_shownDifference = *made;
    refresh();
  }

  PanelContext m_context;
  QComboBox* m_values;
  QLabel* m_facts;
  QPushButton* m_fetch;
  QToolButton* m_pin;
  QToolButton* m_more;
  QStackedWidget* m_stack;
  QTabWidget* m_tabs;
  QLabel* m_title;
  QLabel* m_words;
  QProgressBar* m_bar;
  QPushButton* m_act;
  std::vector<TensorPage*> m_pages;
  int m_graph = 0;
  QString m_chosen;
  std::shared_ptr<const study::TensorContent> m_kept, m_shownDifference;
  ValueTarget m_differenceOf;
  QFutureWatcher<Made> m_difference;
  CancelToken m_token;
};

}  // namespace

const PanelDescriptor& panel_tensor() {
  static const PanelDescriptor descriptor{.id = "tensor",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Tensor"),
                                          .icon = "stage-pattern",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .keys = "Ctrl+T",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new TensorPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
