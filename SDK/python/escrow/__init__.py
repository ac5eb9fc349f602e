"""Ask the escrow for what programs compute over a person's data, without seeing the data.

    import escrow
    app = escrow.Escrow("org.example.notes")
    report = app.run("phone-check", wait=60, says="So that you can mend numbers that nobody can call.")

Standard library alone. The five calls are run, status, explain, schema and plugins; AsyncEscrow has the same five to await.
`$ESCROW_SOCKET` says where the service is (escrow app run sets it), else escrow/service.sock in `$XDG_RUNTIME_DIR`.
docs/service.md has the whole story.
"""

from __future__ import annotations

import asyncio
import base64
import http.client
import json
import os
import socket
import struct
from typing import Any, Mapping, Optional, Sequence, Union

__all__ = ["AsyncEscrow", "Escrow", "EscrowError", "Table"]

Value = Union[str, int, float, bool, None]

# The longest answer of a service's, in bytes, with some room for its head.
_LONGEST = (32 << 20) + 65536


class EscrowError(Exception):
    """What went wrong: a stable code, the exit status of `escrow run`, a fixed sentence."""

    def __init__(self, code: str, exit: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.exit = exit
        self.message = message


class Table(list):
    """Rows of a result that is a table; `columns` has their names."""

    def __init__(self, rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> None:
        super().__init__(rows)
        self.columns = list(columns)


def _another() -> EscrowError:
    return EscrowError("E1251", 1, "at the socket of the escrow service another user listens")


def _not_understood() -> EscrowError:
    return EscrowError("E1003", 64, "the answer of the escrow service is not understood")


def _visible(text: str) -> bool:
    """Whether it can stand in a header as it is; what cannot would be shown by the error of whoever tries."""
    return isinstance(text, str) and text != "" and all(0x21 <= ord(letter) <= 0x7E for letter in text)


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: Optional[float]) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        # Looked at first, too: connecting waits for as long as the backlog of whoever listens there is full.
        if os.stat(self._path).st_uid != os.geteuid():
            raise _another()
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)
        # Whoever listens there gets the question and the token, and is believed.
        _, user, _ = struct.unpack("iII", self.sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if user != os.geteuid():
            raise _another()


def _default_socket() -> str:
    path = os.environ.get("ESCROW_SOCKET")
    if path:
        return path
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if not runtime:
        raise EscrowError("E1251", 1, "neither ESCROW_SOCKET nor XDG_RUNTIME_DIR is set")
    return os.path.join(runtime, "escrow", "service.sock")


class Escrow:
    """An app's way to the individual's escrow. Any number of threads may share one."""

    def __init__(self, app: Optional[str] = None, *, socket: Optional[str] = None,
                 token: Optional[str] = None) -> None:
        """`app` may be left out where the escrow knows the app otherwise: by its socket, its Flatpak, its token."""
        self.app = app if app is not None else os.environ.get("ESCROW_APP")
        self._socket = socket if socket is not None else _default_socket()
        if token is not None and not _visible(token):
            raise EscrowError("E1006", 64, "a token is visible ASCII, without spaces or line ends")
        self._token = token

    def run(self, compute: str, sql: Optional[str] = None, *, bindings: Optional[Mapping[str, Value]] = None,
            arguments: Optional[Mapping[str, Value]] = None, says: Optional[str] = None, wait: int = 0,
            key: Optional[str] = None) -> Any:
        """Runs a plugin over a query, and returns its result: JSON, a Table, or bytes.

        `wait` is for how many seconds the individual may be asked; `says` why, in at most two sentences; `key` makes a
        repeated request the same run.
        """
        headers = {"Prefer": f"wait={int(wait)}"}
        if key is not None:
            if not _visible(key):
                raise EscrowError("E1006", 64, "a key is visible ASCII, without spaces or line ends")
            headers["Idempotency-Key"] = key
        answer = self._call("POST", "/v1/runs", self._body(compute, sql, bindings, arguments, says), headers,
                            timeout=None)
        if "bytes" in answer:
            try:
                return base64.b64decode(_member(answer, "bytes", str), validate=True)
            except ValueError:
                pass
            raise _not_understood()
        if "columns" in answer:
            return Table(_member(answer, "value", list), _member(answer, "columns", list))
        return _member(answer, "value", object)

    def status(self, compute: str, sql: Optional[str] = None, *, bindings: Optional[Mapping[str, Value]] = None,
               arguments: Optional[Mapping[str, Value]] = None) -> str:
        """notDetermined, authorized, denied or restricted. Nobody is asked, nothing is read."""
        answer = self._call("POST", "/v1/status", self._body(compute, sql, bindings, arguments, None))
        return _member(answer, "status", str)

    def explain(self, compute: str, sql: Optional[str] = None, *, bindings: Optional[Mapping[str, Value]] = None,
                arguments: Optional[Mapping[str, Value]] = None) -> dict:
        """The dataflow that such a run would be."""
        return self._call("POST", "/v1/explanations", self._body(compute, sql, bindings, arguments, None))

    def schema(self) -> list:
        """The tables that queries may name."""
        return _member(self._call("GET", "/v1/schema"), "tables", list)

    def plugins(self) -> list:
        """The plugins that are installed."""
        return _member(self._call("GET", "/v1/plugins"), "plugins", list)

    def _body(self, compute: str, sql: Optional[str], bindings: Optional[Mapping[str, Value]],
              arguments: Optional[Mapping[str, Value]], says: Optional[str]) -> dict:
        body: dict = {"compute": compute}
        if self.app is not None:
            body["app"] = self.app
        if sql is not None:
            body["sql"] = sql
        if bindings:
            body["bindings"] = dict(bindings)
        if arguments:
            body["arguments"] = dict(arguments)
        if says is not None:
            body["says"] = says
        return body

    def _call(self, method: str, path: str, body: Optional[dict] = None,
              headers: Optional[dict] = None, timeout: Optional[float] = 60) -> dict:
        connection = _Connection(self._socket, timeout)
        try:
            head = dict(headers or {})
            if self._token is not None:
                head["Authorization"] = f"Bearer {self._token}"
            content = None
            if body is not None:
                head["Content-Type"] = "application/json"
                content = json.dumps(body, allow_nan=False).encode()
            text = None
            try:
                connection.request(method, path, content, head)
                response = connection.getresponse()
                text = _text(response)
            except (OSError, http.client.HTTPException, ValueError):
                pass
            # Raised out here: an error that came before would hold the result, or the token, for whoever logs it.
            if text is None:
                raise EscrowError("E1251", 1, "the escrow service does not answer")
            answer = _read(text)
            if response.status >= 400:
                raise EscrowError(
                    _member(answer, "code", str), _member(answer, "exit", int), _member(answer, "title", str))
            return answer
        finally:
            connection.close()


def _text(response: http.client.HTTPResponse) -> bytes:
    pieces = []
    left = _LONGEST
    while left >= 0:
        piece = response.read(65536)
        if not piece:
            break
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _read(text: bytes) -> dict:
    """An object of JSON, which each answer is."""
    answer = None
    try:
        if len(text) <= _LONGEST:
            answer = json.loads(text)
    except (ValueError, RecursionError):
        pass
    if not isinstance(answer, dict):
        raise _not_understood()
    return answer


def _member(answer: dict, name: str, kind: type) -> Any:
    if name not in answer or not isinstance(answer[name], kind):
        raise _not_understood()
    return answer[name]


class AsyncEscrow:
    """The same five calls, to await. A call that is cancelled is waited for by a thread, whose answer nobody gets."""

    def __init__(self, app: Optional[str] = None, *, socket: Optional[str] = None,
                 token: Optional[str] = None) -> None:
        self._escrow = Escrow(app, socket=socket, token=token)

    async def run(self, compute: str, sql: Optional[str] = None, **more: Any) -> Any:
        """As Escrow.run."""
        return await asyncio.to_thread(self._escrow.run, compute, sql, **more)

    async def status(self, compute: str, sql: Optional[str] = None, **more: Any) -> str:
        """As Escrow.status."""
        return await asyncio.to_thread(self._escrow.status, compute, sql, **more)

    async def explain(self, compute: str, sql: Optional[str] = None, **more: Any) -> dict:
        """As Escrow.explain."""
        return await asyncio.to_thread(self._escrow.explain, compute, sql, **more)

    async def schema(self) -> list:
        """As Escrow.schema."""
        return await asyncio.to_thread(self._escrow.schema)

    async def plugins(self) -> list:
        """As Escrow.plugins."""
        return await asyncio.to_thread(self._escrow.plugins)
