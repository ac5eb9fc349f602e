import Foundation
import Testing

@testable import EscrowMedia

/// Files of public packages, read here and by the program that people trust with files of that kind. `scripts/conformance` writes
/// what comes of it into `docs/conformance.md`.
@Suite("Conformance", .serialized)
struct ConformanceTests {
    @Test("real files read as others read them, or it is known why not", arguments: Corpus.all)
    func corpus(_ corpus: Corpus) throws {
        guard let outcome = try ConformanceRun(corpus).outcome() else { return }
        for difference in outcome.unexplained { Issue.record("\(difference)") }
        #expect(outcome.count(.equal) > 0)
        if getenv("ESCROW_ACCEPT_CONFORMANCE") != nil {
            try ConformancePage.write(outcome)
        } else if let known = try ConformancePage.row(of: corpus) {
            // Other versions of the packages hold other files, and another version of an oracle reads otherwise.
            func setting(_ row: String) -> [Substring] { Array(row.split(separator: "|").prefix(4)) }
            guard setting(known) == setting(outcome.row) else { return }
            #expect(known == outcome.row, "scripts/conformance writes the page anew")
        }
    }

    @Test("exiftool's own pictures are read without a word")
    func silence() throws {
        guard let all = RealFiles.paths(of: "exiftool", "") else { return }
        let folder = try Folder()
        for path in all
        where [
            ".jpg", ".png", ".heic", ".mov", ".tif", ".dng", ".btf", ".cr2", ".nef", ".cr3", ".rw2", ".raf",
        ].contains(
            where: path.hasSuffix)
        {
            let url = URL(filePath: path)
            folder.write(url.lastPathComponent, try Data(contentsOf: url))
        }
        let log = ProblemLog()
        #expect(try Table("Photos", .photos, folder.path, log: log).rows("title").count >= 46)
        #expect(log.reasons == [])
    }
}
