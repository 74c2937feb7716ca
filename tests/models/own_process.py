"""Calls a function in a process of its own, so that a crash or a hang of it ends nothing else.

    in_own_process(function, (argument, ...), seconds)  # what it gives; raises Died when it gives nothing

The processes are forked from one that has the slow modules loaded already. Any thread may call.
"""

import contextlib
import multiprocessing
import os
import resource
import signal
import threading

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["judged_model"])
STARTING = threading.Lock()
MOST_MEMORY = 8 << 30


class Died(Exception):
    """The process ended by itself or took too long; says which."""


def answer(pipe, function, arguments):
    if not os.environ.get("CUTAWAY_SANITIZE"):  # whose shadow memory would count, too
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    pipe.send(function(*arguments))
    pipe.close()


@contextlib.contextmanager
def time_limit(seconds):
    """Raises TimeoutError in the main thread of such a process; code that never comes back to Python is not stopped."""
    def late(number, frame):
        raise TimeoutError(f"did not end within {seconds} s")
    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)


def in_own_process(function, arguments, seconds):
    ours, theirs = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=answer, args=(theirs, function, arguments), daemon=True)
    with STARTING:
        process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            process.kill()
            raise Died(f"did not end within {seconds:.0f} s")
        return ours.recv()
    except EOFError as error:
        process.join()
        raise Died(f"ended by signal {-process.exitcode}" if process.exitcode < 0 else f"ended with exit code {process.exitcode}") from error
    finally:
        process.join()
        ours.close()
