internal import Glibc

/// How far a pass over files is that had not been read before.
public struct ReadingProgress: Sendable, Equatable {
    /// Files that the pass is done with.
    public var done: Int
    /// Files that it comes upon in all.
    public var total: Int
    /// Files that it had to open; the others were known.
    public var read: Int
    /// Since it began.
    public var seconds: Double
    /// Whether it is over.
    public var isOver: Bool

    /// Files a second that were opened; nil before there is a rate.
    public var rate: Double? { read > 0 && seconds > 0 ? Double(read) / seconds : nil }

    /// Seconds that the rest will take if no more of it is known; nil before there is a rate.
    public var secondsLeft: Double? { rate.map { Double(total - done) / $0 } }

    /// One line for a terminal of so many columns: how far, a bar where there is room for one, how fast, how long.
    public func line(width: Int) -> String {
        let words = "reading files  \(done) of \(total)"
        var pace = ""
        if let rate, let secondsLeft {
            pace = "  \(Int(rate.rounded()))/s  \(Self.span(secondsLeft)) left"
        }
        let room = width - 1 - words.count - pace.count - 4
        guard room >= 10 else { return String((words + pace).prefix(max(0, width - 1))) }
        let cells = min(room, 40)
        let full = total > 0 ? min(cells, cells * done / total) : cells
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: cells - full)
        return "\(words)  [\(bar)]\(pace)"
    }

    /// One line at the end.
    public var summary: String { "read \(read) of \(total) files in \(Self.span(seconds))" }

    /// `7 s`, `3 min 20 s`, `2 h 5 min`.
    private static func span(_ seconds: Double) -> String {
        let whole = Int(min(max(0, seconds), 1e9).rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3_600 { return "\(whole / 60) min \(whole % 60) s" }
        return "\(whole / 3_600) h \(whole % 3_600 / 60) min"
    }
}

/// Counts the files of one pass, and tells a ``SourceMemory`` of it a few times a second.
package struct ReadingMeter {
    /// Between two words on the progress, in seconds.
    package static let pause = 0.1
    private let memory: SourceMemory?
    private var progress: ReadingProgress
    private let start = now()
    private var told = 0.0

    package init(_ memory: SourceMemory?, total: Int) {
        self.memory = memory
        progress = ReadingProgress(done: 0, total: total, read: 0, seconds: 0, isOver: false)
    }

    /// Counts a file that was opened, behind `done` files that the pass is done with.
    package mutating func countRead(done: Int) {
        progress.read += 1
        memory?.countRead()
        progress.done = done
        let seconds = Self.now() - start
        guard memory != nil, seconds - told >= Self.pause else { return }
        told = seconds
        progress.seconds = seconds
        memory?.progress(progress)
    }

    /// Tells of the end, if anything was opened.
    package mutating func end(done: Int) {
        guard let memory, progress.read > 0, !progress.isOver else { return }
        progress.done = done
        progress.seconds = Self.now() - start
        progress.isOver = true
        memory.progress(progress)
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
