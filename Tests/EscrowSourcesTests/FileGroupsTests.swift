import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowPlaces
@testable import EscrowSources
@testable import EscrowTableKit

/// What of a source's rows changed, file by file.
@Suite("Files as groups of rows") struct FileGroupsTests {
    private let folder: Folder
    private let memory: SourceMemory

    init() throws {
        folder = try Folder()
        folder.write("home/sources.json", "{\"sources\": []}")
        memory = SourceMemory(directory: folder.path + "/home", zone: .fixed(0))
        memory.watchFolders()
    }

    private func snapshot(_ kind: SourceKind, _ root: String) throws -> (any TableSource, any TableSnapshot) {
        let adapter = SourceAdapters[kind]!
        let context = SourceContext(adapter, roots: [folder.path + "/" + root], memory: memory) { _, _ in }
        let table = adapter.tables(context)[0]
        return (table, try table.snapshot(assets: AssetTable()))
    }

    /// The rows of the whole, and of all groups one after the other, with their ids.
    private func rows(_ kind: SourceKind, _ root: String) throws -> (whole: [[Cell]], byGroup: [[Cell]]) {
        let (table, snapshot) = try snapshot(kind, root)
        let columns = table.spec.columns.indices.filter { table.spec.columns[$0].type != .asset }
        func scan(_ group: Int?) throws -> [[Cell]] {
            var request = ScanRequest(columns: ColumnMask(columns))
            request.group = group
            let scan = try snapshot.scan(request)
            let chunk = ColumnChunk(spec: table.spec)
            var rows: [[Cell]] = []
            while try scan.next(into: chunk) {
                for row in 0..<chunk.rowCount {
                    rows.append(
                        [.integer(chunk.rowIDs.integer(row))]
                            + columns.map { chunk.cell(row: row, column: $0) })
                }
            }
            return rows
        }
        let groups = try #require(try snapshot.groups())
        for group in groups.indices {
            for row in try scan(group) {
                guard case .integer(let id) = row[0] else { continue }
                #expect(id >> RowGroup.placeBits == Int64(group))
            }
        }
        return (try scan(nil), try groups.indices.flatMap { try scan($0) })
    }

    @Test("the rows of all groups are the rows of the table, and ids ascend")
    func parts() throws {
        for name in ["b/2.jpg", "a.jpg", "c.jpg"] { folder.write("photos/" + name, JPEGSample.taken(day: 3)) }
        for name in ["1.gpx", "2.gpx", "x/3.gpx"] {
            let points = (1...3).map { "<trkpt lat=\"\($0)\" lon=\"2\"></trkpt>" }.joined()
            folder.write("tracks/" + name, "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>")
        }
        folder.write("music/a.mp3", "none")
        folder.write("music/b.flac", "none")
        for (kind, root, count) in [
            (SourceKind.photos, "photos", 3), (.location, "tracks", 9), (.music, "music", 2),
        ] {
            let (whole, byGroup) = try rows(kind, root)
            #expect(whole == byGroup && whole.count == count)
            let ids = whole.map { if case .integer(let id) = $0[0] { id } else { Int64(-1) } }
            #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        }
    }

    @Test("a group's state tells of a change of its file, and of what lies beside a picture")
    func states() async throws {
        for name in ["a/1.jpg", "a/2.jpg", "b/3.jpg"] {
            folder.write("photos/" + name, JPEGSample.taken(day: nil))
        }
        folder.write("photos/a/1.jpg.json", "{}")
        #expect(try snapshot(.photos, "photos").1.groups()?.allSatisfy { $0.state == nil } == true)
        try await folder.settle()
        let first = try #require(try snapshot(.photos, "photos").1.groups())
        #expect(first.allSatisfy { $0.state != nil })
        #expect(try snapshot(.photos, "photos").1.groups() == first)
        folder.write("photos/a/1.jpg.json", "{ }")
        let second = try #require(try snapshot(.photos, "photos").1.groups())
        #expect(second.map(\.name) == first.map(\.name))
        #expect(second[0].state == nil && second[1].state == nil && second[2] == first[2])
        try await folder.settle()
        let third = try #require(try snapshot(.photos, "photos").1.groups())
        #expect(third[0].state != nil && third[0] != first[0] && third[1] != first[1] && third[2] == first[2])
        var times = [timeval(tv_sec: 1_600_000_000, tv_usec: 0), timeval(tv_sec: 1_600_000_000, tv_usec: 0)]
        utimes(folder.path + "/photos/b/3.jpg", &times)
        #expect(try snapshot(.photos, "photos").1.groups()?[2] != first[2])
    }

    @Test("who does not watch cannot tell what lies beside pictures")
    func unwatched() throws {
        folder.write("photos/1.jpg", JPEGSample.taken(day: 1))
        let context = SourceContext(PhotosAdapter(), roots: [folder.path + "/photos"]) { _, _ in }
        #expect(try PhotosTable(context: context).snapshot(assets: AssetTable()).groups() == nil)
    }
}
