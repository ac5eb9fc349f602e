public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON

/// What the grants with a budget have used of it today, in `egress-usage.json` of a folder.
///
/// What a request takes is written before it is sent, so that a crash loses a little of the budget and never gains any.
public struct EgressUsage: Sendable {
    private let path: String
    private let lockPath: String

    private struct Entry {
        var day: String
        var bits: Int
        var bytes: Int
    }

    /// Names the folder; the file is made with the first request.
    public init(directory: String) {
        path = "\(directory)/egress-usage.json"
        lockPath = "\(directory)/egress-usage.lock"
    }

    /// Takes bits and bytes out of a grant's budget of a day, `YYYY-MM-DD`; false, and nothing is taken, where they are not
    /// there any more.
    public func take(
        bits: Int, bytes: Int, of budget: EgressBudget, grant: String, day: String
    ) throws(Diagnostic) -> Bool {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        var entries = try load()
        // A clock that was set back revives no budget: the later day stands.
        var entry = entries[grant] ?? Entry(day: day, bits: 0, bytes: 0)
        if entry.day < day { entry = Entry(day: day, bits: 0, bytes: 0) }
        let (newBits, tooManyBits) = entry.bits.addingReportingOverflow(bits)
        let (newBytes, tooManyBytes) = entry.bytes.addingReportingOverflow(bytes)
        guard !tooManyBits, !tooManyBytes, newBits <= budget.bitsPerDay ?? .max,
            newBytes <= budget.bytesPerDay ?? .max
        else { return false }
        entry.bits = newBits
        entry.bytes = newBytes
        entries[grant] = entry
        // What earlier days took is of no more use.
        let kept = entries.filter { $0.key == grant || $0.value.day >= day }
        try SecureFile.replace(path, with: JSONWriter.document(Self.value(kept)))
        return true
    }

    private static func value(_ entries: [String: Entry]) -> JSONValue {
        [
            "escrow-egress-usage": 1,
            "grants": .object(
                entries.sorted { $0.key < $1.key }.map { id, entry in
                    (
                        id,
                        [
                            "day": .string(entry.day), "bits": .integer(Int64(entry.bits)),
                            "bytes": .integer(Int64(entry.bytes)),
                        ]
                    )
                }),
        ]
    }

    private func load() throws(Diagnostic) -> [String: Entry] {
        guard let bytes = try SecureFile.readIfPresent(path, limit: 8 << 20) else { return [:] }
        do throws(JSONError) {
            var file = try JSONObjectReader(try JSONParser.parse(bytes))
            guard try file.required("escrow-egress-usage").requireInteger() == 1 else {
                throw JSONError(.wrongType(expected: "version 1 of this file"), at: file.position)
            }
            var entries: [String: Entry] = [:]
            for member in try file.required("grants").requireMembers() {
                var item = try JSONObjectReader(member.value)
                entries[member.name] = Entry(
                    day: try item.required("day").requireString(),
                    bits: Int(clamping: try item.required("bits").requireInteger()),
                    bytes: Int(clamping: try item.required("bytes").requireInteger()))
                try item.finish()
            }
            try file.finish()
            return entries
        } catch {
            // Not to know what was used is no budget.
            throw Diagnostic(
                "E0610", "what was sent today cannot be read: \(error.impersonalMessage)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "remove the file: the budgets of today then begin anew")
        }
    }
}
