#pragma once
// Our line icons, drawn in the colours of the theme at any scale.
//
// Thread rule: GUI thread.
// Example: button->setIcon(themedIcon("cancel", themes.current()));

#include <QIcon>
#include <QPixmap>

#include "ui/base/theme.h"

namespace cutaway::ui {

// `name` is a file of resources/icons without its ending. A name that does not exist gives an empty icon.
QIcon themedIcon(const QString& name, const Theme& theme);
QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio);

// A small filled square with the category's pattern and a letter: the mark of a provider in tables and legends.
QPixmap categoryMark(const CategoryLook& look, QChar letter, const Theme& theme, int size, double devicePixelRatio);

}  // namespace cutaway::ui
