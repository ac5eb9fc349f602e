import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

extension Ledger {
    /// Brings the files into the state that an append expects, and records what it repaired after a crash. `cached` is what
    /// this process saw last: if nobody wrote since, it still holds.
    func settle(_ cached: Known?) throws(Diagnostic) -> Known {
        if let cached, try files.heads(files.heads, are: cached.files[0].raw),
            let log = try LogFile(files.log(cached.head.checkpoint.generation)),
            try log.length() == cached.head.end
        {
            return cached
        }
        var sound: [[UInt8]: HeadPage] = [:]
        for file in cached?.files ?? [] {
            for page in file.pages { if let page { sound[page.bytes] = page } }
        }
        let found = try files.examine(known: sound, verifier: signer)
        var known = Known(head: found.head, files: found.files)
        // Who made the ledger may have been killed before its name was on the disk.
        if cached == nil, found.head.size == 1 {
            try SecureFile.synchronizeFolder(SecureFile.parent(of: files.directory))
        }
        guard cached == nil || found.needsRepair || found.isBehind else { return known }
        try removeOtherLogs(known.head.checkpoint.generation)
        var repairs: [String] = []
        if found.torn > 0 {
            try files.cut(found.log.path, to: found.head.end)
            repairs.append(
                "a write that had not been acknowledged was cut off and was dropped, \(found.torn) bytes")
        }
        for file in found.files where file.hasUnsoundPage {
            repairs.append("a head was cut off while it was written, and was written again")
            try files.replaceHeads(file.path, with: known.head.page)
        }
        if found.isBehind { try writeHeads(&known) }
        if !repairs.isEmpty {
            known.files = try files.examine(verifier: signer).files
            for repair in repairs { try write(.repaired, nil, ["what": .string(repair)], &known) }
        }
        return known
    }

    /// Removes logs that an erasure left behind, the old one or an unfinished new one, as both may hold what was erased. If
    /// one cannot be removed, the erasure fails.
    func removeOtherLogs(_ generation: UInt64) throws(Diagnostic) {
        var isChanged = false
        for other in try files.generations() where other != generation {
            let path = files.log(other)
            guard unlink(path) == 0 || errno == ENOENT else {
                throw .file(path, "cannot be removed", errno)
            }
            isChanged = true
        }
        if isChanged { try SecureFile.synchronizeFolder(files.directory) }
    }

    /// Records the runs that began and whose process is gone. Returns how many.
    @discardableResult
    func recordInterruptedRuns() throws(Diagnostic) -> Int {
        try exclusively { (known) throws(Diagnostic) in try recordInterruptedRuns(&known) }
    }

    /// The same under the ledger's lock.
    @discardableResult
    func recordInterruptedRuns(_ known: inout Known) throws(Diagnostic) -> Int {
        var count = 0
        for run in known.head.line.open where try Holder.isGone(run.holder, in: files.directory) {
            try write(
                .runInterrupted, run.run,
                [
                    "intent": .integer(Int64(clamping: run.sequence)),
                    "what": "the process ended before the run did; nothing was handed over",
                ], &known)
            count += 1
        }
        try Holder.sweep(files.directory)
        return count
    }
}

extension Examination {
    var isBehind: Bool { files.contains { $0.newest?.checkpoint.size != head.size } }
}

extension HeadFile {
    /// The file after a page was written whose turn it was.
    func with(_ page: HeadPage, _ bytes: [UInt8]) -> HeadFile {
        var pages = self.pages
        var raw = self.raw ?? []
        let index = next
        pages[index] = page
        let start = index * HeadPage.size
        if raw.count == HeadPage.size * HeadPage.count {
            raw.replaceSubrange(start..<start + HeadPage.size, with: bytes)
        }
        return HeadFile(path: path, raw: raw, pages: pages)
    }

    private init(path: String, raw: [UInt8], pages: [HeadPage?]) {
        self.path = path
        self.raw = raw
        self.pages = pages
        isForeign = false
    }
}
