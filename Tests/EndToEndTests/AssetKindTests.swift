import Foundation
import Testing

/// A plugin is given files of the types that it declares, whatever they are called, and without what they say of themselves where
/// that was asked for.
@Suite struct AssetKindTests {
    @Test func whatAFileIsDecidesAndNotItsName() throws {
        let escrow = try Escrow(trusting: false)
        let photos = escrow.folder.appending(path: "photos")
        try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
        // Two pictures that say where they were taken, and a document that is called a picture.
        for name in ["IMG_0001.jpg", "IMG_0002.jpg"] {
            try FileManager.default.copyItem(
                at: Escrow.root.appending(path: "samples/photos/\(name)"), to: photos.appending(path: name))
        }
        try Data("%PDF-1.7\n".utf8).write(to: photos.appending(path: "letter.jpg"))
        try #require(try escrow.run("source", "add", "photos", photos.path).status == 0)
        try AssetStreamTests.install(escrow)
        func look(_ more: String...) throws -> Int? {
            let outcome = try Escrow.start(
                [
                    "run", "hungry", "--app", "org.example.test", "--param", "mode=look", "--format", "json",
                    "--quiet",
                ] + more, home: escrow.home)
            try #require(outcome.status == 0, "\(outcome.everything)")
            return try outcome.json()["n"] as? Int
        }
        #expect(try look() == 12)
        #expect(try look("--coarser", "strip(Photos.asset)") == 10)
    }
}
