"""The kit for escrow plugins in Python: one file, the standard library alone.

    import sys
    sys.path.insert(0, __file__.rpartition("/")[0])  # python3 -I keeps a script's own folder out
    from escrow_plugin import plugin, Refusal

    def compute(run):
        ages = [row["age"] for row in run.rows()]
        if not ages:
            raise Refusal("not-enough-data", "no rows matched")
        return {"mean_age": sum(ages) / len(ages), "n": len(ages)}

    plugin(compute)

Put this file beside the plugin's own and list both in the manifest. The protocol is docs/spec/protocol.md; what ends a
run though it is harmless elsewhere (subprocess, asyncio, tempfile, pwd ...) is in docs/spec/sandbox.md, section 4.
"""

import binascii
import json
import os
import sys

__all__ = ["plugin", "serve", "Run", "Asset", "Bytes", "HostError", "Refusal", "Response"]
__version__ = "0.1.0"

ROWS_PER_ASK = 1000  # lines of some 30 KB: larger ones are slower in Python


class Refusal(Exception):
    """The plugin's own "no". `code` is not-enough-data, bad-parameter, unsupported-data or other; the app learns the
    code alone, the person reads the message."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


class HostError(Exception):
    """The host answered an ask with an error, such as unknown-asset; the plugin may go on."""

    def __init__(self, code, message):
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


class Cancelled(BaseException):
    """The host cancelled the run. No plugin needs to catch it."""


class Disconnected(BaseException):
    """The host is gone, or what it wrote is not the protocol."""


class Asset(bytes):
    """The bytes behind an asset's handle, with their `media_type`."""

    media_type = ""


class Response:
    """What came back for a request that the host sent: `status`, `body`, `media_type`."""

    def __init__(self, status, body, media_type):
        self.status, self.body, self.media_type = status, body, media_type

    def json(self):
        return json.loads(self.body)

    def accepted(self, *statuses):
        """This response, where its status is one of these (200, 201 or 204 where none is named); else the run ends with a refusal."""
        if self.status not in (statuses or (200, 201, 204)):
            raise Refusal("other", f"the server answered {self.status}")
        return self


class Bytes:
    """A result of kind bytes: the bytes and their media type."""

    def __init__(self, data, media_type):
        self.data, self.media_type = bytes(data), media_type


