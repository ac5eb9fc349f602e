import EscrowApps
public import EscrowBackup
public import EscrowConsent
import EscrowCredentials
public import EscrowDiagnostics
import EscrowFiles
public import EscrowHome
public import EscrowHost
public import EscrowIdentity
import EscrowJSON
public import EscrowLedger
import EscrowLocation
import EscrowLocationPrivacy
import EscrowTrust
import Glibc

extension Host {
    /// Writes an encrypted backup of the whole home into a new file and records that. Every store's lock is held
    /// meanwhile, so the backup is the home as it was at one moment; runs that want to record something wait.
    /// - Throws: E1173 to E1175.
    public func backup(to path: String, passphrase: [UInt8]) throws(Diagnostic) -> BackupWriter.Summary {
        try Home.check(passphrase)
        // First, so that the backup knows of itself; the lock is taken behind it.
        try ledger.append(.backedUp, fields: [:])
        let locks = try BackupWriter.locks(of: home.path)
        return try Self.holding(locks[...]) { () throws(Diagnostic) in
            try BackupWriter.write(folder: home.path, to: path, passphrase: passphrase)
        }
    }

    private static func holding<Result>(
        _ locks: ArraySlice<String>, _ body: () throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        guard let first = locks.first else { return try body() }
        let lock = try FileLock.acquire(first)
        defer { withExtendedLifetime(lock) {} }
        return try holding(locks.dropFirst(), body)
    }

    /// Counts today as spent in every account of what was told of places: nobody knows what of it was told since. How many
    /// there are; none where they cannot be read, for then nothing is told.
    fileprivate func spendPlaces() throws(Diagnostic) -> Int {
        let day = budgetDay
        guard let accounts = try? locationMemory.spent(on: day) else { return 0 }
        for account in accounts {
            try locationMemory.using(app: account.app, mask: account.mask) { (memory) throws(Diagnostic) in
                guard var trace = memory.trace else { return }
                // More than any day's budget can be.
                (trace.day, trace.spent) = (max(trace.day, day), 1e6)
                memory.trace = trace
            }
        }
        return accounts.count
    }
}

/// What a backup brings back, before it takes its place.
public struct RestoreOffer: Sendable {
    /// When the last record of its ledger was made: what was decided later is not in it.
    public let asOf: LedgerTime
}

/// What a restore did.
public struct RestoreReport: Sendable {
    /// What was brought back.
    public let offer: RestoreOffer
    /// Whether a copy of the ledger's heads elsewhere tells of records that it lacks.
    public let lacksRecords: Bool
    /// Whether this is another device than the backup's.
    public let isOtherDevice: Bool
    /// What became of the individual's decisions.
    public let decisions: RestoredDecisions
    /// How many dataflows waited, and were let go.
    public let droppedDataflows: Int
    /// What else there was that allows something.
    public let others: RestoredOthers
}

/// What a backup holds besides decisions that allows something, and what became of it.
public struct RestoredOthers: Sendable {
    /// Apps that may have been told live where the individual is, and are undecided again.
    public let live: [String]
    /// How many accounts of what was told of places count as spent for today.
    public let placesSpent: Int
    /// Apps whose tokens prove nothing any more.
    public let apps: [String]
    /// Servers for which something is kept, which is back.
    public let credentials: [String]
}

extension Home {
    /// Restores a backup as a new home, whole or not at all: it is built beside its place and renamed into it.
    ///
    /// On another device than the backup's, the identifiers that belong to a device are new; docs/spec/identifiers.md. What
    /// was taken back or used up since the backup would be there again: what the backup cannot know of is undecided, and all
    /// else that allows is marked; docs/spec/backup.md.
    /// - Parameters:
    ///   - device: which machine this is; nil for the one that it is.
    ///   - countsAsOther: whether this machine counts as another, as a clone of the backup's does.
    ///   - confirm: asked once what the backup is from is known; false ends it (E1127).
    /// - Throws: E0011 or E0012 where something is there, E1170 to E1173 for the backup.
    public static func restore(
        _ backup: String, to path: String, passphrase: [UInt8], device: DeviceIdentity? = nil,
        countsAsOther: Bool = false, confirm: (RestoreOffer) -> Bool = { _ in true }
    ) throws(Diagnostic) -> RestoreReport {
        removeLeftovers(of: path)
        try checkVacant(path)
        let staging = try StagingFolder.make(beside: path)
        let report: RestoreReport
        do throws(Diagnostic) {
            try BackupReader.read(backup, into: staging.path, passphrase: passphrase)
            report = try settle(staging.path, device, countsAsOther: countsAsOther, confirm)
        } catch {
            staging.remove()
            throw error
        }
        let made = staging.path
        do throws(Diagnostic) { try staging.rename(to: path) } catch {
            remove(made)
            throw error
        }
        return report
    }

