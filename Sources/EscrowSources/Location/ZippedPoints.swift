/// The location files in a zip archive, such as Google Takeout's, one after the other.
final class ZippedPoints: PointReader {
    /// Bits of a point's offset that tell where in its entry it is; the others, up to 44, tell the entry.
    private static let offsetBits: Int64 = 33
    /// The most location files in one archive.
    static let entryLimit = 1 << 11

    private let archive: ZipArchive
    private let open: (SharedDescriptor, Int64, @escaping (FileProblem) -> Void) -> (any PointReader)?
    private let onProblem: (FileProblem) -> Void
    private var nextEntry = 0
    private var reader: (any PointReader)?

    /// Nil, after a word to `onProblem`, if the archive is refused or holds no location file.
    ///
    /// - Parameter open: makes a reader for a file of any location format.
    init?(
        _ file: SharedDescriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void,
        open: @escaping (SharedDescriptor, Int64, @escaping (FileProblem) -> Void) -> (any PointReader)?
    ) {
        do throws(ZipArchive.Refusal) {
            archive = try ZipArchive(file, size: size, wants: Self.isLocation)
        } catch {
            onProblem(error.problem)
            return nil
        }
        if archive.entries.isEmpty {
            onProblem(FileProblem("a zip archive without a location file"))
            return nil
        }
        if archive.entries.count > Self.entryLimit {
            onProblem(FileProblem("more than \(Self.entryLimit) location files in one archive"))
            return nil
        }
        self.open = open
        self.onProblem = onProblem
    }

    func next() -> LocationPoint? {
        while true {
            if let reader {
                if var point = reader.next() {
                    point.offset |= Int64(nextEntry - 1) << Self.offsetBits
                    return point
                }
                self.reader = nil
            }
            guard nextEntry < archive.entries.count else { return nil }
            nextEntry += 1
            let number = nextEntry
            func tell(_ problem: FileProblem) {
                onProblem(
                    FileProblem(
                        "file \(number) of the archive: \(problem.reason)", line: problem.line,
                        partial: problem.isPartial))
            }
            do throws(ZipArchive.Refusal) {
                let (file, size) = try archive.open(archive.entries[number - 1])
                reader = open(file, size, tell)
            } catch {
                tell(error.problem)
            }
        }
    }

    /// Takeout's archives hold a JSON file for each photo and much else, so that JSON is told by its name or folder.
    static func isLocation(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        guard let name = parts.last, let dot = name.lastIndex(of: ".") else { return false }
        switch name[dot...].dropFirst().lowercased() {
        case "gpx", "kml", "geojson", "jsonl", "rec": return true
        case "json":
            if ["Records.json", "Location History.json", "Timeline.json", "location-history.json"].contains(
                name)
            {
                return true
            }
            return parts.dropLast().contains {
                $0.hasPrefix("Location History") || $0.hasPrefix("Semantic Location History")
            }
                && !["Settings.json", "Tombstones.csv", "Timeline Edits.json"].contains(name)
        default: return false
        }
    }
}
