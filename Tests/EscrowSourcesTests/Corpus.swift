import Foundation
import Testing

@testable import EscrowMedia
@testable import EscrowMediaFormats

/// The files of one kind.
struct Corpus: Sendable, CustomTestStringConvertible {
    let kind: String
    /// The packages that they are from.
    let packages: [String]
    let isMeant: @Sendable (_ path: String) -> Bool
    /// What is read of files, as the oracle's lines.
    let read: @Sendable (_ paths: [String]) throws -> [String: [String]]

    var testDescription: String { kind }

    static let all = [
        Corpus(
            kind: "contacts", packages: ["khard", "evolution", "exiftool", "samples"],
            isMeant: { $0.hasSuffix(".vcf") || $0.hasSuffix("contacts.db") },
            read: eachPath(OwnReading.contacts)),
        Corpus(
            kind: "calendar", packages: ["icalendar", "recurring-ical-events", "samples"],
            isMeant: { $0.hasSuffix(".ics") }, read: eachPath(OwnReading.calendar)),
        Corpus(
            kind: "location", packages: ["gpxpy", "exiftool", "samples"], isMeant: { $0.hasSuffix(".gpx") },
            read: eachPath(OwnReading.location)),
        Corpus(
            kind: "mail", packages: ["python-mails", "flufl.bounce"],
            isMeant: { $0.hasSuffix(".txt") && ($0.contains("/msg_") || $0.contains("/tests/data/")) },
            read: OwnReading.mail),
        Corpus(
            kind: "photos", packages: ["exiftool", "piexif", "samples"],
            isMeant: { MediaKind(fileExtension: ending(of: $0)) != nil }, read: OwnReading.photos),
        Corpus(
            kind: "music", packages: ["mutagen", "exiftool", "samples"],
            isMeant: { AudioKind(fileExtension: ending(of: $0)) != nil }, read: OwnReading.music),
    ]

    private static func ending(of path: String) -> String { URL(filePath: path).pathExtension.lowercased() }

    private static func eachPath(
        _ read: @escaping @Sendable (String) throws -> [String]
    ) -> @Sendable ([String]) throws -> [String: [String]] {
        { paths in
            var found: [String: [String]] = [:]
            for path in paths { found[path] = try read(path) }
            return found
        }
    }
}
