import EscrowDiagnostics
import EscrowFiles
import Glibc
import TemporaryFolder
import Testing

@Suite struct SecureFileTests {
    let scratch: TemporaryFolder
    var folder: String { scratch.path }

    init() throws {
        scratch = try TemporaryFolder("escrow-files")
    }

    @Test func replacementIsWholeAndPrivate() throws {
        let path = folder + "/value"
        try SecureFile.replace(path, with: Array("one".utf8))
        try SecureFile.replace(path, with: Array("two".utf8))
        #expect(try SecureFile.read(path, limit: 10) == Array("two".utf8))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func aFileThatIsTooLargeIsRefused() throws {
        let path = folder + "/large"
        try SecureFile.replace(path, with: Array(repeating: 7, count: 11))
        #expect(throws: Diagnostic(.fileTooLarge, "")) { try SecureFile.read(path, limit: 10) }
    }

    @Test func symlinksFoldersAndPipesAreRefused() throws {
        let target = folder + "/target"
        try SecureFile.replace(target, with: [1])
        #expect(symlink(target, folder + "/link") == 0)
        #expect(throws: Diagnostic(.fileOperation, "")) { try SecureFile.read(folder + "/link", limit: 10) }
        #expect(mkfifo(folder + "/pipe", 0o600) == 0)
        #expect(throws: Diagnostic(.notRegularFile, "")) { try SecureFile.read(folder + "/pipe", limit: 10) }
        #expect(throws: Diagnostic(.notRegularFile, "")) { try SecureFile.read(folder, limit: 10) }
    }

    @Test func anAbsentFileIsNilAndAnUnreadableFolderIsNot() throws {
        #expect(try SecureFile.readIfPresent(folder + "/none", limit: 10) == nil)
        #expect(throws: Diagnostic.self) { try SecureFile.readIfPresent(folder, limit: 10) }
    }

    @Test func foldersAreMadeWithTheirParents() throws {
        try SecureFile.makeFolder(folder + "/a/b/c")
        try SecureFile.makeFolder(folder + "/a/b/c")
        #expect(access(folder + "/a/b/c", F_OK) == 0)
        try SecureFile.replace(folder + "/file", with: [])
        #expect(throws: Diagnostic(.fileOperation, "")) { try SecureFile.makeFolder(folder + "/file") }
    }
}
