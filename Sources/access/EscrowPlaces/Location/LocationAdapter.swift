internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// Tracks and location histories: a file, or a folder of them.
    static let location = SourceKind(word: "location")
}

/// Places in tracks and location histories.
struct LocationAdapter: SourceAdapter {
    let kind = SourceKind.location
    let accepts =
        "a track or location history (GPX, KML, KMZ, GeoJSON, Google's JSON, OwnTracks), a zip archive with some, or a folder of them"
    let nothingFound = "no file .gpx, .kml, .kmz, .geojson, .json, .jsonl or .rec, and no .zip with one"
    let typicalRows = 100_000
    let specs = [LocationSpec.location]

    /// A KMZ file is a zip archive with a KML file and its pictures.
    let archiveEndings: Set = ["zip", "kmz"]

    private static let endings: Set = ["gpx", "kml", "geojson", "json", "jsonl", "rec"]

    /// What a file is written in is told by its first bytes, not by its name.
    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot || Self.endings.contains(file.ending) ? 0 : nil
    }

    /// Takeout's archives hold a JSON file for each photo and much else, so that JSON is told by its name or folder.
    func classifyMember(_ path: String) -> UInt8? {
        let parts = path.split(separator: "/")
        guard let name = parts.last, let dot = name.lastIndex(of: ".") else { return nil }
        switch name[dot...].dropFirst().lowercased() {
        case "gpx", "kml", "geojson", "jsonl", "rec": return 0
        case "json":
            if Self.histories.contains(String(name)) { return 0 }
            let isInHistory = parts.dropLast().contains {
                $0.hasPrefix("Location History") || $0.hasPrefix("Semantic Location History")
            }
            return isInHistory && !Self.settings.contains(String(name)) ? 0 : nil
        default: return nil
        }
    }

    private static let histories: Set = [
        "Records.json", "Location History.json", "Timeline.json", "location-history.json",
    ]
    private static let settings: Set = ["Settings.json", "Tombstones.csv", "Timeline Edits.json"]

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        switch LocationFormat(head: head) {
        case .xml, .json, .ownTracks: nil
        case .empty, .unknown, .zip: LocationFormat.unknownReason
        }
    }

    func tables(_ context: SourceContext) -> [any TableSource] { [LocationFiles.table(context)] }
}
