import Testing

@testable import EscrowGroup

@Suite("A group under loss") struct ConvergenceTests {
    /// Loss, duplicates, any order, clocks ten minutes apart, one member away for three times the time to live, servers that die.
    @Test(arguments: 1...8) func itConverges(_ seed: Int) throws {
        var network = Network(4, seed: UInt64(seed), .init(loss: 30, duplicates: 20))
        let step = MemberTests.day / 24
        var now: Int64 = 1_000_000_000_000
        network.offline = ["m3"]
        for round in 0..<96 {
            if round == 72 { network.offline = [] }
            network.downServers = round % 10 < 3 ? [round % 5, (round + 1) % 5] : []
            let id = "m\(Int.random(in: 0..<4, using: &network.random))"
            let object = "o\(Int.random(in: 0..<12, using: &network.random))"
            network.write(id, object, network.random.chance(20) ? nil : "v\(round)", at: now)
            try network.exchange(at: now)
            now += step
        }
        network.downServers = []
        var rounds = 0
        while !network.isConverged, rounds < 24 * 20 {
            try network.exchange(at: now)
            now += step
            rounds += 1
        }
        #expect(network.isConverged, "seed \(seed)")
    }

    /// Three of ten messages are lost, for the algorithm as printed: five hundred confirms later most runs still miss some.
    @Test func theAlgorithmAsPrintedDoesNot() {
        var converged = 0
        for seed in 1...20 {
            var random = Seeded(state: UInt64(seed))
            var (a, b) = (PrintedMember(id: "a"), PrintedMember(id: "b"))
            func pass(_ messages: [Message]) {
                for message in messages where !random.chance(30) {
                    for answer in b.receive(message, at: 0) where !random.chance(30) {
                        pass(a.receive(answer, at: 0))
                    }
                }
            }
            for _ in 0..<30 { pass([a.update(at: 0)]) }
            for _ in 0..<500 { pass([a.confirm(at: 0)]) }
            if b.history["a"]?.count == 30 { converged += 1 }
        }
        #expect(converged < 10)
    }

    /// Equations 6.1 to 6.4, case 1: ten devices, a hundred updates each, one confirm, nobody offline.
    @Test func caseOneOfTheThesisIs101And1010() throws {
        var network = Network(10, seed: 1)
        for id in network.ids { network.skew[id] = 0 }
        for number in 0..<100 {
            for id in network.ids { network.write(id, "\(id)-\(number)", "x", at: Int64(number)) }
        }
        try network.exchange(at: 1000)
        #expect(network.isConverged)
        for id in network.ids { #expect(network.uploads[id] == ["normal": 100, "confirm": 1]) }
        #expect(network.uploads.values.flatMap(\.values).reduce(0, +) == 1010)
    }

    /// Equations 6.5 to 6.8, case 2: two of the ten were offline for a day. The thesis counts what is sent again, not the two
    /// requests for it.
    @Test func caseTwoOfTheThesisIs301And3010() throws {
        var network = Network(10, seed: 2)
        for id in network.ids { network.skew[id] = 0 }
        network.offline = ["m8", "m9"]
        for number in 0..<100 {
            for id in network.ids.prefix(8) {
                network.write(id, "\(id)-\(number)", "x", at: Int64(number))
            }
        }
        try network.exchange(at: 1000)
        // After a day the updates are gone from the servers, the confirms not yet, and the two come online.
        network.offline = []
        for round in 0..<3 { try network.exchange(at: MemberTests.day + 500 + Int64(round)) }
        #expect(network.isConverged)
        for id in network.ids.prefix(8) {
            #expect(network.uploads[id] == ["normal": 100, "confirm": 1, "again": 200])
        }
        for id in network.ids.suffix(2) { #expect(network.uploads[id] == ["confirm": 1, "resend": 8]) }
    }

    /// A day of chaos: 20 members, 5 servers, three of ten shares lost each way, restarts, servers down, members away.
    @Test func aDayOfChaosLosesNothing() throws {
        var network = Network(20, seed: 24, .init(loss: 30, duplicates: 10, threshold: 2))
        let step = MemberTests.day / 96
        var now: Int64 = 1_000_000_000_000
        var written = 0
        for round in 0..<96 {
            network.downServers = round % 8 < 2 ? [round % 5] : []
            if round % 6 == 0 {
                network.offline = Set(
                    (0..<3).map { _ in "m\(Int.random(in: 0..<20, using: &network.random))" })
            }
            for _ in 0..<2 {
                let id = "m\(Int.random(in: 0..<20, using: &network.random))"
                network.write(id, "o\(written)", "v", at: now)
                written += 1
            }
            try network.restart("m\(Int.random(in: 0..<20, using: &network.random))")
            try network.exchange(at: now)
            now += step
        }
        (network.offline, network.downServers) = ([], [])
        for _ in 0..<96 * 4 where !network.isConverged {
            try network.exchange(at: now)
            now += step
        }
        #expect(network.isConverged)
        #expect(network.stores["m0"]?.objects.count == written)
        // Once everybody has confirmed, nobody keeps anything.
        for _ in 0..<96 * 4 where network.members.values.contains(where: { $0.keptCount > 0 }) {
            try network.exchange(at: now)
            now += step
        }
        #expect(network.members.values.allSatisfy { $0.keptCount == 0 })
    }
}
