import EscrowDiagnostics
import EscrowJSON
import Testing

@testable import EscrowLedger

/// What the ledger writes it reads again, however large it grows and whatever stands in it.
@Suite struct HeadBoundsTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    private func checkpoint(_ frontier: MerkleFrontier, open: [OpenRun]) -> Checkpoint {
        Checkpoint(
            ledger: String(repeating: "f", count: 32), size: frontier.size, root: frontier.root,
            time: LedgerTime.now(), generation: .max, offset: .max, open: OpenRun.digest(open),
            covers: Hashing.sha256())
    }

    @Test func theHeadOfTheLargestTreeFitsIntoItsPage() throws {
        let peaks = [[UInt8]](repeating: [UInt8](repeating: 0xFB, count: 32), count: 63)
        let frontier = try #require(MerkleFrontier(size: UInt64(Int64.max), peaks: peaks))
        let checkpoint = checkpoint(frontier, open: [])
        let page = HeadPage(
            note: try SignedNote(text: checkpoint.text, name: checkpoint.origin, signer: key),
            checkpoint: checkpoint, frontier: frontier)
        #expect(page.bytes.count == HeadPage.size)
        #expect(try HeadPage(page.bytes, verifier: key) == page)
    }

    @Test func theLineOfAsManyOpenRunsAsThereMayBeIsReadAgain() throws {
        let open = (0..<OpenRun.maximum).map {
            OpenRun(
                run: "r-80000000\(1000 + $0)", sequence: UInt64(Int64.max),
                holder: "holder." + String(repeating: "f", count: 32))
        }
        let frontier = try #require(
            MerkleFrontier(size: 1, peaks: [[UInt8](repeating: 1, count: 32)]))
        let line = try CheckpointLine(checkpoint(frontier, open: open), open: open, signer: key)
        #expect(CheckpointLine(line.bytes) == line)
    }

    @Test func recordsOfAnyTextAreReadAgainOrNotWritten() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        var random = SystemRandomNumberGenerator()
        let pieces = ["\u{1}", "\"", "\\", "\n", "\u{301}", "漢", "\u{0}", "a"]
        var written = 1
        for _ in 0..<40 {
            var text = ""
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                text += String(repeating: pieces.randomElement(using: &random) ?? "", count: 9_000)
            }
            do {
                try ledger.append(.decision, fields: ["why": .string(text), "\(text.prefix(3))": 1])
                written += 1
            } catch { #expect(error.code == .recordNotWritten) }
        }
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        #expect(try reader.verify().count == written)
    }
}
