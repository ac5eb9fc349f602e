import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowSourceFiles
@testable import EscrowTableKit

/// Pictures by their dates: a kept order is, at every moment, what a scan of all pictures gives.
@Suite("Pictures by their dates", .timeLimit(.minutes(60)))
struct PhotoDatesTests {
    private let folder: Folder
    private let root: String
    private let memory: SourceMemory
    private let zone = LocalZone.fixed(3_600)

    init() throws {
        folder = try Folder()
        root = folder.path + "/photos"
        mkdir(root, 0o700)
        folder.write("home/sources.json", "{\"sources\": []}")
        memory = SourceMemory(directory: folder.path + "/home", zone: zone)
        memory.watchFolders()
    }

    /// The table as a process that stays has it, or one that remembers nothing.
    private func table(_ memory: SourceMemory?) -> PhotosTable {
        let context = SourceContext(PhotosAdapter(), roots: [root], memory: memory) { _, _ in }
        return PhotosTable(context: context, zone: zone)
    }

    private static let columns = ["filename", "collectionName", "creationDate"]
    private static let date = PhotosSpec.Column.creationDate.rawValue

    /// The rows as the source serves them; nil where it leaves the order to others.
    private func served(
        _ memory: SourceMemory?, where predicates: [Predicate] = [], descending: Bool? = nil,
        limit: Int? = nil
    ) throws -> [[Cell]]? {
        let table = table(memory)
        let positions = Self.columns.map { table.spec.column(named: $0)! }
        let request = ScanRequest(
            columns: ColumnMask(positions), predicates: predicates,
            order: descending.map { [OrderTerm(column: Self.date, descending: $0)] } ?? [], limit: limit)
        let snapshot = try table.snapshot(assets: AssetTable())
        let offer = try snapshot.offer(for: request) ?? table.offer(for: request)
        guard offer.servesOrder else { return nil }
        let scan = try snapshot.scan(request)
        let chunk = ColumnChunk(spec: table.spec)
        if let limit { chunk.wantedRows = limit }
        var rows: [[Cell]] = []
        while try scan.next(into: chunk) {
            for row in 0..<chunk.rowCount { rows.append(positions.map { chunk.cell(row: row, column: $0) }) }
            if let limit, rows.count >= limit { return Array(rows.prefix(limit)) }
        }
        return rows
    }

    /// All rows, by a process that remembers nothing, sorted as SQLite sorts: null first, equals as they come.
    private func sorted(descending: Bool) throws -> [[Cell]] {
        func text(_ cell: Cell) -> String { if case .text(let text) = cell { text } else { "" } }
        let all = try #require(try served(nil)).enumerated()
        return all.sorted { left, right in
            let (a, b) = (text(left.element[2]), text(right.element[2]))
            if a == b { return left.offset < right.offset }
            return descending ? a > b : a < b
        }.map(\.element)
    }

