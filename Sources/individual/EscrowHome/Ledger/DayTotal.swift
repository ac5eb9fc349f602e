import EscrowJSON
package import EscrowLedger

/// What an app's dataflows used of a day, and what those under way may still use.
package struct DayTotal: Sendable, Equatable {
    private var cpuMs: Int64 = 0
    private var reservedSeconds: Int64 = 0
    private var byteCount: Int64 = 0

    /// Seconds of processor time, begun ones as whole ones.
    package var cpuSeconds: Int { Int(clamping: Self.sum(Self.sum(cpuMs, 999) / 1000, reservedSeconds)) }
    /// Bytes sent and returned.
    package var bytes: Int { Int(clamping: byteCount) }

    /// Adds up the entries of a ledger, in order; nil where content that counts was erased, or where it is not known how
    /// much a run under way may use. `during` is a run that knows of itself what it uses.
    package init?(of app: String, in entries: [LedgerEntry], since midnight: Int64, during own: String?) {
        struct Reserved {
            var cpuSeconds: Int64?
            var bytes: Int64?
            var sent: Int64 = 0
        }
        var open: [String: Reserved] = [:]
        for entry in entries {
            let isToday = entry.time.milliseconds >= midnight
            // A backup knows nothing of what was used after it was made.
            if isToday, entry.kind == .restored { return nil }
            guard let run = entry.run else { continue }
            switch entry.kind {
            case .runIntent:
                // Of one whose content is gone nobody knows whose it was, unless it ended before today.
                guard entry.reduced == nil else {
                    if isToday { return nil }
                    open[run] = Reserved()
                    continue
                }
                guard entry.fields["app"]?.string == app else { continue }
                let reserves = entry.fields["reserves"]
                open[run] = Reserved(
                    cpuSeconds: reserves?["cpuSeconds"]?.integer, bytes: reserves?["bytes"]?.integer)
            // Request by request: a run that has not ended, or was killed, sent them all the same.
            case .egressSent:
                if isToday, entry.reduced != nil { return nil }
                guard open[run] != nil else { continue }
                let sent = entry.fields["bytes"]?.integer ?? 0
                open[run]?.sent += sent
                if isToday { byteCount = Self.sum(byteCount, sent) }
            case .runEnd, .runInterrupted:
                if isToday, entry.reduced != nil { return nil }
                guard let reserved = open.removeValue(forKey: run), isToday else { continue }
                byteCount = Self.sum(byteCount, entry.fields["resultBytes"]?.integer ?? 0)
                if entry.kind == .runEnd {
                    cpuMs = Self.sum(cpuMs, entry.fields["used"]?["cpuMs"]?.integer ?? 0)
                } else if let seconds = reserved.cpuSeconds {
                    // What a process used that was killed nobody knows: no more than it had.
                    reservedSeconds = Self.sum(reservedSeconds, seconds)
                } else {
                    return nil
                }
            default: continue
            }
        }
        if let own { open[own] = nil }
        for reserved in open.values {
            guard let seconds = reserved.cpuSeconds, let bytes = reserved.bytes else { return nil }
            reservedSeconds = Self.sum(reservedSeconds, seconds)
            byteCount = Self.sum(byteCount, max(0, bytes - reserved.sent))
        }
    }

    private static func sum(_ left: Int64, _ right: Int64) -> Int64 {
        let (sum, isTooMuch) = left.addingReportingOverflow(max(0, right))
        return isTooMuch ? .max : sum
    }
}
