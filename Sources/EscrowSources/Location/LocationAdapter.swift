internal import EscrowSchema

extension SourceKind {
    /// Tracks and location histories: a file, or a folder of them.
    static let location = SourceKind(word: "location")
}

/// Places in tracks and location histories.
struct LocationAdapter: SourceAdapter {
    let kind = SourceKind.location
    let accepts =
        "a track or location history (GPX, KML, GeoJSON, Google's JSON, OwnTracks), a zip archive with some, or a folder of them"
    let nothingFound = "no file .gpx, .kml, .geojson, .json, .jsonl, .rec or .zip"
    let typicalRows = 100_000
    let specs = [LocationSpec.location]

    private static let endings: Set = ["gpx", "kml", "geojson", "json", "jsonl", "rec", "zip"]

    /// What a file is written in is told by its first bytes, not by its name.
    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot || Self.endings.contains(file.ending) ? 0 : nil
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        switch LocationFormat(head: head) {
        case .xml, .json, .ownTracks, .zip: nil
        case .empty, .unknown: LocationFormat.unknownReason
        }
    }

    func tables(_ context: SourceContext) -> [any TableSource] { [LocationFiles.table(context)] }
}
