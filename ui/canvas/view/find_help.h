#pragma once
// A small page beside the find bar: what a query may say, with examples to click.
//
// Thread rule: GUI thread. Example: showFindHelp(button, theme, [line](const QString& example) {
// line->setText(example); });

#include <functional>

#include <QString>

class QWidget;

namespace cutaway::ui {

struct Theme;

void showFindHelp(QWidget* below, const Theme& theme, const std::function<void(const QString&)>& chosen);

}  // namespace cutaway::ui
