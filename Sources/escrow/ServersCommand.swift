import ArgumentParser
import EscrowConsent
import EscrowConsole
import EscrowCredentials
import EscrowDiagnostics
import EscrowEgress
import EscrowHome
import EscrowHost
import EscrowJSON
import Glibc

struct EndpointCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoint",
        abstract: "Say where servers of your own are: your cloud, what runs at home.",
        discussion: """
            A plugin names such a server and does not know where it is. What you allowed before you set another place is \
            asked about again. A server in a private network is named by its address, on purpose.
            """,
        subcommands: [Set.self, List.self, Remove.self])

    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Set where a server of your own is.")
        @Argument(help: "The name that plugins have for it, as in nextcloud.") var name: String
        @Argument(help: "https://HOST[:PORT][/PATH]; http:// only with a private --address.") var url: String
        @Option(help: "The address to connect to; it may be one of your own network.") var address: String?
        @Option(name: .customLong("pin"), help: "sha256/… of its public key; may be repeated.") var pins:
            [String] = []
        @OptionGroup var home: HomeOptions

        func run() throws {
            guard !name.isEmpty, name.utf8.count <= 32,
                name.utf8.allSatisfy({
                    (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
                })
            else {
                throw Diagnostic(
                    .ownServerInvalid, "a server's name is made of small letters, digits and \"-\"",
                    help: "for example: escrow endpoint set nextcloud https://…")
            }
            var digests: [[UInt8]] = []
            for pin in pins {
                guard pin.hasPrefix("sha256/"), let digest = Base64.decode(String(pin.dropFirst(7))),
                    digest.count == 32
                else {
                    throw Diagnostic(
                        .ownServerInvalid, "a pin is sha256/ and the Base64 of 32 bytes",
                        help: "it is the SHA-256 of the server's public key: SubjectPublicKeyInfo, RFC 7469")
                }
                digests.append(digest)
            }
            let server = try OwnServers.server(
                url, address: address, pins: digests, time: ConsentTime.now().description)
            try home.open().setOwnServer(name, server)
            Console.say("your own server \"\(name)\" is \(server.shown)")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the servers of your own.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let all = try home.open().ownServers().sorted { $0.key < $1.key }
            format.list(
                all, as: "endpoints", none: "you set no server of your own", ["name", "place", "set"],
                row: { [$0.key, $0.value.shown, $0.value.time] },
                json: {
                    [
                        "name": .string($0.key), "place": .string($0.value.shown),
                        "set": .string($0.value.time),
                    ]
                })
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Forget where a server of your own is.")
        @Argument var name: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            let host = try home.open()
            guard try host.ownServers()[name] != nil else {
                throw Diagnostic(.noSuchThing, "you set no server of this name", help: "escrow endpoint list")
            }
            try host.setOwnServer(name, nil)
        }
    }
}

struct CredentialCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential", abstract: "Keep passwords and tokens that escrow fills in for you.",
        discussion: """
            What you keep for a server goes into requests to that server alone, of plugins whose manifest says that they \
            are sent in your name. Neither app nor plugin ever sees it.
            """,
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Keep a password or token, read from stdin, for a server.")
        @Argument(help: "The server's host, or the name of one of your own.") var server: String
        @Option(help: "bearer, basic, or oauth2, whose secret is the refresh token.") var kind: String =
            "bearer"
        @Option(help: "The user's name, for basic.") var user: String = ""
        @Option(help: "For oauth2: where a token is asked for.") var tokenUrl: String?
        @Option(help: "For oauth2: the client's id.") var client: String?
        @Flag(help: "For oauth2: the client's secret follows on a second line.") var withClientSecret = false
        @OptionGroup var home: HomeOptions

        func run() throws {
            if isatty(0) == 1 { Console.say("the password or token, then Enter:") }
            guard let kind = Credential.Kind(rawValue: kind), let secret = readLine(),
                let clientSecret = withClientSecret ? readLine() : "",
                tokenUrl == nil || kind == .oauth2,
                let credential = Credential(
                    server: server.lowercased(), kind: kind, user: client ?? user, secret: secret,
                    renewal: tokenUrl.flatMap { Renewal(url: $0, clientSecret: clientSecret) },
                    time: ConsentTime.now().description)
            else {
                throw Diagnostic(
                    .credentialInvalid, "this cannot be kept for a server",
                    help:
                        "a token has no --user; basic has one, without \":\"; oauth2 has --client and --token-url https://…; the secret is one line on stdin"
                )
            }
            try home.open().keep(credential)
            Console.say("kept for \(PlainText.neutral(server, longest: 253))")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List what you keep, without the secrets.")
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            format.list(
                try home.open().credentialStore.list(), as: "credentials",
                none: "you keep nothing for any server", ["server", "kind", "user", "since"]
            ) {
                [$0.server, $0.kind.rawValue, $0.user, $0.time]
            } json: {
                [
                    "server": .string($0.server), "kind": .string($0.kind.rawValue),
                    "user": .string($0.user), "since": .string($0.time),
                ]
            }
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Forget what you keep for a server: from now on nothing is sent there in your name.")
        @Argument var server: String
        @OptionGroup var home: HomeOptions

        func run() throws {
            guard try home.open().forgetCredential(server.lowercased()) else {
                throw Diagnostic(
                    .noSuchThing, "you keep nothing for this server", help: "escrow credential list")
            }
        }
    }
}
