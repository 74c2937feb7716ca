#include "app/cli/picture.h"

#include <QGuiApplication>
#include <QLoggingCategory>

namespace cutaway::cli {

namespace {

char g_programName[] = "cutaway-cli";
char* g_arguments[] = {g_programName, nullptr};

}  // namespace

PictureApplication::PictureApplication() {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QLoggingCategory::setFilterRules(QStringLiteral("*.warning=false"));  // of the session that a command has none of
  m_application = std::make_unique<QGuiApplication>(m_argumentCount, g_arguments);
}

PictureApplication::~PictureApplication() = default;

}  // namespace cutaway::cli
