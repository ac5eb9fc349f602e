import EscrowDiagnostics

/// What one run may use. Reaching a limit ends the run and is reported by the limit's name.
public struct SandboxLimits: Sendable, Equatable {
    /// Seconds from start to end, sleeping included.
    public var wallSeconds: Double
    /// Seconds of processor time, all threads together.
    public var cpuSeconds: Int
    /// Address space in MiB; of memory in use as well, where a control group can be made.
    public var memoryMiB: Int
    public var outputBytes: Int
    public var logBytes: Int
    /// Threads, in the runtime profile; a strict plugin has one.
    public var processes: Int
    /// Rows of Ds. The caller, who feeds them, counts these last four and ends the plugin with `end(at:)`.
    public var rows: Int
    public var dataBytes: Int
    public var assets: Int
    public var assetBytes: Int

    /// The limits that hold unless a manifest asks for others.
    public static let standard = SandboxLimits()

    public static let maximum = SandboxLimits(
        wallSeconds: 3600, cpuSeconds: 3600, memoryMiB: 65536, outputBytes: 1 << 30, logBytes: 16 << 20,
        processes: 1024, rows: .max, dataBytes: .max, assets: .max, assetBytes: .max)

    public init(
        wallSeconds: Double = 30, cpuSeconds: Int = 20, memoryMiB: Int = 256, outputBytes: Int = 16 << 20,
        logBytes: Int = 64 << 10, processes: Int = 16, rows: Int = 1_000_000, dataBytes: Int = 1 << 30,
        assets: Int = 10_000, assetBytes: Int = 1 << 30
    ) {
        self.wallSeconds = wallSeconds
        self.cpuSeconds = cpuSeconds
        self.memoryMiB = memoryMiB
        self.outputBytes = outputBytes
        self.logBytes = logBytes
        self.processes = processes
        self.rows = rows
        self.dataBytes = dataBytes
        self.assets = assets
        self.assetBytes = assetBytes
    }

    /// A limit's value in words: `5 s of time`, `64 MiB of memory`.
    public func words(for limit: Outcome.Limit) -> String {
        func count(_ number: Int, _ one: String) -> String { "\(number) \(one)\(number == 1 ? "" : "s")" }
        return switch limit {
        case .wall: "\(Outcome.seconds(wallSeconds)) of time"
        case .cpu: "\(cpuSeconds) s of processor time"
        case .memory: "\(memoryMiB) MiB of memory"
        case .processes: count(processes, "thread")
        case .output: "\(byteWords(outputBytes)) of output"
        case .log: "\(byteWords(logBytes)) of log"
        case .rows: count(rows, "row")
        case .data: "\(byteWords(dataBytes)) of rows"
        case .assets: count(assets, "asset")
        case .assetBytes: "\(byteWords(assetBytes)) of assets"
        }
    }

    /// Throws for a limit that is not positive or above the maximum.
    func check() throws(Diagnostic) {
        func refuse(_ name: String, _ value: String, _ most: String) -> Diagnostic {
            Diagnostic(
                .limitOutOfRange, "the limit \(name) cannot be \(value)",
                help: "choose a value above 0 and at most \(most)")
        }
        let most = Self.maximum
        // A NaN fails both comparisons, and so the guard.
        guard wallSeconds > 0, wallSeconds <= most.wallSeconds else {
            throw refuse("wallSeconds", "\(wallSeconds)", "\(most.wallSeconds)")
        }
        for (name, value, most) in [
            ("cpuSeconds", cpuSeconds, most.cpuSeconds), ("memoryMiB", memoryMiB, most.memoryMiB),
            ("outputBytes", outputBytes, most.outputBytes), ("logBytes", logBytes, most.logBytes),
            ("processes", processes, most.processes), ("rows", rows, most.rows),
            ("dataBytes", dataBytes, most.dataBytes), ("assets", assets, most.assets),
            ("assetBytes", assetBytes, most.assetBytes),
        ] where value <= 0 || value > most {
            throw refuse(name, "\(value)", "\(most)")
        }
    }
}
