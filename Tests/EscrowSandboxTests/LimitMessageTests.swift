import EscrowDiagnostics
import Testing

@testable import EscrowSandbox

/// The words for each limit: its name, its value, how far the run came, and where to raise it.
@Suite struct LimitMessageTests {
    private static let limits = SandboxLimits(
        wallSeconds: 2.5, cpuSeconds: 1, memoryMiB: 64, outputBytes: 3 << 20, logBytes: 2048, processes: 8,
        rows: 1, dataBytes: 1000, assets: 10, assetBytes: 1 << 20)

    private func outcome(_ limit: Outcome.Limit) -> Outcome {
        var usage = Outcome.Usage(cpuSeconds: 0.26, maxRSSKiB: 12_900, wallSeconds: 0.043)
        usage.outputBytes = 1
        return Outcome(
            status: .limit(limit), syscall: nil, address: nil, startedMs: 1.2, whenMs: 41.4, usage: usage,
            limits: Self.limits, log: [])
    }

    @Test(arguments: [
        (Outcome.Limit.wall, "E0530", "2.5 s of time", "limits.wallSeconds", "wallSeconds"),
        (.cpu, "E0531", "1 s of processor time", "limits.cpuSeconds", "cpuSeconds"),
        (.memory, "E0532", "64 MiB of memory", "limits.memoryMiB", "memoryMiB"),
        (.output, "E0533", "3 MiB of output", "limits.outputMiB", "outputMiB"),
        (.log, "E0534", "2 KiB of log", "limits.logKiB", "logKiB"),
        (.processes, "E0535", "8 threads", "limits.processes", "processes"),
        (.assets, "E0536", "10 assets", "limits.assets", "assets"),
        (.rows, "E0537", "1 row", "accepts.rows.max", "rows"),
        (.data, "E0538", "1000 bytes of rows", "limits.dataMiB", "dataMiB"),
        (.assetBytes, "E0539", "1 MiB of assets", "limits.assetMiB", "assetMiB"),
    ])
    func everyBreachNamesLimitValueAndProgress(
        limit: Outcome.Limit, code: String, value: String, member: String, cap: String
    ) throws {
        var fed = Outcome.Fed()
        fed.rows = 512
        fed.bytes = 9000
        fed.assets = 2
        fed.assetBytes = 4096
        let told = try #require(outcome(limit).diagnostic(plugin: "phone-check", version: "1.2.0", fed: fed))
        #expect(told.exitStatus == .limit)
        #expect(
            told.description == """
                error[\(code)]: phone-check 1.2.0 was stopped: it reached its limit of \(value), 41 ms after start; nothing was returned
                note: it came to 512 rows (9000 bytes), 2 assets (4 KiB), 1 byte of output, 0.3 s of processor time and 12 MiB of memory
                help: let the query yield less, or raise \(member) in the plugin's manifest
                """)
        let capped = try #require(
            outcome(limit).diagnostic(plugin: "phone-check", version: "1.2.0", capped: [limit]))
        #expect(
            capped.description == """
                error[\(code)]: phone-check 1.2.0 was stopped: it reached its limit of \(value), 41 ms after start; nothing was returned
                note: it came to 1 byte of output, 0.3 s of processor time and 12 MiB of memory
                help: let the query yield less, or raise "\(cap)" in the limits of config.json
                """)
    }
}
