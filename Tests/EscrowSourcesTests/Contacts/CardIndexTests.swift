import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowPeople
@testable import EscrowTableKit

/// An index of cards spares reading, and never shows in an answer.
@Suite(.timeLimit(.minutes(60))) struct CardIndexTests {
    private let folder: Folder
    private var home: String { folder.path + "/home" }
    private var cache: String { home + "/index/cards.cache" }
    private var cards: String { folder.path + "/cards" }

    init() throws {
        folder = try Folder()
        folder.write("home/sources.json", "{\"sources\": []}")
    }

    /// Cards of every kind that could be looked up wrongly: repeated UIDs, none, no name, names that begin alike, lists of contacts,
    /// long lines, quoted-printable, a blank UID; and a filler that makes the file large enough to be indexed.
    private static func card(_ number: Int) -> String {
        var lines = ["BEGIN:VCARD", "VERSION:3.0"]
        if number % 7 != 3 { lines.append("UID:u\(number % 5 == 0 ? number / 2 : number)") }
        switch number % 6 {
        case 0: lines.append("N:Ärger\(number % 40);Given\(number % 3);;;")
        case 1: lines.append("N:Lastname\(number % 25);;;;")
        case 2: lines.append("N:Lastname;Given\(number % 4);;;")
        case 3: lines.append("N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:L=C3=A4st=\n\(number % 9);G;;;")
        default: lines.append("FN:nobody \(number)")
        }
        if number % 11 == 0 { lines.append("KIND:group") }
        lines.append("TEL:+1 \(number)")
        lines.append("EMAIL:a\(number)@example.org")
        lines.append("NOTE:" + String(repeating: "filler ", count: number % 50 * 8))
        lines.append("PHOTO;ENCODING=b:" + String(repeating: "QUJD", count: number % 9 * 40))
        lines.append("END:VCARD")
        return lines.joined(separator: "\r\n") + (number % 13 == 0 ? "\r\n\r\n" : "\r\n")
    }

    private func write(_ name: String, _ numbers: Range<Int>, microseconds: Int = 0) {
        age(folder.write("cards/\(name)", numbers.map(Self.card).joined()), microseconds)
    }

    private func age(_ path: String, _ microseconds: Int) {
        var times = [timeval(tv_sec: 1_700_000_000, tv_usec: microseconds), timeval()]
        times[1] = times[0]
        utimes(path, times)
    }

    /// A row and its id.
    struct Row: Hashable {
        let number: Int64
        let cells: [Cell]
    }

    /// What a new process would get: rows with their ids, and what it read of the files on the way.
    private func ask(
        _ table: String, _ columns: [String], _ terms: [Predicate] = [], order: [OrderTerm] = [],
        limit: Int? = nil, indexed: Bool = true, log: ProblemLog = ProblemLog(), onceListed: () -> Void = {}
    ) throws -> (rows: [Row], servesOrder: Bool) {
        let context = SourceContext(
            ContactsAdapter(), roots: [cards], memory: indexed ? SourceMemory(directory: home) : nil
        ) { log.add($0, $1) }
        let source = ContactsAdapter().tables(context).first { $0.spec.name == table }!
        let snapshot = try source.snapshot(assets: AssetTable())
        onceListed()
        let positions = columns.map { source.spec.column(named: $0)! }
        var request = ScanRequest(
            columns: ColumnMask(positions + order.map(\.column)), predicates: terms, order: order,
            limit: limit)
        let offer = try snapshot.offer(for: request)
        let serves = order.isEmpty || offer?.servesOrder ?? false
        if !serves { request.order = [] }
        let scan = try snapshot.scan(request)
        let chunk = ColumnChunk(spec: source.spec)
        if let limit { chunk.wantedRows = limit }
        var rows: [Row] = []
        while try scan.next(into: chunk) {
            for row in 0..<chunk.rowCount {
                rows.append(
                    Row(
                        number: chunk.rowIDs.integer(row),
                        cells: positions.map { chunk.cell(row: row, column: $0) }))
            }
            if serves, !order.isEmpty, let limit, rows.count >= limit { break }
        }
        return (rows, serves)
    }

    private func column(_ name: String) -> Int { ContactsSpec.contacts.column(named: name)! }

    private func term(_ name: String, _ operation: Predicate.Operation, _ values: String...) -> Predicate {
        Predicate(column: column(name), operation: operation, values: values.map { .text($0) })
    }

    private var size: Int64 {
        var status = stat()
        return stat(cache, &status) == 0 ? Int64(status.st_size) : -1
    }

    @Test func theSecondQueryOfAKindCollectsAndTheThirdReadsWhatItNeeds() async throws {
        write("all.vcf", 0..<1_500)
        try await folder.settle()
        let one = [term("familyName", .equal, "Lastname7")]
        let expected = try ask("Contacts", ["id", "givenName", "phoneNumber"], one, indexed: false).rows
        #expect(!expected.isEmpty)
        #expect(try ask("Contacts", ["id", "givenName", "phoneNumber"], one).rows == expected)
        let note = size
        #expect(note > 0 && note < 100)
        #expect(try ask("Contacts", ["id", "givenName", "phoneNumber"], one).rows == expected)
        #expect(size > note + 1_000)
        // The third reads a few cards, who remembers nothing all of them.
        guard let before = Self.bytesRead() else {
            return print("SKIP: the kernel does not count what is read")
        }
        #expect(try ask("Contacts", ["id", "givenName", "phoneNumber"], one).rows == expected)
        let few = try #require(Self.bytesRead()) - before
        _ = try ask("Contacts", ["id", "givenName", "phoneNumber"], one, indexed: false)
        let all = try #require(Self.bytesRead()) - before - few
        #expect(few * 4 < all, "\(few) of \(all) bytes")
        // As a program leaves a file that it changes and sets the time back of.
        let file = try #require(fopen(cards + "/all.vcf", "r+"))
        fputs("XXXXX", file)
        fclose(file)
        age(cards + "/all.vcf", 0)
        try await folder.settle()
        #expect(try ask("Contacts", ["id"]).rows == (try ask("Contacts", ["id"], indexed: false).rows))
    }

    /// What this thread read so far, by read(2), in bytes.
    private static func bytesRead() -> Int? {
        guard let file = fopen("/proc/thread-self/io", "r") else { return nil }
        defer { fclose(file) }
        var count = 0
        return withUnsafeMutablePointer(to: &count) { pointer in
            withVaList([pointer]) { vfscanf(file, "rchar: %ld", $0) } == 1 ? pointer.pointee : nil
        }
    }

    @Test func termsAreLookedUpAsTheyAreComparedRowByRow() async throws {
        write("a.vcf", 0..<900)
        write("b.vcf", 700..<1_600)
        try await folder.settle()
        let terms: [[Predicate]] = [
            [term("id", .equal, "u41")], [term("id", .is, "u20")], [term("id", .equal, "u20#")],
            [term("id", .in, "u1", "u2", "u1", "nobody", "u900")], [term("familyName", .equal, "Ärger12")],
            [term("familyName", .greaterOrEqual, "Lä")],
            [term("familyName", .greater, "Lastname1"), term("familyName", .less, "Lastname12")],
            [term("familyName", .in, "Lastname", "Lastname3"), term("familyName", .greater, "Lastname")],
            [term("familyName", .lessOrEqual, "")], [term("emailAddress", .equal, "a77@example.org")],
            [term("givenName", .equal, "Given2"), term("id", .lessOrEqual, "u1000")],
            [term("familyName", .less, "A"), term("familyName", .greater, "Z")],
        ]
        for columns in [["id"], ["givenName", "phoneNumber"], ["id", "note", "imageDataAvailable"]] {
            for terms in terms {
                let expected = try ask("Contacts", columns, terms, indexed: false).rows
                for _ in 0..<4 {
                    let rows = try ask("Contacts", columns, terms).rows
                    #expect(rows == expected, "\(terms)")
                }
            }
        }
        #expect(size > 1_000)
    }

    @Test func anIDFoundByTheIndexIsTheOneThatAScanGives() async throws {
        write("a.vcf", 0..<1_000)
        write("b.vcf", 500..<1_000)
        try await folder.settle()
        let ids = try ask("Contacts", ["id"], indexed: false).rows
        #expect(Set(ids).count == ids.count)
        for row in stride(from: 0, to: ids.count, by: 97) {
            guard case .text(let id) = ids[row].cells[0] else { continue }
            for _ in 0..<3 {
                #expect(try ask("Contacts", ["id"], [term("id", .equal, id)]).rows == [ids[row]])
                let number = Predicate(column: 0, operation: .equal, values: [.text(id)])
                let numbers = try ask("ContactPhoneNumbers", ["contactID", "phoneNumber"], [number]).rows
                #expect(numbers.count == 1)
                #expect(
                    try ask("ContactPhoneNumbers", ["contactID", "phoneNumber"], [number], indexed: false)
                        .rows == numbers)
            }
        }
    }

    @Test(arguments: [false, true], [["familyName"], ["familyName", "givenName"], ["id"], ["birthday"]])
    func anOrderIsServedOnceItIsKnown(_ descending: Bool, _ columns: [String]) async throws {
        write("a.vcf", 0..<1_000)
        write("b.vcf", 1_000..<1_700)
        try await folder.settle()
        let order = columns.map { OrderTerm(column: column($0), descending: descending) }
        let all = try ask("Contacts", ["id"] + columns, indexed: false).rows
        // Sorted by values; equals as they stand in the files.
        let sorted = all.enumerated().sorted { left, right in
            for (a, b) in zip(left.element.cells, right.element.cells).dropFirst() where a != b {
                return Self.precedes(a, b) != descending
            }
            return left.offset < right.offset
        }.map(\.element)
        #expect(try !ask("Contacts", ["id"] + columns, order: order, limit: 20).servesOrder)
        #expect(try !ask("Contacts", ["id"] + columns, order: order, limit: 20).servesOrder)
        let answer = try ask("Contacts", ["id"] + columns, order: order, limit: 20)
        #expect(answer.servesOrder)
        #expect(answer.rows == Array(sorted.prefix(20)))
        // Many rows are sorted faster than they are read one by one.
        #expect(try !ask("Contacts", ["id"] + columns, order: order, limit: 1_000).servesOrder)
        #expect(try !ask("Contacts", ["id"] + columns, order: order).servesOrder)
    }

    private static func precedes(_ left: Cell, _ right: Cell) -> Bool {
        guard case .text(let a) = left else { return true }
        guard case .text(let b) = right else { return false }
        return a.utf8.lexicographicallyPrecedes(b.utf8)
    }

    @Test func aChangeShowsAtOnce() async throws {
        write("all.vcf", 0..<1_500)
        try await folder.settle()
        let one = [term("id", .equal, "u1499")]
        for _ in 0..<3 { #expect(try ask("Contacts", ["id"], one).rows.count == 1) }
        write("all.vcf", 0..<1_499, microseconds: 1)
        try await folder.settle()
        #expect(try ask("Contacts", ["id"], one).rows.isEmpty)
        write("more.vcf", 1_499..<1_501, microseconds: 1)
        try await folder.settle()
        for _ in 0..<3 { #expect(try ask("Contacts", ["id"], one).rows.count == 1) }
        // A file that changed a moment ago could change again with the same time.
        folder.write("cards/more.vcf", Self.card(2))
        #expect(try ask("Contacts", ["id"], one).rows.isEmpty)
    }

    @Test func aDamagedIndexIsMadeAnew() async throws {
        write("all.vcf", 0..<1_500)
        try await folder.settle()
        let one = [term("id", .equal, "u1399")]
        for _ in 0..<2 { _ = try ask("Contacts", ["id"], one) }
        let whole = size
        let expected = try ask("Contacts", ["id"], one, indexed: false).rows
        for place in stride(from: Int64(0), to: whole, by: max(1, Int(whole) / 20)) {
            let file = try #require(fopen(cache, "r+"))
            fseek(file, Int(place), SEEK_SET)
            let byte = fgetc(file)
            fseek(file, Int(place), SEEK_SET)
            fputc(Int32(byte) ^ 0x55, file)
            fclose(file)
            for _ in 0..<2 { #expect(try ask("Contacts", ["id"], one).rows == expected) }
            #expect(size == whole)
        }
        truncate(cache, off_t(whole / 2))
        for _ in 0..<2 { #expect(try ask("Contacts", ["id"], one).rows == expected) }
        #expect(size == whole)
        // What others may have written is not believed either.
        chmod(cache, 0o606)
        for _ in 0..<2 { #expect(try ask("Contacts", ["id"], one).rows == expected) }
        var status = stat()
        #expect(size == whole && stat(cache, &status) == 0 && status.st_mode & 0o077 == 0)
    }

    @Test func whatIsLeftOutIsToldByEveryQuery() async throws {
        write("all.vcf", 0..<1_500)
        age(folder.write("cards/broken.vcf", "BEGIN:VCARD\nFN:A\n"), 0)
        try await folder.settle()
        for _ in 0..<4 {
            let log = ProblemLog()
            #expect(try ask("Contacts", ["id"], [term("id", .equal, "u1399")], log: log).rows.count == 1)
            #expect(log.problems.count == 1)
        }
        #expect(size < 100)
    }

    @Test func aCardThatIsGoneIsToldAndNoOtherIsServedInItsPlace() async throws {
        write("all.vcf", 0..<1_500)
        try await folder.settle()
        let one = [term("id", .equal, "u1399")]
        for _ in 0..<3 { _ = try ask("Contacts", ["id"], one) }
        let length = (0..<1_500).reduce(0) { $0 + Self.card($1).utf8.count }
        let log = ProblemLog()
        // Of the same i-node, size and time, and a moment after it was listed.
        let rows = try ask("Contacts", ["id"], one, log: log) {
            folder.write("cards/all.vcf", String(repeating: "\n", count: length))
            age(cards + "/all.vcf", 0)
        }.rows
        #expect(rows.isEmpty)
    }

    @Test func theIndexHoldsNothingThatACardSays() async throws {
        write("all.vcf", 0..<1_500)
        try await folder.settle()
        let order = [OrderTerm(column: column("familyName")), OrderTerm(column: column("givenName"))]
        for _ in 0..<3 { _ = try ask("Contacts", ["id", "familyName", "givenName"], order: order, limit: 5) }
        #expect(size > 1_000)
        let file = try #require(fopen(cache, "r"))
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
        fclose(file)
        var status = stat()
        #expect(stat(cache, &status) == 0 && status.st_mode & 0o077 == 0)
        for word in ["Last", "Given", "Arg", "u14", "nobody", "cards", "vcf"] {
            let hit = bytes.dropFirst(15).indices.contains { bytes[$0...].starts(with: word.utf8) }
            #expect(!hit, "\(word)")
        }
    }
}
