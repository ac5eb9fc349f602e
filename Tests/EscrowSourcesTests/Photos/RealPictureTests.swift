import EscrowSchema
import EscrowTabular
import Foundation
import Testing

@testable import EscrowMedia

/// The pictures of exiftool's own tests, one of each maker of cameras: `scripts/packages test` unpacks them.
@Suite("Pictures that others took")
struct RealPictureTests {
    /// The columns that are compared, each with the tags that say the same, the first that is there counts.
    private static let pairs: [(column: String, tags: [String])] = [
        ("creationDate", []), ("pixelWidth", ["ImageWidth"]), ("pixelHeight", ["ImageHeight"]),
        ("latitude", ["Composite:GPSLatitude"]), ("longitude", ["Composite:GPSLongitude"]),
        ("altitude", ["Composite:GPSAltitude"]), ("cameraMake", ["IFD0:Make"]),
        ("cameraModel", ["IFD0:Model"]), ("orientation", ["IFD0:Orientation"]),
        ("duration", ["QuickTime:Duration"]), ("title", ["XMP-dc:Title", "1IPTC:ObjectName"]),
        ("description", ["XMP-dc:Description", "1IPTC:Caption-Abstract", "IFD0:ImageDescription"]),
        ("keywords", ["XMP-dc:Subject", "1IPTC:Keywords"]),
        ("rating", ["XMP-xmp:Rating"]),
    ]

    /// When a picture was taken, as our documentation orders it: the tag, its offset from UTC, its fraction of a second.
    private static let moments = [
        ["ExifIFD:DateTimeOriginal", "ExifIFD:OffsetTimeOriginal", "ExifIFD:SubSecTimeOriginal"],
        ["ExifIFD:CreateDate", "ExifIFD:OffsetTimeDigitized", "ExifIFD:SubSecTimeDigitized"],
        ["XMP-exif:DateTimeOriginal", "", ""], ["XMP-photoshop:DateCreated", "", ""],
        ["XMP-xmp:CreateDate", "", ""],
        ["IFD0:ModifyDate", "ExifIFD:OffsetTime", "ExifIFD:SubSecTime"],
        ["QuickTime:CreateDate", "", ""],
    ]

    @Test("exiftool's own pictures and videos say what exiftool says of them")
    func pictures() throws {
        guard let all = RealFiles.paths(of: "exiftool", "") else { return }
        let endings = [".jpg", ".png", ".heic", ".mov", ".tif", ".dng", ".gif", ".webp", ".bmp"]
        let paths = all.filter { path in endings.contains { path.hasSuffix($0) } }
        guard let told = try tell(paths) else {
            print("SKIP: exiftool is not installed")
            return
        }
        let log = ProblemLog()
        // By themselves: beside them lie side-cars of the same names that tell of other pictures.
        let folder = try Folder()
        for path in paths {
            folder.write(URL(filePath: path).lastPathComponent, try Data(contentsOf: URL(filePath: path)))
        }
        let table = Table("Photos", .photos, folder.path, log: log)
        let columns = ["filename"] + Self.pairs.map(\.column)
        let positions = columns.map { table.column($0) }
        var compared = 0
        for row in try table.rows() {
            let cells = positions.map { row[$0] }
            guard case .text(let name) = cells[0], let tags = told[name] else {
                continue
            }
            compared += 1
            for (index, pair) in Self.pairs.enumerated() {
                var expected = pair.tags.compactMap { tags[$0] }.first
                if pair.column == "creationDate" { expected = Self.moment(tags) }
                let isTurned = (tags["IFD0:Orientation"].flatMap { Int($0) } ?? 1) >= 5
                if isTurned, pair.column == "pixelWidth" { expected = tags["ImageHeight"] }
                if isTurned, pair.column == "pixelHeight" { expected = tags["ImageWidth"] }
                let own = cells[index + 1]
                #expect(
                    Self.isSame(own, expected), "\(name).\(pair.column): \(own), not \(expected ?? "nothing")"
                )
            }
        }
        #expect(compared == paths.count && compared >= 49)
        #expect(log.reasons == [])
    }

    /// What exiftool prints of each file, by its name: the tags that it has and that say anything.
    private func tell(_ paths: [String]) throws -> [String: [String: String]]? {
        let tags = Self.pairs.flatMap(\.tags) + Self.moments.joined().filter { !$0.isEmpty }
        let list = paths.map { "'\($0)'" }.joined(separator: " ")
        let words = tags.map { "-\($0)" }.joined(separator: " ")
        guard let text = run("exiftool -q -n -T -sep '; ' -FileName \(words) \(list)"), !text.isEmpty else {
            return nil
        }
        var told: [String: [String: String]] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == tags.count + 1 else { continue }
            // A tag that is not there is told as `-`; one that cannot be converted, such as degrees of 0/0, as nothing.
            let known = zip(tags, parts.dropFirst()).filter {
                $0.1 != "-" && !$0.1.isEmpty && $0.1 != "undef"
            }
            told[parts[0]] = Dictionary(known, uniquingKeysWith: { first, _ in first })
        }
        return told
    }

    /// The first of the dates that is one, with its offset, or in the zone of the test's table, one hour east; a video's is in UTC.
    private static func moment(_ tags: [String: String]) -> String? {
        for moment in moments {
            guard let date = tags[moment[0]] else { continue }
            let isVideo = moment[0].hasPrefix("QuickTime")
            let day = date.prefix(10).split(separator: ":").joined(separator: "-")
            let fraction = tags[moment[2]].map { "." + $0.trimmingCharacters(in: .whitespaces) } ?? ""
            let own = date.count > 19 ? String(date.dropFirst(19)) : nil
            let east = isVideo ? "Z" : own ?? tags[moment[1]] ?? "+01:00"
            if let time = Timestamp(iso8601: "\(day)T\(date.dropFirst(11).prefix(8))\(fraction)\(east)") {
                return time.iso8601
            }
        }
        return nil
    }

    private static func isSame(_ own: Cell, _ other: String?) -> Bool {
        switch own {
        case .null: other == nil
        // exiftool rounds quotients of 32 bits to 10 digits.
        case .real(let value):
            other.flatMap { Double($0) }.map { abs($0 - value) <= 1e-9 * abs(value) } ?? false
        case .integer(let value): other == "\(value)"
        case .text(let text): other?.trimmingCharacters(in: .whitespaces) == text
        default: false
        }
    }
}
