import EscrowDiagnostics
import EscrowFiles
import Glibc
import TemporaryFolder
import Testing

@Suite struct FolderTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder("escrow-folder") }

    @Test func allNamesAreThereInOneOrder() throws {
        let path = scratch.path + "/names"
        #expect(mkdir(path, 0o700) == 0)
        #expect(try Folder.names(path).isEmpty)
        let long = String(repeating: "x", count: 255)
        for name in ["b", ".hidden", "a", long, "..."] { #expect(mkdir("\(path)/\(name)", 0o700) == 0) }
        #expect(try Folder.names(path) == ["...", ".hidden", "a", "b", long])
    }

    @Test func noFolderIsNotAnEmptyOne() throws {
        let path = scratch.path + "/none"
        #expect(try Folder.namesIfPresent(path) == nil)
        #expect(throws: Diagnostic(.fileOperation, "")) { try Folder.names(path) }
        try SecureFile.replace(path, with: [])
        #expect(throws: Diagnostic(.fileOperation, "")) { try Folder.namesIfPresent(path) }
    }
}
