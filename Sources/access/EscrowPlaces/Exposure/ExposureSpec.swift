internal import EscrowSchema
internal import EscrowTabular

/// The table that exposure keys serve.
enum ExposureSpec {
    enum Column: Int, CaseIterable {
        case data, origin, date, endDate, rollingStartNumber, rollingPeriod, transmissionRiskLevel
        case reportType, daysSinceOnsetOfSymptoms, isRevised, region, filename
    }

    static let keys = TableSpec(
        name: "KeyTable", sourceKind: "exposure",
        summary:
            "One row is one temporary exposure key: the device's own, or one of a person who tested positive.",
        columns: [
            ColumnSpec("data", .text, nullable: false, "The key's 16 bytes, as 32 hexadecimal digits."),
            ColumnSpec(
                "origin", .text, nullable: false,
                "`device` for a key of the person's own device, `server` for one that a key server published."
            ),
            ColumnSpec("date", .timestamp, "When the key began to be used."),
            ColumnSpec("endDate", .timestamp, "When its use ended."),
            ColumnSpec(
                "rollingStartNumber", .integer, "The same as `date`, in spans of ten minutes since 1970."),
            ColumnSpec(
                "rollingPeriod", .integer, "How long it was used, in spans of ten minutes; 144 is a day."),
            ColumnSpec(
                "transmissionRiskLevel", .integer, "The risk by the health authority's own scale, 0 to 8."),
            ColumnSpec(
                "reportType", .text,
                "Why it was published: `confirmedTest`, `confirmedClinicalDiagnosis`, `selfReported`, `recursive` or `revoked`."
            ),
            ColumnSpec(
                "daysSinceOnsetOfSymptoms", .integer,
                "Days from the first symptoms to the key's day, -14 to 14."),
            ColumnSpec(
                "isRevised", .boolean, nullable: false, "Whether it was published before and has changed."),
            ColumnSpec("region", .text, "The region that the key server named, for example `CA`."),
            ColumnSpec(
                "filename", .text, nullable: false, cost: .free,
                "The name of the file that the key is from."),
        ],
        examples: [
            "SELECT * FROM KeyTable ORDER BY data LIMIT 14",
            "SELECT data, rollingStartNumber, rollingPeriod FROM KeyTable WHERE origin = 'device' ORDER BY date DESC LIMIT 14",
            "SELECT mine.date, theirs.reportType FROM KeyTable AS mine JOIN KeyTable AS theirs ON theirs.data = mine.data WHERE mine.origin = 'device' AND theirs.origin = 'server'",
        ])
}
