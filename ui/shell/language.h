#pragma once
// The language of the window: the system's, or one that was chosen; English where there is no translation.
//
// Thread rule: GUI thread, once, before the window is made: texts that are on screen do not change.
// Example: installLanguage(app, viewState.get(kLanguageKey).toString());

#include <QString>
#include <QStringList>

class QCoreApplication;

namespace cutaway::ui {

inline constexpr const char* kLanguageKey = "window/language";  // "", "en", "de", "zh"; empty: as the system

QStringList shippedLanguages();                  // "en" first
QString languageTitle(const QString& language);  // in that language itself: "Deutsch"
// Which of the shipped ones a setting means: itself, or the system's, or "en".
QString chosenLanguage(const QString& setting, const QStringList& systemLanguages);
// Gives what was installed.
QString installLanguage(QCoreApplication& app, const QString& setting);

}  // namespace cutaway::ui
