"""Runs: what goes in and comes out, and that it is not copied."""

import gc
import pathlib
import re
import subprocess
import sys
import threading

import cutaway
import numpy
import pytest

# Products of two inputs, while timers interrupt whoever works.
INTERRUPTED = """
import signal, sys
import cutaway, numpy
handled = 0
def handle(*_):
    global handled
    handled += 1
for name in (signal.SIGALRM, signal.SIGPROF):
    signal.signal(name, handle)
session = cutaway.Session(sys.stdin.buffer.read(), providers="cpu", threads=2)
feeds = session.random_feeds(1)
expected = session.run(feeds)["y"]
for timer in (signal.ITIMER_REAL, signal.ITIMER_PROF):
    signal.setitimer(timer, 0.0002, 0.0002)
while handled < 1500:
    assert numpy.array_equal(session.run(feeds)["y"], expected)
for timer in (signal.ITIMER_REAL, signal.ITIMER_PROF):
    signal.setitimer(timer, 0)
"""
FLOAT, UINT8, INT64, STRING, BOOL, FLOAT16, DOUBLE, BFLOAT16 = 1, 2, 7, 8, 9, 10, 11, 16


def address(array):
    return array.__array_interface__["data"][0]


def test_sample_gives_the_outputs_it_should(mlp):
    session = cutaway.Session(mlp, threads=1)
    feeds = session.random_feeds(3)
    assert [value.name for value in session.inputs] == list(feeds)
    again = session.random_feeds(3)
    assert all(numpy.array_equal(feeds[name], again[name]) for name in feeds)
    outputs = session.run(feeds)
    assert list(outputs) == [value.name for value in session.outputs]
    assert all(numpy.array_equal(a, b) for a, b in zip(outputs.values(), cutaway.run(mlp, feeds, threads=1).values()))


@pytest.mark.parametrize("element_type, dtype", [(FLOAT, "float32"), (DOUBLE, "float64"), (FLOAT16, "float16"), (INT64, "int64")])
def test_elements_arrive_and_return(model_of, element_type, dtype):
    given = numpy.arange(-6, 6).reshape(3, 4).astype(dtype)
    made = cutaway.run(model_of("Neg", element_type, (3, 4)), {"x": given})["y"]
    assert made.dtype == given.dtype and numpy.array_equal(made, -given)


def test_switches(model_of):
    given = numpy.array([True, False, True])
    assert cutaway.run(model_of("Not", BOOL, (3,)), {"x": given})["y"].tolist() == [False, True, False]


def test_texts(model_of):
    model = model_of("StringConcat", STRING, (2, 1), inputs=("x", "z"))
    made = cutaway.run(model, {"x": numpy.array([["a"], ["bé"]]), "z": numpy.array([["1"], [""]], dtype=object)})["y"]
    assert made.shape == (2, 1) and made.ravel().tolist() == ["a1", "bé"]


def test_scalars_and_empty_arrays(model_of):
    assert cutaway.run(model_of("Neg", FLOAT, ()), {"x": numpy.float32(2.5)})["y"].tolist() == -2.5
    assert cutaway.run(model_of("Neg", FLOAT, (0, 3)), {"x": numpy.empty((0, 3), "float32")})["y"].shape == (0, 3)


def test_order_in_memory_does_not_matter(model_of):
    model, given = model_of("Neg", FLOAT, (2, 3)), numpy.arange(6, dtype="float32").reshape(3, 2)
    for array in (given.T, given.T.astype(">f4"), numpy.arange(12, dtype="float32").reshape(2, 6)[:, ::2]):
        assert numpy.array_equal(cutaway.run(model, {"x": array})["y"], -array.astype("float32"))


def test_bytes_that_are_not_aligned(model_of):
    raw = bytearray(1 + 4 * 6)
    given = numpy.frombuffer(raw, dtype="float32", count=6, offset=1).reshape(2, 3)
    given[:] = 1.5
    assert (cutaway.run(model_of("Neg", FLOAT, (2, 3)), {"x": given})["y"] == -1.5).all()


def test_read_only_feeds_are_taken_and_never_written(model_of):
    given = numpy.ones((64, 64), "float32")
    given.flags.writeable = False
    assert (cutaway.run(model_of("Neg", FLOAT, (64, 64)), {"x": given})["y"] == -1).all() and (given == 1).all()


def test_memory_of_outputs_is_the_callers(model_of):
    session = cutaway.Session(model_of("Neg", FLOAT, (256, 256)))
    given = numpy.ones((256, 256), "float32")
    first = session.run({"x": given})["y"]
    second = session.run({"x": given})["y"]
    assert address(first) != address(second) and first.flags.writeable and not first.flags.owndata
    first[:] = 7
    assert (second == -1).all()
    del session, second
    gc.collect()
    assert (first == 7).all()


def test_an_output_that_is_an_input_is_no_window_on_it(model_of):
    given = numpy.ones((4, 4), "float32")
    made = cutaway.run(model_of("Identity", FLOAT, (4, 4)), {"x": given})["y"]
    given[:] = 9
    assert (made == 1).all()


class Elsewhere:
    """Shows DLPack and nothing else, as tensors of other libraries do; counts who asks."""

    def __init__(self, array, device=None):
        self.array, self.asked, self.device = array, 0, device

    def __dlpack__(self, **options):
        self.asked += 1
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()


