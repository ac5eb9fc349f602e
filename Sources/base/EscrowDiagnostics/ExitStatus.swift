/// The documented exit statuses of `escrow`.
public enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Done.
    case success = 0
    /// A fault of ours, of the machine, or of the escrow home and its configuration.
    case fault = 1
    /// Denied or restricted.
    case denied = 10
    /// Undecided, and nobody to ask.
    case undecided = 11
    /// Manifest, signature, digest or trust refused.
    case untrusted = 12
    /// The access was refused.
    case accessRefused = 13
    /// The plugin broke a rule of the sandbox or of the protocol.
    case ruleBroken = 14
    /// A limit was reached: time, memory, rows, bytes.
    case limit = 15
    /// The plugin failed or refused.
    case pluginFailed = 16
    /// Egress was refused.
    case egressRefused = 17
    /// A data source is missing or unreadable.
    case sourceMissing = 18
    /// The escrow server is unreachable or untrusted.
    case serverFailed = 19
    /// A wall of the sandbox is missing on this machine, and nobody lowered it on purpose.
    case wallMissing = 20
    /// Decided, and waiting in the queue for what the device must have (EX_TEMPFAIL of sysexits.h).
    case waiting = 75
    /// Wrong usage of a command (EX_USAGE of sysexits.h).
    case usage = 64

    /// The fixed sentence an app is given; the same for every cause, so that it tells nothing about the data.
    public var appSentence: String {
        switch self {
        case .success: "done"
        case .fault: "the escrow host failed"
        case .denied: "the individual does not allow this dataflow"
        case .undecided: "the individual has not decided about this dataflow"
        case .untrusted: "the plugin is not one that this host trusts"
        case .accessRefused: "the access was refused"
        case .ruleBroken: "the plugin broke a rule and was stopped"
        case .limit: "a limit was reached"
        case .pluginFailed: "the plugin gave no result"
        case .egressRefused: "a request to the network was refused"
        case .sourceMissing: "a data source is missing or unreadable"
        case .serverFailed: "the escrow server is unreachable or untrusted"
        case .wallMissing: "this machine cannot isolate the plugin"
        case .waiting: "the dataflow waits for the device"
        case .usage: "the request was not understood"
        }
    }
}
