/// The kinds of source that a person can add.
public enum SourceKind: String, Sendable, CaseIterable {
    /// vCards: a file, or a folder of files `.vcf` and `.vcard`.
    case contacts
    /// A folder of pictures and videos.
    case photos
    /// Tracks: a file, or a folder of files `.gpx` and `.json`.
    case location

    /// Recognises a file by its name; nil for a file of another kind. A file that the owner named as the source is
    /// taken whatever its ending is.
    func classify(_ name: String, isRoot: Bool) -> UInt8? {
        let ending =
            name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...].dropFirst().lowercased() } ?? ""
        switch self {
        case .contacts: return isRoot || ending == "vcf" || ending == "vcard" ? 0 : nil
        case .location:
            if ending == "gpx" { return LocationFormat.gpx.rawValue }
            if ending == "json" { return LocationFormat.json.rawValue }
            return isRoot ? LocationFormat.unknown.rawValue : nil
        case .photos: return MediaKind(fileExtension: ending)?.rawValue
        }
    }

    var classify: (String, Bool) -> UInt8? { { self.classify($0, isRoot: $1) } }
}

/// What a location file is written in.
enum LocationFormat: UInt8 {
    case gpx, json
    /// To be told by its first bytes.
    case unknown
}
