import EscrowConsent
import EscrowDiagnostics
import Foundation
import TemporaryFolder
import Testing

@Suite("A budget of a day holds, whoever asks for it at the same time and whatever the clock says")
struct EgressUsageTests {
    let scratch: TemporaryFolder
    var folder: String { scratch.path }
    let usage: EgressUsage

    init() throws {
        scratch = try TemporaryFolder("escrow-usage")
        usage = EgressUsage(directory: scratch.path)
    }

    func take(_ bits: Int, of most: Int, grant: String = "g-1", day: String = "2026-03-09") throws -> Bool {
        try usage.take(bits: bits, bytes: 10, of: EgressBudget(bitsPerDay: most), grant: grant, day: day)
    }

    @Test("To the last bit, and what does not fit takes nothing")
    func last() throws {
        #expect(try take(60, of: 100))
        #expect(try !take(41, of: 100))
        #expect(try take(40, of: 100))
        #expect(try !take(1, of: 100))
        #expect(try take(0, of: 100))
    }

    @Test("Bytes and bits hold together, and for each grant by itself")
    func both() throws {
        let budget = EgressBudget(bitsPerDay: 100, bytesPerDay: 25)
        #expect(try usage.take(bits: 1, bytes: 20, of: budget, grant: "g-1", day: "2026-03-09"))
        #expect(try !usage.take(bits: 1, bytes: 6, of: budget, grant: "g-1", day: "2026-03-09"))
        #expect(try usage.take(bits: 1, bytes: 6, of: budget, grant: "g-2", day: "2026-03-09"))
        #expect(try !usage.take(bits: .max, bytes: .max, of: EgressBudget(), grant: "g-2", day: "2026-03-09"))
    }

    @Test("A new day is a new budget; the old day does not come back with the clock")
    func days() throws {
        #expect(try take(100, of: 100))
        #expect(try !take(1, of: 100))
        #expect(try take(100, of: 100, day: "2026-03-10"))
        for day in ["2026-03-09", "2026-03-10", "1970-01-01"] { #expect(try !take(1, of: 100, day: day)) }
        // Another grant's use, by a clock set back, does not make the later day forgotten.
        #expect(try take(1, of: 100, grant: "g-2", day: "2026-03-08"))
        #expect(try !take(1, of: 100, day: "2026-03-09"))
        #expect(try take(1, of: 100, day: "2026-03-11"))
    }

    @Test("Of many at once no more get through than there is room for")
    func race() async throws {
        let usage = usage
        let taken = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var taken = 0
                    for _ in 0..<20 {
                        let isThere = try usage.take(
                            bits: 7, bytes: 1, of: EgressBudget(bitsPerDay: 100), grant: "g-1",
                            day: "2026-03-09")
                        taken += isThere ? 1 : 0
                    }
                    return taken
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(taken == 14)
    }

    @Test(
        "A file that is not understood is no budget, and says where",
        arguments: [
            "", "{", "[]", #"{"escrow-egress-usage": 2, "grants": {}}"#, #"{"escrow-egress-usage": 1}"#,
            #"{"escrow-egress-usage": 1, "grants": {"g-1": {"day": "2026-03-09", "bits": 1}}}"#,
            #"{"escrow-egress-usage": 1, "grants": {"g-1": {"day": "2026-03-09", "bits": -5, "bytes": 0}}}"#,
            #"{"escrow-egress-usage": 1, "grants": {"g-1": {"day": "yesterday", "bits": 0, "bytes": 0}}}"#,
            #"{"escrow-egress-usage": 1, "grants": {"g-1": {"day": "", "bits": 0, "bytes": 0}}}"#,
            #"{"escrow-egress-usage": 1, "grants": {}, "x": 1}"#,
        ])
    func broken(text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: folder + "/egress-usage.json"))
        let error = #expect(throws: Diagnostic.self) { try take(1, of: 100) }
        #expect(error?.code == .sentTodayUnknown)
        #expect(error?.description.contains("egress-usage.json:1:") == true)
    }
}