    /// Compares orders and spans of dates with a scan of all pictures that remembers nothing.
    private func check(_ memory: SourceMemory? = nil, limit: Int? = nil) throws {
        let memory = memory ?? self.memory
        for descending in [false, true] {
            let whole = try sorted(descending: descending)
            let own = try #require(
                try served(memory, descending: descending, limit: limit), "the order is not served")
            #expect(own == limit.map { Array(whole.prefix($0)) } ?? whole)
        }
        for predicates in Self.spans {
            // A source may keep rows that the engine drops; here all that are kept must be what the terms admit.
            #expect(try served(memory, where: predicates) == served(nil, where: predicates))
        }
    }

    private static let spans: [[Predicate]] = {
        func term(_ operation: Predicate.Operation, _ values: Cell...) -> Predicate {
            Predicate(column: date, operation: operation, values: values)
        }
        return [
            [term(.greaterOrEqual, "2020-01-05"), term(.less, "2020-01-20T00:00:00.000Z")],
            [term(.greater, "2020-01-10T11:00:00.000Z")], [term(.lessOrEqual, "2020-01-10T11:00:00.000Z")],
            [term(.equal, "2020-01-10T11:00:00.000Z")], [term(.less, "2020")], [term(.isNull)],
            [term(.notNull)], [term(.greater, "2020-01-20"), term(.less, "2020-01-10")],
        ]
    }()

    /// A picture that was taken on a day of January 2020; on none it does not say.
    private func picture(_ name: String, day: Int?, age: Int? = nil) {
        let path = folder.write("photos/" + name, JPEGSample.taken(day: day))
        if let age { Self.age(path, age) }
    }

    private func sideCar(_ name: String, day: Int, isXMP: Bool) {
        let text =
            isXMP
            ? """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/"
            exif:DateTimeOriginal="2020-01-\(day < 10 ? "0" : "")\(day)T12:00:00+01:00"/></rdf:RDF></x:xmpmeta>
            """ : #"{"photoTakenTime": {"timestamp": "\#(1_577_836_800 + 86_400 * day + 39_600)"}}"#
        folder.write("photos/" + name, text)
    }

    private static func age(_ path: String, _ seconds: Int) {
        var times = [timeval(tv_sec: 1_600_000_000 + seconds, tv_usec: 0), timeval()]
        times[1] = times[0]
        utimes(path, times)
    }

    @Test("orders and spans of dates are those of a full scan, for every kind of date")
    func kinds() throws {
        for day in 1...12 { picture("\(day % 3)/IMG_\(day).jpg", day: day * 7 % 13 + 1) }
        for name in ["none.jpg", "0/none.jpg", "0/xmp.jpg", "takeout.jpg", "bad.jpg"] {
            picture(name, day: nil)
        }
        sideCar("0/xmp.jpg.xmp", day: 3, isXMP: true)
        sideCar("takeout.jpg.json", day: 10, isXMP: false)
        // The header's word comes first.
        sideCar("1/IMG_1.jpg.json", day: 25, isXMP: false)
        folder.write("photos/bad.jpg.json", "{")
        folder.write("photos/0/movie.webm", "none")
        for limit in [nil, 1, 5] as [Int?] {
            try check(limit: limit)
            if isWatchable { try check() }
        }
    }

    @Test("whatever is done to pictures and side-cars, a kept order is what a full scan gives")
    func anything() throws {
        var generator = SystemRandomNumberGenerator()
        let folders = ["", "a/", "a/b/", "c/"]
        func place(_ ending: String) -> String {
            folders.randomElement(using: &generator)! + "P\(Int.random(in: 0..<8, using: &generator))"
                + ending
        }
        let endings = [
            ".jpg", ".jpg", ".png", ".xmp", ".jpg.xmp", ".jpg.json", ".jpg.supplemental-metadata.json",
        ]
        for round in 0..<250 {
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let name = place(endings.randomElement(using: &generator)!)
                let day = Int.random(in: 1...28, using: &generator)
                switch Int.random(in: 0..<12, using: &generator) {
                case 0, 1, 2: picture(place(".jpg"), day: Bool.random() ? day : nil, age: day)
                case 3: picture(place(".jpg"), day: day)
                case 4, 5: sideCar(place([".xmp", ".jpg.xmp"].randomElement()!), day: day, isXMP: true)
                case 6, 7:
                    let ending = [".jpg.json", ".jpg.supplemental-metadata.json"].randomElement()!
                    sideCar(place(ending), day: day, isXMP: false)
                case 8: unlink(root + "/" + name)
                case 9: rename(root + "/" + name, root + "/" + place(endings.randomElement()!))
                case 10:
                    rename(
                        root + "/" + folders.randomElement()!.dropLast(1),
                        root + "/" + ["d", "c", "a", "a/e"].randomElement()!)
                default: Self.age(root + "/" + name, day)
                }
            }
            try check()
            if round % 5 == 0 { try check(limit: 3) }
        }
    }

    @Test("what stands in the place of a side-car for a moment is read again, with its time set back or not")
    func inPlace() throws {
        picture("one.jpg", day: nil, age: 1)
        picture("two.jpg", day: 9, age: 1)
        for day in [3, 12, 20, 4] {
            sideCar("one.jpg.json", day: day, isXMP: false)
            // Of the same length and time as before: an event and the time of the change in the i-node tell.
            Self.age(root + "/one.jpg.json", 5)
            try check()
        }
    }

    @Test("pictures whose folders did not change are not read again")
    func reads() async throws {
        for day in 1...20 { picture("\(day % 4)/\(day).jpg", day: day, age: day) }
        try await folder.settle()
        try check()
        guard isWatchable else {
            print("SKIP: the temporary folder lies on a file system without events")
            return
        }
        let dates = PhotoDates.kept(in: memory, [root])
        let first = try #require(dates.known)
        #expect(first.momentary.isEmpty && first.order.count == 20)
        try check()
        #expect(dates.known === first, "the dates were found out again")
        let read = memory.filesRead
        // It is too young to be kept, so each of the scans reads it: a time to come, which however long a scan takes is not past.
        picture("1/new.jpg", day: 13, age: 2_000_000_000)
        try check()
        #expect(memory.filesRead > read)
        #expect(dates.known !== first && dates.known?.momentary.count == 1)
        #expect(dates.known?.bases.count { $0 == .header } == 20)
    }

    @Test("a process that runs once serves the first few by what is kept of headers, and reads nothing twice")
    func once() async throws {
        for day in 1...28 {
            for hour in 0..<4 { picture("\(hour)/\(day).jpg", day: day, age: day) }
        }
        try await folder.settle()
        func process() -> SourceMemory { SourceMemory(directory: folder.path + "/home", zone: zone) }
        let first = process()
        let rows = try served(first, descending: true, limit: 5)
        #expect(try rows == Array(sorted(descending: true).prefix(5)))
        #expect(first.filesRead == 112)
        let second = process()
        #expect(try served(second, descending: true, limit: 5) == rows)
        #expect(second.filesRead == 0)
        // All of them, sorted by who reads them in a row, is less work.
        #expect(try served(second, descending: true) == nil)
        #expect(try served(nil, descending: true, limit: 1) == nil)
    }

    @Test("for the pictures of one folder the others are not read")
    func narrow() throws {
        for day in 1...20 {
            picture("near/\(day).jpg", day: day, age: day)
            picture("far/\(day).jpg", day: day, age: day)
        }
        let near = Predicate(
            column: PhotosSpec.Column.collectionName.rawValue, operation: .equal, values: ["near"])
        for memory in [memory, SourceMemory(directory: folder.path + "/other", zone: zone)] {
            let rows = try served(memory, where: [near], descending: true, limit: 2)
            #expect(rows?.map { $0[0] } == ["20.jpg", "19.jpg"])
            #expect(memory.filesRead <= 22)
        }
    }

    @Test("a query for pictures without videos keeps the order of all")
    func ofOneKind() async throws {
        for day in 1...4 { picture("\(day).jpg", day: day, age: day) }
        folder.write("photos/movie.webm", "none")
        try await folder.settle()
        let pictures = Predicate(
            column: PhotosSpec.Column.mediaType.rawValue, operation: .equal, values: [1])
        let rows = try served(memory, where: [pictures], descending: true, limit: 2)
        #expect(rows?.map { $0[0] } == ["4.jpg", "3.jpg"])
        guard isWatchable else {
            print("SKIP: the temporary folder lies on a file system without events")
            return
        }
        #expect(PhotoDates.kept(in: memory, [root]).known?.order.count == 5)
    }

    private var isWatchable: Bool {
        var mounts = MountTable()
        guard let opened = Descriptor.openingRoot(root) else { return false }
        return mounts.isLocal(opened)
    }
}

/// A picture without pixels: a header alone.
enum JPEGSample {
    /// Taken at noon of a day of January 2020, in a zone that it does not name; without a day it does not say when.
    static func taken(day: Int?) -> [UInt8] {
        func number(_ value: Int, _ width: Int) -> [UInt8] {
            (0..<width).map { UInt8(value >> (8 * $0) & 0xFF) }
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
            number(1, 2) + number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
                + number(0, 4)
        }
        var exif = Array("Exif\0\0II*\0".utf8) + number(8, 4)
        if let day {
            let text = "2020:01:\(day < 10 ? "0" : "")\(day) 12:00:00\0"
            exif += entry(0x8769, 4, 1, 26) + entry(0x9003, 2, 20, 44) + Array(text.utf8)
        } else {
            exif += entry(0x0112, 3, 1, 1)
        }
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
        return [0xFF, 0xD8, 0xFF, 0xE1] + number(exif.count + 2, 2).reversed() + exif + frame + [0xFF, 0xD9]
    }
}
