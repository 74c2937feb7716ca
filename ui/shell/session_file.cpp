#include "ui/shell/session_file.h"

#include <zlib.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtEndian>

#include "engine/base/read_text_file.h"
#include "engine/session/configuration/configuration.h"

namespace cutaway::ui {
namespace {

constexpr int kSchemaVersion = 1;
const QString kSchema = QStringLiteral("cutaway.session/1");
constexpr qsizetype kMostTraceBytes = 256 << 20;  // of a profile that a session keeps

QString relativePath(const QString& path, const QDir& base) {
  const QString relative = base.relativeFilePath(path);
  return relative.startsWith(QLatin1String("..")) ? path : relative;
}

QString absolutePath(const QString& path, const QDir& base) {
  return QDir::cleanPath(QDir::isAbsolutePath(path) ? path : base.absoluteFilePath(path));
}

QJsonValue embedded(std::string_view json) {
  const QJsonDocument document = QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())));
  return document.isArray() ? QJsonValue(document.array()) : QJsonValue(document.object());
}

QJsonObject bookmarkToJson(const Bookmark& place) {
  return {{"title", place.title},
          {"stage", QLatin1String(stageId(place.stage))},
          {"graph", place.graph},
          {"origin", place.origin},
          {"centre", QJsonArray{place.centre.x(), place.centre.y()}},
          {"scale", place.scale},
          {"unfolded", QJsonArray::fromStringList(place.unfolded)}};
}

Stage stageFrom(const QJsonValue& value) {
  for (int i = 0; i < kStageCount; ++i)
    if (value.toString() == QLatin1String(stageId(static_cast<Stage>(i)))) return static_cast<Stage>(i);
  return Stage::kLoad;
}

QStringList textsFrom(const QJsonValue& value) {
  QStringList all;
  for (const QJsonValue& each : value.toArray())
    if (each.isString()) all << each.toString();
  return all;
}

std::optional<Bookmark> bookmarkFrom(const QJsonValue& value) {
  if (!value.isObject()) return std::nullopt;
  const QJsonObject object = value.toObject();
  const QJsonArray centre = object["centre"].toArray();
  const double scale = object["scale"].toDouble(1);
  return Bookmark{.title = object["title"].toString(),
                  .stage = stageFrom(object["stage"]),
                  .graph = std::max(0, object["graph"].toInt()),
                  .origin = object["origin"].toInt(-1),
                  .centre = {centre.at(0).toDouble(), centre.at(1).toDouble()},
                  .scale = scale > 0 ? scale : 1,
                  .unfolded = textsFrom(object["unfolded"])};
}

// As qCompress() writes it: the size in four bytes, then the data. qUncompress() would make room for as much as the
// data wants, a thousand times its own size. Empty: damaged, or larger than what is kept.
QByteArray traceFrom(const QByteArray& compressed) {
  constexpr qsizetype kHeadBytes = sizeof(quint32);
  if (compressed.size() <= kHeadBytes) return {};
  const auto claimed = qFromBigEndian<quint32>(compressed.constData());
  if (claimed > kMostTraceBytes) return {};
  QByteArray trace(static_cast<qsizetype>(claimed), Qt::Uninitialized);
  uLongf size = claimed;
  const int state = ::uncompress(reinterpret_cast<Bytef*>(trace.data()), &size,
                                 reinterpret_cast<const Bytef*>(compressed.constData() + kHeadBytes),
                                 static_cast<uLong>(compressed.size() - kHeadBytes));
  return state == Z_OK && size == claimed ? trace : QByteArray();
}

// What a configuration does not know.
QJsonObject limitsToJson(const session::SessionOptions& options) {
  QJsonObject object;
  if (options.memoryLimitBytes > 0) object["memory_limit_bytes"] = static_cast<qint64>(options.memoryLimitBytes);
  QJsonArray folders;
  for (const auto& folder : options.profileFolders)
    folders.append(QString::fromStdString(folder.string()));
  if (!folders.isEmpty()) object["profile_folders"] = folders;
  return object;
}

QJsonObject modelToJson(const SessionModel& model, const QDir& base, bool withPlaces) {
  QJsonObject object{
      {"path", relativePath(model.path, base)},
      {"configuration", embedded(session::configurationToJson(session::configurationOf(model.options)))}};
  if (const QJsonObject limits = limitsToJson(model.options); !limits.isEmpty()) object["limits"] = limits;
  if (!model.edits.empty()) object["edits"] = embedded(edit::editsToJson(model.edits)).toObject()["edits"];
  QJsonObject bookmarks;
  for (int digit = Bookmarks::kFirst; digit <= Bookmarks::kLast; ++digit)
    if (const auto& place = model.bookmarks[static_cast<size_t>(digit)])
      bookmarks[QString::number(digit)] = bookmarkToJson(*place);
  if (!bookmarks.isEmpty()) object["bookmarks"] = bookmarks;
  if (!withPlaces) return object;
  object["stage"] = QLatin1String(stageId(model.stage));
  if (!model.overlay.isEmpty()) object["overlay"] = model.overlay;
  if (model.place) object["place"] = bookmarkToJson(*model.place);
  QJsonArray selected;
  for (const int origin : model.selected)
    selected.append(origin);
  if (!selected.isEmpty()) object["selected"] = selected;
  if (!model.trace.isEmpty() && model.trace.size() <= kMostTraceBytes)
    object["profile"] = QLatin1String(qCompress(model.trace).toBase64());
  return object;
}

