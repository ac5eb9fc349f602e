import EscrowConsent
import EscrowJSON
import EscrowLocationPrivacy
import Testing

/// What a grant is bound to of the individual's place: told more exactly asks again, told less does not.
@Suite struct PlaceTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }

    func dataflow(_ places: [String: Telling]) -> DataflowDescription {
        DataflowDescription.sample.with { $0.places = places }
    }

    @Test func aPlaceThatIsToldMoreExactlyAsksAgain() throws {
        try store.allow(dataflow(["forecast": .city]), .init(reason: .settings))
        #expect(try store.decide(for: dataflow(["forecast": .city])).state == .authorized)
        #expect(try store.decide(for: dataflow(["forecast": .country])).state == .authorized)
        #expect(try store.decide(for: dataflow(["forecast": .none])).state == .authorized)
        let finer = try store.decide(for: dataflow(["forecast": .street]))
        #expect(finer.state == .notDetermined)
        #expect(
            finer.why.contains(
                "it tells a place within about 100 m of yours, it was the town nearest to you"),
            "\(finer.why)")
        #expect(
            try store.decide(for: dataflow(["forecast": .city, "map": .country])).state == .notDetermined)
    }

    @Test func aGrantWithoutPlacesIsNoneForPlaces() throws {
        try store.allow(DataflowDescription.sample, .init(reason: .settings))
        #expect(try store.decide(for: DataflowDescription.sample).state == .authorized)
        #expect(try store.decide(for: dataflow(["forecast": .country])).state == .notDetermined)
        // What tells no place is spelled as it was before places were told.
        #expect(DataflowDescription.sample.dataflow.json["places"] == nil)
    }
}
