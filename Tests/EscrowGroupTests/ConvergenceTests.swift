import Foundation
import GroupNetwork
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

    /// Two people, one of whom is away for two weeks, at servers that keep a message for a day.
    @Test func whoIsAwayForTwoWeeksMissesNothing() throws {
        var network = Network(2, seed: 14, .init(loss: 30, threshold: 2))
        var now: Int64 = 1_000_000_000_000
        try network.exchange(at: now)
        network.offline = ["m1"]
        for day in 0..<14 {
            for number in 0..<3 { network.write("m0", "r\(day)-\(number)", "v", at: now) }
            try network.exchange(at: now)
            now += Network.day
        }
        #expect(network.stores["m1"]?.objects.isEmpty == true)
        network.offline = []
        for _ in 0..<24 * 7 where !network.isConverged {
            try network.exchange(at: now)
            now += Network.day / 24
        }
        #expect(network.stores["m1"]?.objects.count == 42)
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
        // Equations 6.3 and 6.4; the thesis counts a device's own messages among its downloads.
        try network.exchange(at: 1001)
        for id in network.ids { #expect(network.downloads[id]! + 101 == 1010) }
    }

    /// Equations 6.1 to 6.8 for D devices of which F were offline for one time to live, with U updates each. What the equations
    /// leave out is counted beside: the requests, one of each who was away to each who was not.
    @Test(arguments: [4, 10, 20], [0, 1, 2, 3]) func theEquationsHold(devices: Int, offline: Int) throws {
        let updates = 20
        var network = Network(devices, seed: 6)
        for id in network.ids { network.skew[id] = 0 }
        let ids = network.ids
        let (here, away) = (ids.dropLast(offline), ids.suffix(offline))
        network.offline = Set(away)
        for number in 0..<updates {
            for id in here { network.write(id, "\(id)-\(number)", "x", at: Int64(number)) }
        }
        try network.exchange(at: 1000)
        network.offline = []
        for round in 0..<3 where offline > 0 {
            try network.exchange(at: MemberTests.day + 500 + Int64(round))
        }
        try network.exchange(at: MemberTests.day + 600)
        #expect(network.isConverged)
        // 6.6, and 6.1 with F = 0: NUi = Ui (1 + F L / T) + C, with L = T and C = 1.
        for id in here {
            #expect(network.uploads[id]!.values.reduce(0, +) == updates * (1 + offline) + 1)
        }
        for id in away { #expect(network.uploads[id] == ["confirm": 1, "resend": here.count]) }
        // 6.7 and 6.2: NU is their sum; 6.8 and 6.3: each device fetches all of it, but what was gone before it came.
        let requests = offline * here.count
        let all = network.uploads.values.flatMap(\.values).reduce(0, +)
        #expect(all == here.count * updates * (1 + offline) + devices + requests)
        for id in here {
            #expect(network.downloads[id]! + network.uploads[id]!.values.reduce(0, +) == all)
        }
        for id in away {
            let own = network.uploads[id]!.values.reduce(0, +)
            #expect(network.downloads[id]! + own == all - here.count * updates)
        }
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
        var largest = 0
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
            if round % 8 == 0 {
                for member in network.members.values {
                    largest = max(largest, try JSONEncoder().encode(member).count)
                }
            }
        }
        // What a member keeps of everything that happened, at any time of the day: its own messages of one day at most, and
        // numbers.
        #expect(largest < 32_000, "\(largest)")
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
