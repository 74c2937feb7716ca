#include "ui/panels/edit/model_forms.h"

#include <QFormLayout>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/panels/edit/edit_check.h"
#include "ui/panels/edit/edit_field.h"
#include "ui/panels/edit/extract_bounds.h"

namespace cutaway::ui {
namespace {

constexpr size_t kMostRows = 100;

QLabel* label(const QString& words, const char* role) {
  auto* made = new QLabel(words);
  made->setProperty("role", role);
  made->setWordWrap(true);
  return made;
}

}  // namespace

ModelForm::ModelForm(const PanelContext& context, Kind kind, QWidget* parent)
    : QScrollArea(parent), m_context(context), m_kind(kind) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  context.document->onWalkChange(kLoadedGraphs, this, &ModelForm::refresh);
}

void ModelForm::showEvent(QShowEvent*) {
  refresh();
}

void ModelForm::refresh() {
  const void* source = m_context.document->walk()->loadedGraphs.get();
  if (!isVisible() || (widget() && source == m_filled)) return;
  m_filled = source;
  auto* form = new QWidget;
  form->setProperty("role", "surface");
  form->setAttribute(Qt::WA_StyledBackground);
  auto* column = new QVBoxLayout(form);
  column->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpaceLarge);
  column->setSpacing(kSpace);
  if (!m_context.document->walk()->loadedGraphs || m_context.document->walk()->loadedGraphs->graphs.empty())
    column->addWidget(label(tr("No model is open yet."), "faint"));
  else if (m_kind == kSignature)
    fillSignature(column);
  else if (m_kind == kDimensions)
    fillDimensions(column);
  else
    fillMetadata(column);
  column->addStretch(1);
  setWidget(form);
}

void ModelForm::fillSignature(QVBoxLayout* column) {
  Document* document = m_context.document;
  const auto graphs = document->walk()->loadedGraphs;
  const GraphReport& graph = graphs->graphs[0];
  const auto fill = [&](const QString& title, const std::vector<int32_t>& values) {
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(kSpaceLarge);
    grid->setVerticalSpacing(kSpaceSmall);
    grid->setColumnStretch(0, 3);
    grid->setColumnStretch(1, 3);
    grid->setColumnStretch(2, 2);
    grid->addWidget(label(title, "section"), 0, 0);
    grid->addWidget(label(tr("Shape"), "faint"), 0, 1);
    grid->addWidget(label(tr("Element type"), "faint"), 0, 2);
    column->addLayout(grid);
    const auto put = [&](EditField* field, int row, int at) {
      field->hideTitle();
      grid->addWidget(field, row, at, Qt::AlignTop);
    };
    int shown = 0;
    for (const int32_t index : values) {
      if (++shown > static_cast<int>(kMostRows))
        return column->addWidget(
            label(tr("and %1 more: choose them on the graph to edit them").arg(values.size() - kMostRows), "faint"));
      const ValueReport& value = graph.values[static_cast<size_t>(index)];
      const std::string name = value.name;
      put(new EditField(document, tr("Name"), text(name),
                        [=](const QString& words) {
                          return edit::ModelEdit{
                              .kind = edit::EditKind::kRenameValue, .name = name, .text = words.toStdString()};
                        }),
          shown, 0);
      put(new EditField(document, tr("Shape"), shapeLine(value.shape),
                        [=](const QString& words) {
                          return edit::ModelEdit{
                              .kind = edit::EditKind::kSetShape, .name = name, .text = words.toStdString()};
                        }),
          shown, 1);
      put(new EditField(
              document, tr("Element type"), text(value.elementType),
              [=](const QString& words) {
                return edit::ModelEdit{
                    .kind = edit::EditKind::kSetElementType, .name = name, .text = words.toStdString()};
              },
              elementTypeNames()),
          shown, 2);
    }
  };
  fill(tr("Inputs"), graph.inputs);
  fill(tr("Outputs"), graph.outputs);
}

void ModelForm::fillDimensions(QVBoxLayout* column) {
  Document* document = m_context.document;
  const QStringList symbols = inputSymbols(*document->walk()->loadedGraphs);
  column->addWidget(label(
      symbols.isEmpty()
          ? tr("All dimensions of the inputs are numbers already.")
          : tr("Dimensions of the inputs that have a name. A number fixes one in the model; another name renames it."),
      "secondary"));
  for (const QString& symbol : symbols)
    column->addWidget(new EditField(document, symbol, symbol, [symbol](const QString& words) {
      return edit::ModelEdit{
          .kind = edit::EditKind::kSetDim, .name = symbol.toStdString(), .text = words.toStdString()};
    }));
}

