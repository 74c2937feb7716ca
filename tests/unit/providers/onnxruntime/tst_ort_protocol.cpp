// Frames and messages: what is written is read again, and nothing hostile is taken for a frame or a message.
#include <cstring>
#include <random>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QTest>

#include "engine/base/clock.h"
#include "providers/onnxruntime/protocol/channel.h"
#include "providers/onnxruntime/protocol/messages.h"
#include "providers/onnxruntime/protocol/text_tensor.h"

using namespace cutaway;
using namespace cutaway::onnxruntime;

namespace {

RunSession someRun() {
  return {.session = 7,
          .runs = 3,
          .profile = true,
          .inputs = {{.slot = 0, .element = 1, .dims = {2, 3}, .place = {5, 64, 24}}},
          .outputs = {{.slot = 1, .element = 0, .dims = {}, .place = {}}}};
}

Received receiveSoon(Channel& channel) {
  return channel.receive({.deadlineNs = nowNs() + 2'000'000'000});
}

void sendRaw(const Channel& channel, std::string_view bytes) {
  QCOMPARE(::send(channel.socket(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
}

std::string headerBytes(const FrameHeader& header) {
  return {reinterpret_cast<const char*>(&header), sizeof header};
}

}  // namespace

class TestOrtProtocol : public QObject {
  Q_OBJECT
 private slots:
  void messagesSurvive();
  void cutMessagesAreRefused();
  void changedMessagesNeverFault();
  void lengthsReserveNothing();
  void framesSurvive();
  void largeBodiesGoThroughMemory();
  void hostileFrames_data();
  void hostileFrames();
  void tooManyDescriptorsAreClosed();
  void unsealedMemoryIsRefused();
  void partsEndWithTheMemory();
  void waitingEnds();
  void textsSurvive();
};

void TestOrtProtocol::messagesSurvive() {
  const std::string bytes = toBytes(someRun());
  const Result<RunSession> read = fromBytes<RunSession>(bytes);
  QVERIFY(read.has_value());
  QCOMPARE(read->session, 7u);
  QCOMPARE(read->inputs[0].dims, (std::vector<int64_t>{2, 3}));
  QCOMPARE(read->inputs[0].place.offset, 64u);
  QCOMPARE(toBytes(*read), bytes);

  CreateSession create{.model = {1, 0, 10}, .path = "m.onnx", .weights = {{"w", {2, 0, 5}}}, .settings = {}};
  create.settings.keys = {{"session.disable_prepacking", "1"}};
  create.settings.providers = {{"X", {"x", "/x.so", {{"V", "1"}}}, {{"a", "b"}}}};
  create.settings.profile = true;
  const Result<CreateSession> created = fromBytes<CreateSession>(toBytes(create));
  QVERIFY(created.has_value());
  QCOMPARE(created->settings.providers[0].options[0].second, std::string("b"));
  QCOMPARE(created->settings.providers[0].plugin.environment[0].first, std::string("V"));
  QCOMPARE(toBytes(*created), toBytes(create));

  AskedFacts asked{.code = 1, .message = "refused", .compiles = true};
  asked.calls.push_back({.provider = "P",
                         .nested = true,
                         .nodes = {{"n", "", "Relu"}},
                         .ports = {{{"x", ""}, {"y"}}},
                         .groups = {{0}, {}},
                         .singles = {0},
                         .withoutKernel = {3},
                         .shapes = {{"y", {1, 2}}},
                         .tookNs = 5,
                         .error = "e"});
  const std::string askedBytes = toBytes(asked);
  const Result<AskedFacts> told = fromBytes<AskedFacts>(askedBytes);
  QVERIFY(told.has_value());
  QCOMPARE(told->calls[0].groups.size(), size_t{2});
  QCOMPARE(told->calls[0].shapes[0].dims, (std::vector<int64_t>{1, 2}));
  QCOMPARE(toBytes(*told), askedBytes);
  for (size_t length = 0; length < askedBytes.size(); ++length)
    QVERIFY(!fromBytes<AskedFacts>(std::string_view(askedBytes).substr(0, length)));

  const Reply<MemoryFacts> reply{
      .code = 2, .message = "no", .log = {{1, "here", "text"}}, .linesLost = 4, .value = {{{"InUse", "5"}}}};
  const auto replied = fromBytes<Reply<MemoryFacts>>(toBytes(reply));
  QVERIFY(replied.has_value());
  QCOMPARE(replied->log[0].message, std::string("text"));
  QCOMPARE(replied->value.statistics[0].second, std::string("5"));
}

void TestOrtProtocol::cutMessagesAreRefused() {
  const std::string bytes = toBytes(someRun());
  for (size_t length = 0; length < bytes.size(); ++length)
    QVERIFY2(!fromBytes<RunSession>(std::string_view(bytes).substr(0, length)), qPrintable(QString::number(length)));
  QVERIFY(!fromBytes<RunSession>(bytes + "x"));
}

// Every byte set to hostile values: the message is read or refused, and what is read stays within its bytes.
void TestOrtProtocol::changedMessagesNeverFault() {
  const std::string bytes = toBytes(someRun());
  int refused = 0;
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (const char value : {'\x00', '\x01', '\x7F', '\x80', '\xFF'}) {
      std::string changed = bytes;
      changed[at] = value;
      const Result<RunSession> read = fromBytes<RunSession>(changed);
      refused += read ? 0 : 1;
      if (read) QVERIFY(read->inputs.size() + read->outputs.size() <= bytes.size());
    }
  }
  QVERIFY(refused > 0);
  std::mt19937 random(1);
  for (int times = 0; times < 20000; ++times) {
    std::string noise(random() % 200, '\0');
    for (char& each : noise)
      each = static_cast<char>(random());
    (void)fromBytes<RunSession>(noise);
    (void)fromBytes<Reply<CreatedSession>>(noise);
  }
}

void TestOrtProtocol::lengthsReserveNothing() {
  // A list that says it has 2^60 elements, and has 8 bytes.
  std::string bytes(16, '\0');
  bytes[7] = '\x10';
  QVERIFY(!fromBytes<DeviceList>(bytes));
  QVERIFY(!fromBytes<MemoryFacts>(bytes));
}

void TestOrtProtocol::framesSurvive() {
  auto ends = Channel::pair();
  QVERIFY(ends.has_value());
  const auto memory = SharedMemory::of("shared");
  QVERIFY(memory.has_value());
  const int file = (*memory)->file();
  QCOMPARE(ends->first.send(9, 11, "body", std::span(&file, 1)).state, ChannelState::kGood);
  Received received = receiveSoon(ends->second);
  QCOMPARE(received.state, ChannelState::kGood);
  QCOMPARE(received.frame.kind, uint16_t{9});
  QCOMPARE(received.frame.request, 11u);
  QCOMPARE(received.frame.body, std::string("body"));
  QCOMPARE(received.frame.files.size(), size_t{1});
  const auto seen = SharedMemory::open(std::move(received.frame.files[0]), 6);
  QVERIFY(seen.has_value());
  QCOMPARE((*seen)->text(), std::string_view("shared"));
  (*memory)->bytes()[0] = std::byte{'S'};
  QCOMPARE((*seen)->text(), std::string_view("Shared"));
}

void TestOrtProtocol::largeBodiesGoThroughMemory() {
  auto ends = Channel::pair();
  std::string body(5'000'000, 'x');
  body.back() = 'y';
  QCOMPARE(ends->first.send(1, 1, body).state, ChannelState::kGood);
  const Received received = receiveSoon(ends->second);
  QCOMPARE(received.state, ChannelState::kGood);
  QVERIFY(received.frame.body == body);
  QVERIFY(received.frame.files.empty());
}

void TestOrtProtocol::hostileFrames_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("problem");
  const auto row = [](const char* name, const std::string& bytes, const char* problem) {
    QTest::newRow(name) << QByteArray(bytes.data(), static_cast<int>(bytes.size())) << problem;
  };
  row("rubbish", "hello, this is no frame but a text of some length", "magic");
  row("short", "CORT", "length");
  row("one byte", "C", "length");
  row("header without its body", headerBytes({.kind = 1, .bodyBytes = 100}), "announces 100 bytes and has 0");
  row("more than it says", headerBytes({.kind = 1, .bodyBytes = 2}) + "abc", "announces 2 bytes and has 3");
  row("another magic", headerBytes({.magic = 1}), "magic");
  row("another version", headerBytes({.version = 9}), "version 9");
  row("too long", headerBytes({.bodyBytes = uint64_t{1} << 60}), "announces");
  row("body that does not come", headerBytes({.bodyBytes = 10, .bodyElsewhere = 1}), "announces 1 descriptors");
  row("body nowhere", headerBytes({.bodyElsewhere = 2}), "nowhere");
  row("descriptors that do not come", headerBytes({.descriptors = 3}), "announces 3 descriptors");
  row("too many descriptors", headerBytes({.descriptors = 1000}), "announces 1000 descriptors");
  row("longer than a packet may be", std::string(60'000, 'C'), "length");
}

void TestOrtProtocol::hostileFrames() {
  QFETCH(const QByteArray, bytes);
  QFETCH(const QString, problem);
  auto ends = Channel::pair();
  sendRaw(ends->first, {bytes.data(), static_cast<size_t>(bytes.size())});
  const Received received = receiveSoon(ends->second);
  QCOMPARE(received.state, ChannelState::kBroken);
  QVERIFY2(QString::fromStdString(received.problem).contains(problem), received.problem.c_str());
}

void TestOrtProtocol::tooManyDescriptorsAreClosed() {
  auto ends = Channel::pair();
  const auto memory = SharedMemory::of("x");
  const std::vector<int> files(kMostDescriptors, (*memory)->file());
  const FrameHeader header{.kind = 1, .descriptors = 0};  // says that none comes
  iovec part{const_cast<FrameHeader*>(&header), sizeof header};
  std::vector<char> room(CMSG_SPACE(sizeof(int) * files.size()));
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room.data();
  message.msg_controllen = room.size();
  cmsghdr* const control = CMSG_FIRSTHDR(&message);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof(int) * files.size());
  std::memcpy(CMSG_DATA(control), files.data(), sizeof(int) * files.size());
  const int before = dup(0);
  ::close(before);
  QVERIFY(sendmsg(ends->first.socket(), &message, 0) > 0);
  const Received received = receiveSoon(ends->second);
  QCOMPARE(received.state, ChannelState::kBroken);
  const int after = dup(0);
  ::close(after);
  QCOMPARE(after, before);  // none is left open
}

void TestOrtProtocol::unsealedMemoryIsRefused() {
  FileDescriptor unsealed(memfd_create("unsealed", MFD_ALLOW_SEALING));
  QCOMPARE(ftruncate(unsealed.get(), 4096), 0);
  QVERIFY(!SharedMemory::open(std::move(unsealed), 10));
  FileDescriptor file(::open("/proc/self/exe", O_RDONLY));
  QVERIFY(!SharedMemory::open(std::move(file), 10));
  const auto memory = SharedMemory::of("ten bytes!");
  QVERIFY(!SharedMemory::open(FileDescriptor(dup((*memory)->file())), 11));
  QVERIFY(ftruncate((*memory)->file(), 0) != 0);
}

void TestOrtProtocol::partsEndWithTheMemory() {
  const auto memory = SharedMemory::create(100);
  QCOMPARE((*memory)->part(90, 10).size(), size_t{10});
  QVERIFY((*memory)->part(91, 10).data() == nullptr);
  QVERIFY((*memory)->part(101, 0).data() == nullptr);
  QVERIFY((*memory)->part(UINT64_MAX, 2).data() == nullptr);
  QVERIFY((*memory)->part(2, UINT64_MAX).data() == nullptr);
}

void TestOrtProtocol::waitingEnds() {
  auto ends = Channel::pair();
  QCOMPARE(ends->first.receive({.deadlineNs = nowNs() + 20'000'000}).state, ChannelState::kTimedOut);
  QCOMPARE(ends->first.receive({.stopped = [] { return true; }}).state, ChannelState::kStopped);
  // Nobody reads: sending ends at its time.
  ChannelState state = ChannelState::kGood;
  for (int times = 0; times < 1000 && state == ChannelState::kGood; ++times)
    state = ends->first.send(1, 1, std::string(30'000, 'x'), {}, nowNs() + 50'000'000).state;
  QCOMPARE(state, ChannelState::kTimedOut);
  ends->second = Channel();
  QCOMPARE(receiveSoon(ends->first).state, ChannelState::kClosed);
  QCOMPARE(ends->first.send(1, 1, "x").state, ChannelState::kClosed);
}

void TestOrtProtocol::textsSurvive() {
  const std::vector<std::string> texts{"a", "", std::string("b\0c", 3)};
  std::string bytes;
  appendTexts(texts, bytes);
  std::vector<std::string> read(3);
  QVERIFY(readTexts(bytes, read));
  QCOMPARE(read, texts);
  for (size_t length = 0; length < bytes.size(); ++length)
    QVERIFY(!readTexts(std::string_view(bytes).substr(0, length), read));
  QVERIFY(!readTexts(bytes + "x", read));
}

QTEST_GUILESS_MAIN(TestOrtProtocol)
#include "tst_ort_protocol.moc"
