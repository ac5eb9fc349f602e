import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowDesktop
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("Documents")
struct DocumentsTests {
    private func documents() throws -> Folder {
        let folder = try Folder()
        folder.write("Tax/2025/return.PDF", "%PDF")
        folder.write("Tax/2025/übersicht.ods", "12345")
        folder.write("Tax/notes", "")
        folder.write("Tax.old/a.tar.gz", "x")
        folder.write("letter.docx", "1234567")
        folder.write(".secret/key.txt", "hidden")
        folder.write(".profile", "hidden")
        return folder
    }

    private func setTime(_ path: String, _ seconds: Int) {
        var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 5_000_000)]
        #expect(utimensat(AT_FDCWD, path, &times, 0) == 0)
    }

    @Test("each file that is not hidden is a row, with what its name and its folder tell")
    func rows() throws {
        let folder = try documents()
        setTime(folder.path + "/letter.docx", 1_700_000_000)
        let log = ProblemLog()
        let table = Table("Documents", .documents, folder.path, log: log)
        #expect(
            try table.rows("path", "folder", "filename", "fileExtension", "mimeType", "fileSize") == [
                ["Tax/2025/return.PDF", "Tax/2025", "return.PDF", "pdf", "application/pdf", 4],
                [
                    "Tax/2025/übersicht.ods", "Tax/2025", "übersicht.ods", "ods",
                    "application/vnd.oasis.opendocument.spreadsheet", 5,
                ],
                ["Tax/notes", "Tax", "notes", nil, nil, 0],
                ["Tax.old/a.tar.gz", "Tax.old", "a.tar.gz", "gz", "application/gzip", 1],
                [
                    "letter.docx", nil, "letter.docx", "docx",
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document", 7,
                ],
            ])
        #expect(log.reasons == [])
        let path = Predicate(column: table.column("path"), operation: .equal, values: ["letter.docx"])
        #expect(
            try table.rows("id", "modificationDate", where: [path]) == [
                [.text(StableID.name(folder.path + "/letter.docx")), "2023-11-14T22:13:20.005Z"]
            ])
    }

    @Test("the time of creation is the one that stat(1) tells")
    func creation() throws {
        let folder = try documents()
        guard let text = run("stat -c '%W' '\(folder.path)/letter.docx'")?.split(separator: "\n").first,
            let seconds = Int64(text)
        else {
            print("SKIP: no stat(1)")
            return
        }
        setTime(folder.path + "/letter.docx", 1_700_000_000)
        let table = Table("Documents", .documents, folder.path)
        let path = Predicate(column: table.column("path"), operation: .equal, values: ["letter.docx"])
        let found = try table.rows("creationDate", where: [path])[0][0]
        // 0 and `-` stand for a file system that does not tell.
        guard seconds > 0 else {
            #expect(found == .null)
            return
        }
        guard case .text(let time) = found else { Issue.record("no time"); return }
        #expect(Timestamp(iso8601: time).map { $0.microseconds / 1_000_000 } == seconds)
    }

    @Test("a handle leads to the file that it was offered for, and to no other")
    func assets() throws {
        let folder = try documents()
        let table = Table("Documents", .documents, folder.path)
        let rows = try table.rows("asset", "path")
        for row in rows {
            guard case .text(let handle) = row[0], case .text(let path) = row[1] else {
                Issue.record("no handle")
                return
            }
            #expect(table.assets.delivered(handle) == nil)
            #expect(table.assets.deliver(handle))
            #expect(table.assets.delivered(handle)?.path == folder.path + "/" + path)
        }
        guard case .text(let handle) = rows[2][0] else { return }
        #expect(table.assets.delivered(handle)?.mediaType == "application/octet-stream")
    }

    @Test("terms on names leave other files unlooked at, and every order is served")
    func pushdown() throws {
        let folder = try documents()
        for (index, name) in ["Tax/2025/return.PDF", "Tax/notes", "letter.docx"].enumerated() {
            setTime(folder.path + "/" + name, 1_000_000_000 + 1_000 * ((index * 2) % 3))
        }
        let table = Table("Documents", .documents, folder.path)
        let modified = table.column("modificationDate")
        let latest = try table.rows("path", order: [OrderTerm(column: modified)], limit: 3)
        #expect(latest.prefix(3) == [["Tax/2025/return.PDF"], ["letter.docx"], ["Tax/notes"]])
        #expect(
            try table.rows("fileSize", order: [OrderTerm(column: table.column("fileSize"), descending: true)])
                .map { $0[0] } == [7, 5, 4, 1, 0])
        let nulls = try table.rows("folder", order: [OrderTerm(column: table.column("folder"))])
        #expect(nulls.map { $0[0] } == [nil, "Tax", "Tax.old", "Tax/2025", "Tax/2025"])
        let offer = table.source.offer(
            for: ScanRequest(
                columns: ColumnMask([0]),
                predicates: [Predicate(column: 4, operation: .equal, values: ["x"])],
                order: [OrderTerm(column: modified)]))
        #expect(offer.prunes == [true] && offer.servesOrder)

        // The names were listed; of the files only those that the term leaves are looked at.
        let snapshot = try table.source.snapshot(assets: AssetTable())
        unlink(folder.path + "/letter.docx")
        unlink(folder.path + "/Tax/2025/return.PDF")
        symlink("/etc/passwd", folder.path + "/Tax/2025/return.PDF")
        func sizes(_ terms: [Predicate]) throws -> [Cell] {
            let size = table.column("fileSize")
            let scan = try snapshot.scan(ScanRequest(columns: ColumnMask([size]), predicates: terms))
            let chunk = ColumnChunk(spec: table.source.spec)
            guard try scan.next(into: chunk) else { return [] }
            return (0..<chunk.rowCount).map { chunk.cell(row: $0, column: size) }
        }
        let notes = Predicate(column: table.column("filename"), operation: .like, values: ["note%"])
        #expect(try sizes([notes]) == [0])
        // What was gone when it was looked at is no row; what became a link is none either.
        #expect(try sizes([]).count <= 5)
    }

    @Test("a single file is no source of documents")
    func singleFile() throws {
        let folder = try documents()
        var registry = try SourceRegistry.load(directory: try Folder().path)
        let error = #expect(throws: Diagnostic.self) {
            try registry.add(kind: "documents", path: folder.path + "/letter.docx")
        }
        #expect(error?.code == .pathUnlikeKind)
        try registry.add(kind: "documents", path: folder.path)
        let report = registry.check()[0]
        #expect(
            report.files.count == 5 && report.files.allSatisfy { $0.rowCount == 1 && $0.problems.isEmpty })
    }
}