    /// Makes what was in a backup a home of this device and of today.
    private static func settle(
        _ staging: String, _ device: DeviceIdentity?, countsAsOther: Bool, _ confirm: (RestoreOffer) -> Bool
    ) throws(Diagnostic) -> RestoreReport {
        let home = try open(at: staging)
        // Read by what is in the backup alone: nothing outside is touched before the individual wants it.
        let verifier = HostVerifier(key: try home.hostKey().publicKey)
        let offer = RestoreOffer(
            asOf: try LedgerReader(
                directory: home.ledgerPath, copies: [home.headsPath], verifier: verifier
            ).lastTime())
        guard confirm(offer) else {
            throw Diagnostic(
                .backupNotRestored, "you did not restore the backup", notes: ["nothing was made"],
                help: "restore a later backup, or this one: escrow restore FILE --home DIR")
        }
        // A copy of the ledger's heads elsewhere may know of more, or not be there: that is recorded.
        let lacksRecords = try home.repairLedger().recordsLost != nil
        let host = try Host(home: home, device: device)
        // Bound to a machine that nobody has first, so that this one is another, whatever it is.
        let stranger = IdentifierStore(directory: staging, device: .unknown())
        if countsAsOther { _ = try stranger.settle() }
        let hasMoved = try host.identifiers.settle()
        // An answer that was given once may have been used since, and a run that waited may have run.
        let droppedDataflows = try host.queue.dropAll() ?? 0
        let decisions = try host.grants.settleRestored(lacksRecords: lacksRecords)
        // Nobody knows what of today's budgets was sent since.
        try EgressUsage(directory: staging).useUp(
            host.grants.list().filter { $0.budget != nil }.map(\.id),
            day: String("\(try host.ledger.now())".prefix(10)))
        let others = RestoredOthers(
            live: try settleLive(staging), placesSpent: try host.spendPlaces(),
            apps: try dropTokens(staging),
            // One that cannot be opened is of no use to anybody, and no reason to restore nothing.
            credentials: ((try? CredentialStore(home: staging).list()) ?? []).map(\.server))
        try host.ledger.append(
            .restored,
            fields: [
                "device": hasMoved ? "another" : "the same", "asOf": .string("\(offer.asOf)"),
                "kept": .integer(Int64(decisions.kept.count)),
                "undecided": .array(decisions.undecided.map { .string($0.id) }),
                "droppedDataflows": .integer(Int64(droppedDataflows)), "lacksRecords": .bool(lacksRecords),
                "live": .array(others.live.map(JSONValue.string)),
                "placesSpent": .integer(Int64(others.placesSpent)),
                "apps": .array(others.apps.map(JSONValue.string)),
                "credentials": .array(others.credentials.map(JSONValue.string)),
            ])
        return RestoreReport(
            offer: offer, lacksRecords: lacksRecords, isOtherDevice: hasMoved, decisions: decisions,
            droppedDataflows: droppedDataflows, others: others)
    }

    /// Makes it undecided again whether apps may be told live where the individual is; every `never` stays, and who followed does.
    /// A file that cannot be read lets nobody be told, and is left as it is.
    private static func settleLive(_ staging: String) throws(Diagnostic) -> [String] {
        let store = LiveStore(directory: staging)
        guard let permissions = try? store.permissions(), let follows = try? store.follows() else {
            return []
        }
        let undecided = permissions.filter { $0.permission != .never }.map(\.app)
        guard !undecided.isEmpty else { return [] }
        // The store knows no way back to undecided, so it is made anew.
        guard unlink("\(staging)/live.json") == 0 else {
            throw Diagnostic(.ownFault, "who may follow you live was not made undecided")
        }
        for (app, permission) in permissions where permission == .never { try store.allow(app, permission) }
        for follow in follows.reversed() { _ = try store.begin(follow) }
        return undecided
    }

    /// A token that was taken back since would prove its app again. Where the apps cannot be read none proves anything.
    private static func dropTokens(_ staging: String) throws(Diagnostic) -> [String] {
        let book = AppBook(home: staging)
        guard let entries = try? book.list(), entries.contains(where: { $0.tokenDigest != nil }) else {
            return []
        }
        return try book.dropTokens()
    }

    /// Nothing but an empty folder may be there.
    private static func checkVacant(_ path: String) throws(Diagnostic) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if (try? open(at: path)) != nil {
            throw Diagnostic(
                .homeExists, "there is an escrow home at \(path) already; nothing was restored",
                help: "name another folder: escrow restore FILE --home DIR")
        }
        guard (try? Folder.names(path))?.isEmpty == true else {
            throw Diagnostic(
                .folderInUse, "\(path) exists and is not an escrow home; nothing was changed",
                help: "name another folder: escrow restore FILE --home DIR")
        }
    }

    /// Whether a passphrase is worth the trouble: somebody who has the file can try as many as he likes.
    static func check(_ passphrase: [UInt8]) throws(Diagnostic) {
        guard passphrase.count >= 12 else {
            throw Diagnostic(
                .passphraseUnfit, "a passphrase for a backup has 12 characters at least",
                help: "take several words; without the passphrase nobody can read the backup, not even you")
        }
    }
}
