import EscrowAppWire
import Testing

@Suite struct LineBufferTests {
    private func lines(_ buffer: inout LineBuffer) throws(AppWireError) -> [String] {
        var lines: [String] = []
        while let line = try buffer.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    @Test(arguments: 1...12) func `lines are the same however the bytes are cut`(piece: Int) throws {
        let text = Array("one\n\ntwo two\r\nthree\nrest".utf8)
        var buffer = LineBuffer(cap: 64)
        var found: [String] = []
        for at in stride(from: 0, to: text.count, by: piece) {
            buffer.append(text[at..<min(at + piece, text.count)])
            found += try lines(&buffer)
        }
        #expect(found == ["one", "", "two two\r", "three"])
        #expect(buffer.pending == 4)
    }

    @Test func `a line of the cap passes, a byte more does not`() throws {
        var buffer = LineBuffer(cap: 5)
        buffer.append(Array("12345\n12345".utf8))
        #expect(try lines(&buffer) == ["12345"])
        #expect(try buffer.next() == nil)
        buffer.append(Array("6".utf8))
        #expect(throws: AppWireError(.lineTooLong)) { try lines(&buffer) }
    }

    @Test func `a line beyond the cap is refused even when it came whole`() {
        var buffer = LineBuffer(cap: 5)
        buffer.append(Array("123456\n".utf8))
        #expect(throws: AppWireError(.lineTooLong)) { try lines(&buffer) }
    }
}
