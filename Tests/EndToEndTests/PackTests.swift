import Foundation
import Testing

/// What of a plugin's folder is passed on: what its manifest names, and nothing is left out in silence.
@Suite struct PackTests {
    private let escrow: Escrow
    private let folder: URL
    private let package: String

    init() throws {
        escrow = try Escrow(trusting: false)
        folder = escrow.folder.appending(path: "plugin")
        package = escrow.folder.appending(path: "out.escrow").path
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Tests/EndToEndTests/Hungry"), to: folder)
    }

    private func pack() throws -> Escrow.Outcome {
        try escrow.run("plugin", "pack", folder.path, "--output", package)
    }

    @Test func whatIsLeftOverIsRefusedByName() throws {
        #expect(try pack().status == 0)
        let models = folder.appending(path: "models")
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        try Data("weights".utf8).write(to: models.appending(path: "small.bin"))
        let refused = try pack()
        #expect(refused.status != 0 && refused.words.contains("E0208"), "\(refused.words)")
        #expect(refused.words.contains("models/small.bin would be left out of the package"))
        // Named in the manifest it is packed, and its digest signed.
        let manifest = folder.appending(path: "plugin.json")
        let text = try String(contentsOf: manifest, encoding: .utf8)
        let named = text.replacing(
            "\"artifacts\":", with: "\"files\": { \"models/small.bin\": \"\" },\n  \"artifacts\":")
        #expect(named != text)
        try Data(named.utf8).write(to: manifest)
        let packed = try pack()
        try #require(packed.status == 0, "\(packed.words)")
        let bytes = try Data(contentsOf: URL(filePath: package))
        #expect(bytes.range(of: Data("models/small.bin".utf8)) != nil)
        #expect(bytes.range(of: Data("weights".utf8)) != nil)
    }

    /// A pipe that nobody writes into is not waited for.
    @Test func aPipeIsRefused() throws {
        try #require(mkfifo(folder.appending(path: "more.py").path, 0o600) == 0)
        let refused = try pack()
        #expect(refused.status != 0 && refused.words.contains("E0210"), "\(refused.words)")
    }
}