Result<SessionModel> modelFrom(const QJsonObject& object, const QDir& base, const QString& file, int index,
                               const ProviderTable& providers) {
  const auto wrong = [&](const QString& what) {
    return fail(ErrorCode::kInvalidArgument, "{}: models[{}]: {}", file.toStdString(), index, what.toStdString());
  };
  if (!object["path"].isString() || object["path"].toString().isEmpty())
    return wrong(QStringLiteral("'path' is missing"));
  SessionModel model;
  model.path = absolutePath(object["path"].toString(), base);
  if (object.contains(QLatin1String("configuration"))) {
    CUTAWAY_TRY(const session::Configuration configuration,
                session::configurationFromJson(QJsonDocument(object["configuration"].toObject()).toJson().toStdString(),
                                               file.toStdString()));
    CUTAWAY_CHECK(configuration.applyTo(model.options, providers));
  }
  const QJsonObject limits = object["limits"].toObject();
  model.options.memoryLimitBytes = std::max<qint64>(0, limits["memory_limit_bytes"].toInteger());
  for (const QString& folder : textsFrom(limits["profile_folders"]))
    model.options.profileFolders.emplace_back(folder.toStdString());
  if (object.contains(QLatin1String("edits"))) {
    CUTAWAY_TRY(model.edits,
                edit::editsFromJson(QJsonDocument(QJsonObject{{"edits", object["edits"]}}).toJson().toStdString()));
  }
  const QJsonObject bookmarks = object["bookmarks"].toObject();
  for (int digit = Bookmarks::kFirst; digit <= Bookmarks::kLast; ++digit)
    model.bookmarks[static_cast<size_t>(digit)] = bookmarkFrom(bookmarks[QString::number(digit)]);
  model.stage = stageFrom(object["stage"]);
  model.overlay = object["overlay"].toString();
  model.place = bookmarkFrom(object["place"]);
  for (const QJsonValue& origin : object["selected"].toArray())
    model.selected.push_back(origin.toInt(-1));
  if (object["profile"].isString())
    model.trace = traceFrom(QByteArray::fromBase64(object["profile"].toString().toLatin1()));
  return model;
}

}  // namespace

QByteArray sessionContent(const SessionState& session) {
  QJsonArray models;
  for (const SessionModel& model : session.models)
    models.append(modelToJson(model, QDir::root(), false));
  return QJsonDocument(QJsonObject{{"models", models}, {"style_rules", session.styleRules}})
      .toJson(QJsonDocument::Compact);
}

QByteArray sessionToJson(const SessionState& session, const QString& file) {
  const QDir base = QFileInfo(file).absoluteDir();
  QJsonArray models;
  for (const SessionModel& model : session.models)
    models.append(modelToJson(model, base, true));
  QJsonObject root{{"schema", kSchema}, {"models", models}, {"current", session.current}};
  QJsonObject window{{"arrangement", QLatin1String(session.arrangement.toBase64())}};
  root["window"] = window;
  if (!session.styleRules.isEmpty()) root["style_rules"] = session.styleRules;
  return QJsonDocument(root).toJson();
}

Result<SessionState> sessionFromJson(const QByteArray& json, const QString& file, const ProviderTable& providers) {
  QJsonParseError error;
  const QJsonDocument document = QJsonDocument::fromJson(json, &error);
  if (!document.isObject())
    return fail(ErrorCode::kInvalidArgument, "{} is no session: {} at byte {}", file.toStdString(),
                error.error == QJsonParseError::NoError ? "no object" : error.errorString().toStdString(),
                error.offset);
  const QJsonObject root = document.object();
  const QString schema = root["schema"].toString();
  if (schema != kSchema) {
    const bool newer = schema.startsWith(QLatin1String("cutaway.session/")) &&
                       schema.section(QLatin1Char('/'), 1).toInt() > kSchemaVersion;
    if (newer)
      return fail(ErrorCode::kNotImplemented, "{} was written by a newer Cutaway ('{}'; this one reads '{}')",
                  file.toStdString(), schema.toStdString(), kSchema.toStdString());
    return fail(ErrorCode::kInvalidArgument, "{} is no session: 'schema' is '{}' instead of '{}'", file.toStdString(),
                schema.toStdString(), kSchema.toStdString());
  }
  if (!root["models"].isArray())
    return fail(ErrorCode::kInvalidArgument, "{}: 'models' is missing or no list", file.toStdString());
  SessionState session;
  const QDir base = QFileInfo(file).absoluteDir();
  const QJsonArray models = root["models"].toArray();
  for (int i = 0; i < models.size(); ++i) {
    CUTAWAY_TRY(SessionModel model, modelFrom(models[i].toObject(), base, file, i, providers));
    session.models.push_back(std::move(model));
  }
  session.current = std::clamp(root["current"].toInt(), 0, std::max(0, static_cast<int>(session.models.size()) - 1));
  const QJsonObject window = root["window"].toObject();
  session.arrangement = QByteArray::fromBase64(window["arrangement"].toString().toLatin1());
  session.styleRules = root["style_rules"].toArray();
  return session;
}

Result<QByteArray> readWholeFile(const QString& file) {
  CUTAWAY_TRY(const std::string bytes,
              readTextFile(QFile::encodeName(file).toStdString(), {.what = "the session", .largestBytes = 1 << 30}));
  return QByteArray::fromStdString(bytes);
}

QString putAside(const QString& file) {
  QString aside = file + QStringLiteral(".damaged");
  for (int i = 2; QFileInfo::exists(aside); ++i)
    aside = file + QStringLiteral(".damaged.%1").arg(i);
  return QFile::rename(file, aside) ? aside : QString();
}

}  // namespace cutaway::ui
