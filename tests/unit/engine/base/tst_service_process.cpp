#include <array>

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QtTest/QtTest>

#include "engine/base/file_descriptor.h"
#include "engine/base/service_process.h"

using namespace cutaway;

namespace {

std::string allOf(int descriptor) {
  std::string text;
  std::array<char, 512> part;
  for (ssize_t got; (got = read(descriptor, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<size_t>(got));
  return text;
}

struct Pair {
  FileDescriptor ours, theirs;
};

Pair connected() {
  int ends[2];
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0
             ? Pair{FileDescriptor(ends[0]), FileDescriptor(ends[1])}
             : Pair{};
}

// A shell script as the program; what it prints. It is given its service and our number.
QString printed(const QByteArray& script, ServiceStart start = {}) {
  QTemporaryDir folder;
  QFile file(folder.filePath(QStringLiteral("child")));
  if (!file.open(QIODevice::WriteOnly)) return QStringLiteral("no file");
  file.write("#!/bin/sh\n" + script);
  file.setPermissions(QFileDevice::ReadOwner | QFileDevice::ExeOwner);
  file.close();
  Pair socket = connected(), output = connected();
  start.program = file.fileName().toStdString();
  start.socket = socket.theirs.get();
  if (start.output == -1) start.output = output.theirs.get();
  const Result<pid_t> process = startService(start);
  if (!process) return QString::fromStdString(process.error().message);
  socket.theirs = FileDescriptor();
  output.theirs = FileDescriptor();
  std::string text = allOf(output.ours.get());
  int status = 0;
  waitpid(*process, &status, 0);
  return QString::fromStdString(text);
}

}  // namespace

class TestServiceProcess : public QObject {
  Q_OBJECT

 private slots:
  void itIsToldItsServiceAndOurNumber() {
    QCOMPARE(printed("echo $1 $2", {.service = "--serve"}), QStringLiteral("--serve %1\n").arg(getpid()));
  }

  void itHasTheDescriptorsThatAreNamedAndNoOther() {
    const FileDescriptor left(dup(0));  // without close-on-exec
    QCOMPARE(printed("ls /proc/$$/fd; read line; echo \"[$line]\"; test -S /proc/$$/fd/3 && echo socket"),
             QStringLiteral("0\n1\n10\n2\n3\n[]\nsocket\n"));  // 10: the script, which the shell reads
  }

  void itIsAGroupOfItsOwnWithNothingBlocked() {
    sigset_t blocked, before;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const QString text =
        printed("test $(ps -o pgid= -p $$) = $$ && echo group; grep SigBlk /proc/self/status | tr -d '\\t'");
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    QCOMPARE(text, QStringLiteral("group\nSigBlk:0000000000000000\n"));
  }

  void itsEnvironmentIsTheOneGiven() {
    QCOMPARE(printed("echo $CUTAWAY_TEST_WORD", {.environment = {"CUTAWAY_TEST_WORD=here", "PATH=/usr/bin:/bin"}}),
             QStringLiteral("here\n"));
  }

  void whatCannotBeStartedIsNamed() {
    const Result<pid_t> process = startService({.program = "/no/such/program", .service = "--serve", .socket = 0});
    QVERIFY(!process);
    QCOMPARE(process.error().code, ErrorCode::kEpFail);
    QVERIFY2(process.error().message.find("/no/such/program") != std::string::npos, process.error().message.c_str());
  }
};

QTEST_GUILESS_MAIN(TestServiceProcess)
#include "tst_service_process.moc"
