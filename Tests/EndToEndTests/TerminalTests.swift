import Foundation
import Testing

/// What commands print on a terminal of 80 columns.
@Suite struct TerminalTests {
    /// The lines that a command prints on a terminal that wide.
    private func lines(_ arguments: [String], columns: UInt16, home: URL) throws -> [String] {
        var main: Int32 = -1
        var side: Int32 = -1
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&main, &side, nil, nil, &size) == 0)
        defer { close(main) }
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = home.path
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(fileDescriptor: side, closeOnDealloc: false)
        process.standardError = FileHandle.nullDevice
        try process.run()
        close(side)
        // It ends with EIO when the command, which has the other side, has ended.
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(main, &buffer, buffer.count)
            guard count > 0 else { break }
            text += buffer.prefix(count)
        }
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self).replacing("\r\n", with: "\n")
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// All that is no space, in an order of its own: columns are read side by side.
    private func letters(_ text: String) -> String { String(text.filter { !$0.isWhitespace }.sorted()) }

    @Test(arguments: [
        ["doctor"], ["doctor", "--filter", "strict", "--arch", "arm64"],
        ["doctor", "--filter", "runtime", "--arch", "x86-64", "--bpf"], ["ledger", "list"], ["explain"],
    ])
    func nothingIsWiderThanTheTerminalAndNothingIsLost(arguments: [String]) throws {
        let escrow = try Escrow()
        let wide = try Escrow.start(arguments, home: escrow.home).output
        let narrow = try lines(arguments, columns: 80, home: escrow.home)
        #expect(narrow.count > wide.split(separator: "\n").count, "nothing here is wide")
        #expect(narrow.allSatisfy { $0.count <= 80 })
        #expect(letters(narrow.joined()) == letters(wide))
    }

    @Test func wideCellsAreWrappedInTheirColumn() throws {
        let escrow = try Escrow(trusting: false)
        let lines = try lines(["doctor"], columns: 80, home: escrow.home)
        let start = try #require(lines.firstIndex { $0.hasPrefix(" limit ") })
        #expect(
            lines[start..<(start + 6)].joined(separator: "\n") == """
                 limit        by default  at most    your cap  a breach is  held by
                 wallSeconds  30          600                  exact        the host's clock
                 cpuSeconds   10          300                  inferred     the kernel, in whole
                                                                            seconds; known by
                                                                            the time that was
                                                                            used
                """)
    }

    @Test func aTableThatIsTooWideEvenSoHasItsLastColumnBeneath() throws {
        let escrow = try Escrow(trusting: false)
        let lines = try lines(["doctor"], columns: 80, home: escrow.home)
        let sealed = try #require(lines.firstIndex { $0.hasPrefix(" sealed-program ") })
        #expect(lines[0].hasPrefix(" wall ") && lines[1] == "     detail")
        #expect(lines[sealed].contains("what runs is the copy that"))
        #expect(lines[sealed + 2].hasPrefix("     a test program was run"))
    }
}
