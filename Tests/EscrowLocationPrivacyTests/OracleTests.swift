import EscrowLocationPrivacy
import Foundation
import Testing

/// OpenDP, an implementation of differential privacy that others keep and prove, beside ours: where it has a mechanism.
@Suite struct OracleTests {
    /// What a program of Python prints; nil where it cannot be run.
    static func python(_ program: String, _ input: String = "") -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program]
        let (words, numbers) = (Pipe(), Pipe())
        process.standardOutput = words
        process.standardInput = numbers
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        numbers.fileHandleForWriting.write(Data(input.utf8))
        try? numbers.fileHandleForWriting.close()
        let output = words.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: output, as: UTF8.self) : nil
    }

    static func numbers(_ program: String) -> [Double]? {
        python("import opendp.prelude as dp\ndp.enable_features('contrib')\n" + program)?
            .split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    }

    static let domain =
        "space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)\n"

    /// The noise of a test: 2 a kilometre by ε = 0.0005, say. It is one-dimensional, and OpenDP has that.
    @Test func theNoiseOfATestIsOpenDPsLaplace() throws {
        let program =
            Self.domain + "m = dp.m.make_laplace(*space, scale=200.0)\nprint(*(m(0.0) for _ in range(20000)))"
        guard let theirs = Self.numbers(program) else { return print("SKIP: opendp is not installed") }
        var generator = DisplacementTests.Seeded(state: 12)
        let ours = (0..<20_000).map { _ in PredictiveTrace.noise(1 / 200.0, using: &generator) }.sorted()
        let sorted = theirs.sorted()
        try #require(sorted.count == ours.count)
        // Kolmogorov-Smirnov of two samples: 3.1 once in a hundred million, since theirs are others each time. How wide
        // ours are is looked at more closely below.
        var (place, largest) = (0, 0.0)
        for (index, value) in ours.enumerated() {
            while place < sorted.count, sorted[place] <= value { place += 1 }
            largest = max(largest, abs(Double(index + 1) - Double(place)) / Double(ours.count))
        }
        #expect(largest * (Double(ours.count) / 2).squareRoot() < 3.1)
        // And how far 95 % of it reaches, by their formula.
        let reach = try #require(
            Self.numbers("print(dp.laplacian_scale_to_accuracy(200.0, alpha=0.05))")?.first)
        let magnitudes = ours.map(abs).sorted()
        #expect(abs(magnitudes[19_000] / reach - 1) < 0.03)
    }

    /// ε for each metre, and ε added up over a day, are what OpenDP's maps say.
    @Test func aBudgetAddsUpAsOpenDPsCompositionDoes() throws {
        let program =
            Self.domain + """
                m = dp.m.make_laplace(*space, scale=200.0)
                print(m.map(1.0), m.map(100.0))
                c = dp.c.make_composition([dp.m.make_laplace(*space, scale=s) for s in (100.0, 200.0, 100.0, 200.0)])
                print(c.map(1.0))
                """
        guard let theirs = Self.numbers(program), theirs.count == 3 else {
            return print("SKIP: opendp is not installed")
        }
        #expect(abs(theirs[0] - 1 / 200.0) < 1e-9 && abs(theirs[1] - 100 / 200.0) < 1e-9)
        var budget = NoiseBudget(limit: 1)
        for epsilon in [0.01, 0.005, 0.01, 0.005] {
            let isSpent = budget.spend(epsilon, on: 1)
            #expect(isSpent)
        }
        #expect(abs(budget.spent - theirs[2]) < 1e-9)
    }

    /// Planar Laplace has no mechanism there; its promise has: no outcome is likelier by more than e to ε times the way. Counted over
    /// squares, for two homes 100 m apart, beside OpenDP's own noise in one dimension, which keeps its promise by the same count.
    @Test func noSquareIsLikelierThanThePromise() throws {
        let (epsilon, apart, draws) = (0.01, 100.0, 200_000)
        var generator = DisplacementTests.Seeded(state: 21)
        let start = try MaskTests.at(0, 0)
        let other = Ellipsoid.point(from: start, bearing: 90, metres: apart)
        func counts(_ from: Coordinates) -> [Int: Int] {
            var counts: [Int: Int] = [:]
            for _ in 0..<draws {
                let point = Displacement.laplace(epsilon, using: &generator).from(from)
                let (row, column) = (
                    Int((point.latitude * 111_000 / 50).rounded(.down)),
                    Int((point.longitude * 111_320 / 50).rounded(.down))
                )
                counts[row * 100_000 + column, default: 0] += 1
            }
            return counts
        }
        let (one, two) = (counts(start), counts(other))
        var worst = 0.0
        for (square, count) in one where count > 400 {
            worst = max(worst, Double(count) / Double(max(two[square] ?? 0, 1)))
        }
        // e to 1, and what counting 400 may err by: four standard deviations.
        #expect(worst < exp(epsilon * apart) * 1.3 && worst > exp(epsilon * apart) * 0.8, "\(worst)")
    }
}
