// The style sheet of the window: flat surfaces, one border colour, the accent only for what is chosen.
#include "ui/base/comfort.h"
#include "ui/base/theme.h"

namespace cutaway::ui {
namespace {

// Words in braces are replaced by colours of the theme.
constexpr const char* kSheet = R"css(
QMainWindow, QDialog { background: {window}; }
QMainWindow::separator { background: {border}; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: {accent}; }
QToolTip { background: {tip}; color: {tipText}; border: 1px solid {border}; padding: 4px 6px; }

QMenuBar { background: {surface}; border-bottom: 1px solid {border}; padding: 1px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: {raised}; }
QMenuBar::item:pressed { background: {accentSoft}; }
QMenu { background: {surface}; border: 1px solid {border}; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 12px; border-radius: 4px; }
QMenu::item:selected { background: {accentSoft}; }
QMenu::item:disabled { color: {textFaint}; }
QMenu::separator { height: 1px; background: {border}; margin: 4px 6px; }
QMenu::icon { padding-left: 6px; }

QStatusBar { background: {surface}; border-top: 1px solid {border}; color: {textSecondary}; }
QStatusBar::item { border: none; }

QDockWidget { titlebar-close-icon: none; color: {textSecondary}; }
QDockWidget::title { background: {surface}; padding: 7px 10px; border-bottom: 1px solid {border}; text-align: left; }

QTabBar { background: {surface}; qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: {textSecondary}; padding: 6px 12px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: {text}; border-bottom: 2px solid {accent}; }
QTabBar::tab:focus { border: 2px solid {accent}; border-radius: 5px; padding: 4px 10px; }
QTabBar::tab:disabled { color: {textFaint}; }
QTabBar::tab:hover:!selected { color: {text}; background: {raised}; }
QTabBar::close-button { image: url({close}); width: 12px; height: 12px; subcontrol-position: right; margin: 2px; border-radius: 3px; }
QTabBar::close-button:hover { background: {border}; }
QTabBar QToolButton::left-arrow { image: url({chevronLeft}); width: 12px; height: 12px; }
QTabBar QToolButton::right-arrow { image: url({chevronRight}); width: 12px; height: 12px; }
QTabWidget::pane { border: none; border-top: 1px solid {border}; }

QPushButton { background: {surface}; border: 1px solid {border}; border-radius: 5px; padding: 4px 12px; min-height: 18px; }
QPushButton:hover { background: {raised}; border-color: {borderStrong}; }
QPushButton:pressed { background: {accentSoft}; }
QPushButton:focus { border: 2px solid {accent}; padding: 3px 11px; }
QPushButton:checked { background: {accentSoft}; border-color: {accent}; }
QPushButton:disabled { color: {textFaint}; background: transparent; }
QPushButton[primary="true"] { background: {accent}; border-color: {accent}; color: {accentText}; }
QPushButton[primary="true"]:hover { background: {accentHover}; }
QPushButton[primary="true"]:pressed { background: {accentPressed}; }
QPushButton[primary="true"]:focus { border: 2px solid {text}; padding: 3px 11px; }
QPushButton[primary="true"]:disabled { background: {raised}; border-color: {border}; color: {textFaint}; }
QToolButton { background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 4px; }
QToolButton:hover { background: {raised}; }
QToolButton:checked { background: {accentSoft}; }
QToolButton:pressed { background: {border}; }
QToolButton:focus { border: 2px solid {accent}; padding: 3px; }
QToolButton:disabled { color: {textFaint}; }
QToolButton::menu-indicator { image: url({chevron}); width: 10px; height: 10px; }
QPushButton::menu-indicator { image: url({chevron}); width: 13px; height: 13px; subcontrol-origin: padding; subcontrol-position: center right; right: 6px; }

QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox { background: {surface}; border: 1px solid {border}; border-radius: 5px; padding: 3px 7px; min-height: 19px; selection-background-color: {accent}; selection-color: {accentText}; }
QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover, QComboBox:hover { border-color: {borderStrong}; }
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus { border: 2px solid {accent}; padding: 2px 6px; }
QComboBox[invalid="true"] { border: 2px solid {error}; padding: 2px 6px; }
QLineEdit:disabled, QSpinBox:disabled, QDoubleSpinBox:disabled, QComboBox:disabled { color: {textFaint}; background: {raised}; }
QLineEdit:read-only { background: {raised}; }
QTextEdit, QTextBrowser, QPlainTextEdit { background: {surface}; border: 1px solid transparent; selection-background-color: {accent}; selection-color: {accentText}; }
QTextEdit:focus, QTextBrowser:focus, QPlainTextEdit:focus { border-color: {accent}; }
QTextBrowser[role="page"], QTextBrowser[role="page"]:focus { border: none; }
QComboBox::drop-down { border: none; width: 20px; }
QComboBox::down-arrow { image: url({chevron}); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: {surface}; border: 1px solid {border}; selection-background-color: {accentSoft}; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button { width: 0; border: none; }
QCheckBox, QRadioButton { spacing: 7px; border: 2px solid transparent; border-radius: 5px; padding: 1px 2px; }
QCheckBox:focus, QRadioButton:focus { border-color: {accent}; }
QCheckBox:disabled, QRadioButton:disabled { color: {textFaint}; }
QCheckBox::indicator, QAbstractItemView::indicator, QMenu::indicator:non-exclusive { width: {boxSize}; height: {boxSize}; border: 1px solid {borderStrong}; border-radius: 4px; background: {surface}; }
QCheckBox::indicator:hover, QAbstractItemView::indicator:hover { border-color: {accent}; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked, QMenu::indicator:non-exclusive:checked { background: {accent}; border-color: {accent}; image: url({check}); }
QCheckBox::indicator:disabled, QAbstractItemView::indicator:disabled { background: {raised}; border-color: {border}; }
QMenu::indicator:non-exclusive { margin-left: 6px; }

QTableView, QTreeView, QListView { background: {surface}; alternate-background-color: {alternate}; border: 1px solid transparent; gridline-color: {border}; outline: none; selection-background-color: {accentSoft}; selection-color: {text}; }
QTableView::item, QTreeView::item, QListView::item { padding: 2px 6px; border: none; }
QTableView::item:selected, QTreeView::item:selected, QListView::item:selected { background: {accentSoft}; color: {text}; }
QTableView:focus, QTreeView:focus, QListView:focus { border-color: {accent}; }
QTreeView { show-decoration-selected: 1; }
QTreeView[role="boxed"] { border: 1px solid {border}; border-radius: 5px; }
QTreeView::item:hover, QListView::item:hover { background: {raised}; }
QHeaderView { background: {surface}; border: none; }
QHeaderView::section { background: {surface}; color: {textSecondary}; border: none; border-bottom: 1px solid {border}; padding: 5px 9px; }
QHeaderView::section:hover { color: {text}; background: {raised}; }
QTableCornerButton::section { background: {surface}; border: none; }

QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: {scroll}; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: {borderStrong}; }
QScrollBar::handle:pressed { background: {textSecondary}; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: transparent; border: none; width: 0; height: 0; }
QAbstractScrollArea::corner { background: transparent; }

QSplitter::handle { background: {border}; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QProgressBar { background: {raised}; border: none; border-radius: 3px; max-height: 6px; }
QProgressBar::chunk { background: {accent}; border-radius: 3px; }
QSlider::groove:horizontal { background: {border}; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: {accent}; border-radius: 2px; }
QSlider::handle:horizontal { background: {surface}; border: 2px solid {accent}; width: 12px; height: 12px; margin: -6px 0; border-radius: 8px; }
QSlider::handle:horizontal:hover { background: {accentSoft}; }
QSlider::handle:horizontal:focus { background: {accent}; border-color: {text}; }
QSlider::handle:horizontal:disabled { border-color: {borderStrong}; }
QGroupBox { border: 1px solid {border}; border-radius: 6px; margin-top: 9px; padding-top: 6px; }
QGroupBox::title { subcontrol-origin: margin; left: 9px; padding: 0 3px; color: {textSecondary}; }
QScrollArea { background: transparent; border: none; }
QLabel[role="title"] { font-size: {titleSize}; font-weight: 600; }
QLabel[role="section"] { color: {textSecondary}; font-weight: 600; }
QLabel[role="secondary"] { color: {textSecondary}; }
QLabel[role="faint"] { color: {textFaint}; }
QLabel[role="error"] { color: {error}; }
QLabel[role="emptyPage"] { color: {textFaint}; background: {surface}; }
QFrame[role="line"] { background: {border}; max-height: 1px; min-height: 1px; border: none; }
QWidget[role="surface"] { background: {surface}; }
)css";

}  // namespace

QString Theme::styleSheet() const {
  QString sheet = QString::fromLatin1(kSheet);
  const auto put = [&sheet](const char* word, const QString& value) {
    sheet.replace(QLatin1Char('{') + QLatin1String(word) + QLatin1Char('}'), value);
  };
  const auto putColor = [&put](const char* word, const QColor& color) { put(word, color.name()); };
  putColor("window", window);
  putColor("surface", surface);
  putColor("raised", raised);
  putColor("border", border);
  putColor("borderStrong", borderStrong);
  putColor("text", text);
  putColor("textSecondary", textSecondary);
  putColor("textFaint", textFaint);
  putColor("accent", accent);
  putColor("accentText", accentText);
  putColor("accentSoft", accentSoft);
  putColor("accentHover", mix(accent, text, 0.15));
  putColor("accentPressed", mix(accent, text, 0.3));
  put("boxSize", QString::number(scaled(13)) + QStringLiteral("px"));
  put("titleSize", QString::number(scaled(15)) + QStringLiteral("px"));
  putColor("alternate", mix(surface, raised, 0.45));
  putColor("scroll", mix(border, borderStrong, 0.35));
  putColor("tip", dark ? raised : text);
  putColor("tipText", dark ? text : surface);
  putColor("error", error);
  const auto putIcon = [&put, this](const char* word, const char* name) {
    put(word, QStringLiteral(":/icons/%1-%2.svg").arg(QLatin1String(name), QLatin1String(dark ? "dark" : "light")));
  };
  putIcon("check", "check");
  putIcon("close", "close");
  putIcon("chevron", "chevron-down");
  putIcon("chevronLeft", "chevron-left");
  putIcon("chevronRight", "chevron-right");
  return sheet;
}

}  // namespace cutaway::ui
