import EscrowTabular
import Foundation

@testable import EscrowMedia
@testable import EscrowPeople
@testable import EscrowPlaces
@testable import EscrowTableKit

/// What our tables say of files, in the lines of `Tests/Vectors/conformance/oracle.py`.
enum OwnReading {
    private static func word(_ cell: Cell) -> String {
        switch cell {
        case .text(let text): text
        case .real(let value): "\(value)"
        case .integer(let value): "\(value)"
        default: ""
        }
    }

    private static func words(_ row: [Cell]) -> String { row.map(word).joined(separator: "|") }

    /// Whether an id is a name of ours, for want of one in the file.
    private static func isNamed(_ id: String) -> Bool { id.utf8.count == 32 && id.allSatisfy(\.isHexDigit) }

    @Sendable static func contacts(_ path: String) throws -> [String] {
        func rows(_ table: String, _ columns: String...) throws -> [[Cell]] {
            let table = Table(table, .contacts, path)
            let positions = columns.map { table.column($0) }
            return try table.rows().map { row in positions.map { row[$0] } }
        }
        let singles = [
            ("fn", "fullName"), ("nickname", "nickname"), ("title", "jobTitle"), ("note", "note"),
            ("bday", "birthday"), ("org", "organizationName"), ("department", "departmentName"),
        ]
        let names = Dictionary(
            try rows("ContactGroups", "id", "name").map { ($0[0], $0[1]) }, uniquingKeysWith: { a, _ in a })
        return try rows("Contacts", "familyName", "givenName").map { "n|" + words($0) }
            + singles.flatMap { key, column in try rows("Contacts", column).map { key + "|" + words($0) } }
            + rows("ContactPhoneNumbers", "phoneNumber").map { "tel|" + words($0) }
            + rows("ContactEmailAddresses", "emailAddress").map { "email|" + words($0) }
            + rows(
                "ContactPostalAddresses", "postOfficeBox", "extendedAddress", "street", "city", "state",
                "postalCode", "country"
            ).map { "adr|" + words($0) }
            + rows("ContactGroupMembers", "groupID").map { "category|" + word(names[$0[0]] ?? .null) }
    }

    @Sendable static func calendar(_ path: String) throws -> [String] {
        var lines: [String] = []
        for row in try Table("CalendarEvents", .calendar, path).rows("id", "startDate", "endDate", "title") {
            let (id, start, end) = (word(row[0]), word(row[1]), word(row[2]))
            guard start >= "1995", start < "2027" else { continue }
            lines.append("event|\(isNamed(id) ? "None" : id)|\(start.prefix(19))|\(end.prefix(19))")
            lines.append("title|" + word(row[3]))
        }
        for row in try Table("Reminders", .calendar, path).rows("title", "isRecurring") where row[1] == 0 {
            lines.append("reminder|" + word(row[0]))
        }
        return lines
    }

    @Sendable static func location(_ path: String) throws -> [String] {
        try Table("Location", .location, path).rows("kind", "latitude", "longitude", "altitude", "timestamp")
            .map(words)
    }

    /// One after another: many share an id.
    @Sendable static func mail(_ paths: [String]) throws -> [String: [String]] {
        let folder = try Folder()
        var found: [String: [String]] = [:]
        for (number, path) in paths.enumerated() {
            let copy = folder.write("\(number).eml", try Data(contentsOf: URL(filePath: path)))
            var lines: [String] = []
            for row in try Table("Messages", .mail, copy).rows(
                "id", "subject", "fromAddress", "size", "fromName", "timestamp")
            {
                let keys = ["id", "subject", "from", "size"]
                for (key, cell) in zip(keys, row) where key != "id" || !isNamed(word(cell)) {
                    lines.append(key + "|" + word(cell))
                }
                lines.append("fromName|" + word(row[4]).filter { !$0.isWhitespace })
                if let moment = Timestamp(iso8601: word(row[5])) {
                    lines.append("date|\(moment.microseconds / 1_000_000)")
                }
            }
            for row in try Table("MessageRecipients", .mail, copy).rows("kind", "name", "address") {
                lines.append("\(word(row[0]))|\(word(row[1]).filter { !$0.isWhitespace })|\(word(row[2]))")
            }
            found[path] = lines
        }
        return found
    }

    @Sendable static func photos(_ paths: [String]) throws -> [String: [String]] {
        try media(
            "Photos", .photos, paths, place: "collectionName",
            [
                "creationDate", "pixelWidth", "pixelHeight", "latitude", "longitude", "altitude",
                "cameraMake",
                "cameraModel", "orientation", "duration", "title", "description", "keywords", "rating",
            ].map { ($0, $0) })
    }

    @Sendable static func music(_ paths: [String]) throws -> [String: [String]] {
        try media(
            "Tracks", .music, paths, place: "path",
            [
                ("duration", "duration"), ("title", "title"), ("artist", "artist"), ("album", "album"),
                ("albumartist", "albumartist"), ("composer", "composer"), ("genre", "genre"),
                ("track", "trackNumber"),
            ])
    }

    /// Each file by itself in a folder: beside it may lie side-cars that tell of others.
    private static func media(
        _ name: String, _ kind: SourceKind, _ paths: [String], place: String,
        _ keys: [(key: String, column: String)]
    ) throws -> [String: [String]] {
        let folder = try Folder()
        for (number, path) in paths.enumerated() {
            let url = URL(filePath: path)
            folder.write("\(number)/\(url.lastPathComponent)", try Data(contentsOf: url))
        }
        let table = Table(name, kind, folder.path)
        let columns = keys.map { ($0.key, table.column($0.column)) }
        var found: [String: [String]] = [:]
        for row in try table.rows() {
            guard let number = Int(word(row[table.column(place)]).prefix { $0 != "/" }) else { continue }
            found[paths[number]] = columns.map { $0 + "|" + word(row[$1]) }
        }
        return found
    }
}
