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


class _Connection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: Optional[float]) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)
        # Whoever listens there gets the question and the token, and is believed.
        _, user, _ = struct.unpack("iII", self.sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        if user != os.geteuid():
            raise EscrowError("E1251", 1, "at the socket of the escrow service another user listens")


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
            headers["Idempotency-Key"] = key
        answer = self._call("POST", "/v1/runs", self._body(compute, sql, bindings, arguments, says), headers,
                            timeout=None)
        if "bytes" in answer:
            return base64.b64decode(answer["bytes"], validate=True)
        if "columns" in answer:
            return Table(answer["value"], answer["columns"])
        return answer["value"]

    def status(self, compute: str, sql: Optional[str] = None, *, bindings: Optional[Mapping[str, Value]] = None,
               arguments: Optional[Mapping[str, Value]] = None) -> str:
        """notDetermined, authorized, denied or restricted. Nobody is asked, nothing is read."""
        return self._call("POST", "/v1/status", self._body(compute, sql, bindings, arguments, None))["status"]

    def explain(self, compute: str, sql: Optional[str] = None, *, bindings: Optional[Mapping[str, Value]] = None,
                arguments: Optional[Mapping[str, Value]] = None) -> dict:
        """The dataflow that such a run would be."""
        return self._call("POST", "/v1/explanations", self._body(compute, sql, bindings, arguments, None))

    def schema(self) -> list:
        """The tables that queries may name."""
        return self._call("GET", "/v1/schema")["tables"]

    def plugins(self) -> list:
        """The plugins that are installed."""
        return self._call("GET", "/v1/plugins")["plugins"]

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
              headers: Optional[dict] = None, timeout: Optional[float] = 60) -> Any:
        connection = _Connection(self._socket, timeout)
        try:
            head = dict(headers or {})
            if self._token is not None:
                head["Authorization"] = f"Bearer {self._token}"
            content = None
            if body is not None:
                head["Content-Type"] = "application/json"
                content = json.dumps(body, allow_nan=False).encode()
            try:
                connection.request(method, path, content, head)
                response = connection.getresponse()
                answer = json.loads(response.read())
            except (OSError, http.client.HTTPException, ValueError) as error:
                raise EscrowError("E1251", 1, "the escrow service does not answer") from error
            if response.status >= 400:
                raise EscrowError(answer["code"], answer["exit"], answer["title"])
            return answer
        finally:
            connection.close()


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
