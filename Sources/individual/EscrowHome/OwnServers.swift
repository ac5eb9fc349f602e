public import EscrowDiagnostics
public import EscrowEgress
import EscrowFiles
import EscrowJSON

/// The servers of the individual's own, `servers.json` of the home.
public enum OwnServers {
    /// All, by name. E1323 for a file that is not understood.
    public static func load(_ home: String) throws(Diagnostic) -> [String: OwnServer] {
        let file = file(home)
        guard let bytes = try file.read() else { return [:] }
        return try read(bytes, file.path)
    }

    private static func read(_ bytes: [UInt8], _ path: String) throws(Diagnostic) -> [String: OwnServer] {
        do throws(JSONError) { return try parse(bytes) } catch {
            throw Diagnostic(
                .ownServersUnreadable, "the list of your own servers is not understood: \(error.message)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "remove the file and set them anew: escrow endpoint set")
        }
    }

    static func parse(_ bytes: [UInt8]) throws(JSONError) -> [String: OwnServer] {
        var found: [String: OwnServer] = [:]
        for member in try JSONParser.parse(bytes).requireMembers() {
            var object = try JSONObjectReader(member.value)
            let text = try object.required("url")
            let address = try object.optional("address")?.requireString()
            var pins: [[UInt8]] = []
            for pin in try object.optional("pins")?.requireArray() ?? [] {
                guard let digest = Base64.decode(try pin.requireString()) else {
                    throw JSONError(.wrongType(expected: "the Base64 of a digest"), at: pin.position)
                }
                pins.append(digest)
            }
            let time = try object.required("time").requireString()
            try object.finish()
            let url = try text.requireString()
            do throws(Diagnostic) {
                found[member.name] = try server(url, address: address, pins: pins, time: time)
            } catch {
                throw JSONError(.wrongType(expected: "a server's place"), at: text.position)
            }
        }
        return found
    }

    /// Sets one, or takes it back. What was allowed for the one before is asked about again.
    public static func set(_ name: String, _ server: OwnServer?, home: String) throws(Diagnostic) {
        let lock = try FileLock.acquire(home + "/servers.lock")
        defer { withExtendedLifetime(lock) {} }
        var all = try load(home)
        all[name] = server
        let members = all.sorted { $0.key < $1.key }.map { name, server -> (name: String, value: JSONValue) in
            var fields: [(name: String, value: JSONValue)] = [("url", .string(url(server)))]
            if let address = server.address { fields.append(("address", .string("\(address)"))) }
            fields.append(("pins", .array(server.pins.map { .string(Base64.encode($0)) })))
            fields.append(("time", .string(server.time)))
            return (name, .object(fields))
        }
        let file = file(home)
        try file.replace(with: JSONWriter.document(.object(members))) { (bytes) throws(Diagnostic) in
            _ = try read(bytes, file.path)
        }
    }

    private static func file(_ home: String) -> StoreFile {
        StoreFile(
            home + "/servers.json", limit: 1 << 16, help: "escrow endpoint remove what you no longer need")
    }

    private static func url(_ server: OwnServer) -> String {
        "\(server.isMail ? "submissions" : server.isPlain ? "http" : "https")://\(server.host):\(server.port)\(server.base)"
    }

    /// Reads a server's place. E1320 for one that is none; E1322 for a private address that was not named as such.
    public static func server(
        _ url: String, address: String?, pins: [[UInt8]], time: String
    ) throws(Diagnostic) -> OwnServer {
        func invalid(_ words: String) -> Diagnostic {
            Diagnostic(
                .ownServerInvalid, "the server's place \(words)",
                help: "for example https://cloud.example.org/remote.php/dav/files/ada")
        }
        let isPlain = url.hasPrefix("http://")
        let isMail = url.hasPrefix("submissions://")
        guard isPlain || isMail || url.hasPrefix("https://") else {
            throw invalid("begins with neither https://, http:// nor, for mail, submissions://")
        }
        let rest = url.dropFirst(isPlain ? 7 : isMail ? 14 : 8)
        let authority = rest.prefix { $0 != "/" }
        var base = String(rest.dropFirst(authority.count))
        while base.hasSuffix("/") { base.removeLast() }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let first = parts.first, !first.isEmpty,
            first.utf8.allSatisfy({ isLetter($0) || $0 == 0x2D || $0 == 0x2E }), first.utf8.count <= 253
        else { throw invalid("has no name of a host, or more than that and a port") }
        let host = first.lowercased()
        guard let port = parts.count == 2 ? Int(parts[1]) : isPlain ? 80 : isMail ? 465 : 443,
            (1...65_535).contains(port)
        else { throw invalid("has a port that is none") }
        guard base.utf8.count <= 512, !base.contains("//"),
            base.utf8.allSatisfy({ isLetter($0) || "/-._~".utf8.contains($0) }),
            !base.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else { throw invalid("has a path with other than letters, digits and -._~") }
        guard !isMail || base.isEmpty else { throw invalid("is for mail, and has a path") }
        var named: IPAddress?
        if let address {
            guard let parsed = IPAddress(address) else { throw invalid("has an address that is none") }
            named = parsed
        }
        if let literal = IPAddress(host) {
            guard let named, named == literal else {
                throw Diagnostic(
                    .ownServerPrivate,
                    "the server is named by its address, so that address is named on purpose",
                    help: "say it again: --address \(host)")
            }
        }
        let isPrivate = named.map { AddressPolicy.refusal(of: $0) != nil } ?? false
        guard !isPlain || isPrivate else {
            throw invalid(
                "is without TLS, which only a server at a private address may be, named with --address")
        }
        return OwnServer(
            host: host, port: port, isPlain: isPlain, base: base, address: named, pins: pins,
            isMail: isMail, time: time)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
