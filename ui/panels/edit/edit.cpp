// Edit: changes of the model for inspection, undone and redone, saved as another file.
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QSplitter>
#include <QTabWidget>

#include "ui/base/theme_store.h"
#include "ui/base/view_state.h"
#include "ui/document/document.h"
#include "ui/panels/edit/edit_list.h"
#include "ui/panels/edit/model_forms.h"
#include "ui/panels/edit/selection_form.h"
#include "ui/panels/without_figures.h"

namespace cutaway::ui {
namespace {

class EditPanel : public QWidget {
  Q_DECLARE_TR_FUNCTIONS(cutaway::ui::EditPanel)

 public:
  EditPanel(const PanelContext& context, QWidget* parent)
      : QWidget(parent), m_context(context), m_splitter(new QSplitter) {
    setProperty("role", "surface");
    setProperty(kWithoutFigures, true);
    setAttribute(Qt::WA_StyledBackground);
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    tabs->addTab(new SelectionForm(context), tr("Selected"));
    tabs->addTab(new ModelForm(context, ModelForm::kSignature), tr("Inputs and outputs"));
    tabs->addTab(new ModelForm(context, ModelForm::kDimensions), tr("Dimensions"));
    tabs->addTab(new ModelForm(context, ModelForm::kMetadata), tr("Metadata"));
    tabs->addTab(new ExtractForm(context), tr("Extract"));
    m_splitter->addWidget(new EditList(context));
    m_splitter->addWidget(tabs);
    m_splitter->setStretchFactor(0, 0);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({280, 720});
    m_splitter->setChildrenCollapsible(false);
    m_splitter->restoreState(context.viewState->get(QStringLiteral("edit/splitter")).toByteArray());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_splitter);
  }
  ~EditPanel() override { m_context.viewState->put(QStringLiteral("edit/splitter"), m_splitter->saveState()); }

 private:
  PanelContext m_context;
  QSplitter* m_splitter;
};

}  // namespace

const PanelDescriptor& panel_edit() {
  static const PanelDescriptor descriptor{.id = "edit",
                                          .title = QT_TRANSLATE_NOOP("Panel", "Edit model"),
                                          .icon = "settings",
                                          .area = PanelArea::kTool,
                                          .place = ToolPlace::kBelow,
                                          .keys = "Ctrl+Shift+M",
                                          .create = [](const PanelContext& context, QWidget* parent) -> QWidget* {
                                            return new EditPanel(context, parent);
                                          }};
  return descriptor;
}

}  // namespace cutaway::ui
