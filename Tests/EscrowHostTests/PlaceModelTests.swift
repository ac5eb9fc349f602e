import EscrowConsent
import Testing

@testable import EscrowPlacement

/// What past runs say about the next one.
@Suite struct PlaceModelTests {
    private static func run(_ bytes: Double, _ seconds: Double, _ cpu: Double = 0) -> PlaceModel.Past {
        .init(bytes: bytes, seconds: seconds, cpuSeconds: cpu)
    }

    @Test func aLineIsLearntFromRunsOfSeveralSizes() {
        let model = PlaceModel([Self.run(1000, 1.1), Self.run(2000, 1.2), Self.run(4000, 1.4)])
        #expect(abs(model.seconds(for: 8000) - 1.8) < 1e-9)
        #expect(abs(model.seconds(for: 0) - 1.0) < 1e-9)
    }

    @Test func runsOfOneSizeGiveTheirMeanAndNoSlope() {
        let model = PlaceModel([Self.run(1000, 2), Self.run(1000, 2)])
        #expect(model.seconds(for: 1000) == 2)
        #expect(model.seconds(for: 1_000_000) == 2)
    }

    @Test func noSlopeIsNegativeAndNoStartIs() {
        let falling = PlaceModel([Self.run(1000, 3), Self.run(2000, 1)])
        #expect(falling.seconds(for: 5000) >= 0)
        let steep = PlaceModel([Self.run(1000, 0.1), Self.run(2000, 10)])
        #expect(steep.seconds(for: 0) >= 0)
    }

    /// A server that becomes ten times slower is left within a few runs, and taken again when it is fast again.
    @Test func aWrongPredictionCorrectsItself() {
        var past: [Place: [PlaceModel.Past]] = [
            .device: Array(repeating: Self.run(1000, 1), count: 8),
            .server("home"): Array(repeating: Self.run(1000, 0.2), count: 8),
        ]
        func choose() -> Place {
            Placement(
                [(.device, .allowed), (.server("home"), .allowed)], past: past, recent: [1000], goals: [],
                rules: [], device: DeviceState()
            ).place
        }
        #expect(choose() == .server("home"))
        var runs = 0
        while choose() == .server("home"), runs < 20 {
            past[.server("home"), default: []].append(Self.run(1000, 2))
            runs += 1
        }
        #expect((1...5).contains(runs), "\(runs)")
    }

    @Test func aBusyDeviceIsSlowerThanItsPastRuns() {
        func choose(_ pressure: Int?) -> Place {
            Placement(
                [(.device, .allowed), (.server("home"), .allowed)],
                past: [.device: [Self.run(1000, 1)], .server("home"): [Self.run(1000, 1.5)]], recent: [1000],
                goals: [], rules: [], device: DeviceState(cpuPressure: pressure)
            ).place
        }
        #expect(choose(nil) == .device)
        #expect(choose(20) == .device)
        #expect(choose(50) == .server("home"))
        #expect(choose(100) == .server("home"))
    }

    @Test func aPlaceThatWasNeverTriedIsTriedWhereThatCouldGain() {
        func choose(seconds: Double) -> Placement {
            Placement(
                [(.device, .allowed), (.server("home"), .allowed)],
                past: [.device: [Self.run(1_000_000, seconds)]], recent: [1_000_000], goals: [], rules: [],
                device: DeviceState())
        }
        // A long computation could gain; a short one would pay more for the network than it takes.
        #expect(choose(seconds: 60).place == .server("home"))
        #expect(choose(seconds: 0.05).place == .device)
        #expect(choose(seconds: 60).candidates[1].runs == 0)
    }

    @Test func goalsAreWeighedInTheirOrder() {
        let past: [Place: [PlaceModel.Past]] = [
            .device: [Self.run(1_000_000, 1, 0.9)], .server("home"): [Self.run(1_000_000, 2)],
        ]
        func choose(_ goals: [Rule.Goal], metered: Bool?, charging: Bool = true, battery: Int = 90) -> Place {
            Placement(
                [(.device, .allowed), (.server("home"), .allowed)], past: past, recent: [1_000_000],
                goals: goals, rules: ["r"],
                device: DeviceState(charging: charging, battery: battery, metered: metered)
            ).place
        }
        #expect(choose([.speed], metered: false) == .device)
        #expect(choose([.battery], metered: false) == .server("home"))
        #expect(choose([.cost, .battery], metered: true) == .device)
        // Nothing is paid for: the next goal decides.
        #expect(choose([.cost, .battery], metered: false) == .server("home"))
        // Without a rule a battery that is nearly empty speaks for itself.
        #expect(choose([], metered: false, charging: false, battery: 8) == .server("home"))
        #expect(choose([], metered: false, charging: false, battery: 80) == .device)
    }

    @Test func onlyWhatIsAllowedIsChosenAndElseWhatCanBeAsked() {
        func choose(_ here: Placement.Standing, _ there: Placement.Standing) -> Place {
            Placement(
                [(.device, here), (.server("home"), there)],
                past: [.device: [Self.run(1, 9)], .server("home"): [Self.run(1, 1)]], recent: [1], goals: [],
                rules: [], device: DeviceState()
            ).place
        }
        #expect(choose(.allowed, .undecided) == .device)
        #expect(choose(.undecided, .undecided) == .server("home"))
        #expect(choose(.undecided, .out("forbidden")) == .device)
        #expect(choose(.out("forbidden"), .out("forbidden")) == .device)
        #expect(choose(.out("forbidden"), .allowed) == .server("home"))
    }
}
