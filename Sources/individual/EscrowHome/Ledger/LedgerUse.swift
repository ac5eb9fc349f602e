package import EscrowDiagnostics
import EscrowFiles
package import EscrowJSON
package import EscrowLedger
import EscrowTrust
import Synchronization

/// What apps made the ledger grow by today (UTC), and which long texts of today stand in it, in `use.cache` of its folder.
///
/// An app can run as often as its grant lets it, and ask as often as it likes, and each leaves a record: without a bound it would
/// fill the disk, or wash away what the ledger had before. The file is written where it lies and without waiting for the disk: no app can
/// cut the power, and a file that is not understood is begun anew.
package struct LedgerUse: Sendable {
    private let file: StoreFile
    private let lockPath: String
    /// The bytes that were read or written last, and what they say.
    private let known = Known()

    private final class Known: Sendable {
        let last = Mutex<(bytes: [UInt8], day: Day)?>(nil)
    }

    package init(directory: String) {
        file = StoreFile(directory + "/use.cache", limit: 1 << 20, help: "remove the file: it is made anew")
        lockPath = directory + "/use.lock"
    }

    /// One day.
    package struct Day: Sendable, Equatable {
        /// `YYYY-MM-DD`.
        package var day: String
        /// Bytes that runs of an app made, by its id.
        package var apps: [String: Int] = [:]
        /// Bytes of the records of requests that did not come to a run. Whoever asks can call itself by any number of ids.
        package var refusals = 0
        /// Those whose end of room the ledger tells of: an app's id, or nothing for the refusals.
        package var told: Set<String> = []
        /// The SHA-256 of texts, and the entry that each stands in.
        package var texts: [String: UInt64] = [:]
    }

    /// The most apps that are told apart; further ones are one.
    package static let apps = 1024
    /// The most texts that are known of.
    package static let texts = 64
    /// What a record and its checkpoint take beside the fields.
    package static let overhead = 1024

    /// What today was taken so far.
    package func today() -> Day {
        // Without it a file that another process is writing would read as an empty day.
        let lock = try? FileLock.share(lockPath)
        defer { withExtendedLifetime(lock) {} }
        return read()
    }

    private func read() -> Day {
        let today = Self.today
        guard let bytes = try? file.read(), let day = day(of: bytes), day.day == today else {
            return Day(day: today)
        }
        return day
    }

    private func day(of bytes: [UInt8]) -> Day? {
        if let last = known.last.withLock({ $0 }), last.bytes == bytes { return last.day }
        guard let day = try? Self.parse(bytes) else { return nil }
        known.last.withLock { $0 = (bytes, day) }
        return day
    }

    /// How many bytes an app's runs took today.
    package func bytes(of app: String) -> Int { today().bytes(of: app) }

    /// Changes what is known of today, by one step with every other process.
    package func change(_ body: (inout Day) -> Void) throws(Diagnostic) {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        let before = read()
        var day = before
        body(&day)
        guard day != before else { return }
        let bytes = JSONWriter.line(day.json)
        // Ids of apps, digests and numbers: whatever is in a day reads the same again.
        try file.overwrite(with: bytes) { _ in }
        known.last.withLock { $0 = (bytes, day) }
    }

    private static var today: String { String("\(LedgerTime.now())".prefix(10)) }

    private static func parse(_ bytes: [UInt8]) throws(JSONError) -> Day {
        var object = try JSONObjectReader(try JSONParser.parse(bytes))
        guard try object.required("escrow-ledger-use").requireInteger() == 1 else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: object.position)
        }
        var day = Day(day: try object.required("day").requireString())
        day.refusals = Int(clamping: try object.required("refusals").requireInteger())
        for member in try object.required("apps").requireMembers() {
            day.apps[member.name] = Int(clamping: try member.value.requireInteger())
        }
        for member in try object.required("texts").requireMembers() {
            day.texts[member.name] = UInt64(clamping: try member.value.requireInteger())
        }
        for item in try object.required("told").requireArray() { day.told.insert(try item.requireString()) }
        try object.finish()
        return day
    }
}

extension LedgerUse.Day {
    /// By which name an app is counted.
    private func name(of app: String) -> String {
        apps[app] != nil || apps.count < LedgerUse.apps ? app : "others"
    }

    package func bytes(of app: String) -> Int { apps[name(of: app)] ?? 0 }

    /// One record more of an app's run.
    package mutating func add(_ fields: JSONValue, of app: String) {
        apps[name(of: app), default: 0] += JSONWriter.line(fields).count + LedgerUse.overhead
    }

    /// Whether the end of somebody's room is to be told now: once a day.
    package mutating func tells(_ who: String) -> Bool {
        guard told.count <= LedgerUse.apps else { return false }
        return told.insert(who).inserted
    }

    /// Where a text stands from now on.
    package mutating func keep(_ text: String, entry: UInt64) {
        if texts.count >= LedgerUse.texts, let oldest = texts.min(by: { $0.value < $1.value }) {
            texts[oldest.key] = nil
        }
        texts[text] = entry
    }

    fileprivate var json: JSONValue {
        func numbers(_ values: [(String, Int64)]) -> JSONValue {
            .object(values.sorted { $0.0 < $1.0 }.map { (name: $0.0, value: .integer($0.1)) })
        }
        return [
            "escrow-ledger-use": 1, "day": .string(day), "refusals": .integer(Int64(refusals)),
            "apps": numbers(apps.map { ($0.key, Int64($0.value)) }),
            "texts": numbers(texts.map { ($0.key, Int64(clamping: $0.value)) }),
            "told": .array(told.sorted().map(JSONValue.string)),
        ]
    }
}

/// A text that stands in the ledger once a day, however often it is recorded.
package enum LedgerText {
    /// The longest that stands in each record, as JSON spells it.
    package static let longest = 1024

    /// The fields that tell of a text: it itself, or where it stands already by the day, which is looked up for a long one only. `new`
    /// is its SHA-256 where others may be told that it stands in the record that is made now.
    package static func fields(
        _ name: String, _ text: String, in day: @autoclosure () -> LedgerUse.Day
    ) -> (fields: [(name: String, value: JSONValue)], new: String?) {
        guard JSONWriter.line(.string(text)).count > longest else { return ([(name, .string(text))], nil) }
        let digest = Digest(of: Array(text.utf8)).hexadecimal
        guard let entry = day().texts[digest] else { return ([(name, .string(text))], digest) }
        return (
            [
                (name + "Entry", .integer(Int64(clamping: entry))),
                (name + "Digest", .string("sha256:" + digest)),
            ], nil
        )
    }

    /// The text that an entry tells of, if it is there still.
    package static func read(
        _ name: String, of entry: LedgerEntry?, _ find: (UInt64) throws(Diagnostic) -> LedgerEntry?
    ) throws(Diagnostic) -> String? {
        guard let entry else { return nil }
        if let text = entry.fields[name]?.string { return text }
        guard let digest = entry.fields[name + "Digest"]?.string,
            let place = entry.fields[name + "Entry"]?.integer, place > 0
        else { return nil }
        if let text = try find(UInt64(place))?.fields[name]?.string,
            "sha256:" + Digest(of: Array(text.utf8)).hexadecimal == digest
        {
            return text
        }
        return "that of entry \(place), which is gone; \(digest)"
    }
}
