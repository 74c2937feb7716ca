#include "ui/panels/edit/edit_field.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "ui/base/theme.h"
#include "ui/document/document.h"
#include "ui/panels/edit/edit_check.h"

namespace cutaway::ui {
namespace {

constexpr int kTitleWidth = 110;

QString reasonFor(const Document& document, const edit::ModelEdit& edit) {
  const auto graphs = document.graphs(GraphVersion::kLoaded);
  return graphs ? whyNot(edit, *graphs) : QString();
}

QLabel* reasonLabel() {
  auto* label = new QLabel;
  label->setProperty("role", "error");
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->hide();
  return label;
}

void showReason(QLabel* label, const QString& reason) {
  label->setText(reason.isEmpty() ? QString() : QStringLiteral("\u26a0 ") + reason);
  label->setVisible(!reason.isEmpty());
}

}  // namespace

EditField::EditField(Document* document, const QString& title, const QString& now, Make make,
                     const QStringList& choices, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_now(now),
      m_make(std::move(make)),
      m_title(new QLabel(title)),
      m_apply(new QPushButton(tr("Apply"))),
      m_reason(reasonLabel()) {
  m_title->setProperty("role", "secondary");
  m_title->setFixedWidth(kTitleWidth);
  m_title->setToolTip(title);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(kSpace);
  grid->setVerticalSpacing(kSpaceTiny);
  QWidget* editor = nullptr;
  if (choices.isEmpty()) {
    editor = m_line = new QLineEdit(now);
    m_line->setCursorPosition(0);
    connect(m_line, &QLineEdit::textEdited, this, &EditField::check);
    connect(m_line, &QLineEdit::returnPressed, this, &EditField::apply);
  } else {
    editor = m_choice = new QComboBox;
    m_choice->addItems(choices);
    if (m_choice->findText(now) < 0) m_choice->insertItem(0, now);
    m_choice->setCurrentText(now);
    connect(m_choice, &QComboBox::currentTextChanged, this, &EditField::check);
  }
  editor->setAccessibleName(title);
  m_title->setBuddy(editor);
  grid->addWidget(m_title, 0, 0);
  grid->addWidget(editor, 0, 1);
  grid->addWidget(m_apply, 0, 2);
  grid->addWidget(m_reason, 1, 1, 1, 2);
  grid->setColumnStretch(1, 1);
  connect(m_apply, &QPushButton::clicked, this, &EditField::apply);
  check();
}

QString EditField::words() const {
  return m_line ? m_line->text() : m_choice->currentText();
}

void EditField::setHint(const QString& words) {
  if (m_line) m_line->setPlaceholderText(words);
}

void EditField::hideTitle() {
  m_title->hide();
}

void EditField::check() {
  const bool changed = words() != m_now;
  const QString reason = changed ? reasonFor(*m_document, m_make(words())) : QString();
  m_apply->setVisible(changed);
  m_apply->setEnabled(changed && reason.isEmpty());
  showReason(m_reason, reason);
}

void EditField::apply() {
  check();
  if (m_apply->isEnabled()) m_document->edits().add(m_make(words()));
}

EditButton::EditButton(Document* document, const QString& title, const QString& help, const edit::ModelEdit& edit,
                       QWidget* parent)
    : QWidget(parent) {
  auto* button = new QPushButton(title);
  button->setToolTip(help);
  button->setAccessibleDescription(help);
  QLabel* label = reasonLabel();
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(kSpace);
  row->addWidget(button);
  row->addWidget(label, 1);
  const QString reason = reasonFor(*document, edit);
  if (reason.isEmpty()) setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
  button->setEnabled(reason.isEmpty());
  showReason(label, reason);
  connect(button, &QPushButton::clicked, this, [document, edit] { document->edits().add(edit); });
}

}  // namespace cutaway::ui
