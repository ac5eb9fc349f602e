internal import Crypto
public import EscrowDiagnostics
public import EscrowEgress
import EscrowFiles
import EscrowJSON
internal import FoundationEssentials
import Glibc

/// What the individual keeps for servers: `credentials.sealed` of the home, under the key in `credentials.key`.
///
/// The key lies beside it. That keeps what is in it out of a copy of the one file, of logs and of searches; it does not keep it
/// from whoever reads the whole home.
public struct CredentialStore: CredentialSource {
    private let file: StoreFile
    private let keyFile: StoreFile

    /// Those of a home.
    public init(home: String) {
        file = StoreFile(
            home + "/credentials.sealed", limit: 1 << 20,
            help: "escrow credential revoke what you no longer need")
        keyFile = StoreFile(home + "/credentials.key", limit: 32, help: "remove it and add all anew")
    }

    /// All, by server. E1327 for a file that cannot be opened.
    public func list() throws(Diagnostic) -> [Credential] {
        guard let sealed = try file.read() else { return [] }
        return try open(sealed, try keyFile.read() ?? [])
    }

    private func open(_ sealed: [UInt8], _ key: [UInt8]) throws(Diagnostic) -> [Credential] {
        guard key.count == 32, let box = try? ChaChaPoly.SealedBox(combined: sealed),
            let bytes = try? ChaChaPoly.open(box, using: SymmetricKey(data: key)),
            let found = Self.parse(Array(bytes))
        else {
            throw Diagnostic(
                .credentialsUnreadable,
                "what you keep for servers cannot be opened: the file or its key was changed",
                help: "remove \(file.path) and add them anew: escrow credential add")
        }
        return found
    }

    /// Keeps one, in place of an older one for the same server.
    public func add(_ credential: Credential) throws(Diagnostic) {
        try change { all in
            all.removeAll { $0.server == credential.server }
            all.append(credential)
        }
    }

    /// Forgets what is kept for a server; whether anything was.
    public func remove(_ server: String) throws(Diagnostic) -> Bool {
        var isThere = false
        try change { all in
            isThere = all.contains { $0.server == server }
            all.removeAll { $0.server == server }
        }
        return isThere
    }

    public func header(for host: String) throws(Diagnostic) -> OutgoingRequest.Header? {
        guard let found = try list().first(where: { $0.server == host }) else { return nil }
        let value =
            switch found.kind {
            case .bearer: "Bearer \(found.secret)"
            case .oauth2: "Bearer \(found.renewal?.access ?? "")"
            case .basic: "Basic " + Base64.encode(Array("\(found.user):\(found.secret)".utf8))
            }
        return OutgoingRequest.Header(name: "authorization", value: value)
    }

    public func renewal(for host: String) throws(Diagnostic) -> TokenRequest? {
        guard let found = try list().first(where: { $0.server == host }), let renewal = found.renewal,
            renewal.access.isEmpty || renewal.expires <= Self.now + 30
        else { return nil }
        return Self.request(found, renewal)
    }

    private static func request(_ credential: Credential, _ renewal: Renewal) -> TokenRequest {
        var form = [
            (name: "grant_type", value: "refresh_token"),
            (name: "refresh_token", value: credential.secret), (name: "client_id", value: credential.user),
        ]
        if !renewal.clientSecret.isEmpty { form.append((name: "client_secret", value: renewal.clientSecret)) }
        return TokenRequest(
            server: credential.server, url: renewal.url, since: credential.time, form: form)
    }

    public func keep(_ answer: [UInt8], to request: TokenRequest) throws(Diagnostic) -> Bool {
        var isKept = false
        try change { all in
            // Another run may have renewed it meanwhile, or the individual put another there: what was asked with the old one is
            // no token of the new one.
            guard
                let index = all.firstIndex(where: { credential in
                    credential.renewal.map { Self.request(credential, $0) == request } ?? false
                }), let renewed = all[index].renewal?.renewed(by: answer, at: Self.now),
                let credential = Credential(
                    server: request.server, kind: .oauth2, user: all[index].user,
                    secret: renewed.refresh ?? all[index].secret, renewal: renewed.renewal,
                    time: all[index].time)
            else { return }
            all[index] = credential
            isKept = true
        }
        return isKept
    }

    private static var now: Int64 { Int64(time(nil)) }

    private func change(_ body: (inout [Credential]) -> Void) throws(Diagnostic) {
        let lock = try FileLock.acquire(file.path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        var all = try list()
        body(&all)
        var key = try keyFile.read() ?? []
        if key.count != 32 {
            key = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
            try keyFile.replace(with: key) { (_) throws(Diagnostic) in }
        }
        let document = JSONValue.array(
            all.sorted { $0.server < $1.server }.map {
                .object(
                    [
                        ("server", .string($0.server)), ("kind", .string($0.kind.rawValue)),
                        ("user", .string($0.user)), ("secret", .string($0.secret)),
                        ("time", .string($0.time)),
                    ] + ($0.renewal.map { [("renewal", $0.json)] } ?? []))
            })
        guard let box = try? ChaChaPoly.seal(JSONWriter.line(document), using: SymmetricKey(data: key)) else {
            throw Diagnostic(.ownFault, "what is kept for servers could not be sealed")
        }
        try file.replace(with: Array(box.combined)) { (bytes) throws(Diagnostic) in _ = try open(bytes, key) }
    }

    private static func parse(_ bytes: [UInt8]) -> [Credential]? {
        guard let items = (try? JSONParser.parse(bytes))?.value.array else { return nil }
        var all: [Credential] = []
        for item in items {
            guard let server = item["server"]?.string, let user = item["user"]?.string,
                let kind = item["kind"]?.string.flatMap(Credential.Kind.init),
                let time = item["time"]?.string,
                let secret = item["secret"]?.string,
                let credential = Credential(
                    server: server, kind: kind, user: user, secret: secret,
                    renewal: item["renewal"].flatMap(Renewal.init), time: time)
            else { return nil }
            all.append(credential)
        }
        return all
    }
}
