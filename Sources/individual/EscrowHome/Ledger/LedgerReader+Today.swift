package import EscrowDiagnostics
package import EscrowLedger

extension LedgerReader {
    /// What an app's dataflows used since midnight, local time, and what those under way may still use, as the ledger has it;
    /// nil where content of today was erased: otherwise whoever erases it would have the day's allowance anew.
    package func usageToday(of app: String, during run: String?) throws(Diagnostic) -> DayTotal? {
        let midnight = LocalDay.midnightMilliseconds()
        // Of those that are still under way the oldest may have begun before today.
        let oldest = try oldestOpenRun() ?? .max
        var count = 256
        while true {
            // From the end: a ledger of many years costs no more than today's part of it.
            let entries = try latest(count)
            let begun = Set(entries.filter { $0.kind == .runIntent }.compactMap(\.run))
            let isWhole = entries.allSatisfy { entry in
                let ends = entry.kind == .runEnd || entry.kind == .runInterrupted
                return !ends || entry.time.milliseconds < midnight || entry.run.map(begun.contains) ?? true
            }
            if let first = entries.first, entries.count == count,
                first.time.milliseconds >= midnight || first.sequence > oldest || !isWhole
            {
                count *= 4
                continue
            }
            // A run that began before the ledger does, as it is kept, used nobody knows how much.
            return isWhole ? DayTotal(of: app, in: entries, since: midnight, during: run) : nil
        }
    }
}
