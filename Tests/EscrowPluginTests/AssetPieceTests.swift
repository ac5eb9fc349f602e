import EscrowJSON
import EscrowPlugin
import EscrowPluginTesting
import EscrowTabular
import EscrowWire
import Testing

/// Assets that come piece by piece.
@Suite struct AssetPieceTests {
    /// Counts and adds up the bytes of each asset; may lose heart at a size.
    struct Summing: ComputePlugin {
        var gaveUpAt = Int.max

        struct GivenUp: Error {}

        func compute(_ run: borrowing Run) throws -> Result {
            var bytes = 0
            var sum = 0
            var longest = 0
            var mediaTypes: [String] = []
            for row in run.rows {
                do {
                    let header = try run.asset(try row.text("asset")) { piece in
                        bytes += piece.count
                        longest = max(longest, piece.count)
                        sum += piece.reduce(0) { $0 + Int($1) }
                        if bytes > gaveUpAt { throw GivenUp() }
                    }
                    mediaTypes.append("\(header.byteCount) \(header.mediaType)")
                } catch is GivenUp {
                    mediaTypes.append("given up")
                }
            }
            return .record([
                (name: "bytes", value: .integer(bytes)), (name: "sum", value: .integer(sum)),
                (name: "fits", value: .boolean(longest <= 1 << 16)),
                (name: "types", value: .text(mediaTypes.joined(separator: ", "))),
            ])
        }
    }

    private static func host() throws -> MockHost {
        try MockHost(
            columns: [Field("asset", type: .asset)], rows: [[.text("a")], [.text("b")], [.text("c")]],
            assets: [
                "a": ("video/mp4", [UInt8](repeating: 2, count: 300_000)), "b": ("image/png", []),
                "c": ("image/jpeg", [1, 2, 3]),
            ])
    }

    @Test func piecesMakeTheWhole() throws {
        let outcome = try Self.host().run(Summing())
        #expect(outcome.record?["bytes"] == .integer(300_003))
        #expect(outcome.record?["sum"] == .integer(600_006))
        #expect(outcome.record?["fits"] == .bool(true))
        #expect(outcome.record?["types"] == .string("300000 video/mp4, 0 image/png, 3 image/jpeg"))
    }

    @Test func whatIsLeftIsPassedOverWhereThePluginLosesHeart() throws {
        let outcome = try Self.host().run(Summing(gaveUpAt: 100_000))
        #expect(outcome.record?["types"] == .string("given up, 0 image/png, given up"))
        #expect(outcome.counts.assets == 3)
    }
}
