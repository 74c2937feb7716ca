"""Just enough training to make the bundled samples: layers with a forward and a backward pass in numpy, and Adam.

Images are [batch, channels, height, width], float64 while training. Everything is seeded; nothing depends on the clock.
"""

import numpy as np


class Layer:
    """A layer owns `weights` (name -> array) and leaves their gradients in `gradients` after backward()."""

    def __init__(self, **weights):
        self.weights, self.gradients = weights, {}


class Dense(Layer):
    def __init__(self, rng, inputs, outputs):
        super().__init__(weight=rng.normal(0, np.sqrt(2 / inputs), (inputs, outputs)), bias=np.zeros(outputs))

    def forward(self, x, training):
        self.x = x
        return x @ self.weights["weight"] + self.weights["bias"]

    def backward(self, slope):
        self.gradients = {"weight": self.x.T @ slope, "bias": slope.sum(axis=0)}
        return slope @ self.weights["weight"].T


class Convolution(Layer):
    """3x3, padded by one, without bias: a normalisation follows."""

    def __init__(self, rng, channels, filters):
        super().__init__(weight=rng.normal(0, np.sqrt(2 / (9 * channels)), (filters, channels, 3, 3)))

    def forward(self, x, training):
        padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
        self.windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
        return np.einsum("bchwij,fcij->bfhw", self.windows, self.weights["weight"], optimize=True)

    def backward(self, slope):
        self.gradients = {"weight": np.einsum("bchwij,bfhw->fcij", self.windows, slope, optimize=True)}
        padded = np.pad(slope, ((0, 0), (0, 0), (1, 1), (1, 1)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
        flipped = self.weights["weight"][:, :, ::-1, ::-1]
        return np.einsum("bfhwij,fcij->bchw", windows, flipped, optimize=True)


class BatchNormalization(Layer):
    EPSILON = 1e-5

    def __init__(self, channels):
        super().__init__(scale=np.ones(channels), bias=np.zeros(channels))
        self.mean, self.variance = np.zeros(channels), np.ones(channels)

    def forward(self, x, training):
        mean, variance = self.mean, self.variance
        if training:
            mean, variance = x.mean(axis=(0, 2, 3)), x.var(axis=(0, 2, 3))
            self.mean, self.variance = 0.9 * self.mean + 0.1 * mean, 0.9 * self.variance + 0.1 * variance
        self.deviation = np.sqrt(variance + self.EPSILON)[:, None, None]
        self.normal = (x - mean[:, None, None]) / self.deviation
        return self.normal * self.weights["scale"][:, None, None] + self.weights["bias"][:, None, None]

    def backward(self, slope):
        self.gradients = {"scale": (slope * self.normal).sum(axis=(0, 2, 3)), "bias": slope.sum(axis=(0, 2, 3))}
        slope = slope * self.weights["scale"][:, None, None]
        mean = slope.mean(axis=(0, 2, 3))[:, None, None]
        along = (slope * self.normal).mean(axis=(0, 2, 3))[:, None, None]
        return (slope - mean - self.normal * along) / self.deviation


class Relu(Layer):
    def forward(self, x, training):
        self.open = x > 0
        return x * self.open

    def backward(self, slope):
        return slope * self.open


class MaxPool(Layer):
    """2x2, stride 2."""

    def forward(self, x, training):
        batch, channels, height, width = x.shape
        tiles = x.reshape(batch, channels, height // 2, 2, width // 2, 2)
        best = tiles.max(axis=(3, 5), keepdims=True)
        self.chosen = tiles == best
        return best[:, :, :, 0, :, 0]

    def backward(self, slope):
        shares = self.chosen / self.chosen.sum(axis=(3, 5), keepdims=True)
        tiles = shares * slope[:, :, :, None, :, None]
        batch, channels, height, _, width, _ = tiles.shape
        return tiles.reshape(batch, channels, 2 * height, 2 * width)


class GlobalAveragePool(Layer):
    def forward(self, x, training):
        self.shape = x.shape
        return x.mean(axis=(2, 3))

    def backward(self, slope):
        return np.broadcast_to(slope[:, :, None, None], self.shape) / (self.shape[2] * self.shape[3])


class Chain(Layer):
    def __init__(self, *layers):
        super().__init__()
        self.layers = layers

    def forward(self, x, training):
        for layer in self.layers:
            x = layer.forward(x, training)
        return x

    def backward(self, slope):
        for layer in reversed(self.layers):
            slope = layer.backward(slope)
        return slope

    def parts(self):
        for layer in self.layers:
            yield from layer.parts() if isinstance(layer, Chain) else [layer]


class Residual(Chain):
    """relu(x + chain(x))."""

    def forward(self, x, training):
        total = x + super().forward(x, training)
        self.open = total > 0
        return total * self.open

    def backward(self, slope):
        slope = slope * self.open
        return slope + super().backward(slope)


class RowReader(Layer):
    """A recurrent cell that reads [batch, rows, width] row by row: state = tanh(row @ input + state @ recurrent + bias)."""

    def __init__(self, rng, width, states):
        super().__init__(input=rng.normal(0, np.sqrt(1 / width), (width, states)),
                         recurrent=np.linalg.qr(rng.normal(size=(states, states)))[0], bias=np.zeros(states))

    def forward(self, x, training):
        self.x, self.states = x, [np.zeros((len(x), self.weights["bias"].size))]
        for row in range(x.shape[1]):
            self.states.append(np.tanh(x[:, row] @ self.weights["input"]
                                       + self.states[-1] @ self.weights["recurrent"] + self.weights["bias"]))
        return self.states[-1]

    def backward(self, slope):
        self.gradients = {name: np.zeros_like(array) for name, array in self.weights.items()}
        for row in reversed(range(self.x.shape[1])):
            slope = slope * (1 - self.states[row + 1] ** 2)
            self.gradients["input"] += self.x[:, row].T @ slope
            self.gradients["recurrent"] += self.states[row].T @ slope
            self.gradients["bias"] += slope.sum(axis=0)
            slope = slope @ self.weights["recurrent"].T


def softmax(x):
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def train(network, images, labels, rng, epochs=40, batch=32, rate=3e-3):
    """Adam on the cross entropy, with a rate that falls to zero along a cosine."""
    moments, step, steps = {}, 0, epochs * (len(images) // batch)
    for _ in range(epochs):
        order = rng.permutation(len(images))
        for start in range(0, len(order) - batch + 1, batch):
            chosen = order[start:start + batch]
            slope = softmax(network.forward(images[chosen], training=True))
            slope[np.arange(batch), labels[chosen]] -= 1
            network.backward(slope / batch)
            step += 1
            pace = rate * 0.5 * (1 + np.cos(np.pi * step / steps))
            for layer in network.parts():
                for name, gradient in layer.gradients.items():
                    mean, square = moments.get((layer, name), (0, 0))
                    mean, square = 0.9 * mean + 0.1 * gradient, 0.999 * square + 0.001 * gradient ** 2
                    moments[layer, name] = mean, square
                    slope = (mean / (1 - 0.9 ** step)) / (np.sqrt(square / (1 - 0.999 ** step)) + 1e-8)
                    layer.weights[name] = layer.weights[name] - pace * slope
    return network


def accuracy(network, images, labels):
    return float((network.forward(images, training=False).argmax(axis=1) == labels).mean())
