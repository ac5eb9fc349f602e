import EscrowLocationPrivacy
import Testing

@Suite struct MechanismTests {
    static let spellings = [
        "none", "fixed(52.5, 13.4)", "fixed(-0.05, 0)", "truncate(2)", "grid(1000)", "grid(12.5)",
        "aggregate(street)", "aggregate(postcode)", "aggregate(city)", "aggregate(region)",
        "aggregate(country)", "random-perturbation(500)", "donut(100, 500)", "donut(20%, 500)",
        "adaptive-donut(1000)", "planar-laplace(0.01)", "planar-laplace(0.00001)", "snap(towns)",
        "snap(tram-stops)",
    ]

    @Test(arguments: spellings) func whatIsReadIsPrintedAsItWas(_ text: String) throws {
        let mechanism = try Mechanism(text)
        #expect(mechanism.description == text)
        #expect(!mechanism.words.isEmpty)
    }

    @Test(arguments: [
        "", "None", "none()", "truncate", "truncate()", "truncate(6)", "truncate(-1)", "truncate(02)",
        "truncate(1, 2)", "truncate(1,2)", "grid(0)", "grid(1e3)", "grid(1000.0)", "grid(nan)", "grid(inf)",
        "grid(+5)", "grid(100001)", "grid( 10)", "grid(10", "aggregate(town)", "donut(500, 500)",
        "donut(91%, 500)", "donut(0%, 500)", "donut(100,500)", "donut(100)", "adaptive-donut(1)",
        "planar-laplace(0)", "planar-laplace(0.000001)", "planar-laplace(.01)", "snap(Towns)", "snap(-a)",
        "fixed(91, 0)", "fixed(0, 181)", "fixed(-0, 0)", "grid((10))", "grid(１０)",
    ])
    func otherSpellingsAreRefused(_ text: String) {
        #expect(throws: Mechanism.SpellingError.self) { try Mechanism(text) }
    }
}
