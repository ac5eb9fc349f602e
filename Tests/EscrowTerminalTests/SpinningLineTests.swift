import Glibc
import Testing

@testable import EscrowTerminal

/// What is drawn while something computes, on a terminal of the test's own and by the test's clock.
@Suite struct SpinningLineTests {
    /// A terminal; what was drawn on it is read from the other side.
    private final class Terminal {
        let main: Int32
        let side: Int32

        init() throws {
            var (main, side): (Int32, Int32) = (-1, -1)
            try #require(openpty(&main, &side, nil, nil, nil) == 0)
            (self.main, self.side) = (main, side)
            _ = fcntl(main, F_SETFL, O_NONBLOCK)
        }

        deinit {
            close(main)
            close(side)
        }

        /// What was drawn since it was read last.
        func drawn() -> String {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(main, &buffer, buffer.count)
            return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : ""
        }
    }

    @Test func offATerminalThereIsNone() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(SpinningLine(on: ends[1]) == nil)
    }

    @Test func whatEndsWithinHalfASecondDrawsNothing() throws {
        let terminal = try Terminal()
        let line = try #require(SpinningLine(on: terminal.side))
        var asked: [Int32] = []
        line.turn {
            asked.append($0)
            return false
        }
        line.end()
        #expect(asked == [500] && terminal.drawn() == "")
    }

    @Test func fromHalfASecondOnItTurnsAndTellsHowFar() throws {
        let terminal = try Terminal()
        let line = try #require(SpinningLine(on: terminal.side))
        let clear = "\r\u{1B}[K"
        var now: Int32 = 0
        var seen: [Int32: String] = [:]
        line.turn { pause in
            seen[now] = terminal.drawn()
            now += pause
            if now == 900 { line.show(0.4) }
            if now == 1_100 { line.show(7) }
            return now < 1_400
        }
        #expect(
            seen == [
                0: "", 500: clear + "computing |", 700: clear + "computing /",
                900: clear + "computing 40 % -",
                1_100: clear + "computing 100 % \\", 1_300: clear + "computing 100 % |",
            ])
        line.end()
        #expect(terminal.drawn() == clear)
        // Nothing comes after its end.
        line.end()
        var turns = 0
        line.turn { _ in
            turns += 1
            return turns < 3
        }
        #expect(terminal.drawn() == "")
    }

    @Test func whileSomethingElseIsDrawnItIsNot() throws {
        let terminal = try Terminal()
        let hidden = SpinningLine(on: terminal.side, isHidden: { true })
        let line = try #require(hidden)
        var turns = 0
        line.turn { _ in
            turns += 1
            return turns < 4
        }
        line.end()
        #expect(terminal.drawn() == "")
    }
}
