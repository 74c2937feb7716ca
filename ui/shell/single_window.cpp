#include "ui/shell/single_window.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QGuiApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLocalServer>
#include <QLocalSocket>
#include <QStandardPaths>
#include <QTimer>

namespace cutaway::ui {

namespace {

constexpr qint64 kLargestMessage = 1 << 20;  // bytes; some thousands of paths
constexpr int kAnswerMs = 1000;              // that a starting program waits for a running one
constexpr int kMessageMs = 5000;             // that a running one waits for the rest of a message
const QByteArray kTaken("taken\n");

}  // namespace

SingleWindow::SingleWindow(const QString& place, QObject* parent)
    : QObject(parent), m_server(std::make_unique<QLocalServer>()) {
  if (place.isEmpty()) return;
  m_server->setSocketOptions(QLocalServer::UserAccessOption);
  connect(m_server.get(), &QLocalServer::newConnection, this, &SingleWindow::greet);
  // Listening takes the place of what is there, be it alive: who answers keeps it. The rest a crash has left.
  QLocalSocket other;
  other.connectToServer(place);
  if (other.waitForConnected(kAnswerMs)) return;
  QLocalServer::removeServer(place);
  m_server->listen(place);
}

SingleWindow::~SingleWindow() = default;

bool SingleWindow::listens() const {
  return m_server->isListening();
}

QString SingleWindow::place(const QString& version) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
  if (folder.isEmpty()) return {};
  const QByteArray screen =
      QGuiApplication::platformName().toUtf8() + '\n' + qgetenv("DISPLAY") + '\n' + qgetenv("WAYLAND_DISPLAY");
  const QByteArray hash = QCryptographicHash::hash(screen, QCryptographicHash::Sha256).toHex().left(12);
  return QStringLiteral("%1/cutaway-%2-%3").arg(folder, version, QString::fromLatin1(hash));
}

bool SingleWindow::handOver(const QString& place, const QStringList& files) {
  if (place.isEmpty()) return false;
  QJsonArray paths;
  for (const QString& file : files)
    paths.append(QFileInfo(file).absoluteFilePath());
  const QByteArray message = QJsonDocument(paths).toJson(QJsonDocument::Compact) + '\n';
  if (message.size() > kLargestMessage) return false;
  QLocalSocket socket;
  socket.connectToServer(place);
  if (!socket.waitForConnected(kAnswerMs)) return false;
  socket.write(message);
  while (!socket.canReadLine())
    if (!socket.waitForReadyRead(kAnswerMs)) return false;
  return socket.readLine() == kTaken;
}

void SingleWindow::greet() {
  while (QLocalSocket* from = m_server->nextPendingConnection()) {
    connect(from, &QLocalSocket::readyRead, this, [this, from] { read(from); });
    connect(from, &QLocalSocket::disconnected, from, &QObject::deleteLater);
    QTimer::singleShot(kMessageMs, from, [from] { from->abort(); });
    read(from);
  }
}

void SingleWindow::read(QLocalSocket* from) {
  if (!from->canReadLine()) {
    if (from->bytesAvailable() > kLargestMessage) from->abort();
    return;
  }
  const QJsonDocument message = QJsonDocument::fromJson(from->readLine(kLargestMessage + 1));
  QStringList files;
  for (const QJsonValue& value : message.array()) {
    const QString path = value.toString();
    if (!QFileInfo(path).isAbsolute()) return from->abort();
    files.append(path);
  }
  if (!message.isArray()) return from->abort();
  from->write(kTaken);
  from->flush();
  from->disconnectFromServer();
  emit asked(files);
}

}  // namespace cutaway::ui
