"""Optimiser steps of ai.onnx.preview.training: every setting, several variables, mixed element types; numpy in float64."""

import numpy as np
from onnx import helper

from case import Case, one_node

DOMAIN = "ai.onnx.preview.training"


def adagrad(rate, count, x, gradient, squares, norm_coefficient=0.0, decay_factor=0.0, epsilon=1e-6):
    rate = rate / (1 + count * decay_factor)
    gradient = norm_coefficient * x + gradient
    squares = squares + gradient * gradient
    return x - rate * gradient / (np.sqrt(squares) + epsilon), squares


def adam(rate, count, x, gradient, first, second, norm_coefficient=0.0, norm_coefficient_post=0.0, alpha=0.9, beta=0.999, epsilon=1e-6):
    gradient = norm_coefficient * x + gradient
    first = alpha * first + (1 - alpha) * gradient
    second = beta * second + (1 - beta) * gradient * gradient
    if count > 0:
        rate = rate * np.sqrt(1 - beta**count) / (1 - alpha**count)
    x = x - rate * first / (np.sqrt(second) + epsilon)
    return (1 - norm_coefficient_post) * x, first, second


def momentum(rate, count, x, gradient, velocity, norm_coefficient, alpha, beta, mode):
    gradient = norm_coefficient * x + gradient
    velocity = alpha * velocity + (beta if count > 0 else 1.0) * gradient
    step = gradient + alpha * velocity if mode == "nesterov" else velocity
    return x - rate * step, velocity


STEPS = {"Adagrad": (adagrad, 1), "Adam": (adam, 2), "Momentum": (momentum, 1)}


def optimizer_case(name, operator, count, variables, rate_type=np.float32, **attributes):
    """variables: (element type, shape) of each one."""
    rng = np.random.default_rng(sum(name.encode()))
    step, states = STEPS[operator]
    # Attributes are stored as float32.
    settings = {key: value if isinstance(value, str) else float(np.float32(value)) for key, value in attributes.items()}
    rate = np.array(0.1, dtype=rate_type)
    values = [[rng.standard_normal(shape).astype(kind) for kind, shape in variables] for _ in range(2)]
    values += [[rng.random(shape).astype(kind) for kind, shape in variables] for _ in range(states)]
    inputs = {"R": rate, "T": np.array(count, dtype=np.int64)}
    outputs = {}
    results = [step(float(rate), count, *(block[i].astype(np.float64) for block in values), **settings) for i in range(len(variables))]
    for block, stem in zip(values, ["X", "G", "S", "Q"]):
        inputs.update({f"{stem}{i}": value for i, value in enumerate(block)})
    for part in range(1 + states):
        outputs.update({f"Y{part}_{i}": results[i][part].astype(kind) for i, (kind, _) in enumerate(variables)})
    node = helper.make_node(operator, list(inputs), list(outputs), domain=DOMAIN, **attributes)
    return Case(name, one_node(node, inputs, outputs, opset=17, domain_opsets={DOMAIN: 1}), inputs, outputs, rtol=1e-5, atol=1e-6)


def optimizer_cases():
    single, double = (np.float32, (3, 5)), (np.float64, (2, 3))
    yield optimizer_case("adagrad_all_settings", "Adagrad", 3, [single], norm_coefficient=0.1, decay_factor=0.2, epsilon=1e-3)
    yield optimizer_case("adagrad_defaults_double", "Adagrad", 0, [double], rate_type=np.float64)
    yield optimizer_case("adagrad_three_variables_two_types", "Adagrad", 1, [single, double, (np.float32, ())], norm_coefficient=0.01)
    yield optimizer_case("adagrad_empty_variable", "Adagrad", 1, [(np.float32, (0, 4)), single])
    yield optimizer_case("adam_all_settings", "Adam", 5, [single], norm_coefficient=0.1, norm_coefficient_post=0.2, alpha=0.8, beta=0.95, epsilon=1e-3)
    yield optimizer_case("adam_first_step_double", "Adam", 0, [double], norm_coefficient=0.1)
    yield optimizer_case("adam_two_variables_two_types", "Adam", 2, [double, single], rate_type=np.float64)
    yield optimizer_case("momentum_standard_first_step", "Momentum", 0, [single], norm_coefficient=0.1, alpha=0.9, beta=0.5, mode="standard")
    yield optimizer_case("momentum_standard_double", "Momentum", 4, [double], norm_coefficient=0.1, alpha=0.9, beta=0.5, mode="standard")
    yield optimizer_case("momentum_nesterov_two_variables", "Momentum", 4, [single, double], norm_coefficient=0.1, alpha=0.9, beta=0.5, mode="nesterov")
    yield optimizer_case("momentum_nesterov_large", "Momentum", 0, [(np.float32, (41, 97))], norm_coefficient=0.0, alpha=0.9, beta=0.5, mode="nesterov")


def cases():
    yield from optimizer_cases()
