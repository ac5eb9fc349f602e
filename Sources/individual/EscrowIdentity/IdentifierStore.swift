public import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowJSON
public import EscrowMinimisation

/// The identifiers of a home, in `identifiers.json`, each made on first use. Each call reads the file anew, so a reset
/// holds for the next run of any process.
public struct IdentifierStore: Sendable {
    private let store: StoreFile
    private let lockPath: String
    private let device: DeviceIdentity?

    /// Names the home's folder and the machine that it is on; nil finds out which one when that is needed.
    public init(directory: String, device: DeviceIdentity? = nil) {
        store = StoreFile(
            "\(directory)/identifiers.json", limit: IdentifierFile.maximumBytes,
            help: "forget some: escrow id list, escrow id reset")
        lockPath = "\(directory)/identifiers.lock"
        self.device = device
    }

    /// The identifier of an app, of a publisher, or for advertising.
    public func identifier(
        _ kind: Identifier.Kind, app: String, vendor: String
    ) throws(Diagnostic) -> Identifier {
        try change { (file) throws(Diagnostic) in
            switch kind {
            case .application:
                let entry = try Self.application(app, &file)
                return Identifier(kind: kind, owner: app, value: entry.value)
            case .vendor:
                if file.vendors[vendor] == nil {
                    try Self.checkRoom(file.vendors.count)
                    file.vendors[vendor] = Identifier.randomValue()
                }
                return Identifier(kind: kind, owner: vendor, value: file.vendors[vendor] ?? "")
            case .advertising:
                let value = file.advertising ?? Identifier.randomValue()
                file.advertising = value
                return Identifier(kind: kind, owner: nil, value: value)
            }
        }
    }

    /// The hash for an app's pseudonyms and samples towards a publisher: another for every pair, so that no two apps or
    /// publishers can link theirs.
    public func keyedHash(app: String, publisher: String) throws(Diagnostic) -> KeyedHash {
        let secret = try change { (file) throws(Diagnostic) in try Self.application(app, &file).secret }
        return HomeHash.make(secret: secret, publisher: publisher)
    }

    public func list() throws(Diagnostic) -> [Identifier] {
        let file = try change { (file) throws(Diagnostic) in file }
        return file.applications.sorted { $0.key < $1.key }.map {
            Identifier(kind: .application, owner: $0, value: $1.value)
        }
            + file.vendors.sorted { $0.key < $1.key }.map {
                Identifier(kind: .vendor, owner: $0, value: $1)
            }
            + (file.advertising.map { [Identifier(kind: .advertising, owner: nil, value: $0)] } ?? [])
    }

    /// Forgets identifiers; the next use gets a new one that nothing links to the old. An app's pseudonyms and samples go
    /// with its identifier. Returns how many were forgotten.
    /// - Parameter owner: the app or the key; nil for all of the kind.
    public func reset(_ kind: Identifier.Kind, owner: String?) throws(Diagnostic) -> Int {
        let count = try change { (file) throws(Diagnostic) in
            let before = Self.count(file)
            switch (kind, owner) {
            case (.application, let app?): file.applications[app] = nil
            case (.application, nil): file.applications = [:]
            case (.vendor, let key?): file.vendors[key] = nil
            case (.vendor, nil): file.vendors = [:]
            case (.advertising, _): file.advertising = nil
            }
            return before - Self.count(file)
        }
        guard count > 0 || owner == nil else {
            throw Diagnostic(
                .noSuchIdentifier, "there is no such identifier to be reset",
                help: "see which there are: escrow id list")
        }
        return count
    }

    /// What each app is known by, for the individual's other devices: its identifier, and the secret of its pseudonyms.
    public func applications() throws(Diagnostic) -> [String: (value: String, secret: [UInt8])] {
        try change { (file) throws(Diagnostic) in file.applications.mapValues { ($0.value, $0.secret) } }
    }

    /// Makes an app known by what it is known by on another device of the individual's; false for what is no identifier.
    public func adopt(_ app: String, value: String, secret: [UInt8]) throws(Diagnostic) -> Bool {
        guard Identifier.isValue(value), secret.count == 32 else { return false }
        try change { (file) throws(Diagnostic) in
            if file.applications[app] == nil { try Self.checkRoom(file.applications.count) }
            file.applications[app] = IdentifierFile.Application(value: value, secret: secret)
        }
        return true
    }

    /// Takes a publisher's identifier along to its new key.
    public func renameVendor(_ old: String, to new: String) throws(Diagnostic) {
        try change { (file) throws(Diagnostic) in
            guard let value = file.vendors.removeValue(forKey: old) else { return }
            file.vendors[new] = value
        }
    }

    /// Binds the identifiers to this machine. On another machine than before, those of publishers and the one for
    /// advertising are new. Returns whether it is another one.
    public func settle() throws(Diagnostic) -> Bool {
        guard let bytes = try store.read() else { return false }
        var file = try read(bytes)
        let hasMoved = file.move(to: try here())
        _ = try change { (file) throws(Diagnostic) in file }
        return hasMoved
    }

    private static func count(_ file: IdentifierFile) -> Int {
        file.applications.count + file.vendors.count + (file.advertising == nil ? 0 : 1)
    }

    private static func application(
        _ app: String, _ file: inout IdentifierFile
    ) throws(Diagnostic) -> IdentifierFile.Application {
        if let known = file.applications[app] { return known }
        try checkRoom(file.applications.count)
        let fresh = IdentifierFile.Application.fresh()
        file.applications[app] = fresh
        return fresh
    }

    private static func checkRoom(_ count: Int) throws(Diagnostic) {
        guard count < IdentifierFile.maximumOwners else {
            throw Diagnostic(
                .identifiersUnreadable, "there are \(count) identifiers already, no more are kept",
                help: "forget some: escrow id list, escrow id reset")
        }
    }

    private func here() throws(Diagnostic) -> DeviceIdentity {
        if let device { return device }
        return try .current()
    }

    private func read(_ bytes: [UInt8]) throws(Diagnostic) -> IdentifierFile {
        do {
            return try IdentifierFile(bytes)
        } catch {
            throw Diagnostic(
                .identifiersUnreadable, "the identifiers cannot be read: \(error.impersonalMessage)",
                at: .init(file: store.path, line: error.position.line, column: error.position.column),
                help: "restore the file from a backup; without it every app and publisher is given new ones")
        }
    }

    private func change<Result>(
        _ body: (inout IdentifierFile) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        let bytes = try store.read()
        let here = try here()
        var file = IdentifierFile(on: here)
        if let bytes { file = try read(bytes) }
        let before = file
        _ = file.move(to: here)
        let result = try body(&file)
        // A look alone makes no file.
        if file != before {
            try store.replace(with: file.bytes) { (bytes) throws(Diagnostic) in _ = try read(bytes) }
        }
        return result
    }
}
