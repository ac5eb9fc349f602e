import EscrowDiagnostics
import EscrowManifest
import Glibc

/// Files of Tests/Vectors, and the manifest that most tests begin with.
enum Fixture {
    static let root: String = {
        let parts = #filePath.split(separator: "/").dropLast(3)
        return "/" + parts.joined(separator: "/")
    }()

    static func vector(_ name: String) throws -> [UInt8] {
        try read("\(root)/Tests/Vectors/manifest/\(name)")
    }

    static func read(_ path: String) throws -> [UInt8] {
        guard let file = fopen(path, "r") else { throw Missing(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let got = fread(&piece, 1, piece.count, file)
            if got == 0 { return bytes }
            bytes += piece[..<got]
        }
    }

    struct Missing: Error { let path: String }

    static var text: String { get throws { String(decoding: try vector("average-age.json"), as: UTF8.self) } }

    /// The manifest with one passage replaced; fails the test if the passage is not there.
    static func replacing(_ passage: String, _ replacement: String) throws -> [UInt8] {
        let text = try text
        guard let range = text.firstRange(of: passage) else { throw Missing(path: passage) }
        return Array(text.replacingCharacters(in: range, with: replacement).utf8)
    }

    /// Why a manifest is refused; nil if it is not.
    static func refusal(_ bytes: [UInt8]) -> Diagnostic? {
        do { _ = try Manifest.parse(bytes, file: "plugin.json") } catch { return error }
        return nil
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
    }
}
