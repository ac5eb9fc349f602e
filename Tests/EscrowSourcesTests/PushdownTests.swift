import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowMedia
@testable import EscrowPeople
@testable import EscrowPlaces
@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("What scans leave unread")
struct PushdownTests {
    private let photos = Repository.samples + "/photos"

    @Test("a query on what the listing knows opens no photo")
    func listingOnly() throws {
        let folder = try Folder()
        // Not readable as a picture: opening it would be told.
        for name in ["b.jpg", "a.jpg", "sub/c.png"] { folder.write(name, "no picture") }
        let log = ProblemLog()
        let table = Table("Photos", .photos, folder.path, log: log)
        let rows = try table.rows("filename", "fileSize", "collectionName", "mediaType", "mimeType")
        #expect(
            rows == [
                ["a.jpg", 10, nil, 1, "image/jpeg"], ["b.jpg", 10, nil, 1, "image/jpeg"],
                ["c.png", 10, "sub", 1, "image/png"],
            ])
        #expect(log.problems.isEmpty)
        let name = Predicate(column: table.column("filename"), operation: .equal, values: ["b.jpg"])
        #expect(try table.rows("filename", "latitude", where: [name]) == [["b.jpg", nil]])
        #expect(log.problems.map(\.path) == [folder.path + "/b.jpg"])
    }

    @Test("an order by listed columns is served, and a limit reads no more headers than rows")
    func order() throws {
        let folder = try Folder()
        for (name, size) in [("a.jpg", 30), ("b.jpg", 10), ("c.jpg", 20), ("d.jpg", 20)] {
            folder.write(name, [UInt8](repeating: 0, count: size))
        }
        let log = ProblemLog()
        let table = Table("Photos", .photos, folder.path, log: log)
        let size = OrderTerm(column: table.column("fileSize"), descending: true)
        let name = OrderTerm(column: table.column("filename"), descending: true)
        #expect(
            try table.rows("filename", order: [size, name]).map(\.[0]) == [
                "a.jpg", "d.jpg", "c.jpg", "b.jpg",
            ])
        _ = try table.rows("filename", "latitude", order: [size], limit: 2, chunkRows: 2)
        #expect(log.problems.count == 2)
        func offer(_ terms: [OrderTerm]) -> Bool {
            table.source.offer(for: ScanRequest(columns: ColumnMask([0]), order: terms)).servesOrder
        }
        #expect(offer([size, name]))
        #expect(!offer([size, OrderTerm(column: table.column("creationDate"))]))
        #expect(!offer([OrderTerm(column: table.column("asset"))]))
    }

    @Test(
        "row ids are the same whatever a scan leaves out",
        arguments: ["Contacts", "ContactPhoneNumbers", "Photos", "Location"])
    func rowIDs(_ name: String) throws {
        let kind: SourceKind = name == "Photos" ? .photos : name == "Location" ? .location : .contacts
        let path =
            Repository.samples + ["contacts": "/contacts.vcf", "photos": "/photos", "location": "/tracks"][
                kind.rawValue]!
        let table = Table(name, kind, path)
        let all = try table.ids()
        #expect(Set(all).count == all.count)
        let rows = try table.rows()
        let column = [
            "Contacts": "familyName", "ContactPhoneNumbers": "label", "Photos": "cameraModel",
            "Location": "kind",
        ][name]!
        let position = table.column(column)
        let value = rows.map { $0[position] }.last { $0 != .null }!
        let kept = try table.ids(where: [Predicate(column: position, operation: .equal, values: [value])])
        #expect(kept == zip(all, rows).filter { $1[position] == value }.map(\.0))
        #expect(!kept.isEmpty && kept.count < all.count)
    }

    @Test("terms drop only rows that fail them, for every operation and every column of the samples")
    func terms() throws {
        for (name, kind, path) in [
            ("Contacts", SourceKind.contacts, "/contacts.vcf"),
            ("ContactPostalAddresses", .contacts, "/contacts.vcf"),
            ("ContactContainerMembers", .contacts, "/contacts.vcf"),
            ("Photos", .photos, "/photos"), ("Location", .location, "/tracks/Records.json"),
        ] {
            let table = Table(name, kind, Repository.samples + path)
            let rows = try table.rows()
            for column in table.source.spec.columns.indices
            where table.source.spec.columns[column].type != .asset {
                let values = Array(Set(rows.map(\.[column])).prefix(1)) + [.null, 0.5, "m"]
                for value in values {
                    for operation in [
                        Predicate.Operation.equal, .notEqual, .less, .greaterOrEqual, .is, .isNot, .in,
                    ] {
                        let term = Predicate(column: column, operation: operation, values: [value])
                        let served = try table.rows(where: [term])
                        // A handle differs from scan to scan in nothing, so whole rows compare.
                        let expected = rows.filter { Self.holds($0[column], operation, value) }
                        #expect(Set(expected).isSubset(of: Set(served)), "\(name).\(column) \(operation)")
                        if RowFilter.isUsable(term, spec: table.source.spec) {
                            #expect(served.count == expected.count)
                        }
                    }
                    for operation in [Predicate.Operation.isNull, .notNull] {
                        let served = try table.rows(where: [
                            Predicate(column: column, operation: operation, values: [])
                        ])
                        #expect(served == rows.filter { ($0[column] == .null) == (operation == .isNull) })
                    }
                }
            }
        }
    }

    /// SQLite's answer for operands of one storage class; true where it depends on affinity.
    private static func holds(_ left: Cell, _ operation: Predicate.Operation, _ right: Cell) -> Bool {
        let order: Int
        switch (left, right) {
        case (.null, .null): return operation == .is
        case (.null, _), (_, .null): return operation == .isNot
        case (.text(let a), .text(let b)):
            order = Array(a.utf8) == Array(b.utf8) ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
        case (.integer(let a), .integer(let b)): order = a < b ? -1 : a == b ? 0 : 1
        case (.real(let a), .real(let b)): order = a < b ? -1 : a == b ? 0 : 1
        case (.integer(let a), .real(let b)): order = Double(a) < b ? -1 : Double(a) == b ? 0 : 1
        case (.real(let a), .integer(let b)): order = a < Double(b) ? -1 : a == Double(b) ? 0 : 1
        default: return false
        }
        switch operation {
        case .equal, .is, .in: return order == 0
        case .notEqual, .isNot: return order != 0
        case .less: return order < 0
        default: return order >= 0
        }
    }

    @Test("LIKE and GLOB drop by their literal beginning alone")
    func patterns() throws {
        let table = Table("Contacts", .contacts, Repository.samples + "/contacts.vcf")
        let column = table.column("givenName")
        func count(_ operation: Predicate.Operation, _ pattern: Cell) throws -> Int {
            try table.rows(
                "givenName", where: [Predicate(column: column, operation: operation, values: [pattern])]
            ).count
        }
        let names = try table.rows("givenName").compactMap {
            if case .text(let text) = $0[0] { text } else { nil }
        }
        #expect(try count(.like, "a%") == names.count { $0.lowercased().hasPrefix("a") })
        #expect(try count(.glob, "a*") == 0)
        #expect(try count(.glob, "A*") == names.count { $0.hasPrefix("A") })
        #expect(try count(.like, "%x%") == names.count)
        #expect(try count(.like, 5) == 41)
    }

    @Test("an asset is offered only when it is asked for")
    func assets() throws {
        let table = Table("Photos", .photos, photos)
        _ = try table.rows("id", "filename", "creationDate")
        #expect(table.assets.offeredCount == 0)
        let row = try table.rows("asset", limit: 1, chunkRows: 1)[0]
        guard case .text(let handle) = row[0] else {
            Issue.record("no handle")
            return
        }
        #expect(table.assets.offeredCount == 1)
        #expect(table.assets.deliver(handle))
        #expect(
            table.assets.delivered(handle)?.path.hasSuffix(".heic") == true
                || table.assets.delivered(handle)?.path.hasSuffix(".jpg") == true)
    }

    @Test("links, FIFOs and hidden entries are left alone; a file that vanishes or changes is told")
    func foreignEntries() throws {
        let folder = try Folder()
        folder.write("a.vcf", "BEGIN:VCARD\nFN:a\nEND:VCARD\n")
        folder.write(".hidden.vcf", "BEGIN:VCARD\nFN:h\nEND:VCARD\n")
        symlink("/etc/hostname", folder.path + "/link.vcf")
        symlink("..", folder.path + "/loop")
        mkfifo(folder.path + "/pipe.vcf", 0o600)
        let gone = folder.write("b.vcf", "BEGIN:VCARD\nFN:b\nEND:VCARD\n")
        folder.write("c.vcf", "BEGIN:VCARD\nFN:c\nEND:VCARD\n")
        let log = ProblemLog()
        let table = Table("Contacts", .contacts, folder.path, log: log)
        let snapshot = try table.source.snapshot(assets: table.assets)
        unlink(gone)
        folder.write("c.vcf", "BEGIN:VCARD\nFN:changed\nEND:VCARD\n")
        let scan = try snapshot.scan(ScanRequest(columns: ColumnMask([table.column("fullName")])))
        let chunk = ColumnChunk(spec: table.source.spec)
        #expect(try scan.next(into: chunk))
        #expect(chunk.rowCount == 1)
        #expect(chunk.cell(row: 0, column: table.column("fullName")) == "a")
        #expect(log.problems.count == 5)
        #expect(log.problems.contains { $0.path.hasSuffix("c.vcf") && $0.problem == .changed })
    }

    @Test("a link that takes a file's or a folder's place after the listing is not followed")
    func swapped() throws {
        let folder = try Folder()
        let secret = try Folder()
        secret.write("a.vcf", "BEGIN:VCARD\nFN:secret\nEND:VCARD\n")
        folder.write("sub/a.vcf", "BEGIN:VCARD\nFN:public\nEND:VCARD\n")
        let table = Table("Contacts", .contacts, folder.path)
        let snapshot = try table.source.snapshot(assets: table.assets)
        Folder.remove(folder.path + "/sub")
        symlink(secret.path, folder.path + "/sub")
        let scan = try snapshot.scan(ScanRequest(columns: ColumnMask([table.column("fullName")])))
        #expect(try !scan.next(into: ColumnChunk(spec: table.source.spec)))
    }

    @Test("without a source a table says how to add one, and a source that is gone is an error")
    func missing() throws {
        let gone = try Folder().path + "/gone"
        for table in try SourceRegistry.load(directory: gone).tables() {
            #expect(throws: Diagnostic(.noSourceOfKind, "")) { _ = try table.snapshot(assets: AssetTable()) }
        }
        #expect(throws: Diagnostic(.sourceUnreadable, "")) { _ = try Table("Photos", .photos, gone).rows() }
    }
}
