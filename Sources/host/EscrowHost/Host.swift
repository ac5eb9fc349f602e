public import EscrowConsent
public import EscrowDiagnostics
public import EscrowEgress
import EscrowFiles
public import EscrowHome
public import EscrowIdentity
import EscrowJSON
public import EscrowLedger
public import EscrowManifest
public import EscrowMinimisation
public import EscrowRelational
import EscrowSandbox
import EscrowSchema
public import EscrowSources
public import EscrowTableKit
public import EscrowTabular
public import EscrowTrust
import Glibc
import Synchronization

/// An escrow home at work: its stores, and the sandbox of this machine.
///
/// Every store reads its file when it is asked, so that what one process changes holds for the next run of any other.
public final class Host: Sendable {
    /// The home.
    public let home: Home
    /// The individual's decisions.
    public let grants: GrantStore
    /// Whom the individual trusts.
    public let trustFile: TrustFile
    let revocations: RevocationsFile
    /// The id of this installation.
    let installation: String
    let configuration: HostConfiguration
    package let ledger: Ledger
    /// What apps made the ledger grow by today.
    let ledgerUse: LedgerUse
    let undecided: UndecidedTally
    /// The preferences, parsed when they are others than before.
    let preferencesRead: ParsedFile<StandingPreferences>
    /// The list of sources, the same.
    let sourcesRead: ParsedFile<[SourceEntry]>
    /// Native tables kept between queries, for those that ask for them.
    let materials: MaterialCache
    /// The connection that waits for the next query; nil in a process that runs once.
    let spare: SpareConnection?
    /// What is known of the sources' files from before.
    public let sourceMemory: SourceMemory
    /// What the individual is called towards apps and publishers.
    public let identifiers: IdentifierStore
    /// What is kept between runs; nil in a process that runs once.
    let launchCache: LaunchCache?
    let key: SigningKey
    let makeTransport: TransportMaker
    private let walls = Mutex<Sandbox?>(nil)

    /// How requests are sent, made anew for each run that may send any.
    public typealias TransportMaker = @Sendable (EgressConfiguration) throws(Diagnostic) -> any Transport

    /// Opens the stores of a home. A run that an earlier host left without an end is recorded as interrupted.
    /// - Parameters:
    ///   - device: which machine this is; nil for the one that it is.
    ///   - clock: what decisions that end by time are held against.
    public init(
        home: Home, device: DeviceIdentity? = nil,
        clock: @escaping @Sendable () -> ConsentTime = ConsentTime.now,
        transport: @escaping TransportMaker = Host.noTransport
    ) throws(Diagnostic) {
        self.home = home
        makeTransport = transport
        key = try home.hostKey()
        configuration = try HostConfiguration.load(home)
        ledger = try Ledger.open(
            directory: home.ledgerPath, copies: home.headCopies(configuration.ledger), signer: HostSigner(key)
        )
        let ledger = ledger
        let reader = home.ledgerReader(key.publicKey, configuration.ledger)
        // A clock that was set back revives no decision that was over when this host began.
        let floor = try ledger.lastTime().milliseconds
        grants = GrantStore(
            directory: home.path, journal: LedgerJournal(ledger: ledger, reader: reader),
            clock: {
                let now = clock()
                return now.milliseconds < floor ? ConsentTime(milliseconds: floor) : now
            },
            allowsChange: { () throws(Diagnostic) in
                try RestrictionStore(directory: home.restrictionsPath).requireChangeable()
            })
        trustFile = TrustFile(home.trustPath)
        revocations = RevocationsFile(home.revocationsPath, owner: key.publicKey)
        installation = key.publicKey.id.description
        ledgerUse = LedgerUse(directory: home.ledgerPath)
        undecided = UndecidedTally()
        preferencesRead = ParsedFile(home.preferencesPath, limit: Preferences.maximumBytes)
        sourcesRead = SourceRegistry.list(of: home.path)
        materials = MaterialCache()
        spare = nil
        sourceMemory = SourceMemory(directory: home.path)
        identifiers = IdentifierStore(directory: home.path, device: device)
        launchCache = nil
    }

    /// The same stores, with the configuration as it is now.
    init(_ other: Host, launchCache: LaunchCache) throws(Diagnostic) {
        home = other.home
        makeTransport = other.makeTransport
        key = other.key
        configuration = try HostConfiguration.load(home)
        ledger = other.ledger
        grants = other.grants
        trustFile = other.trustFile
        revocations = other.revocations
        installation = other.installation
        ledgerUse = other.ledgerUse
        undecided = other.undecided
        preferencesRead = other.preferencesRead
        sourcesRead = other.sourcesRead
        materials = other.materials
        spare = other.spare ?? SpareConnection()
        spare?.refill()
        sourceMemory = other.sourceMemory
        // A process that keeps plugins ready stays.
        sourceMemory.watchFolders()
        identifiers = other.identifiers
        self.launchCache = launchCache
    }

