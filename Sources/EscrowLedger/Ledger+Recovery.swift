import EscrowDiagnostics
import EscrowJSON

extension Ledger {
    /// What was lost or completed when a write did not finish.
    private enum Repair: String {
        /// The head was written, the log not yet: the record was written to the log again from the head.
        case completed = "the last record was cut off in the log and was written again from the signed head"
        /// Not even the head was written: nobody was told that the record exists.
        case dropped = "a record that had not been acknowledged was cut off in the head and was dropped"
    }

    /// Brings the files into the state that an append expects, and says so in the ledger where that took a repair.
    /// `cached` is what this process saw last: nothing is read again if nobody else wrote since.
    func settle(_ cached: LedgerFiles.Heads?) throws(Diagnostic) -> LedgerFiles.Heads {
        if let cached, try files.headBytes(for: cached.newest.head.size + 1) == cached.otherBytes,
            try files.headBytes(for: cached.newest.head.size) == cached.newestBytes,
            try files.logLength() == cached.newest.head.bytes
        {
            return cached
        }
        var heads = try files.heads(verifier: signer)
        var repairs: [Repair] = []
        if try completeLog(heads.newest) { repairs.append(.completed) }
        if heads.hasUnfinishedWrite { repairs.append(.dropped) }
        for repair in repairs {
            _ = try write(.repaired, nil, ["what": .string(repair.rawValue)], &heads)
        }
        return heads
    }

    /// Writes the end of the last line again if a crash cut it off.
    private func completeLog(_ slot: HeadSlot) throws(Diagnostic) -> Bool {
        let line = slot.line.bytes + [0x0A]
        switch try slot.state(in: files) {
        case .whole: return false
        case .cutOff:
            try files.writeLog(line, at: slot.lineStart)
            try files.synchronizeLog()
            return true
        case .longer: throw .unsignedRecords(files.log, signed: slot.head.size)
        case .damaged(let damage): throw damage
        }
    }

    /// Writes down which runs began, did not end, and cannot end any more, since their process is gone.
    func recordInterruptedRuns() throws(Diagnostic) {
        try exclusively { (heads) throws(Diagnostic) in
            for run in heads.newest.head.open where run.process.isGone {
                _ = try self.write(
                    .runInterrupted, run.run,
                    [
                        "intent": .integer(Int64(clamping: run.sequence)),
                        "what": "the process ended before the run did; nothing was handed over",
                    ], &heads)
            }
        }
    }
}

extension HeadSlot {
    /// How the end of the log stands to the newest head.
    enum LogState {
        /// The log ends with the record of the head.
        case whole
        /// The log ends within that record, as after a crash.
        case cutOff
        /// The record of the head is there, and more after it: right only if there is a newer head by now.
        case longer
        /// Anything else: no crash does this.
        case damaged(Diagnostic)
    }

    /// Compares the end of the log with the record of the head.
    func state(in files: LedgerFiles) throws(Diagnostic) -> LogState {
        let expected = line.bytes + [0x0A]
        let length = try files.logLength()
        guard length >= lineStart else {
            return .damaged(.cutOff(files.log, count: head.size - 1, signed: head.size))
        }
        let tail = try files.tail(from: lineStart, limit: expected.count)
        if tail.starts(with: expected) { return tail == expected && length <= head.bytes ? .whole : .longer }
        // After a power cut a file may have grown without its content: then its end reads as zeros.
        var written = tail[...]
        while written.last == 0 { written.removeLast() }
        guard written.count < expected.count, expected.starts(with: written) else {
            return .damaged(.alteredRecord(files.log, head.size))
        }
        return .cutOff
    }
}
