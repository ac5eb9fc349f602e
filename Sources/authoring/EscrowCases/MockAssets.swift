import EscrowComputation
import Glibc

/// The assets of a case: files beside it.
struct MockAssets: AssetReader {
    let files: [String: (path: String, mediaType: String?)]

    func open(_ handle: String) -> OpenAsset? {
        guard let file = files[handle] else { return nil }
        return OpenAsset(path: file.path, mediaType: file.mediaType ?? Self.mediaType(of: file.path))
    }

    private static func mediaType(of path: String) -> String {
        switch path.split(separator: ".").last?.lowercased() {
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "heic": "image/heic"
        default: "application/octet-stream"
        }
    }
}
