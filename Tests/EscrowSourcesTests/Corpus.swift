import Foundation
import Testing

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
            kind: "contacts", packages: ["khard", "evolution", "vcard-perl", "exiftool", "samples"],
            isMeant: { $0.hasSuffix(".vcf") || $0.hasSuffix("contacts.db") },
            read: eachPath(OwnReading.contacts)),
        Corpus(
            kind: "calendar",
            packages: ["icalendar", "recurring-ical-events", "kcalcore", "libical", "samples"],
            isMeant: { path in path.hasSuffix(".ics") && !slow.contains(where: path.hasSuffix) },
            read: eachPath(OwnReading.calendar)),
        Corpus(
            kind: "location", packages: ["gpxpy", "exiftool", "samples"], isMeant: { $0.hasSuffix(".gpx") },
            read: eachPath(OwnReading.location)),
        Corpus(
            kind: "mail", packages: ["python-mails", "flufl.bounce", "notmuch"],
            isMeant: {
                $0.hasSuffix(".txt") && ($0.contains("/msg_") || $0.contains("/tests/data/"))
                    || $0.contains("/notmuch/") && !$0.hasSuffix("README")
            },
            read: OwnReading.mail),
        Corpus(
            kind: "photos", packages: ["exiftool", "exiv2", "libexif", "imagesize", "piexif", "samples"],
            isMeant: { MediaKind(fileExtension: ending(of: $0)) != nil }, read: OwnReading.photos),
        Corpus(
            kind: "music", packages: ["mutagen", "taglib", "flac", "exiftool", "samples"],
            isMeant: { AudioKind(fileExtension: ending(of: $0)) != nil }, read: OwnReading.music),
    ]

    /// Rules of KDE's tests that take place each minute or hour for years, or never: the oracle needs minutes and gigabytes for them.
    /// With the last of these files the oracle's own authors measure its speed.
    private static let slow = [
        "KAlarm_TestCase03.ics", "KAlarm_TestCase04.ics", "KAlarm_TestCase09.ics", "RFC2445_RRULETest38.ics",
        "RFC2445_RRULETest39.ics", "unsorted/hourly.ics", "benchmark/issue42.ics",
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
