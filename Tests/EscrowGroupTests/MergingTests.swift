import GroupNetwork
import Testing

@testable import EscrowGroup

@Suite("Objects that merge") struct MergingTests {
    /// Members write at random, see one another's versions in any order, some twice, some never on their own: as each version
    /// holds all that its writer knew, they all end with the same.
    @Test(arguments: 1...40) func whateverTheOrderAllEndWithTheSame(seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        let ids = ["a", "b", "c"]
        var stacks = ids.map { Merging(member: $0) }
        var versions: [(id: String, version: ObjectVersion)] = []
        for round in 0..<60 {
            let who = Int.random(in: 0..<3, using: &random)
            let id = "o\(Int.random(in: 0..<2, using: &random))"
            if random.chance(2) {
                versions.append(
                    (id, .init(isDeleted: true, content: stacks[who].marshallDeletion(id, at: 0))))
            } else {
                let tags = ["\"x\"", "\"y\"", "3"].filter { _ in random.chance(50) }.joined(separator: ",")
                let name = random.chance(50) ? "p" : "q"
                let text = #"{"\#(name)":\#(round % 5),"tags":[\#(tags)]}"#
                // Clocks are far apart.
                let now = Int64.random(in: 0..<1000, using: &random)
                guard let content = try? stacks[who].marshall(id, text, at: now) else { continue }
                versions.append((id, .init(isDeleted: false, content: content)))
            }
            for _ in 0..<2 {
                let (from, to) = (
                    versions.randomElement(using: &random)!, Int.random(in: 0..<3, using: &random)
                )
                try stacks[to].take(from.version, of: from.id)
            }
        }
        var ends: [Merging] = []
        for start in stacks {
            var end = start
            for (id, version) in (versions + versions.prefix(10)).shuffled(using: &random) {
                try end.take(version, of: id)
            }
            ends.append(end)
        }
        #expect(ends[0].objects == ends[1].objects && ends[1].objects == ends[2].objects)
        for id in ["o0", "o1"] {
            #expect(ends[0].version(of: id) == ends[1].version(of: id))
            // What is kept says all.
            var copy = Merging(member: "d")
            guard let version = ends[0].version(of: id) else { continue }
            try copy.take(version, of: id)
            #expect(copy.objects[id] == ends[0].objects[id])
        }
    }

    static func pair(_ object: String) throws -> (Merging, Merging) {
        var (a, b) = (Merging(member: "a"), Merging(member: "b"))
        try b.updateRemote("o", a.marshall("o", object, at: 10))
        return (a, b)
    }

    /// Two people change different things of one record at once. Newest wins would lose one of them.
    @Test func bothKeepWhatTheyWrote() throws {
        var (a, b) = try Self.pair(#"{"amount":1,"shop":"baker","tags":["food","cash"]}"#)
        let left = try a.marshall(
            "o", #"{"amount":2,"shop":"baker","tags":["food","cash","weekly"]}"#, at: 20)
        let right = try b.marshall("o", #"{"amount":1,"shop":"miller","tags":["food"]}"#, at: 15)
        try a.updateRemote("o", right)
        try b.updateRemote("o", left)
        #expect(a.objects["o"] == #"{"amount":2,"shop":"miller","tags":["food","weekly"]}"#)
        #expect(b.objects == a.objects)
    }

    @Test func anElementThatIsAddedAgainAtOnceStays() throws {
        var (a, b) = try Self.pair(#"{"tags":["x"]}"#)
        _ = try b.marshall("o", #"{"tags":[]}"#, at: 20)
        let again = try b.marshall("o", #"{"tags":["x"]}"#, at: 21)
        let removed = try a.marshall("o", #"{"tags":[]}"#, at: 22)
        try a.updateRemote("o", again)
        try b.updateRemote("o", removed)
        #expect(a.objects["o"] == #"{"tags":["x"]}"#)
        #expect(b.objects == a.objects)
    }

    @Test func aDeletionStands() throws {
        var (a, b) = try Self.pair(#"{"amount":1}"#)
        let changed = try a.marshall("o", #"{"amount":2}"#, at: 100)
        let deleted = b.marshallDeletion("o", at: 20)
        try a.deleteRemote("o", deleted)
        try b.updateRemote("o", changed)
        #expect(a.objects.isEmpty && b.objects.isEmpty)
        #expect(throws: GroupError.deleted) { try b.marshall("o", #"{"amount":3}"#, at: 200) }
        #expect(b.version(of: "o") == .init(isDeleted: true, content: "{}"))
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"seen":[],"values":{"a":{"at":[1,0,"a"],"value":1}},"sets":{}}"#,
        #"{"seen":[[1,0,"a"],[2,0,"a"]],"values":{},"sets":{}}"#,
        #"{"seen":[[1,0,"a"]],"values":{},"sets":{"t":[{"element":"1 2","at":[[1,0,"a"]]}]}}"#,
        #"{"seen":[[1,0,"a"]],"values":{},"sets":{},"more":1}"#,
    ])
    func aVersionIsReadStrictly(text: String) throws {
        var a = Merging(member: "a")
        #expect(throws: GroupError.malformed) { try a.updateRemote("o", text) }
        #expect(throws: GroupError.malformed) { try a.marshall("o", "[1]", at: 0) }
        #expect(a.objects.isEmpty)
    }
}