class Run:
    """One run: rows, parameters, assets, and ways to say something."""

    def __init__(self, source, sink):
        self._source, self._sink = source, sink
        hello = self._read()
        if hello.get("escrow") != 1:
            raise Disconnected("the host's first line is not that of protocol 1")
        self.columns = [column["name"] for column in hello["columns"]]
        self.types = [column["type"] for column in hello["columns"]]
        self.params = hello.get("params", {})
        self.limits = hello.get("limits", {})
        self._form = None
        self._is_last_row_here = False
        self._last_progress = -1.0
        self._left = 0
        self._stream = None

    def rows(self):
        """The rows, one after the other, as dictionaries. A moment is ISO 8601 text in UTC, a blob is bytes."""
        names = self.columns
        for row in self.tuples():
            yield dict(zip(names, row))

    def tuples(self):
        """The rows as lists, in the order of `columns`: faster than dictionaries."""
        self._use("json")
        ask = {"ask": "rows", "rows": "json", "max": ROWS_PER_ASK}
        while not self._is_last_row_here:
            answer = self._ask(ask)
            self._is_last_row_here = not answer["more"]
            yield from answer["rows"]

    def batches(self):
        """The rows as pyarrow.RecordBatch, whole columns at a time: needs pyarrow in the sandbox."""
        import pyarrow

        self._use("arrow")
        with pyarrow.ipc.open_stream(pyarrow.PythonFile(_Payloads(self), mode="r")) as reader:
            yield from reader

    def asset(self, handle):
        """The bytes behind a handle out of a row of this run."""
        header = self._ask({"ask": "asset", "id": handle})["asset"]
        asset = Asset(self._read_bytes(header["bytes"]))
        asset.media_type = header["mediaType"]
        return asset

    def asset_pieces(self, handle, size=1 << 16):
        """The bytes behind a handle in pieces of at most `size`: a video of gigabytes takes no more memory than one. What is
        not read is passed over when the plugin asks for something else; no pieces come then any more."""
        header = self._ask({"ask": "asset", "id": handle})["asset"]
        stream = self._stream = object()
        self._left = header["bytes"]
        while self._stream is stream and self._left:
            piece = self._read_bytes(min(size, self._left))
            self._left -= len(piece)
            yield piece

    def fetch(self, endpoint, **fields):
        """Has the host send a request that the manifest declares."""
        return self._response(self._ask({"ask": "fetch", "to": endpoint, "fields": fields}))

    def send_file(self, endpoint, handle, *, part=None, **fields):
        """Has the host send a request with a file: it is named by its handle, and read and sent by the host alone. `part` is from
        where on and how many bytes of it."""
        ask = {"ask": "fetch", "to": endpoint, "fields": fields, "asset": handle}
        return self._response(self._ask(ask if part is None else {**ask, "part": list(part)}))

    def send_bytes(self, endpoint, data, media_type, **fields):
        """Has the host send a request with bytes that the plugin made, where the manifest says that its body is "made"."""
        ask = {"ask": "fetch", "to": endpoint, "fields": fields, "bytes": len(data), "mediaType": media_type}
        return self._response(self._ask(ask, bytes(data)))

    def fetch_together(self, requests):
        """Has the host send all requests of the run in one go, where the manifest says "together": pairs of an endpoint
        and a dictionary of its fields. Gives for each, in this order, a Response or the HostError that it ended with."""
        asks = [{"to": endpoint, "fields": fields} for endpoint, fields in requests]
        answers = self._ask({"ask": "fetch", "together": asks})["answers"]
        return [_error(end["error"]) if "error" in end else self._response(end) for end in answers]

    def progress(self, share, note=None):
        """Tells the person how far the work is, from 0 to 1."""
        share = min(max(float(share), 0.0), 1.0)
        if note is None and self._last_progress <= share < self._last_progress + 0.01:
            return
        self._last_progress = share
        self._write({"progress": share} if note is None else {"progress": share, "note": _cut(note)})

    def log(self, text, level="info"):
        """Adds a line to the log, which stays on the person's machine."""
        self._write({"log": {"level": level, "text": _cut(text)}})

    def _response(self, head):
        return Response(head["status"], self._read_bytes(head["bytes"]), head.get("mediaType", ""))

    def _use(self, form):
        if self._form not in (None, form):
            raise ValueError("rows come in one form a run: either rows() and tuples(), or batches()")
        self._form = form

    def _pass_over(self):
        self._stream = None
        while self._left:
            self._left -= len(self._read_bytes(min(1 << 16, self._left)))

    def _ask(self, ask, payload=b""):
        self._pass_over()
        self._write(ask, payload)
        answer = self._read()
        if "error" in answer:
            error = _error(answer["error"])
            raise Cancelled if error.code == "cancelled" else error
        return answer

    def _write(self, message, payload=b""):
        # One write a message: everything else that prints goes to stderr, see serve().
        text = json.dumps(message, default=_blob, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        self._sink.write(text.encode("utf-8", "replace") + b"\n" + payload)
        self._sink.flush()

    # Lines and raw bytes share one stream, so both are read through one buffer.
    def _read(self):
        line = self._source.readline()
        if not line.endswith(b"\n"):
            raise Disconnected("the host closed the connection")
        return _decode(line.decode("utf-8"))

    def _read_bytes(self, count):
        data = self._source.read(count)
        if len(data) != count:
            raise Disconnected("the host closed the connection")
        return data

    def _finish(self, result):
        self._pass_over()
        if isinstance(result, Bytes):
            header = {"bytes": len(result.data), "mediaType": result.media_type}
            self._write({"result": header}, result.data)
        elif isinstance(result, str):
            self._write({"result": {"text": result}})
        elif isinstance(result, dict):
            self._write({"result": result})
        elif hasattr(result, "to_batches"):
            self._finish_table(result)
        else:
            self._write({"result": {"rows": [list(row) for row in result]}})

    def _finish_table(self, table):
        import pyarrow

        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        stream = sink.getvalue().to_pybytes()
        self._write({"result": {"batch": {"rows": table.num_rows, "bytes": len(stream)}}}, stream)


class _Payloads:
    """The Arrow payloads of a run as one file: asks for the next when the last is used up."""

    closed = False

    def __init__(self, run):
        self._run, self._rest = run, b""

    def read(self, count=-1):
        pieces = []
        while count != 0:
            if not self._rest:
                if self._run._is_last_row_here:
                    break
                batch = self._run._ask({"ask": "rows", "max": self._run.limits.get("rowsPerAsk", 8192)})["batch"]
                self._run._is_last_row_here = not batch["more"]
                self._rest = memoryview(self._run._read_bytes(batch["bytes"]))
                continue
            piece = self._rest if count < 0 else self._rest[:count]
            self._rest = self._rest[len(piece):]
            count -= len(piece) if count > 0 else 0
            pieces.append(piece)
        return b"".join(pieces)

    def readable(self):
        return True

    def close(self):
        pass


def _error(value):
    return HostError(value.get("code", "unknown"), value.get("message", ""))


def _special(value):
    if len(value) == 1:
        if "b64" in value:
            return binascii.a2b_base64(value["b64"])
        if "i64" in value:
            return int(value["i64"])
        if "f64" in value:
            return float(value["f64"])
    return value


def _blob(value):
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"b64": binascii.b2a_base64(value, newline=False).decode("ascii")}
    raise TypeError(f"a result cannot hold a value of type {type(value).__name__}")


def _cut(text):
    text = str(text)
    return text if len(text) <= 600 else text[:600] + "…"


_decode = json.JSONDecoder(object_hook=_special).decode


def serve(compute, source, sink):
    """Runs a plugin over two binary streams and returns the exit status; `plugin` does this with stdin and stdout."""
    try:
        run = Run(source, sink)
        try:
            run._finish(compute(run))
        except Refusal as refusal:
            run._write({"refuse": {"code": refusal.code, "message": str(refusal.message)}})
        return 0
    except Cancelled:
        return 75
    except (Disconnected, BrokenPipeError) as error:
        print(error, file=sys.stderr)
        return 70


def plugin(compute):
    """Runs the function that maps a run to its result, and ends the process: the last line of a plugin. Where the
    plugin's file is imported, by its tests, nothing happens."""
    if compute.__module__ == "__main__":
        if "ESCROW_PLUGIN" not in os.environ:
            print("This is an escrow plugin. Try: escrow plugin test", file=sys.stderr)
            sys.exit(64)
        source, sink = sys.stdin.buffer, sys.stdout.buffer
        # stdout belongs to the protocol: what the plugin prints is its log.
        sys.stdout = sys.stderr
        sys.exit(serve(compute, source, sink))
