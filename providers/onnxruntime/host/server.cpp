// Requests are trusted no further than they must be: their form is checked by the archive, places by the memory they
// lie in, numbers of sessions by the table here. What the library makes of a model is its own business, in this
// process.
#include "providers/onnxruntime/host/server.h"

#include <csignal>
#include <cstdlib>
#include <map>
#include <thread>

#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engine/base/exception_text.h"
#include "engine/base/service_process.h"
#include "providers/onnxruntime/host/context_binary.h"
#include "providers/onnxruntime/host/custom_operators.h"
#include "providers/onnxruntime/host/library_session.h"
#include "providers/onnxruntime/host/plugin_requests.h"
#include "providers/onnxruntime/protocol/channel.h"
#include "providers/onnxruntime/protocol/host_start.h"

namespace cutaway::onnxruntime {

namespace {

using Memories = std::vector<std::shared_ptr<const SharedMemory>>;

struct Answer {
  std::string body;
  Memories memory;  // whose descriptors go along
};

class Server {
 public:
  explicit Server(Channel channel) : m_channel(std::move(channel)) {}

  int run() {
    for (;;) {
      Received received = m_channel.receive({});
      if (received.state != ChannelState::kGood) {
        if (received.state != ChannelState::kClosed)
          std::fprintf(stderr, "a request is no frame: %s\n", received.problem.c_str());
        return received.state == ChannelState::kClosed ? 0 : 1;
      }
      Frame& frame = received.frame;
      const Answer answer = answerTo(frame);
      std::vector<int> files;
      for (const auto& memory : answer.memory)
        files.push_back(memory->file());
      if (m_channel.send(frame.kind, frame.request, answer.body, files).state != ChannelState::kGood) return 1;
    }
  }

 private:
  // A body of form Question, worked on by `work`, which gives a Result<Value>.
  template <typename Question, typename Value, typename Work>
  Answer reply(const Frame& frame, Work&& work) {
    Answer answer;
    const Result<Value> value = [&]() -> Result<Value> {
      try {
        CUTAWAY_TRY(const Question question, fromBytes<Question>(frame.body));
        return work(question, answer.memory);
      } catch (const std::exception& problem) {
        return fail(ErrorCode::kFail, "{}", exceptionText(problem));
      }
    }();
    Reply<Value> reply;
    if (m_runtime != nullptr) {
      LogBook::Page page = m_runtime->log().take();
      reply.log = std::move(page.lines);
      reply.linesLost = page.lost;
    }
    if (value) {
      reply.value = *value;
    } else {
      reply.code = static_cast<int32_t>(value.error().code);
      reply.message = value.error().message;
      answer.memory.clear();
    }
    answer.body = toBytes(reply);
    return answer;
  }

  Answer answerTo(Frame& frame) {
    const auto kind = static_cast<MessageKind>(frame.kind);
    if (kind == MessageKind::kHello)
      return reply<Hello, LibraryFacts>(frame, [this](const Hello& hello, Memories&) { return greet(hello); });
    if (m_runtime == nullptr)
      return reply<None, None>(frame, [](const None&, Memories&) -> Result<None> {
        return fail(ErrorCode::kInvalidArgument, "no library was opened");
      });
    switch (kind) {
      case MessageKind::kDevices:
        return reply<None, DeviceList>(frame, [this](const None&, Memories&) { return m_runtime->devices(); });
      case MessageKind::kShareMemory:
        return reply<ShareMemory, None>(frame, [&](const ShareMemory& message, Memories&) -> Result<None> {
          if (frame.files.size() != 1) return fail(ErrorCode::kInvalidArgument, "no memory came along");
          CUTAWAY_CHECK(m_runtime->share(message, std::move(frame.files[0])));
          return None{};
        });
      case MessageKind::kDropMemory:
        return reply<DropMemory, None>(frame, [this](const DropMemory& message, Memories&) -> Result<None> {
          m_runtime->drop(message.memory);
          return None{};
        });
      case MessageKind::kCreate:
        return reply<CreateSession, CreatedSession>(
            frame, [this](const CreateSession& message, Memories& memory) { return create(message, memory); });
      default:
        return answerOfPlugins(frame, kind);
    }
  }

