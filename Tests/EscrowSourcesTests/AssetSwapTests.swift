import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowMedia
@testable import EscrowSourceFiles

/// What another user who may write in a folder puts there between the rows and the asset is never handed out.
@Suite("What is swapped between rows and asset") struct AssetSwapTests {
    private static let picture = "the picture"
    private static let secret = "the secret!"

    /// The handles of a table's files, as a plugin is given them.
    private static func handles(_ table: Table, columns: String...) throws -> [String] {
        let positions = (columns + ["asset"]).map { table.column($0) }
        let scan = try table.source.snapshot(assets: table.assets)
            .scan(ScanRequest(columns: ColumnMask(positions)))
        let chunk = ColumnChunk(spec: table.source.spec)
        var handles: [String] = []
        while try scan.next(into: chunk) {
            for row in 0..<chunk.rowCount {
                guard case .text(let handle) = chunk.cell(row: row, column: positions.last!) else { continue }
                #expect(table.assets.deliver(handle))
                handles.append(handle)
            }
        }
        return handles
    }

    /// What a plugin reads of an asset; nil where it is told that there is none.
    private static func content(_ handle: String, of table: Table) -> String? {
        guard let asset = table.assets.delivered(handle) else { return nil }
        let raw = asset.open()
        guard raw >= 0 else { return nil }
        defer { close(raw) }
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(raw, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test(
        "a folder, a folder above it, the source's own, and the file, each by a link, by another and by a FIFO",
        arguments: ["top/album/day", "top/album", "top", "top/album/day/a.jpg"], ["", "fileSize"])
    func swapped(what: String, column: String) throws {
        for way in ["link", "other", "fifo"] {
            let folder = try Folder()
            // Of several files a listing looks at the first one alone, whichever that is.
            let names = ["a.jpg", "b.jpg", "c.jpg"]
            for name in names { folder.write("top/album/day/" + name, Self.picture) }
            // The private files lie at the same place, beneath what is put there.
            for place in ["private/album/day", "private/day", "private"] {
                for name in names { folder.write("\(place)/\(name)", Self.secret) }
            }
            let table = Table("Photos", .photos, folder.path + "/top")
            let handles = try Self.handles(table, columns: column.isEmpty ? "id" : column)
            #expect(handles.count == names.count)
            func contents() -> [String?] { handles.map { Self.content($0, of: table) } }
            #expect(contents() == [Self.picture, Self.picture, Self.picture])
            let place = folder.path + "/" + what
            #expect(rename(place, folder.path + "/away") == 0)
            let below = what.split(separator: "/").dropFirst().map { "/" + $0 }.joined()
            let isFile = what.hasSuffix(".jpg")
            let source =
                folder.path
                + (isFile
                    ? "/private/a.jpg"
                    : ["": "/private", "/album": "/private/album"][below] ?? "/private/album/day")
            switch way {
            case "link": #expect(symlink(source, place) == 0)
            case "other": #expect(rename(source, place) == 0)
            default: #expect(mkfifo(place, 0o600) == 0)
            }
            // A file of another i-node, that was looked at; one that was not may be told by its time alone.
            if isFile, way == "other", column.isEmpty { continue }
            #expect(contents().count { $0 == nil } == (isFile ? 1 : names.count), "\(what) by \(way)")
            #expect(!contents().contains(Self.secret), "\(what) by \(way)")
            // And it is there again when all is as it was listed.
            Folder.remove(place)
            #expect(rename(folder.path + "/away", place) == 0)
            if !isFile { #expect(contents() == [Self.picture, Self.picture, Self.picture]) }
        }
    }

    @Test("a source that is reached by a link is read, whatever the link leads to later")
    func linked() throws {
        let folder = try Folder()
        folder.write("real/a.jpg", Self.picture)
        folder.write("private/a.jpg", Self.secret)
        #expect(symlink("real", folder.path + "/top") == 0)
        let table = Table("Photos", .photos, folder.path + "/top")
        let handle = try #require(try Self.handles(table, columns: "id").first)
        #expect(Self.content(handle, of: table) == Self.picture)
        unlink(folder.path + "/top")
        #expect(symlink("private", folder.path + "/top") == 0)
        #expect(Self.content(handle, of: table) == nil)
    }

    @Test("a folder that was swapped before its files are read is not read either")
    func readers() throws {
        let folder = try Folder()
        folder.write("top/album/a.jpg", Self.picture)
        folder.write("private/a.jpg", Self.secret)
        let log = ProblemLog()
        let table = Table("Photos", .photos, folder.path + "/top", log: log)
        let snapshot = try table.source.snapshot(assets: table.assets)
        #expect(rename(folder.path + "/top/album", folder.path + "/away") == 0)
        #expect(rename(folder.path + "/private", folder.path + "/top/album") == 0)
        let columns = ["filename", "fileSize", "pixelWidth"].map { table.column($0) }
        let scan = try snapshot.scan(ScanRequest(columns: ColumnMask(columns)))
        _ = try scan.next(into: ColumnChunk(spec: table.source.spec))
        #expect(log.reasons == [FileProblem.changed.sentence])
    }
}
