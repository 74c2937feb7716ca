// Exports on a worker.
#include "ui/shell/export/export_job.h"

#include <optional>

#include <QCoreApplication>
#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QThreadPool>
#include <QTimer>
#include <QVBoxLayout>

#include "ui/base/file_writing.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/document/gui_call.h"
#include "ui/document/window_words.h"

namespace cutaway::ui {
namespace {

// What worker and window share; the worker may outlive the window.
struct Shared {
  CancelToken cancel;
  std::atomic<int> permille = 0;
  std::atomic<bool> done = false;
  std::optional<Error> error;
};

Result<void> writeFile(const QString& path, const std::function<Result<void>(QIODevice&)>& write) {
  CUTAWAY_TRY(const std::unique_ptr<NewFileDevice> file, NewFileDevice::create(path));
  if (auto written = write(*file); !written) {
    const bool isCancel = written.error().code == ErrorCode::kModelLoadCanceled;
    return fail(file->problem() && !isCancel ? *file->problem() : std::move(written).error());
  }
  return file->publish();
}

Result<void> writeText(QIODevice& file, const std::string& words) {
  if (file.write(words.data(), static_cast<qint64>(words.size())) != static_cast<qint64>(words.size()))
    return fail(ErrorCode::kFail, "{}", file.errorString().toStdString());
  return {};
}

class ExportWindow : public QDialog {
 public:
  ExportWindow(QWidget* parent, ExportWork work, std::function<void(const QString&)> done)
      : QDialog(parent),
        m_work(std::move(work)),
        m_done(std::move(done)),
        m_words(new QLabel),
        m_bar(new QProgressBar) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("export"));
    setWindowTitle(m_work.title);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(kSpaceLarge);
    m_words->setText(QCoreApplication::translate("ExportJob", "Writing %1").arg(QFileInfo(m_work.path).fileName()));
    m_bar->setRange(0, 0);
    m_bar->setMinimumWidth(360);
    m_bar->setAccessibleName(QCoreApplication::translate("ExportJob", "Progress of the export"));
    auto* cancel = new QPushButton(QCoreApplication::translate("ExportJob", "Cancel"));
    column->addWidget(m_words);
    column->addWidget(m_bar);
    column->addWidget(cancel, 0, Qt::AlignRight);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    m_timer.setInterval(60);
    connect(&m_timer, &QTimer::timeout, this, &ExportWindow::look);
    begin();
  }

  // Cancel, Esc and the close button: the window goes at once, the worker unwinds by itself.
  void reject() override {
    m_shared->cancel.cancel();
    finish({});
  }

 private:
  void begin() {
    m_shared = std::make_shared<Shared>();
    QThreadPool::globalInstance()->start([shared = m_shared, work = m_work] {
      const auto write = [&] { return writeExport(work, {shared->cancel, &shared->permille}); };
      if (auto written = withinMemory(write); !written) shared->error = std::move(written).error();
      shared->done = true;
    });
    m_timer.start();
    // What is quick needs no window.
    QTimer::singleShot(250, this, [this] {
      if (m_timer.isActive()) show();
    });
  }

  void look() {
    if (const int permille = m_shared->permille; permille > 0) m_bar->setRange(0, 1000), m_bar->setValue(permille);
    if (!m_shared->done) return;
    m_timer.stop();
    if (m_shared->error)
      tell(*m_shared->error);
    else
      finish(m_work.path);
  }

  void tell(const Error& error) {
    hide();
    auto* box = new QMessageBox(QMessageBox::Warning, m_work.title,
                                QCoreApplication::translate("ExportJob", "The export failed; nothing was changed."),
                                QMessageBox::NoButton, parentWidget());
    box->setObjectName(QStringLiteral("exportFailed"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(told(error));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QPushButton* retry = box->addButton(QCoreApplication::translate("ExportJob", "Try again"), QMessageBox::AcceptRole);
    QPushButton* elsewhere =
        box->addButton(QCoreApplication::translate("ExportJob", "Write elsewhere \u2026"), QMessageBox::ActionRole);
    box->addButton(QMessageBox::Cancel);
    connect(box, &QMessageBox::buttonClicked, this, [this, retry, elsewhere](QAbstractButton* button) {
      if (button == retry)
        begin();
      else if (button == elsewhere)
        chooseAgain();
      else
        finish({});
    });
    box->open();
  }

  void chooseAgain() {
    const QString path = m_work.files.empty() ? QFileDialog::getSaveFileName(parentWidget(), m_work.title, m_work.path)
                                              : QFileDialog::getExistingDirectory(parentWidget(), m_work.title);
    if (path.isEmpty()) return finish({});
    m_work.path = path;
    begin();
  }

  void finish(const QString& path) {
    m_timer.stop();
    hide();
    if (const auto done = std::exchange(m_done, nullptr)) done(path);
    deleteLater();
  }

  ExportWork m_work;
  std::function<void(const QString&)> m_done;
  QLabel* m_words;
  QProgressBar* m_bar;
  QTimer m_timer;
  std::shared_ptr<Shared> m_shared;
};

}  // namespace

Result<void> writeExport(const ExportWork& work, const ExportControl& control) {
  if (work.files.empty()) return writeFile(work.path, [&](QIODevice& file) { return work.write(file, control); });
  if (!QDir().mkpath(work.path))
    return fail(ErrorCode::kFail,
                "cannot make the folder '{}': is there a file of that name, or may nothing be written there?",
                QDir::toNativeSeparators(work.path).toStdString());
  for (size_t i = 0; i < work.files.size(); ++i) {
    if (control.cancel.cancelled()) return fail(cancelledError());
    CUTAWAY_CHECK(writeFile(QDir(work.path).filePath(work.files[i].first),
                            [&](QIODevice& file) { return writeText(file, work.files[i].second()); }));
    if (control.permille) *control.permille = static_cast<int>((i + 1) * 1000 / work.files.size());
  }
  return {};
}

void startExport(QWidget* window, ExportWork work, std::function<void(const QString& path)> done) {
  new ExportWindow(window, std::move(work), std::move(done));
}

}  // namespace cutaway::ui