  Answer answerOfPlugins(const Frame& frame, MessageKind kind) {
    switch (kind) {
      case MessageKind::kRegister:
        return reply<PluginPlace, DeviceList>(frame, [this](const PluginPlace& place, Memories&) -> Result<DeviceList> {
          CUTAWAY_TRY(const auto devices, m_runtime->registerPlugin(place));
          DeviceList list;
          for (const abi::EpDevice* const device : devices)
            list.devices.push_back(m_runtime->describe(device));
          return list;
        });
      case MessageKind::kAsk:
        return reply<AskProviders, AskedSession>(
            frame, [this](const AskProviders& message, Memories&) -> Result<AskedSession> {
              CUTAWAY_TRY(Asked asked, askProviders(*m_runtime, message));
              if (asked.kept != nullptr) asked.said.kept.session = keep(std::move(asked.kept));
              return std::move(asked.said);
            });
      case MessageKind::kCompile:
        return reply<CompileModel, CompiledModel>(
            frame, [this](const CompileModel& message, Memories& memory) -> Result<CompiledModel> {
              CUTAWAY_TRY(CompiledBytes compiled, compileModel(*m_runtime, message));
              memory.push_back(std::move(compiled.model));
              return compiled.facts;
            });
      case MessageKind::kCustom:
        return reply<CustomLibraryPlace, CustomOperatorList>(frame, [this](const CustomLibraryPlace& place, Memories&) {
          return readCustomOperators(*m_runtime, place);
        });
      case MessageKind::kBinary:
        return reply<BinaryPlace, BinaryFacts>(
            frame, [this](const BinaryPlace& place, Memories&) { return readContextBinary(*m_runtime, place); });
      default:
        return answerOfSession(frame, kind);
    }
  }

  Answer answerOfSession(const Frame& frame, MessageKind kind) {
    switch (kind) {
      case MessageKind::kRun:
        return reply<RunSession, RanSession>(frame,
                                             [this](const RunSession& message, Memories& memory) -> Result<RanSession> {
                                               CUTAWAY_TRY(LibrarySession* const session, sessionOf(message.session));
                                               CUTAWAY_TRY(Ran ran, session->run(*m_runtime, message));
                                               memory = std::move(ran.memory);
                                               return std::move(ran.facts);
                                             });
      case MessageKind::kEndProfile:
        return reply<SessionNumber, EndedProfile>(
            frame, [this](const SessionNumber& message, Memories& memory) -> Result<EndedProfile> {
              CUTAWAY_TRY(LibrarySession* const session, sessionOf(message.session));
              EndedProfile ended;
              CUTAWAY_TRY(auto profile, session->endProfile(ended.profileBytes));
              memory.push_back(std::move(profile));
              return ended;
            });
      case MessageKind::kMemory:
        return reply<SessionNumber, MemoryFacts>(
            frame, [this](const SessionNumber& message, Memories&) -> Result<MemoryFacts> {
              CUTAWAY_TRY(const LibrarySession* const session, sessionOf(message.session));
              CUTAWAY_TRY(TextPairs statistics, session->memoryStatistics());
              return MemoryFacts{std::move(statistics)};
            });
      case MessageKind::kEndSession:
        return reply<SessionNumber, None>(frame, [this](const SessionNumber& message, Memories&) -> Result<None> {
          m_sessions.erase(message.session);
          return None{};
        });
      default:
        return reply<None, None>(frame, [kind](const None&, Memories&) -> Result<None> {
          return fail(ErrorCode::kNotImplemented, "a request of kind {} is not known here", static_cast<int>(kind));
        });
    }
  }

  Result<LibraryFacts> greet(const Hello& hello) {
    if (m_runtime != nullptr) return fail(ErrorCode::kInvalidArgument, "the library is open already");
    CUTAWAY_TRY(m_runtime, Runtime::open(hello));
    return m_runtime->facts();
  }

  Result<CreatedSession> create(const CreateSession& message, Memories& memory) {
    CUTAWAY_TRY(LibrarySession::Made made, LibrarySession::create(*m_runtime, message));
    made.facts.facts.session = keep(std::move(made.session));
    if (made.optimizedModel != nullptr) memory.push_back(std::move(made.optimizedModel));
    return std::move(made.facts);
  }

  uint64_t keep(std::unique_ptr<LibrarySession> session) {
    m_sessions.emplace(++m_lastSession, std::move(session));
    return m_lastSession;
  }

  Result<LibrarySession*> sessionOf(uint64_t number) {
    const auto session = m_sessions.find(number);
    if (session == m_sessions.end()) return fail(ErrorCode::kInvalidArgument, "there is no session {}", number);
    return session->second.get();
  }

  Channel m_channel;
  std::unique_ptr<Runtime> m_runtime;  // goes after the sessions
  std::map<uint64_t, std::unique_ptr<LibrarySession>> m_sessions;
  uint64_t m_lastSession = 0;
};

// The system kills this process with the thread that started it. Where that thread was not of the program's lifetime,
// or this process hangs in foreign code, the closed socket is seen here all the same.
void endWithProgram() {
  constexpr auto kTimeToEndByItself = std::chrono::seconds(2);
  pollfd socket{kServiceSocket, POLLRDHUP, 0};
  while ((socket.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL)) == 0)
    poll(&socket, 1, -1);
  std::this_thread::sleep_for(kTimeToEndByItself);
  _exit(0);
}

}  // namespace

int serve(pid_t parent) {
  setenv(kTelemetryVariable, kTelemetryOff, 1);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) return 1;  // it ended before the line above
  std::signal(SIGPIPE, SIG_IGN);      // who reads our output may be gone
  std::thread(endWithProgram).detach();
  Server server{Channel(FileDescriptor(kServiceSocket))};
  return server.run();
}

}  // namespace cutaway::onnxruntime
