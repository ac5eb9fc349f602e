import EscrowServerService
import Testing

/// What everybody on the server's machine may ask for says nothing exact of a run.
@Suite struct ServerMetricsTests {
    private static let minute: UInt64 = 60_000_000_000

    private static func text(_ metrics: ServerMetrics, at now: UInt64 = minute) -> String {
        metrics.text(places: 1, version: "1", now: now)
    }

    /// The figures after one run.
    private static func run(input: Int, output: Int, seconds: Double, cpuSeconds: Double) -> String {
        let metrics = ServerMetrics()
        metrics.began(launchSeconds: 0.004)
        metrics.ended("clean", seconds: seconds, cpuSeconds: cpuSeconds, input: input, output: output)
        return text(metrics)
    }

    @Test func aRowMoreOrLessDoesNotShow() {
        let one = Self.run(input: 20_000, output: 300, seconds: 0.031, cpuSeconds: 0.0271)
        let other = Self.run(input: 20_413, output: 342, seconds: 0.0352, cpuSeconds: 0.0304)
        #expect(one == other)
        #expect(one.contains("escrow_server_input_bytes_total 65536\n"), "\(one)")
        #expect(one.contains("escrow_server_plugin_cpu_seconds_total 0.05\n"), "\(one)")
        #expect(Self.run(input: 70_000, output: 0, seconds: 700, cpuSeconds: 0).contains(" 131072\n"))
    }

    @Test func whoeverAsksAllTheTimeLearnsNoMoreThanOnceAMinute() {
        let metrics = ServerMetrics()
        let before = Self.text(metrics)
        metrics.began(launchSeconds: 0.004)
        #expect(Self.text(metrics, at: 2 * Self.minute - 1) == before)
        #expect(Self.text(metrics, at: 2 * Self.minute).contains("escrow_server_runs_running 1\n"))
        metrics.ended("clean", seconds: 1, cpuSeconds: 1, input: 1, output: 1)
        #expect(Self.text(metrics, at: 2 * Self.minute + 1).contains("escrow_server_runs_running 1\n"))
    }
}