def test_dlpack_in_and_out(model_of):
    given = Elsewhere(numpy.full((2, 2), 3, "float32"))
    made = cutaway.run(model_of("Neg", FLOAT, (2, 2)), {"x": given}, dlpack=True)["y"]
    assert given.asked == 1 and hasattr(made, "__dlpack__") and made.__dlpack_device__() == (1, 0)
    one, other = numpy.from_dlpack(made), numpy.from_dlpack(made)
    assert address(one) == address(other) and (one == -3).all()


def memory(line):
    """A line of this process's memory in bytes."""
    return int(re.search(rf"{line}:\s+(\d+) kB", pathlib.Path("/proc/self/status").read_text())[1]) * 1024


@pytest.mark.parametrize("given", [lambda array: array, Elsewhere])
def test_feeds_are_read_where_they_lie(model_of, given):
    session = cutaway.Session(model_of("ReduceMax", FLOAT, (1 << 26,)))
    zeros = numpy.zeros(1 << 26, "float32")  # 256 MB that no page of memory stands for until somebody writes to it, or a copy of it
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    before = memory("VmRSS")
    assert session.run({"x": given(zeros)})["y"].tolist() == [0]
    assert memory("VmHWM") - before < zeros.nbytes // 4


def test_dlpack_in_any_order(model_of):
    given = Elsewhere(numpy.arange(6, dtype="float32").reshape(3, 2).T)
    assert (cutaway.run(model_of("Neg", FLOAT, (2, 3)), {"x": given})["y"] == -given.array).all() and given.asked == 1


def test_outputs_are_feeds(model_of):
    model = model_of("Neg", FLOAT, (2, 3))
    once = cutaway.run(model, {"x": numpy.ones((2, 3), "float32")}, dlpack=True)
    assert (cutaway.run(model, {"x": once["y"]})["y"] == 1).all()


def test_dlpack_of_types_that_numpy_has_no_name_for(model_of):
    model = model_of("Neg", BFLOAT16, (1, 2))
    once = cutaway.run(model, {"x": cutaway.Session(model).random_feeds(1)["x"]}, dlpack=True)["y"]
    twice = cutaway.run(model, {"x": once}, dlpack=True)["y"]
    again = cutaway.run(model, {"x": twice})["y"]
    pytest.importorskip("ml_dtypes")
    assert (again == cutaway.run(model, {"x": cutaway.Session(model).random_feeds(1)["x"]})["y"]).all()


def test_tensors_on_devices_are_refused_by_name(model_of):
    with pytest.raises(ValueError, match="'x' lies in the memory of a device"):
        cutaway.run(model_of("Neg", FLOAT, (2, 2)), {"x": Elsewhere(numpy.ones((2, 2), "float32"), device=(2, 0))})


class Closed:
    """Shows DLPack, and gives nothing."""

    def __dlpack__(self, **options):
        raise BufferError("nothing is given out")


def test_tensors_that_give_nothing_are_refused_by_name(model_of):
    with pytest.raises(cutaway.Error, match="feed 'x' is no array that lies in the host's memory row by row") as raised:
        cutaway.run(model_of("Neg", FLOAT, (2, 2)), {"x": Closed()})
    assert raised.value.code == "INVALID_ARGUMENT" and raised.value.value == "x"


def test_types_of_ml_dtypes(model_of):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    given = numpy.array([[1.5, -2]], dtype=ml_dtypes.bfloat16)
    made = cutaway.run(model_of("Neg", BFLOAT16, (1, 2)), {"x": given})["y"]
    assert made.dtype == ml_dtypes.bfloat16 and made.astype("float32").tolist() == [[-1.5, 2]]


def test_values_inside_of_the_model(cnn):
    session = cutaway.Session(cnn, opt_level=0)
    made = session.run(session.random_feeds(1), keep=["all"])
    assert len(made) > len(session.outputs) and all(isinstance(value, numpy.ndarray) for value in made.values())


def test_runs_at_the_same_time(cnn):
    session = cutaway.Session(cnn, threads=1)
    feeds = session.random_feeds(5)
    expected = session.run(feeds)
    wrong = []

    def work():
        for _ in range(20):
            made = session.run(feeds)
            if not all(numpy.array_equal(made[name], expected[name]) for name in expected):
                wrong.append(made)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("feeds, code, value", [({}, "INVALID_ARGUMENT", None), ({"nobody": numpy.ones(1, "float32")}, "INVALID_ARGUMENT", None),
                                                ({"x": numpy.ones((2, 2), "int64")}, "INVALID_ARGUMENT", "x"),
                                                ({"x": numpy.ones((3, 2), "float32")}, "INVALID_ARGUMENT", "x")])
def test_wrong_feeds_are_named(model_of, feeds, code, value):
    with pytest.raises(cutaway.Error) as raised:
        cutaway.run(model_of("Neg", FLOAT, (2, 2)), feeds)
    assert raised.value.code == code and str(raised.value)
    assert value is None or value in str(raised.value)


def test_what_is_no_array_is_refused(model_of):
    with pytest.raises(TypeError, match="'x' is neither an array of numbers nor of texts"):
        cutaway.run(model_of("Neg", FLOAT, (2, 2)), {"x": object()})


def test_a_time_limit_ends_a_run(cnn):
    session = cutaway.Session(cnn)
    with pytest.raises(cutaway.Error):
        session.run(session.random_feeds(1), timeout=1e-9)


def test_handlers_of_signals_do_no_harm(model_of):
    """Python's handlers run in the middle of a product: on the thread's own stack they broke the heap."""
    model = model_of("MatMul", FLOAT, (384, 384), inputs=("x", "z"))
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], input=model, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
