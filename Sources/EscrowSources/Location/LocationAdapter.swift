internal import EscrowSchema

extension SourceKind {
    /// Tracks and location histories: a file, or a folder of them.
    static let location = SourceKind(word: "location")
}

/// Places in tracks and location histories.
struct LocationAdapter: SourceAdapter {
    let kind = SourceKind.location
    let accepts = "a GPX track or a location history in JSON, or a folder of .gpx and .json files"
    let nothingFound = "no file .gpx or .json"
    let typicalRows = 100_000
    let specs = [LocationSpec.location]

    /// What a file is written in is told by its first bytes, not by its name.
    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot || ["gpx", "json"].contains(file.ending) ? 0 : nil
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        var start = head
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        switch start.trimmed.first {
        case UInt8(ascii: "<"), UInt8(ascii: "{"), 0xFE, 0xFF: return nil
        default: return "it is neither GPX nor a location history in JSON"
        }
    }

    func tables(_ context: SourceContext) -> [any TableSource] { [LocationFiles.table(context)] }
}
