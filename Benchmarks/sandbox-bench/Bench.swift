import EscrowSandbox
import Glibc
import Synchronization

/// What one run took, in microseconds.
struct Figures {
    var start = 0.0
    var firstByte = 0.0
    var wall = 0.0
    var childCPU = 0.0

    var line: String {
        func text(_ value: Double) -> String { String(Int(value.rounded())) }
        return """
            {"startUs":\(text(start)),"firstByteUs":\(text(firstByte)),"wallUs":\(text(wall)),\
            "childCPUUs":\(text(childCPU))}
            """
    }
}

/// Runs over and over, on one or several threads, and prints what each took.
final class Bench: Sendable {
    private let input: [UInt8]
    private let launch: @Sendable () throws -> SandboxedProcess
    private let results = Mutex<[Figures]>([])
    private let left = Mutex(0)
    private let failure = Mutex<(any Error)?>(nil)

    init(input: [UInt8], launch: @escaping @Sendable () throws -> SandboxedProcess) {
        self.input = input
        self.launch = launch
    }

    /// One run, from the request to the end.
    func measure() throws -> Figures {
        var figures = Figures()
        let begin = microseconds()
        let process = try launch()
        try process.write(input)
        process.closeInput()
        while true {
            let bytes = try process.read(max: 65536)
            if figures.firstByte == 0 { figures.firstByte = microseconds() - begin }
            if bytes.isEmpty { break }
        }
        let outcome = process.finish()
        figures.wall = microseconds() - begin
        guard outcome.isClean else { throw Complaint(description: "the program ended by \(outcome.status)") }
        figures.start = outcome.startedMs * 1000
        figures.childCPU = outcome.usage.cpuSeconds * 1e6
        return figures
    }

    /// All runs, and the line that sums up.
    func run(_ count: Int, threads: Int, pause: Int) throws {
        left.withLock { $0 = count }
        let cpu = processorMicroseconds()
        let begin = microseconds()
        var started: [pthread_t] = []
        for _ in 0..<threads { started.append(try thread(pause)) }
        for thread in started { pthread_join(thread, nil) }
        let seconds = (microseconds() - begin) / 1e6
        let used = processorMicroseconds() - cpu
        if let failure = failure.withLock({ $0 }) { throw failure }
        for figures in results.withLock({ $0 }) { print(figures.line) }
        let rate = Int(Double(count) / seconds)
        print("{\"runs\":\(count),\"perSecond\":\(rate),\"cpuUsPerRun\":\(Int(used / Double(count)))}")
    }

    private func thread(_ pause: Int) throws -> pthread_t {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        let box = Unmanaged.passRetained(Box { [self] in work(pause) })
        var thread = pthread_t()
        let error = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        guard error == 0 else { throw Complaint(description: "no thread: errno \(error)") }
        return thread
    }

    private func work(_ pause: Int) {
        do {
            while left.withLock({ left in
                left -= 1
                return left >= 0
            }) {
                if pause > 0 { usleep(UInt32(pause)) }
                let figures = try measure()
                results.withLock { $0.append(figures) }
            }
        } catch {
            failure.withLock { $0 = error }
        }
    }
}

/// The monotonic clock.
func microseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// Processor time of this process, all threads, and of its children that have ended.
func processorMicroseconds() -> Double {
    var sum = 0.0
    for who in [RUSAGE_SELF, RUSAGE_CHILDREN] {
        var usage = rusage()
        getrusage(__rusage_who_t(who.rawValue), &usage)
        sum += Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e6
        sum += Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
    }
    return sum
}
