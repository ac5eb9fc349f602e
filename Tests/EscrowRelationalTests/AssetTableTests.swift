import EscrowSchema
import EscrowTabular
import Testing

@Suite("Handles of assets")
struct AssetTableTests {
    private let table = AssetTable()

    private func offer(_ count: Int) -> [String] {
        (0..<count).map { table.offer(path: "/photos/\($0).jpg", mediaType: "image/jpeg") }
    }

    private func batch(_ handles: [String?]) throws -> Batch {
        let builder = BatchBuilder(schema: try Schema([Field("f", type: .asset)]))
        for handle in handles {
            if let handle { try builder.appendText(handle, to: 0) }
            try builder.endRow()
        }
        return builder.finish()
    }

    @Test("a file has one handle, and another file another")
    func distinct() {
        let handles = offer(1_000)
        #expect(Set(handles).count == 1_000)
        #expect(offer(1_000) == handles)
        let digits = Set("0123456789abcdefghijklmnopqrstuv")
        for handle in handles {
            let words = handle.dropFirst().split(separator: "-", omittingEmptySubsequences: false)
            #expect(handle.first == "a" && words.map(\.count) == [13, 13])
            #expect(words.allSatisfy { UInt64($0, radix: 32) != nil && digits.isSuperset(of: $0) })
        }
    }

    @Test("two files whose names only look the same have two handles")
    func lookalikes() {
        let names = ["caf\u{E9}", "cafe\u{301}"]
        let handles = names.map { table.offer(path: $0, mediaType: "image/jpeg") }
        #expect(handles[0] != handles[1])
        for (name, handle) in zip(names, handles) {
            #expect(table.deliver(handle))
            #expect(table.delivered(handle).map { Array($0.path.utf8) } == Array(name.utf8))
        }
    }

    @Test(
        "those in a batch are delivered, in whatever order, and no others",
        arguments: [Array(0..<90), (0..<90).reversed(), [3, 4, 5, 80, 4, 4, 6, 0]])
    func order(_ places: [Int]) throws {
        let handles = offer(100)
        #expect(table.deliver(try batch([nil] + places.map { handles[$0] } + [nil]), column: 0) == nil)
        for (place, handle) in handles.enumerated() {
            #expect(table.delivered(handle)?.path == (places.contains(place) ? "/photos/\(place).jpg" : nil))
        }
        // Those that are offered later are found too.
        let late = table.offer(path: "/photos/late.jpg", mediaType: "image/jpeg")
        #expect(table.delivered(late) == nil)
        #expect(table.deliver(late))
        #expect(table.delivered(late)?.path == "/photos/late.jpg")
    }

    @Test("a text that is no handle is told by its row; what stands behind it is not delivered")
    func stranger() throws {
        let handles = offer(4)
        let other = handles[1]
        // A digit more than sixteen in the first place spells the same word with a bit too many.
        let doubled =
            "a" + String(UInt8(other.dropFirst().prefix(1), radix: 32)! + 16, radix: 32) + other.dropFirst(2)
        let texts = [
            "", "a", other + "0", String(other.dropLast()), other.uppercased(), "b" + other.dropFirst(),
            other.replacing("-", with: "0"), String(other.replacing("-", with: "é").dropLast()), doubled,
            "a" + String(repeating: "0", count: 13) + "-" + String(repeating: "0", count: 13),
        ]
        for text in texts {
            #expect(table.deliver(try batch([nil, handles[0], text, handles[2]]), column: 0) == 2)
            #expect(!table.deliver(text))
        }
        #expect(table.delivered(handles[0]) != nil)
        #expect(handles[1...].allSatisfy { table.delivered($0) == nil })
    }
}