void ModelForm::fillMetadata(QVBoxLayout* column) {
  Document* document = m_context.document;
  const auto load = document->walk()->load;
  if (!load) return;
  column->addWidget(new EditField(document, tr("Producer"), text(load->producer), [](const QString& words) {
    return edit::ModelEdit{.kind = edit::EditKind::kSetProducer, .text = words.toStdString()};
  }));
  column->addWidget(new EditField(document, tr("Documentation"), text(load->documentation), [](const QString& words) {
    return edit::ModelEdit{.kind = edit::EditKind::kSetDocumentation, .text = words.toStdString()};
  }));
  column->addWidget(label(tr("Metadata"), "section"));
  for (size_t i = 0; i < load->metadata.size() && i < kMostRows; ++i) {
    const std::string key = load->metadata[i].first;
    auto* row = new QHBoxLayout;
    row->addWidget(new EditField(document, text(key), text(load->metadata[i].second),
                                 [key](const QString& words) {
                                   return edit::ModelEdit{
                                       .kind = edit::EditKind::kSetMetadata, .name = key, .text = words.toStdString()};
                                 }),
                   1);
    auto* remove = new QPushButton(tr("Remove"));
    remove->setAccessibleName(tr("Remove %1").arg(text(key)));
    connect(remove, &QPushButton::clicked, document,
            [document, key] { document->edits().add({.kind = edit::EditKind::kRemoveMetadata, .name = key}); });
    row->addWidget(remove, 0, Qt::AlignTop);
    column->addLayout(row);
  }
  addNewKey(column);
}

void ModelForm::addNewKey(QVBoxLayout* column) {
  auto* key = new QLineEdit;
  auto* value = new QLineEdit;
  auto* add = new QPushButton(tr("Add"));
  key->setPlaceholderText(tr("New key"));
  key->setAccessibleName(tr("New key"));
  value->setPlaceholderText(tr("Value"));
  value->setAccessibleName(tr("Value of the new key"));
  add->setEnabled(false);
  auto* row = new QHBoxLayout;
  row->addWidget(key, 1);
  row->addWidget(value, 2);
  row->addWidget(add);
  column->addLayout(row);
  connect(key, &QLineEdit::textChanged, add,
          [add](const QString& words) { add->setEnabled(!words.trimmed().isEmpty()); });
  connect(value, &QLineEdit::returnPressed, add, &QPushButton::click);
  connect(add, &QPushButton::clicked, this, [this, key, value] {
    m_context.document->edits().add({.kind = edit::EditKind::kSetMetadata,
                                     .name = key->text().trimmed().toStdString(),
                                     .text = value->text().toStdString()});
  });
}

ExtractForm::ExtractForm(const PanelContext& context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_names(new QLineEdit),
      m_outputs(new QLineEdit),
      m_words(new QLabel),
      m_apply(new QPushButton(tr("Extract"))) {
  auto* take = new QPushButton(tr("Use the selection"));
  m_names->setPlaceholderText(tr("values that it begins with, separated by commas"));
  m_outputs->setPlaceholderText(tr("values that it ends with"));
  m_words->setWordWrap(true);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpaceLarge, kSpace, kSpaceLarge, kSpaceLarge);
  column->setSpacing(kSpace);
  column->addWidget(label(tr("Keeps only the nodes between the given values. Select the first and the last node on the "
                             "graph (Ctrl adds one), then use the selection."),
                          "secondary"));
  column->addWidget(take, 0, Qt::AlignLeft);
  auto* form = new QFormLayout;
  form->addRow(tr("From"), m_names);
  form->addRow(tr("To"), m_outputs);
  column->addLayout(form);
  column->addWidget(m_words);
  column->addWidget(m_apply, 0, Qt::AlignLeft);
  column->addStretch(1);
  connect(take, &QPushButton::clicked, this, &ExtractForm::take);
  for (QLineEdit* line : {m_names, m_outputs})
    connect(line, &QLineEdit::textChanged, this, &ExtractForm::check);
  context.document->onWalkChange(kLoadedGraphs, this, &ExtractForm::check);
  connect(m_apply, &QPushButton::clicked, this, [this] { m_context.document->edits().add(edit()); });
  check();
}

edit::ModelEdit ExtractForm::edit() const {
  edit::ModelEdit made{.kind = edit::EditKind::kExtract};
  const auto split = [](const QLineEdit* line, std::vector<std::string>& out) {
    for (const QString& part : line->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
      if (!part.trimmed().isEmpty()) out.push_back(part.trimmed().toStdString());
  };
  split(m_names, made.names);
  split(m_outputs, made.outputs);
  return made;
}

void ExtractForm::take() {
  const Document& document = *m_context.document;
  const auto graphs = document.graphs(GraphVersion::kLoaded);
  if (!graphs || graphs->graphs.empty()) return;
  const ExtractBounds part = extractBounds(graphs->graphs[0], document.selection().nodesIn(GraphVersion::kLoaded, 0));
  const auto join = [](const std::vector<std::string>& names) {
    QStringList parts;
    for (const std::string& name : names)
      parts << text(name);
    return parts.join(QStringLiteral(", "));
  };
  m_names->setText(join(part.names));
  m_outputs->setText(join(part.outputs));
  if (part.nodes > 0)
    m_words->setText(tr("%1 of %2 nodes stay.")
                         .arg(countText(part.nodes), countText(static_cast<int64_t>(graphs->graphs[0].nodes.size()))));
}

void ExtractForm::check() {
  const auto graphs = m_context.document->graphs(GraphVersion::kLoaded);
  const bool empty = m_outputs->text().trimmed().isEmpty();
  const QString reason = empty || !graphs ? QString() : whyNot(edit(), *graphs);
  m_words->setProperty("role", reason.isEmpty() ? "secondary" : "error");
  m_words->setText(reason.isEmpty() ? QString() : QStringLiteral("\u26a0 ") + reason);
  m_apply->setEnabled(!empty && graphs && reason.isEmpty());
}

}  // namespace cutaway::ui
