import EscrowJSON
import Testing

@testable import EscrowLedger
@testable import EscrowPage

/// The book of flows says what the ledger says, and no more of it than there is room for.
@Suite struct FlowBookTests {
    private static func entry(
        _ number: UInt64, _ kind: LedgerEntry.Kind, _ run: String, _ fields: JSONValue
    ) -> LedgerEntry {
        LedgerEntry(
            sequence: number, time: LedgerTime(milliseconds: Int64(number) * 1000), clock: nil, kind: kind,
            run: run, fields: fields, commitment: "", reduced: nil)
    }

    private static func intent(_ number: UInt64, _ run: String, app: String) -> LedgerEntry {
        entry(
            number, .runIntent, run,
            ["app": .string(app), "plugin": "p.q", "tables": ["Photos", "Contacts"]])
    }

    @Test func runsOfOneKindAreOneFlow() throws {
        var book = FlowBook()
        for (index, run) in ["r-1", "r-2"].enumerated() {
            book.take(Self.intent(UInt64(index * 3 + 1), run, app: "a.b"))
            book.take(
                Self.entry(
                    UInt64(index * 3 + 2), .egressSent, run, ["url": "https://x.example/y?z", "bytes": 100]))
            book.take(
                Self.entry(
                    UInt64(index * 3 + 3), .runEnd, run,
                    ["outcome": "returned", "rows": 7, "bytes": 1000, "assetBytes": 24, "resultBytes": 5]))
        }
        let flow = try #require(book.flows.first)
        #expect(book.flows.count == 1 && flow.runs == 2 && flow.tables == ["Contacts", "Photos"])
        #expect(flow.readBytes == 2048 && flow.resultBytes == 10 && flow.sent == ["x.example": 200])
        #expect(book.underWay.isEmpty && book.last == 6)
    }

    @Test func aRunWithoutAnEndIsUnderWay() {
        var book = FlowBook()
        book.take(Self.intent(1, "r-1", app: "a.b"))
        #expect(book.underWay.map(\.id) == ["r-1"])
        book.take(Self.entry(2, .runInterrupted, "r-1", [:]))
        #expect(book.underWay.isEmpty && book.runs.first?.outcome == "interrupted")
    }

    @Test func whatWasErasedIsCountedAndNamesNobody() {
        var book = FlowBook()
        book.take(Self.entry(1, .runIntent, "r-1", [:]))
        #expect(book.flows.isEmpty && book.untold == 1 && book.runs.first?.app == "(erased)")
    }

    @Test func anAppThatAsksInNewWaysFillsNoMemory() {
        var book = FlowBook()
        for number in 1...UInt64(FlowBook.maximumFlows + 100) {
            book.take(Self.intent(number, "r-\(number)", app: "a.b\(number)"))
        }
        #expect(book.flows.count == FlowBook.maximumFlows && book.untold == 100)
        #expect(book.runs.count <= FlowBook.maximumRuns * 2)
    }

    @Test func aBandGrowsWithEachDoubling() {
        #expect(FlowPicture.width(of: 0) == 1)
        let widths = (0..<40).map { FlowPicture.width(of: 1 << Int64($0)) }
        #expect(zip(widths, widths.dropFirst()).allSatisfy { $1 - $0 == 1 })
    }

    @Test func hostileNamesAreInertInThePicture() throws {
        var book = FlowBook()
        book.take(Self.intent(1, "r-1", app: "</svg><script>alert(1)</script>\u{202E}"))
        book.take(Self.entry(2, .runEnd, "r-1", ["outcome": "returned", "bytes": 10, "resultBytes": 3]))
        let picture = try #require(FlowPicture(book.flows).html).source
        #expect(!picture.contains("<script") && !picture.contains("\u{202E}"))
        #expect(picture.ranges(of: "</svg>").count == 1)
    }
}
