package import EscrowJSON
package import EscrowLedger

/// What the individual set about the ledger, the member `ledger` of `config.json`.
///
///     "ledger": { "copy": "/media/stick/escrow.heads", "keepDays": 730, "maxMiB": 256, "appMiBPerDay": 32,
///                 "hoursAfterDays": 30, "daysAfterDays": 365, "daily": true, "records": true }
package struct LedgerConfiguration: Sendable, Equatable {
    /// A file, best on another disk, that holds the ledger's heads as well: by it shows that the whole home was put back.
    package var copy: String?
    /// Entries that are older are dropped; nil keeps them.
    package var keepDays: Int?
    /// Where the log is larger the oldest entries are dropped.
    package var maxMiB: Int?
    /// What it is where the individual set nothing: no app fills the disk.
    package static let standardMiB = 1024
    /// How much the runs of one app may make it grow by in a day.
    package var appMiBPerDay = 32
    package var appBytesPerDay: Int { appMiBPerDay << 20 }
    /// From this age on, times are to the hour and queries are gone; nil for never.
    package var hoursAfterDays: Int?
    /// From this age on, times are to the day and little else remains; nil for never.
    package var daysAfterDays: Int?
    /// Whether the host acts on the four above by itself, once a day; else only `escrow ledger tidy` does.
    package var isDaily = true
    /// Whether it is recorded which records a run reads.
    package var records = true

    package init() {}

    /// Reads the member.
    package init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        if let copy = object.optional("copy") {
            let path = try copy.requireString()
            guard path.hasPrefix("/") else {
                throw JSONError(.wrongType(expected: "an absolute path"), at: copy.position)
            }
            self.copy = path
        }
        func number(_ name: String, _ range: ClosedRange<Int64>) throws(JSONError) -> Int? {
            guard let node = object.optional(name) else { return nil }
            let value = try node.requireInteger()
            guard range.contains(value) else {
                throw JSONError(
                    .wrongType(expected: "a number from \(range.lowerBound) to \(range.upperBound)"),
                    at: node.position)
            }
            return Int(value)
        }
        keepDays = try number("keepDays", 1...36_500)
        maxMiB = try number("maxMiB", 1...1_048_576)
        appMiBPerDay = try number("appMiBPerDay", 1...65_536) ?? appMiBPerDay
        hoursAfterDays = try number("hoursAfterDays", 1...36_500)
        daysAfterDays = try number("daysAfterDays", 1...36_500)
        if let node = object.optional("daily") { isDaily = try node.requireBool() }
        if let node = object.optional("records") { records = try node.requireBool() }
        try object.finish()
    }

    /// Whether the individual set that anything goes.
    package var isSet: Bool {
        keepDays != nil || maxMiB != nil || hoursAfterDays != nil || daysAfterDays != nil
    }

    /// How long what is kept.
    package var retention: LedgerRetention {
        var retention = LedgerRetention()
        retention.decay[.hour] = hoursAfterDays
        retention.decay[.day] = daysAfterDays
        retention.keepDays = keepDays
        retention.maximumBytes = Int64(maxMiB ?? Self.standardMiB) << 20
        return retention
    }
}