    /// Refuses: a program that links no transport runs no plugin that sends.
    public static let noTransport: TransportMaker = { _ throws(Diagnostic) in
        throw Diagnostic(
            .requestsNotSent, "the plugin asks for requests to the network, which this program does not send",
            help: "run it by the command escrow")
    }

    /// The time that expiry is checked against: never earlier than what the ledger has seen.
    public func now() throws(Diagnostic) -> Moment { Moment(seconds: try ledger.now().milliseconds / 1_000) }

    /// Reads the ledger.
    public func ledgerReader() -> LedgerReader {
        home.ledgerReader(key.publicKey, configuration.ledger)
    }

    /// The walls, built once for all runs of this process.
    func sandbox() throws(Diagnostic) -> Sandbox {
        try walls.withLock { (built: inout Sandbox?) throws(Diagnostic) in
            if let built { return built }
            let sandbox = try Sandbox(configuration: configuration.sandbox)
            built = sandbox
            return sandbox
        }
    }

    // MARK: Sources

    /// Where the data lies.
    public func sources() throws(Diagnostic) -> SourceRegistry {
        try SourceRegistry.load(directory: home.path, from: sourcesRead)
    }

    /// All tables, over the sources as they are now.
    func tables() throws(Diagnostic) -> [any TableSource] { try sources().tables(memory: sourceMemory) }

    /// Reads what is not known yet of files that are dear to read, so that later queries need not.
    /// - Returns: the kinds that keep such facts, with the rows that they serve.
    public func indexSources() throws(Diagnostic) -> [(kind: SourceKind, rows: Int)] {
        try sources().readFacts(memory: sourceMemory)
    }

    /// Adds a source and records it.
    public func addSource(kind: String, path: String) throws(Diagnostic) -> SourceEntry {
        let lock = try FileLock.acquire(home.path + "/sources.lock")
        defer { withExtendedLifetime(lock) {} }
        var registry = try sources()
        let entry = try registry.add(kind: kind, path: path)
        try registry.save()
        try ledger.append(
            .sourceAdded, fields: ["source": .string(entry.kind.rawValue), "path": .string(entry.path)])
        return entry
    }

    /// Forgets a source and records it.
    public func removeSource(kind: String, path: String) throws(Diagnostic) -> SourceEntry {
        let lock = try FileLock.acquire(home.path + "/sources.lock")
        defer { withExtendedLifetime(lock) {} }
        var registry = try sources()
        let entry = try registry.remove(kind: kind, path: path)
        try registry.save()
        try ledger.append(
            .sourceRemoved, fields: ["source": .string(entry.kind.rawValue), "path": .string(entry.path)])
        return entry
    }

    /// A query of the owner's own: all columns, no plugin; more coarsely where the owner wants to see that.
    public func ownerAccess(
        sql: String, bindings: [String: Cell], coarser: Minimisation = .none, engine: Engine = .pushdown
    ) throws(Diagnostic) -> Access {
        let hash = DeferredHash()
        let tables = try Self.minimised(
            try tables(), by: coarser, granted: nil, hash: hash.keyedHash)
        let access = try Access(
            AccessRequest(sql: sql, parameters: bindings, engine: engine, hash: hash.keyedHash),
            tables: tables, assets: AssetTable(), materials: materials, spare: spare)
        if !coarser.isEmpty || access.isKeyed {
            hash.set(try identifiers.keyedHash(app: "org.escrow.cli", publisher: "owner"))
        }
        return access
    }

    // MARK: Trust

    /// Trusts a key and records it.
    public func trust(_ entry: TrustEntry) throws(Diagnostic) {
        try trustFile.add(entry)
        let key = entry.key.id.description
        try ledger.append(.keyTrusted, fields: ["key": .string(key), "pattern": .string(entry.pattern)])
    }

    /// Stops trusting a key and records it.
    public func distrust(_ key: KeyID, pattern: String?) throws(Diagnostic) -> [TrustEntry] {
        let removed = try trustFile.remove(key, pattern: pattern)
        for entry in removed {
            try ledger.append(
                .keyRemoved, fields: ["key": .string(key.description), "pattern": .string(entry.pattern)])
        }
        return removed
    }

    /// Follows a publisher to a new key and records it.
    public func rotate(_ lineage: Lineage) throws(Diagnostic) {
        try trustFile.apply(lineage, revocations: try plugins().revocations, now: try now())
        let (from, to) = (lineage.from.id.description, lineage.to.id.description)
        try identifiers.renameVendor(from, to: to)
        try ledger.append(.keyRotated, fields: ["from": .string(from), "to": .string(to)])
    }
}
