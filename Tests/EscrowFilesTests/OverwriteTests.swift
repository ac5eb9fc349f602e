import EscrowDiagnostics
import EscrowFiles
import Foundation
import TemporaryFolder
import Testing

/// A file that is written where it lies holds what was written last, and nothing of what was longer before.
@Suite struct OverwriteTests {
    @Test func aShorterContentLeavesNothingOfTheLonger() throws {
        let folder = try TemporaryFolder("escrow-overwrite")
        let file = StoreFile(folder.path + "/use.cache", limit: 8, help: "")
        for text in ["12345678", "1", "", "123"] {
            try file.overwrite(with: Array(text.utf8)) { _ in }
            #expect(try file.read() == Array(text.utf8))
        }
        #expect(throws: Diagnostic(.fileWouldNotBeReadable, "")) {
            try file.overwrite(with: Array("123456789".utf8)) { _ in }
        }
        #expect(try file.read() == Array("123".utf8))
    }
}
