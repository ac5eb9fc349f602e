public import EscrowDiagnostics
package import EscrowFiles
import EscrowJSON
import EscrowLedger
public import EscrowTrust
import Glibc

/// An escrow home: the folder that holds one individual's keys, sources, grants, plugins and ledger.
///
///     home.json       which format, and which key is the host's
///     host.key        the host's own Ed25519 key
///     keys/           signing keys made with `escrow key new`
///     trust.signers   whom the individual trusts
///     plugins/        installed plugins
///     sources.json    where the data lies
///     grants.json     what the individual decided
///     grants.uses     how often that was used since
///     preferences.json  the individual's rules, if there are any
///     location.json   their rules about places, and the secret of the noise
///     location.places.NAME.json  a list of places that a rule may tell from
///     servers.json    where servers of their own are
///     credentials.sealed  what they keep for servers, under credentials.key
///     location.memory.json  what each app was told of places last, and what is spent of the day's noise
///     live.json       who may follow them live, and who does
///     live/           the places that were followed
///     restrictions/   what others set for the individual
///     queue.json      dataflows that wait for the device
///     sql.history     what was typed at `escrow sql`
///     pending.json    requests that nobody was there to decide about
///     to-pick.json    requests that wait until the individual picks what they are for
///     picked.json     what they picked, as digests, for ten minutes
///     ledger/         what happened
///     ledger.heads    what the ledger came to, so that it cannot be put back unseen
public struct Home: Sendable {
    /// The folder's absolute path.
    public let path: String

    package static let format: Int64 = 1

    /// Where the home is: what was given, else `ESCROW_HOME`, else `escrow` in the XDG data directory.
    public static func location(given: String?) throws(Diagnostic) -> String {
        if let given {
            guard !given.isEmpty else {
                throw Diagnostic(.noPlaceForHome, "--home names no folder", help: "name one: --home DIR")
            }
            return absolute(given)
        }
        if let path = environment("ESCROW_HOME") { return absolute(path) }
        if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/escrow" }
        if let home = environment("HOME") { return absolute(home) + "/.local/share/escrow" }
        throw Diagnostic(
            .noPlaceForHome, "there is no HOME to put an escrow home under",
            help: "name a folder with --home DIR, or set ESCROW_HOME")
    }

    /// Makes a new home, whole or not at all: it is built beside its place and renamed into it.
    public static func create(at path: String) throws(Diagnostic) -> Home {
        var status = stat()
        if lstat(path, &status) == 0 {
            if (try? open(at: path)) != nil {
                throw Diagnostic(
                    .homeExists, "there is an escrow home at \(path) already", help: "escrow doctor")
            }
            guard rmdir(path) == 0 else {
                throw Diagnostic(
                    .folderInUse, "\(path) exists and is not an escrow home; nothing was changed",
                    help: "name another folder: escrow init --home DIR")
            }
        }
        removeLeftovers(of: path)
        let staging = try StagingFolder.make(beside: path)
        try Home(path: staging.path).furnish()
        try staging.rename(to: path)
        return Home(path: path)
    }

    /// Puts the first files into a new home's folder.
    private func furnish() throws(Diagnostic) {
        let home = self
        let key = try SigningKey.generate()
        try key.save(home.hostKeyPath)
        for folder in ["keys", "plugins", "runs/open"] { try SecureFile.makeFolder(path + "/" + folder) }
        try SecureFile.replace(home.trustPath, with: [])
        let keyID = key.publicKey.id.description
        _ = try Ledger.create(
            directory: home.ledgerPath, copies: [home.headsPath], signer: HostSigner(key),
            fields: ["hostKey": .string(keyID)])
        let marker: JSONValue = [
            "escrow-home": .integer(Self.format), "hostKey": .string(keyID),
        ]
        try home.marker.replace(with: JSONWriter.document(marker)) { (bytes) throws(Diagnostic) in
            do throws(JSONError) { _ = try Self.readMarker(bytes) } catch {
                throw Self.damaged(home.markerPath, error.message)
            }
        }
    }

