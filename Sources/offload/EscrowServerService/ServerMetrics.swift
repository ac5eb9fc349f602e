public import EscrowOffloadWire
import Synchronization

/// What a server counts of its runs: numbers alone, and words of closed lists. No plugin, device, run or byte of anybody's data.
public final class ServerMetrics: Sendable {
    private struct State {
        var begun = 0
        var running = 0
        var refused: [String: Int] = [:]
        var ended: [String: Int] = [:]
        var inputBytes = 0
        var outputBytes = 0
        var launch = Histogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1])
        var run = Histogram([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300])
        var cpuSeconds = 0.0
    }

    /// How many of some durations were at most so long, in seconds.
    private struct Histogram {
        let bounds: [Double]
        var counts: [Int]
        var sum = 0.0

        init(_ bounds: [Double]) {
            self.bounds = bounds
            counts = Array(repeating: 0, count: bounds.count + 1)
        }

        mutating func add(_ seconds: Double) {
            counts[bounds.firstIndex { seconds <= $0 } ?? bounds.count] += 1
            sum += seconds
        }
    }

    private let state = Mutex(State())

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

    /// - Parameter outcome: how the plugin's process ended, a word of a closed list.
    public func ended(_ outcome: String, seconds: Double, cpuSeconds: Double) {
        state.withLock { state in
            state.running -= 1
            state.ended[outcome, default: 0] += 1
            state.run.add(seconds)
            state.cpuSeconds += cpuSeconds
        }
    }

    public func took(input: Int) { state.withLock { $0.inputBytes += input } }

    public func gave(output: Int) { state.withLock { $0.outputBytes += output } }

    /// All of it in Prometheus' text format, version 0.0.4.
    public func text(places: Int, version: String) -> String {
        let state = state.withLock { $0 }
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
            "escrow_server_input_bytes_total", "counter", "Bytes that devices sent to plugins.",
            [("", "\(state.inputBytes)")])
        family(
            "escrow_server_output_bytes_total", "counter", "Bytes that plugins sent to devices.",
            [("", "\(state.outputBytes)")])
        family(
            "escrow_server_plugin_cpu_seconds_total", "counter", "Processor time of plugins.",
            [("", "\(state.cpuSeconds)")])
        histogram("escrow_server_launch_seconds", "From the ask to the plugin's process.", state.launch)
        histogram("escrow_server_run_seconds", "From a run's beginning to its end.", state.run)
        return lines.map { $0 + "\n" }.joined()
    }
}
