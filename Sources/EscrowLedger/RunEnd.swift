public import EscrowJSON

/// What is written when a run is over, before its result is handed to anybody.
public struct RunEnd: Sendable, Equatable {
    /// How a run ended.
    public enum Outcome: String, Sendable {
        /// A result was found good and is handed over.
        case released
        /// The individual, a preference or a rule said no.
        case refused
        /// It went wrong; `code` says how.
        case failed
        /// The app took its request back.
        case cancelled
    }

    /// How it ended.
    public var outcome: Outcome
    /// The code of the diagnostic, unless a result was released.
    public var code: String?
    /// How many rows the plugin was given.
    public var rows: Int
    /// How many bytes of rows the plugin was given.
    public var bytesOfRows: Int
    /// How many assets the plugin was given.
    public var assets: Int
    /// How many bytes of assets the plugin was given.
    public var bytesOfAssets: Int
    /// The length of the result in bytes; nil where none is handed over.
    public var resultBytes: Int?
    /// The salted digest of the result; the result itself is kept nowhere.
    public var result: SaltedDigest?
    /// How long each part took, in microseconds, in the order in which they happened.
    public var durations: [(name: String, microseconds: Int)]
    /// How the plugin's process ended, if one was started and ended by itself.
    public var exitCode: Int?

    /// Takes everything.
    public init(
        outcome: Outcome, code: String? = nil, rows: Int, bytesOfRows: Int, assets: Int = 0,
        bytesOfAssets: Int = 0,
        resultBytes: Int? = nil, result: SaltedDigest? = nil,
        durations: [(name: String, microseconds: Int)] = [],
        exitCode: Int? = nil
    ) {
        self.outcome = outcome
        self.code = code
        self.rows = rows
        self.bytesOfRows = bytesOfRows
        self.assets = assets
        self.bytesOfAssets = bytesOfAssets
        self.resultBytes = resultBytes
        self.result = result
        self.durations = durations
        self.exitCode = exitCode
    }

    public static func == (left: RunEnd, right: RunEnd) -> Bool { left.fields == right.fields }

    /// The fields of a `run-end` record.
    public var fields: JSONValue {
        func number(_ value: Int) -> JSONValue { .integer(Int64(value)) }
        var members: [(name: String, value: JSONValue)] = [("outcome", .string(outcome.rawValue))]
        if let code { members.append(("code", .string(code))) }
        members.append(("rows", number(rows)))
        members.append(("rowBytes", number(bytesOfRows)))
        members.append(("assets", number(assets)))
        members.append(("assetBytes", number(bytesOfAssets)))
        if let resultBytes { members.append(("resultBytes", number(resultBytes))) }
        if let result {
            members.append(("resultDigest", .string(result.digest)))
            members.append(("resultSalt", .string(result.salt)))
        }
        if let exitCode { members.append(("exit", number(exitCode))) }
        members.append(("microseconds", .object(durations.map { ($0.name, number($0.microseconds)) })))
        return .object(members)
    }
}
