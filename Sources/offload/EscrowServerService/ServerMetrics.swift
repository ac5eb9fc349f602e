public import EscrowOffloadWire
import Synchronization

/// What a server counts of its runs: numbers alone, and words of closed lists. No plugin, device, run or byte of anybody's data.
///
/// Every user of the machine may ask for it, so no run's size or time is told exactly: each is counted once, at its end, rounded up.
public final class ServerMetrics: Sendable {
    private struct State {
        var begun = 0
        var running = 0
        var refused: [String: Int] = [:]
        var ended: [String: Int] = [:]
        var inputBytes = 0
        var outputBytes = 0
        var launch = Histogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1])
        var run = Histogram(runBounds)
        var cpu = Histogram(runBounds)
    }

    private static let runBounds = [
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300,
    ]
    /// A run counts as so many bytes, or a multiple of it.
    private static let byteStep = 1 << 16
    /// How old what is told may be, in nanoseconds: whoever asks all the time learns no better when something was.
    private static let age: UInt64 = 60_000_000_000

    /// How many of some durations were at most so long, in seconds; each adds to the sum what it was at most.
    private struct Histogram {
        let bounds: [Double]
        var counts: [Int]
        var sum = 0.0

        init(_ bounds: [Double]) {
            self.bounds = bounds
            counts = Array(repeating: 0, count: bounds.count + 1)
        }

        mutating func add(_ seconds: Double) {
            let index = bounds.firstIndex { seconds <= $0 } ?? bounds.count
            counts[index] += 1
            sum +=
                index < bounds.count
                ? bounds[index] : bounds[index - 1] * (seconds / bounds[index - 1]).rounded(.up)
        }
    }

    private let state = Mutex(State())
    private let told = Mutex<(state: State, since: UInt64)?>(nil)

    public init() {}

    public func began(launchSeconds: Double) {
        state.withLock { state in
            state.begun += 1
            state.running += 1
            state.launch.add(launchSeconds)
        }
    }

    public func refused(_ why: RemoteRefusal) {
        state.withLock { $0.refused["\(why)", default: 0] += 1 }
    }

    /// - Parameters:
    ///   - outcome: how the plugin's process ended, a word of a closed list.
    ///   - input: how many bytes the device sent.
    ///   - output: how many bytes the plugin wrote.
    public func ended(_ outcome: String, seconds: Double, cpuSeconds: Double, input: Int, output: Int) {
        state.withLock { state in
            state.running -= 1
            state.ended[outcome, default: 0] += 1
            state.run.add(seconds)
            state.cpu.add(cpuSeconds)
            state.inputBytes += Self.rounded(input)
            state.outputBytes += Self.rounded(output)
        }
    }

    private static func rounded(_ bytes: Int) -> Int { (bytes / byteStep + 1) * byteStep }

    /// All of it in Prometheus' text format, version 0.0.4, as it was at most a minute ago.
    ///
    /// - Parameter now: nanoseconds of a clock that only goes on.
    public func text(places: Int, version: String, now: UInt64) -> String {
        let state = told.withLock { told in
            if let told, now < told.since + Self.age { return told.state }
            let newest = self.state.withLock { $0 }
            told = (newest, now)
            return newest
        }
        var lines: [String] = []
        func family(_ name: String, _ type: String, _ help: String, _ samples: [(String, String)]) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) \(type)"]
            lines += samples.map { "\(name)\($0.0) \($0.1)" }
        }
        func labelled(_ label: String, _ counts: [String: Int]) -> [(String, String)] {
            counts.sorted { $0.key < $1.key }.map { ("{\(label)=\"\($0.key)\"}", "\($0.value)") }
        }
        func histogram(_ name: String, _ help: String, _ histogram: Histogram) {
            lines += ["# HELP \(name) \(help)", "# TYPE \(name) histogram"]
            var count = 0
            for (index, bound) in (histogram.bounds.map { "\($0)" } + ["+Inf"]).enumerated() {
                count += histogram.counts[index]
                lines.append("\(name)_bucket{le=\"\(bound)\"} \(count)")
            }
            lines += ["\(name)_sum \(histogram.sum)", "\(name)_count \(count)"]
        }
        family(
            "escrow_server_info", "gauge", "The version that serves.",
            [("{version=\"\(version)\"}", "1")])
        family("escrow_server_runs_begun_total", "counter", "Runs that began.", [("", "\(state.begun)")])
        family("escrow_server_runs_running", "gauge", "Runs under way.", [("", "\(state.running)")])
        family("escrow_server_runs_places", "gauge", "The most runs at once.", [("", "\(places)")])
        family(
            "escrow_server_runs_refused_total", "counter", "Runs that were refused, by why.",
            labelled("why", state.refused))
        family(
            "escrow_server_runs_ended_total", "counter", "Runs that ended, by how the plugin's process did.",
            labelled("outcome", state.ended))
        family(
            "escrow_server_input_bytes_total", "counter",
            "Bytes that devices sent to plugins, of each run rounded up to 64 KiB.",
            [("", "\(state.inputBytes)")])
        family(
            "escrow_server_output_bytes_total", "counter",
            "Bytes that plugins sent to devices, of each run rounded up to 64 KiB.",
            [("", "\(state.outputBytes)")])
        family(
            "escrow_server_plugin_cpu_seconds_total", "counter",
            "Processor time of plugins, of each run rounded up to a bound of escrow_server_run_seconds.",
            [("", "\(state.cpu.sum)")])
        histogram(
            "escrow_server_launch_seconds", "From the ask to the plugin's process; the sum is of bounds.",
            state.launch)
        histogram(
            "escrow_server_run_seconds", "From a run's beginning to its end; the sum is of bounds.", state.run
        )
        return lines.map { $0 + "\n" }.joined()
    }
}
