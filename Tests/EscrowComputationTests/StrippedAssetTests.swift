import Foundation
import Testing

@testable import EscrowComputation

/// Real pictures, without what they say of themselves.
@Suite struct StrippedAssetTests {
    private static let photos = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "samples/photos")

    /// What is handed out of a file, in pieces as a plugin is sent it; nil if it is refused.
    private static func stripped(_ path: String, _ type: String) -> [UInt8]? {
        guard let asset = OpenAsset(path: path, mediaType: type), asset.strip(type) else { return nil }
        var bytes: [UInt8] = []
        while let piece = asset.read(1000), !piece.isEmpty { bytes += piece }
        #expect(bytes.count == asset.size)
        return bytes
    }

    private static func pictures(_ ending: String) throws -> [URL] {
        let found = FileManager.default.enumerator(at: photos, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension.lowercased() == ending }
    }

    @Test(arguments: [("jpg", "image/jpeg"), ("png", "image/png")])
    func nothingIsLeftThatASecondLookFinds(ending: String, type: String) throws {
        let files = try Self.pictures(ending)
        try #require(!files.isEmpty)
        var stripped = 0
        for file in files {
            guard let bytes = Self.stripped(file.path, type) else { continue }
            stripped += 1
            #expect(bytes.count <= (try Data(contentsOf: file)).count)
            for word in ["Exif\0", "http://ns.adobe.com", "Photoshop", "tEXt", "iTXt", "eXIf"] {
                #expect(Data(bytes).range(of: Data(word.utf8)) == nil, "\(file.lastPathComponent): \(word)")
            }
        }
        #expect(stripped > 0)
    }

    /// exiftool is another reader of all that there may be; it is asked once for all.
    @Test func exiftoolFindsNothingEither() throws {
        let tool = URL(filePath: "/usr/bin/exiftool")
        guard FileManager.default.isExecutableFile(atPath: tool.path) else {
            print("SKIP: there is no exiftool")
            return
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "strip-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (ending, type) in [("jpg", "image/jpeg"), ("png", "image/png")] {
            for (number, file) in try Self.pictures(ending).enumerated() {
                guard let bytes = Self.stripped(file.path, type) else { continue }
                try Data(bytes).write(to: folder.appending(path: "\(number).\(ending)"))
            }
        }
        let process = Process()
        process.executableURL = tool
        process.arguments = [
            "-r", "-q", "-G0", "-EXIF:all", "-XMP:all", "-IPTC:all", "-Photoshop:all", "-MakerNotes:all",
            "-ICC_Profile:all",
            "-File:Comment", "-PNG:Comment", "-PNG:Author", "-PNG:CreationTime", "-s", "-s", "-s",
            folder.path,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let said = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let values = String(decoding: said, as: UTF8.self).split(separator: "\n").filter {
            !$0.hasPrefix("=====")
        }
        #expect(values.isEmpty, "\(values.count) values are told still")
    }
}
