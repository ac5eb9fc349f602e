import Foundation
import TemporaryFolder
import Testing

@testable import EscrowApps

/// What is secret among the system's own files is covered by a folder that nobody moves away from under the cover.
@Suite struct CoversTests {
    private let folder: TemporaryFolder
    private var root: String { folder.path }

    init() throws {
        folder = try TemporaryFolder("covers")
        try FileManager.default.createDirectory(
            atPath: folder.path + "/one/two", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: folder.path + "/one/two/a.db"))
    }

    private func words(_ secret: String, kept: String...) -> [String] {
        let kept = Set(kept.map { root + $0 })
        return Covers(roots: [root]) { kept.contains($0) }.words([root + secret])
    }

    private func cover(_ path: String) -> [String] {
        ["--tmpfs", root + path, "--remount-ro", root + path]
    }

    /// A cover over the file alone came off when it was saved by rename, and its journal was never covered.
    @Test func theUppermostFolderThatSomebodyChanges() {
        #expect(words("/one/two/a.db", kept: "", "/one") == cover("/one/two"))
        #expect(words("/one/two/a.db", kept: "") == cover("/one"))
        #expect(words("/one/two/a.db") == cover(""))
    }

    @Test func whatIsNotThereYetIsCoveredByItsFolder() {
        #expect(words("/one/two/later.db", kept: "", "/one") == cover("/one/two"))
        #expect(words("/one/later/a.db", kept: "") == cover("/one"))
    }

    /// A package manager saves by rename as well. A folder that all programs need cannot be covered.
    @Test func aFilesFolderWhereRootAloneChangesIt() throws {
        #expect(words("/one/two/a.db", kept: "", "/one", "/one/two") == cover("/one/two"))
        #expect(words("/one/two", kept: "", "/one") == cover("/one/two"))
        try Data().write(to: URL(filePath: root + "/b.db"))
        #expect(words("/b.db", kept: "") == ["--ro-bind", "/dev/null", root + "/b.db"])
    }

    @Test func whatLiesElsewhereIsNotThereAnyway() {
        #expect(Covers(roots: ["/opt"]) { _ in false }.words([root + "/one"]).isEmpty)
    }
}
