import EscrowConsent
import EscrowManifest
import Foundation
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// What a decision is bound to of a manifest is the same whatever a query reads.
@Suite struct DescribeTests {
    private func dataflow(_ version: String, types: String, reading columns: [String]) throws -> Dataflow {
        let sample = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Manifests/thumbnails.json")
        let text = try String(contentsOf: sample, encoding: .utf8)
        try #require(text.contains(#"["image/jpeg", "image/png"]"#))
        let manifest = try Manifest.parseAuthored(
            Array(text.replacing(#"["image/jpeg", "image/png"]"#, with: types).utf8), file: "thumbnails.json")
        return DataflowDescription(
            app: "org.example.notes",
            plugin: PluginFacts(manifest: manifest, digest: version, signerKeyID: "SHA256:k1"),
            reads: [TableUse(table: "Photos", returned: columns)], parameters: [],
            configuration: HostConfiguration()
        ).dataflow
    }

    /// Else a version that opens other files would be let in by a query that opens none, and open them by the next.
    @Test func otherFilesAreAskedAboutWhateverIsRead() throws {
        let two = #"["image/jpeg", "image/png"]"#
        let more = #"["image/jpeg", "image/png", "application/pdf"]"#
        #expect(try dataflow("a", types: two, reading: ["orientation"]).files == ["image/jpeg", "image/png"])
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = GrantStore(directory: folder.path)
        let granted = try dataflow("a", types: two, reading: ["asset", "orientation"])
        try store.allow(
            DataflowDescription(granted, publisher: "", returns: "", capacity: "", limits: ""),
            GrantTerms(reason: .prompt))
        for columns in [["orientation"], ["asset", "orientation"]] {
            #expect(try store.claim(dataflow("a", types: two, reading: columns)).state == .authorized)
            #expect(try store.claim(dataflow("b", types: more, reading: columns)).reason == .changedPlugin)
        }
    }
}
