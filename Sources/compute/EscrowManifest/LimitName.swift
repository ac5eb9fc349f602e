/// The limits of a run, by the names that a manifest and the individual's configuration use.
public enum LimitName: String, Sendable, Hashable, CaseIterable {
    /// Seconds from start to end.
    case wallSeconds
    /// Seconds of processor time, all threads together.
    case cpuSeconds
    /// Mebibytes of memory.
    case memoryMiB
    /// Threads of a plugin in the profile `runtime`; a strict one has one.
    case processes
    /// Mebibytes on stdout: what the plugin asks, and its result.
    case outputMiB
    /// Kibibytes of text on stderr.
    case logKiB
    /// Rows of Ds. In a manifest this one is `accepts.rows.max`.
    case rows
    /// Mebibytes of rows of Ds.
    case dataMiB
    /// Assets that the plugin opens.
    case assets
    /// Mebibytes of assets.
    case assetMiB

    /// What holds where a manifest says nothing. For `outputMiB`, four times the declared result comes on top.
    public var standard: Int {
        switch self {
        case .wallSeconds: 30
        case .cpuSeconds: 10
        case .memoryMiB: 128
        case .processes: 16
        case .outputMiB, .logKiB: 64
        case .rows: RowBounds.standard.maximum
        case .dataMiB, .assetMiB: 1024
        case .assets: 10_000
        }
    }

    /// The most that a manifest may ask for.
    public var most: Int {
        switch self {
        case .wallSeconds: 600
        case .cpuSeconds: 300
        case .memoryMiB: 2_048
        case .processes: 64
        case .outputMiB, .logKiB: 1024
        case .rows: RowBounds.hostMaximum
        case .dataMiB, .assetMiB: 65_536
        case .assets: 1_000_000
        }
    }

    /// What it bounds, for people.
    public var words: String {
        switch self {
        case .wallSeconds: "time in seconds"
        case .cpuSeconds: "processor time in seconds"
        case .memoryMiB: "memory in MiB"
        case .processes: "threads"
        case .outputMiB: "output in MiB"
        case .logKiB: "log in KiB"
        case .rows: "rows"
        case .dataMiB: "rows in MiB"
        case .assets: "assets"
        case .assetMiB: "assets in MiB"
        }
    }

    /// Those that stand in a manifest's `limits`.
    public static let ofManifest = allCases.filter { $0 != .rows }
}
