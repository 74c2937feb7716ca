#include "ui/shell/language.h"

#include <QCoreApplication>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

static void initTranslations() {
  Q_INIT_RESOURCE(translations);
}

namespace cutaway::ui {
namespace {

// Texts of classes without a meta object, and of tables, are filed under another context than the one that is asked
// for; they are found under any.
class WindowTranslator : public QTranslator {
 public:
  explicit WindowTranslator(QObject* parent) : QTranslator(parent) {}

  bool loadLanguage(const QString& language) {
    QFile contexts(QStringLiteral(":/i18n/cutaway_%1.contexts").arg(language));
    if (contexts.open(QIODevice::ReadOnly)) m_contexts = contexts.readAll().split('\n');
    m_contexts.removeAll({});
    return load(QStringLiteral(":/i18n/cutaway_%1.qm").arg(language));
  }

  QString translate(const char* context, const char* source, const char* note, int count) const override {
    const QString found = QTranslator::translate(context, source, note, count);
    // Qt's own classes have their own translator.
    if (!found.isEmpty() || (context && context[0] == 'Q' && qstrcmp(context, "QObject") != 0)) return found;
    for (const QByteArray& other : m_contexts)
      if (QString there = QTranslator::translate(other.constData(), source, note, count); !there.isEmpty())
        return there;
    return {};
  }

 private:
  QList<QByteArray> m_contexts;
};

}  // namespace

QStringList shippedLanguages() {
  initTranslations();
  QStringList all = {QStringLiteral("en")};
  for (const char* language : {"de", "zh"})
    if (QFile::exists(QStringLiteral(":/i18n/cutaway_%1.qm").arg(QLatin1String(language))))
      all << QLatin1String(language);
  return all;
}

QString languageTitle(const QString& language) {
  if (language == QLatin1String("de")) return QStringLiteral("Deutsch");
  if (language == QLatin1String("zh")) return QStringLiteral("\u4e2d\u6587");
  return QStringLiteral("English");
}

QString chosenLanguage(const QString& setting, const QStringList& systemLanguages) {
  const QStringList shipped = shippedLanguages();
  if (shipped.contains(setting)) return setting;
  for (const QString& language : systemLanguages)
    if (const QString base = language.section(QLatin1Char('-'), 0, 0).section(QLatin1Char('_'), 0, 0);
        shipped.contains(base))
      return base;
  return shipped.front();
}

QString installLanguage(QCoreApplication& app, const QString& setting) {
  const QString language = chosenLanguage(setting, QLocale::system().uiLanguages());
  if (language == QLatin1String("en")) return language;
  auto* own = new WindowTranslator(&app);
  if (!own->loadLanguage(language)) return QStringLiteral("en");
  app.installTranslator(own);
  auto* qt = new QTranslator(&app);
  if (qt->load(QStringLiteral("qtbase_") + (language == QLatin1String("zh") ? QStringLiteral("zh_CN") : language),
               QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    app.installTranslator(qt);
  return language;
}

}  // namespace cutaway::ui
