import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowHome
public import EscrowLedger

/// What the individual does not want kept any longer goes: on command, and once a day by itself.
extension Host {
    private static let day: Int64 = 86_400_000

    /// Lets go of what the individual does not want kept any longer, as `config.json` says. Returns the records of it.
    public func tidyLedger() throws(Diagnostic) -> [LedgerEntry] {
        let retention = configuration.ledger.retention
        guard !retention.isEmpty else { return [] }
        try grants.synchronizeUses()
        return try ledger.tidy(retention)
    }

    /// Does the same if a day has passed since it was done last, and says so in the ledger; nothing where another process
    /// is at it, or where a run is under way, which would wait for the log to be written anew. A host that is never idle
    /// does it all the same a day later.
    ///
    /// A crash in between leaves a whole ledger; it is then done again. Where the clock was set back it is done, too.
    public func tidyLedgerIfDue(now: LedgerTime = .now()) throws(Diagnostic) -> [LedgerEntry] {
        guard isTidyingDue(now: now),
            let lock = try FileLock.tryToAcquire(home.tidiedPath + ".lock")
        else { return [] }
        defer { withExtendedLifetime(lock) {} }
        // Somebody else may have been quicker.
        guard isTidyingDue(now: now) else { return [] }
        if !isTidyingOverdue(now: now), try ledger.hasRunUnderWay() {
            // From now on it is known since when it waits.
            if lastTidied == nil { try noteTidied(LedgerTime(milliseconds: now.milliseconds - Self.day)) }
            return []
        }
        try grants.synchronizeUses()
        let said = try ledger.tidy(configuration.ledger.retention, now: now, why: "daily")
        try noteTidied(now)
        return said
    }

    /// Whether it is time to tidy. Cheap: one small file is read, and none where nothing is to go.
    public func isTidyingDue(now: LedgerTime = .now()) -> Bool {
        guard configuration.ledger.isDaily, configuration.ledger.isSet || isLedgerTooLarge else {
            return false
        }
        guard let last = lastTidied else { return true }
        return now < last || now.milliseconds - last.milliseconds >= Self.day
    }

    /// Whether the log is larger than it may be. A size that cannot be told is found out by whoever opens it.
    private var isLedgerTooLarge: Bool {
        guard let most = configuration.ledger.retention.maximumBytes, let size = try? ledger.size() else {
            return false
        }
        return size > most
    }

    /// Whether a whole day went by since it was time.
    package func isTidyingOverdue(now: LedgerTime = .now()) -> Bool {
        guard isTidyingDue(now: now), let last = lastTidied else { return false }
        return now.milliseconds - last.milliseconds >= 2 * Self.day
    }

    /// When it was done last; nil for never, and where the file is not understood.
    private var lastTidied: LedgerTime? {
        (try? home.tidied.read()).flatMap(Self.time)
    }

    private func noteTidied(_ time: LedgerTime) throws(Diagnostic) {
        try home.tidied.replace(with: Array("\(time)\n".utf8)) { (bytes) throws(Diagnostic) in
            guard Self.time(bytes) != nil else { throw Diagnostic(.ownFault, "it is no time") }
        }
    }

    private static func time(_ bytes: [UInt8]) -> LedgerTime? {
        LedgerTime(String(decoding: bytes.dropLast(), as: UTF8.self))
    }
}
