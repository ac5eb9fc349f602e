public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON

/// What the grants with a budget have used of it today, in `egress-usage.json` of a folder.
///
/// What a request takes is written before it is sent, so that a crash loses a little of the budget and never gains any.
public struct EgressUsage: Sendable {
    private let file: StoreFile
    private let lockPath: String

    private struct Entry {
        var day: String
        var bits: Int
        var bytes: Int
    }

    /// Names the folder; the file is made with the first request.
    public init(directory: String) {
        file = StoreFile(
            "\(directory)/egress-usage.json", limit: 1 << 20,
            help: "revoke grants with a budget, or wait until tomorrow: a new day begins the file anew")
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
        try save(kept)
        return true
    }

    /// Takes all that is left of a day out of the budgets of grants: where nobody knows what was sent.
    public func useUp(_ grants: [String], day: String) throws(Diagnostic) {
        guard !grants.isEmpty else { return }
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        var entries = try load()
        for grant in grants where entries[grant].map({ $0.day <= day }) ?? true {
            entries[grant] = Entry(day: day, bits: .max, bytes: .max)
        }
        try save(entries)
    }

    private func save(_ entries: [String: Entry]) throws(Diagnostic) {
        try file.replace(with: JSONWriter.document(Self.value(entries))) { (bytes) throws(Diagnostic) in
            _ = try parse(bytes)
        }
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

    /// `YYYY-MM-DD`: days are compared as texts, so that one of another shape would be later than all, or earlier.
    private static func day(_ node: JSONNode) throws(JSONError) -> String {
        let text = try node.requireString()
        let isDay =
            text.utf8.count == 10
            && text.utf8.enumerated().allSatisfy { index, byte in
                index == 4 || index == 7 ? byte == UInt8(ascii: "-") : (0x30...0x39).contains(byte)
            }
        guard isDay else { throw JSONError(.wrongType(expected: "a day as YYYY-MM-DD"), at: node.position) }
        return text
    }

    /// Less than nothing would be more budget than there is.
    private static func count(_ node: JSONNode) throws(JSONError) -> Int {
        guard let number = Int(exactly: try node.requireInteger()), number >= 0 else {
            throw JSONError(.wrongType(expected: "a number of 0 or more"), at: node.position)
        }
        return number
    }

    private func load() throws(Diagnostic) -> [String: Entry] {
        guard let bytes = try file.read() else { return [:] }
        return try parse(bytes)
    }

    private func parse(_ bytes: [UInt8]) throws(Diagnostic) -> [String: Entry] {
        do throws(JSONError) {
            var file = try JSONObjectReader(
                try JSONParser.parse(bytes, limits: .init(bytes: self.file.limit)))
            guard try file.required("escrow-egress-usage").requireInteger() == 1 else {
                throw JSONError(.wrongType(expected: "version 1 of this file"), at: file.position)
            }
            var entries: [String: Entry] = [:]
            for member in try file.required("grants").requireMembers() {
                var item = try JSONObjectReader(member.value)
                let day = try item.required("day")
                entries[member.name] = Entry(
                    day: try Self.day(day), bits: try Self.count(item.required("bits")),
                    bytes: try Self.count(item.required("bytes")))
                try item.finish()
            }
            try file.finish()
            return entries
        } catch {
            // Not to know what was used is no budget.
            throw Diagnostic(
                .sentTodayUnknown, "what was sent today cannot be read: \(error.impersonalMessage)",
                at: .init(file: file.path, line: error.position.line, column: error.position.column),
                help: "remove the file: the budgets of today then begin anew")
        }
    }
}
