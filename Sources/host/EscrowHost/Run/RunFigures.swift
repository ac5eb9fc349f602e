import EscrowComputation
import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowManifest
import EscrowOffloadWire
import EscrowSandbox

/// What a run took: for the individual, never for the app.
public struct RunFigures: Sendable {
    /// Rows and bytes of Ds that the plugin read.
    public var rows = 0
    public var bytes = 0
    /// What the server said of the run as it began it; nil for a run on this device.
    var server: FromServer.Begun?
    /// The software that the server proved to run; nil where nothing was required.
    var attested: String?
    /// Assets that the plugin read, and their bytes.
    public var assets = 0
    public var assetBytes = 0
    /// Requests that were sent to the network, their bytes and those of their answers.
    public var requests = 0
    public var sentBytes = 0
    public var receivedBytes = 0
    /// Bytes of Dt.
    public var resultBytes = 0
    /// Milliseconds: verify, resolve, launch, compute (with access), result, whole.
    public var verifyMs = 0.0
    public var resolveMs = 0.0
    public var launchMs = 0.0
    public var computeMs = 0.0
    public var resultMs = 0.0
    public var wholeMs = 0.0
    /// Of compute, what stepping the query and reading the sources took.
    public var readMs = 0.0
    /// Milliseconds of finding the decision, and of the ledger's two records with their waits for the disk.
    public var decideMs = 0.0
    public var recordMs = 0.0
    /// The plugin's largest resident set in KiB, and its processor time in seconds.
    public var pluginRSSKiB: Int { outcome?.usage.maxRSSKiB ?? 0 }
    public var pluginCPUSeconds: Double { outcome?.usage.cpuSeconds ?? 0 }

    /// How the plugin's process ended; nil where none was started.
    var outcome: Outcome?
    /// The limits that held; nil where the run did not come so far.
    var limits: RunLimits?

    /// Which records were read; nil where that is not recorded.
    var records: ReadRecorder?

    /// Takes over what a computation came to, whether it gave a result or not.
    mutating func take(_ record: ComputationRecord, _ stream: RowStream, _ limits: RunLimits) {
        rows = stream.rows
        bytes = stream.bytes
        readMs = stream.readMs
        assets = record.assets
        assetBytes = record.assetBytes
        outcome = record.outcome
        self.limits = limits
    }

    /// The end of a run as the ledger keeps it. Where the process ended well and the run failed all the same (a result
    /// of another shape), the reason is the diagnostic's.
    func ledgerFields(failed diagnostic: Diagnostic?) -> [(name: String, value: JSONValue)] {
        func number(_ value: Int) -> JSONValue { .integer(Int64(value)) }
        var fields: [(name: String, value: JSONValue)] = []
        if let diagnostic, outcome?.isClean != false {
            fields += [("status", "failed"), ("reason", .string(diagnostic.message))]
        } else if let outcome {
            fields += [("status", .string(outcome.kind)), ("reason", .string(outcome.reason))]
        }
        if let syscall = outcome?.syscall {
            fields.append(
                (
                    "syscall",
                    [
                        "name": .string(syscall.name),
                        "number": syscall.number.map { number(Int($0)) } ?? .null,
                        "table": .string(syscall.architecture.rawValue),
                        "arguments": .array(syscall.arguments.map(JSONValue.string)),
                    ]
                ))
        }
        if let address = outcome?.address {
            fields.append(("address", .string("0x" + String(address, radix: 16))))
        }
        if let outcome { fields.append(("whenMs", .integer(Int64(outcome.whenMs.rounded())))) }
        fields += [
            ("rows", number(rows)), ("bytes", number(bytes)), ("assets", number(assets)),
            ("assetBytes", number(assetBytes)), ("requests", number(requests)),
            ("sentBytes", number(sentBytes)), ("milliseconds", .integer(Int64(wholeMs.rounded()))),
        ]
        if let usage = outcome?.usage {
            fields.append(
                (
                    "used",
                    [
                        "wallMs": .integer(Int64((usage.wallSeconds * 1000).rounded())),
                        "cpuMs": .integer(Int64((usage.cpuSeconds * 1000).rounded())),
                        "memoryKiB": number(usage.maxRSSKiB), "outputBytes": number(usage.outputBytes),
                        "logBytes": number(usage.logBytes),
                    ]
                ))
        }
        if let limits {
            fields.append(("limits", limits.json))
            fields.append(("capped", .array(limits.capped.map(\.rawValue).sorted().map(JSONValue.string))))
        }
        if let records { fields.append(("records", records.json)) }
        if let server {
            fields.append(
                (
                    "atServer",
                    [
                        "calls itself": .string(server.server), "version": .string(server.version),
                        "manifest": .string("sha256:" + server.manifest),
                        "launchMs": .integer(Int64(server.launchMicroseconds / 1000)),
                        "attested": attested.map { .string($0) } ?? .null,
                    ]
                ))
        }
        return fields
    }
}
