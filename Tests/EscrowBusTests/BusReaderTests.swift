import Foundation
import Testing

@testable import EscrowBus

/// What is read is what the specification says, and what is not as it says is refused.
@Suite struct BusReaderTests {
    private func read(_ signature: String, _ bytes: [UInt8]) -> [BusValue]? {
        var reader = BusReader(bytes)
        guard let values = reader.values(signature), reader.isAtEnd else { return nil }
        return values
    }

    @Test func valuesLieOnTheirBoundaries() {
        #expect(read("y", [7]) == [.integer(7)])
        #expect(read("yu", [7, 0, 0, 0, 1, 2, 0, 0]) == [.integer(7), .integer(513)])
        #expect(read("yu", [7, 0, 9, 0, 1, 2, 0, 0]) == nil, "what lies between is zero")
        #expect(read("n", [0xFF, 0xFF]) == [.integer(-1)])
        #expect(read("s", [2, 0, 0, 0, 0x68, 0x69, 0]) == [.string("hi")])
        #expect(read("b", [2, 0, 0, 0]) == nil)
        #expect(read("v", [1, 0x75, 0, 0, 5, 0, 0, 0]) == [.variant(.integer(5))])
        #expect(
            read("(tt)", [1] + [UInt8](repeating: 0, count: 7) + [2] + [UInt8](repeating: 0, count: 7))
                == [.structure([.integer(1), .integer(2)])])
        #expect(read("ay", [3, 0, 0, 0, 1, 2, 3]) == [.array([.integer(1), .integer(2), .integer(3)])])
        #expect(read("aay", [0, 0, 0, 0]) == [.array([])])
    }

    @Test(
        arguments: [
            ("s", [9, 0, 0, 0, 0x68, 0]), ("s", [1, 0, 0, 0, 0x68, 1]), ("au", [3, 0, 0, 0, 1, 2, 3]),
            ("()", []), ("a", [0, 0, 0, 0]),
            ("{ss}", []), ("(u", [1, 0, 0, 0]), ("z", [1]), ("t", [UInt8](repeating: 0xFF, count: 8)),
            ("u", [1, 0, 0]),
            ("a{sv}", [8, 0, 0, 0, 0, 0, 0, 0]), ("s", [1, 0, 0, 0, 0xFF, 0]),
        ] as [(String, [UInt8])])
    func whatIsNotWholeIsRefused(signature: String, bytes: [UInt8]) { #expect(read(signature, bytes) == nil) }

    @Test func deepNestingIsRefused() {
        let deep = String(repeating: "(", count: 40) + "y" + String(repeating: ")", count: 40)
        #expect(read(deep, [1]) == nil)
        #expect(read("((y))", [1]) == [.structure([.structure([.integer(1)])])])
    }

    @Test func aCallIsReadAsItWasWritten() throws {
        let bytes = BusMessage.call(
            serial: 9, destination: "org.example", path: "/org/example", interface: "org.example.I",
            member: "Set",
            [.string("x"), .variant(.word(8)), .variant(.double(1.5)), .path("/a"), .bool(true)])
        let message = try #require(
            BusMessage(head: Array(bytes.prefix(16)), rest: Array(bytes.dropFirst(16))))
        #expect(message.kind == .call && message.path == "/org/example" && message.member == "Set")
        #expect(
            message.body == [
                .string("x"), .variant(.integer(8)), .variant(.double(1.5)), .path("/a"), .bool(true),
            ])
        #expect(BusMessage(head: Array(bytes.prefix(16)), rest: Array(bytes.dropFirst(17))) == nil)
    }

    @Test func arraysAndDictionariesAreReadAsTheyWereWritten() throws {
        let arguments: [BusValue] = [
            .bool(true), .array([.string("no"), .string("No")]), .empty("as"),
            .array([
                .entry(.string("category"), .variant(.string("x"))),
                .entry(.string("n"), .variant(.array([.double(2)]))),
            ]), .string("last"),
        ]
        let bytes = BusMessage.call(
            serial: 1, destination: "a.b", path: "/", interface: "a.b", member: "C", arguments)
        let message = try #require(
            BusMessage(head: Array(bytes.prefix(16)), rest: Array(bytes.dropFirst(16))))
        var read = arguments
        read[2] = .array([])
        #expect(message.body == read)
        // As the specification has it: the length is without what lies before the first entry.
        var writer = BusWriter()
        writer.append(.array([.entry(.string("k"), .string("v"))]))
        #expect(
            writer.bytes == [14, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x6B, 0, 0, 0, 1, 0, 0, 0, 0x76, 0])
    }

    @Test func anArrayOfSeveralTypesIsNotSent() {
        #expect(BusValue.array([.string("x"), .word(1)]).type == nil)
        #expect(BusValue.array([.array([.string("x")])]).type == "aas")
        #expect(BusValue.array([.entry(.string("x"), .variant(.word(1)))]).type == "a{sv}")
    }

    @Test func aDictionaryIsLookedUpByItsKeys() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fuzz/Bus/corpus/properties")
        let bytes = Array(try Data(contentsOf: file))
        let message = try #require(
            BusMessage(head: Array(bytes.prefix(16)), rest: Array(bytes.dropFirst(16))))
        #expect(message.replyTo == 2 && message.body.first?["Latitude"]?.number == 60.4)
        #expect(message.body.first?["Longitude"] == nil)
    }
}
