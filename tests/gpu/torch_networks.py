"""The workloads' networks in PyTorch, with the weights of the ONNX file: the same arithmetic on the same numbers, written as one writes it there (fused attention, LayerNorm and GELU as the library has them).

Every network is forward(w, inputs): w gives a weight by its name in the file.
"""

import torch
import torch.nn.functional as F


def linear(w, scope, x):
    return F.linear(x, w(f"{scope}.weight", "transposed"), w(f"{scope}.bias"))


def norm(w, scope, x, epsilon=1e-5):
    weight = w(f"{scope}.weight")
    return F.layer_norm(x, weight.shape, weight, w(f"{scope}.bias"), epsilon)


def heads_of(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def merged(x):
    return x.transpose(1, 2).flatten(2)


def bert(w, inputs, layers=12, heads=12):
    ids = inputs["input_ids"]
    mask = (1.0 - inputs["attention_mask"][:, None, None, :].to(w("embeddings.LayerNorm.weight").dtype)) * -10000.0
    x = F.embedding(ids, w("embeddings.word_embeddings.weight")) + F.embedding(inputs["token_type_ids"], w("embeddings.token_type_embeddings.weight"))
    x = norm(w, "embeddings.LayerNorm", x + w("embeddings.position_embeddings.weight")[: ids.shape[1]], 1e-12)
    for layer in range(layers):
        at = f"encoder.layer.{layer}"
        query, key, value = (heads_of(linear(w, f"{at}.attention.self.{part}", x), heads) for part in ("query", "key", "value"))
        context = merged(F.scaled_dot_product_attention(query, key, value, attn_mask=mask))
        x = norm(w, f"{at}.attention.output.LayerNorm", linear(w, f"{at}.attention.output.dense", context) + x, 1e-12)
        inner = F.gelu(linear(w, f"{at}.intermediate.dense", x))
        x = norm(w, f"{at}.output.LayerNorm", linear(w, f"{at}.output.dense", inner) + x, 1e-12)
    return [x]


def gpt2(w, inputs, layers=12, heads=12):
    ids = inputs["input_ids"]
    past = inputs["past_key_values.0.key"].shape[2]
    total = past + ids.shape[1]
    positions = torch.arange(past, total, device=ids.device)
    seen = torch.le(torch.arange(total, device=ids.device)[None], positions[:, None]) & inputs["attention_mask"].bool()[:, None, None, :]
    x = F.embedding(ids, w("transformer.wte.weight")) + w("transformer.wpe.weight")[positions]
    present = []
    for layer in range(layers):
        at = f"transformer.h.{layer}"
        parts = linear(w, f"{at}.attn.c_attn", norm(w, f"{at}.ln_1", x)).chunk(3, dim=-1)
        query, key, value = (heads_of(parts[i], heads) for i in range(3))
        key = torch.cat([inputs[f"past_key_values.{layer}.key"], key], dim=2)
        value = torch.cat([inputs[f"past_key_values.{layer}.value"], value], dim=2)
        present += [key, value]
        x = x + linear(w, f"{at}.attn.c_proj", merged(F.scaled_dot_product_attention(query, key, value, attn_mask=seen)))
        inner = F.gelu(linear(w, f"{at}.mlp.c_fc", norm(w, f"{at}.ln_2", x)), approximate="tanh")
        x = x + linear(w, f"{at}.mlp.c_proj", inner)
    logits = F.linear(norm(w, "transformer.ln_f", x), w("lm_head.weight", "transposed"))
    return [logits, *present]


def vit(w, inputs, layers=12, heads=6):
    x = F.conv2d(inputs["pixel_values"], w("patch_embed.weight"), w("patch_embed.bias"), stride=16).flatten(2).transpose(1, 2)
    x = torch.cat([w("cls_token").expand(x.shape[0], -1, -1), x], dim=1) + w("pos_embed")
    for layer in range(layers):
        at = f"blocks.{layer}"
        qkv = linear(w, f"{at}.attn.qkv", norm(w, f"{at}.norm1", x, 1e-6)).unflatten(-1, (3, heads, -1)).permute(2, 0, 3, 1, 4)
        x = x + linear(w, f"{at}.attn.proj", merged(F.scaled_dot_product_attention(qkv[0], qkv[1], qkv[2])))
        x = x + linear(w, f"{at}.mlp.fc2", F.gelu(linear(w, f"{at}.mlp.fc1", norm(w, f"{at}.norm2", x, 1e-6))))
    x = norm(w, "norm", x, 1e-6)[:, 0]
    return [F.linear(x, w("head.weight"), w("head.bias"))]


def convolution(w, scope, x, stride=1, pad=None):
    weight = w(f"{scope}.weight", "image")
    x = F.conv2d(x, weight, None, stride, weight.shape[-1] // 2 if pad is None else pad)
    return F.batch_norm(x, w(f"{scope}.norm.running_mean"), w(f"{scope}.norm.running_var"), w(f"{scope}.norm.weight"), w(f"{scope}.norm.bias"), False, 0.0, 1e-5)


def resnet50(w, inputs):
    x = F.max_pool2d(F.relu(convolution(w, "conv1", inputs["input"], 2)), 3, 2, 1)
    for stage, blocks in enumerate((3, 4, 6, 3)):
        for block in range(blocks):
            at, stride = f"layer{stage + 1}.{block}", 2 if stage and not block else 1
            y = F.relu(convolution(w, f"{at}.conv1", x))
            y = F.relu(convolution(w, f"{at}.conv2", y, stride))
            y = convolution(w, f"{at}.conv3", y)
            x = F.relu(y + (x if block else convolution(w, f"{at}.downsample", x, stride)))
    return [F.linear(x.mean((2, 3)), w("fc.weight"), w("fc.bias"))]


def unet(w, inputs, depth=4):
    def twice(scope, x):
        return F.relu(convolution(w, f"{scope}.conv2", F.relu(convolution(w, f"{scope}.conv1", x))))

    x, skips = twice("inc", inputs["input"]), []
    for level in range(depth):
        skips.append(x)
        x = twice(f"down.{level}.conv", F.max_pool2d(x, 2))
    for step in range(depth):
        up = F.conv_transpose2d(x, w(f"up.{step}.up.weight", "image"), w(f"up.{step}.up.bias"), 2)
        x = twice(f"up.{step}.conv", torch.cat([skips[depth - 1 - step], up], dim=1))
    return [F.conv2d(x, w("outc.weight", "image"), w("outc.bias"))]


NETWORKS = {"bert": bert, "gpt2": gpt2, "vit": vit, "resnet50": resnet50, "unet": unet}
IMAGES = ("resnet50", "unet")  # which of them run with channels last, as PyTorch is fastest with
