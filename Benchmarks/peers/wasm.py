"""The wasmtime peer. The row goes in, and the line comes out, by the module's memory: there is no process, no pipe.

    wasm.py compile WAT CWASM   compiles once, ahead of all runs
    wasm.py cold CWASM          one row from stdin, one line to stdout: a process for one run
    wasm.py fresh CWASM ROW     for each line of stdin one run in an engine of its own, as JSON in microseconds
    wasm.py warm CWASM ROW      for each line of stdin one run in the same engine, in a store of its own

Time and memory are bounded, as a plugin's are: by epochs, and by the store's limits.
"""

import json
import sys
import time

import wasmtime


def engine():
    config = wasmtime.Config()
    config.epoch_interruption = True
    return wasmtime.Engine(config)


def run(engine, module, row):
    store = wasmtime.Store(engine)
    store.set_epoch_deadline(1)
    store.set_limits(memory_size=1 << 20, instances=1)
    exports = wasmtime.Instance(store, module, []).exports(store)
    memory = exports["memory"]
    memory.write(store, row, 0)
    at = exports["run"](store, len(row))
    return bytes(memory.read(store, at, at + 14))


def main():
    what, path = sys.argv[1:3]
    if what == "compile":
        with open(path) as text, open(sys.argv[3], "wb") as out:
            out.write(wasmtime.Module(engine(), text.read()).serialize())
    elif what == "cold":
        ours = engine()
        sys.stdout.buffer.write(run(ours, wasmtime.Module.deserialize_file(ours, path), sys.stdin.buffer.read()))
    else:
        with open(sys.argv[3], "rb") as file:
            row = file.read()
        ours = engine()
        module = wasmtime.Module.deserialize_file(ours, path)
        for _ in sys.stdin:
            start = time.perf_counter()
            if what == "fresh":
                ours = engine()
                module = wasmtime.Module.deserialize_file(ours, path)
            line = run(ours, module, row)
            took = (time.perf_counter() - start) * 1e6
            good = line == b'{"digits":10}\n'
            print(json.dumps({"firstByteUs": took, "wallUs": took, "good": good}), flush=True)


if __name__ == "__main__":
    main()
