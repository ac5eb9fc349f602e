import EscrowLocationPrivacy
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowLocation

/// What noise may spend in a day is an app's, whatever its masks are called.
@Suite struct NoiseAccountTests {
    /// An app has one account, and masks that spent nothing are forgotten first.
    @Test func whatOtherMasksOfAnAppSpentIsCounted() throws {
        let folder = try TemporaryFolder("location-account")
        let memory = LocationMemory(directory: folder.url.path)
        for (app, mask, spent) in [("a", "m1", 0.25), ("a", "m2", 0.5), ("b", "m1", 4)] {
            try memory.using(app: app, mask: mask) {
                var trace = PredictiveTrace.State()
                (trace.day, trace.spent) = (20_000, spent)
                $0.trace = trace
            }
        }
        #expect(try memory.using(app: "a", mask: "m1", on: 20_000) { $1 } == 0.5)
        #expect(try memory.using(app: "a", mask: "m3", on: 20_000) { $1 } == 0.75)
        #expect(
            try memory.using(app: "a", mask: "m3", on: 19_999) { $1 } == 0.75, "a clock that was set back")
        #expect(try memory.using(app: "a", mask: "m3", on: 20_001) { $1 } == 0)
    }
}
