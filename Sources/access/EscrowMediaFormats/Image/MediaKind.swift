/// The format of a file in a photo folder, by its name's ending.
package enum MediaKind: UInt8, Sendable {
    case jpeg, png, heic, avif, gif, webp, tiff, bmp, dng, mp4, quickTime, m4v, threeGP, webm
    // Kept between queries by their number: new ones come last.
    case cr2, nef, arw, pef
    case cr3, rw2, raf, orf

    /// Recognises the ending of a file name, in lower case.
    package init?(fileExtension: String) {
        switch fileExtension {
        case "jpg", "jpeg", "jpe": self = .jpeg
        case "png": self = .png
        case "heic", "heif", "hif": self = .heic
        case "avif": self = .avif
        case "gif": self = .gif
        case "webp": self = .webp
        case "tif", "tiff", "btf": self = .tiff
        case "bmp": self = .bmp
        case "dng": self = .dng
        case "cr2": self = .cr2
        case "nef": self = .nef
        case "arw": self = .arw
        case "pef": self = .pef
        case "cr3": self = .cr3
        case "rw2": self = .rw2
        case "raf": self = .raf
        case "orf": self = .orf
        case "mp4": self = .mp4
        case "mov": self = .quickTime
        case "m4v": self = .m4v
        case "3gp": self = .threeGP
        case "webm": self = .webm
        default: return nil
        }
    }

    /// The media type (IANA).
    package var mimeType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .png: "image/png"
        case .heic: "image/heic"
        case .avif: "image/avif"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .tiff: "image/tiff"
        case .bmp: "image/bmp"
        case .dng: "image/x-adobe-dng"
        case .cr2: "image/x-canon-cr2"
        case .nef: "image/x-nikon-nef"
        case .arw: "image/x-sony-arw"
        case .pef: "image/x-pentax-pef"
        case .cr3: "image/x-canon-cr3"
        case .rw2: "image/x-panasonic-rw2"
        case .raf: "image/x-fuji-raf"
        case .orf: "image/x-olympus-orf"
        case .mp4: "video/mp4"
        case .quickTime: "video/quicktime"
        case .m4v: "video/x-m4v"
        case .threeGP: "video/3gpp"
        case .webm: "video/webm"
        }
    }

    /// PHAssetMediaType's numbers: 1 image, 2 video.
    package var mediaType: Int64 {
        switch self {
        case .mp4, .quickTime, .m4v, .threeGP, .webm: 2
        default: 1
        }
    }
}
