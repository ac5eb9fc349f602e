/// The format of a file in a music folder, by its name's ending.
package enum AudioKind: UInt8, Sendable, CaseIterable {
    case mp3, mp4, flac, ogg, opus, wave, aiff, threeGP, aac, wma, amr, matroska

    /// Recognises the ending of a file name, in lower case.
    package init?(fileExtension: String) {
        switch fileExtension {
        case "mp3", "mp2": self = .mp3
        case "m4a", "m4b", "m4r": self = .mp4
        case "flac": self = .flac
        case "ogg", "oga", "spx": self = .ogg
        case "opus": self = .opus
        case "wav", "wave": self = .wave
        case "aif", "aiff", "aifc": self = .aiff
        case "3ga", "3gpp": self = .threeGP
        case "aac": self = .aac
        case "wma": self = .wma
        case "amr": self = .amr
        case "mka", "weba": self = .matroska
        default: return nil
        }
    }

    /// The media type (IANA).
    package var mimeType: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .mp4: "audio/mp4"
        case .flac: "audio/flac"
        case .ogg, .opus: "audio/ogg"
        case .wave: "audio/vnd.wave"
        case .aiff: "audio/aiff"
        case .threeGP: "audio/3gpp"
        case .aac: "audio/aac"
        case .wma: "audio/x-ms-wma"
        case .amr: "audio/amr"
        case .matroska: "audio/matroska"
        }
    }
}