    /// Opens a home that exists, after checking that it is one, that it is private, and that its key is its own.
    public static func open(at path: String) throws(Diagnostic) -> Home {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Diagnostic(
                .noHome, "there is no escrow home at \(path)", help: "make one: escrow init --home \(path)")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw foreign(path, "it is not a folder") }
        guard status.st_uid == geteuid() else { throw foreign(path, "it belongs to another user") }
        guard status.st_mode & 0o077 == 0 else {
            throw Diagnostic(
                .homeOpenToOthers, "the escrow home at \(path) is open to other users of this machine",
                help: "close it: chmod 700 \(path)")
        }
        let home = Home(path: path)
        guard let bytes = try home.marker.read() else {
            throw foreign(path, "it has no home.json")
        }
        let marker: (format: Int64, keyID: String)
        do throws(JSONError) {
            marker = try readMarker(bytes)
        } catch {
            throw damaged(home.markerPath, error.message)
        }
        guard marker.format == format else {
            throw Diagnostic(
                .homeOfAnotherFormat,
                "the escrow home at \(path) has format \(marker.format); this escrow reads format \(format)",
                help: "use the version of escrow that made it")
        }
        guard try home.hostKey().publicKey.id.description == marker.keyID else {
            throw damaged(home.hostKeyPath, "it is not the key that home.json names")
        }
        return home
    }

    /// The host's own key.
    public func hostKey() throws(Diagnostic) -> SigningKey {
        do { return try SigningKey.load(hostKeyPath) } catch {
            throw Self.damaged(hostKeyPath, error.message)
        }
    }

    package var markerPath: String { path + "/home.json" }
    private var marker: StoreFile { StoreFile(markerPath, limit: 65_536, help: Self.faultHelp) }
    private static let faultHelp = "this is a fault of escrow itself: please report it"
    package var hostKeyPath: String { path + "/host.key" }
    package var ledgerPath: String { path + "/ledger" }
    /// The copy of the ledger's heads that lies outside its folder.
    package var headsPath: String { path + "/ledger.heads" }
    /// When the ledger was tidied last: one line.
    package var tidiedPath: String { path + "/ledger.tidied" }
    package var tidied: StoreFile { StoreFile(tidiedPath, limit: 64, help: Self.faultHelp) }
    package var configurationPath: String { path + "/config.json" }
    /// The individual's preferences.
    public var preferencesPath: String { path + "/preferences.json" }
    /// The revision of the preferences that the ledger knows of: one line.
    package var preferencesSeenPath: String { path + "/preferences.seen" }
    package var preferencesSeen: StoreFile { StoreFile(preferencesSeenPath, limit: 64, help: Self.faultHelp) }
    package var queuePath: String { path + "/queue.json" }
    package var restrictionsPath: String { path + "/restrictions" }
    package var revocationsPath: String { path + "/revocations.dsse.json" }
    /// The trust store's line file.
    public var trustPath: String { path + "/trust.signers" }
    /// The folder of installed plugins.
    public var pluginsPath: String { path + "/plugins" }
    /// The folder of signing keys.
    public var keysPath: String { path + "/keys" }

    private static func readMarker(_ bytes: [UInt8]) throws(JSONError) -> (format: Int64, keyID: String) {
        var object = try JSONObjectReader(try JSONParser.parse(bytes))
        let format = try object.required("escrow-home").requireInteger()
        let keyID = try object.required("hostKey").requireString()
        try object.finish()
        return (format, keyID)
    }

    private static func foreign(_ path: String, _ why: String) -> Diagnostic {
        Diagnostic(
            .notAHome, "\(path) is not an escrow home: \(why)",
            notes: ["nothing was changed"], help: "name another folder with --home, or make one: escrow init")
    }

    private static func damaged(_ path: String, _ why: String) -> Diagnostic {
        Diagnostic(
            .homeDamaged, "\(path) is damaged: \(why)", notes: ["nothing was changed"],
            help: "restore the file from a backup of the escrow home")
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// The path with the working directory before it where it is relative.
    public static func absolute(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        if path.hasPrefix("/") { return path }
        guard let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }
}
