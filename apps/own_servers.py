"""The servers of one's own that the ten apps use, real ones on loopback: wsgidav as Nextcloud's, aiosmtpd for mail."""

import os
import socket
import socketserver
import ssl
import threading
from urllib.parse import urlsplit


class Mail:
    """aiosmtpd, as somebody's own mail server: over TLS, for one who gives their name and password."""

    def __init__(self, folder, user, password):
        from aiosmtpd.controller import Controller
        from aiosmtpd.smtp import AuthResult

        self.mails, self.logins = [], []
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(f"{folder}/server.pem", f"{folder}/server.key")
        owner = self

        class Box:
            async def handle_DATA(self, server, session, envelope):
                owner.mails.append((envelope.mail_from, envelope.rcpt_tos, envelope.content))
                return "250 taken"

            async def handle_RCPT(self, server, session, envelope, address, options):
                if address.startswith("nobody"):
                    return "550 no such person"
                envelope.rcpt_tos.append(address)
                return "250 ok"

        def login(server, session, envelope, mechanism, data):
            owner.logins.append((mechanism, data.login, data.password))
            return AuthResult(success=(data.login, data.password) == (user.encode(), password.encode()))

        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.controller = Controller(
            Box(), hostname="127.0.0.1", port=self.port, ssl_context=context, authenticator=login, auth_required=True,
            auth_require_tls=False)
        self.controller.start()


class Cloud:
    """wsgidav, as somebody's own cloud: a real WebDAV server with a user and a password."""

    def __init__(self, folder, user, password):
        from cheroot import wsgi
        from wsgidav.wsgidav_app import WsgiDAVApp

        self.root = os.path.join(folder, "cloud")
        for name in ("files", "uploads"):
            os.makedirs(f"{self.root}/{name}/{user}")
        self.parts = []
        app = WsgiDAVApp({
            "provider_mapping": {"/remote.php/dav": self.root}, "verbose": 0, "logging": {"enable": False},
            "http_authenticator": {"domain_controller": None, "accept_basic": True, "accept_digest": False},
            "simple_dc": {"user_mapping": {"*": {user: {"password": password}}}}})
        self.server = wsgi.Server(("127.0.0.1", 0), self.assembling(app))
        self.server.prepare()
        self.port = self.server.bind_addr[1]
        threading.Thread(target=self.server.serve, daemon=True).start()
        self.cut = None
        self.front = socketserver.ThreadingTCPServer(("127.0.0.1", 0), self.passing())
        self.front.daemon_threads = True
        self.port = self.front.server_address[1]
        threading.Thread(target=self.front.serve_forever, daemon=True).start()

    def assembling(self, app):
        """What Nextcloud does and plain WebDAV does not: MOVE of `.file` in a folder of uploads puts the parts together."""

        def answer(environ, start):
            path = environ["PATH_INFO"].removeprefix("/remote.php/dav")
            if environ["REQUEST_METHOD"] == "PUT" and path.startswith("/uploads/"):
                self.parts.append(path.rpartition("/")[2])
            if environ["REQUEST_METHOD"] != "MOVE" or not path.endswith("/.file"):
                return app(environ, start)
            folder = self.root + path.removesuffix("/.file")
            target = urlsplit(environ["HTTP_DESTINATION"]).path.removeprefix("/remote.php/dav")
            with open(self.root + target, "wb") as whole:
                for name in sorted(os.listdir(folder)):
                    with open(f"{folder}/{name}", "rb") as part:
                        whole.write(part.read())
                    os.remove(f"{folder}/{name}")
            os.rmdir(folder)
            start("201 Created", [("content-length", "0"), ("content-type", "text/html")])
            return []

        return answer

    def passing(self):
        """What stands before it, and cuts a connection after so many bytes where `cut` says how many."""
        cloud = self

        class Front(socketserver.BaseRequestHandler):
            def handle(self):
                behind = socket.create_connection(("127.0.0.1", cloud.server.bind_addr[1]))
                threading.Thread(target=self.copy, args=(behind, self.request, False), daemon=True).start()
                self.copy(self.request, behind, True)

            @staticmethod
            def copy(source, target, counts):
                try:
                    while piece := source.recv(65536):
                        if counts and cloud.cut is not None:
                            cloud.cut -= len(piece)
                            if cloud.cut < 0:
                                break
                        target.sendall(piece)
                except OSError:
                    pass
                for end in (source, target):
                    try:
                        end.shutdown(socket.SHUT_RDWR)
                    except OSError:
                        pass

        return Front
