import EscrowAppWire
public import EscrowJSON
import FoundationEssentials

/// An app's way to a person's data: it submits a computation and gets its result, never the data.
///
///     import EscrowClient
///     import EscrowJSON  // for literals as values, where MemberImportVisibility is on
///
///     struct Known: Decodable, Sendable { let known: Bool }
///
///     let escrow = try await Escrow.connect(app: "org.example.notes")
///     let answer: Known = try await escrow.run(
///         "SELECT phoneNumber FROM Contacts", compute: "phone-check",
///         arguments: ["number": "+15550100"])
///     await escrow.close()
///
/// The work is done by a process of its own, `escrow host --stdio`; this library never opens the escrow home. Requests
/// may run at the same time, from any task. Cancelling the task that waits for a request withdraws it.
public final class Escrow: Sendable {
    /// A value for a parameter: text, a number, true, false or, for the query's, nil. Literals will do.
    public typealias Value = JSONValue

    /// What the individual decided about a dataflow, as far as an app is told.
    public enum Status: String, Sendable {
        /// Nobody was asked yet.
        case notDetermined
        /// It may run.
        case authorized
        /// It may not; the individual can change that.
        case denied
        /// It may not, and the individual cannot change that: ask no more.
        case restricted
    }

    private let app: String
    private let connection: HostConnection
    /// The version of the host, for example `0.1.0`.
    public let hostVersion: String

    private init(app: String, connection: HostConnection, hostVersion: String) {
        self.app = app
        self.connection = connection
        self.hostVersion = hostVersion
    }

    deinit { connection.hangUp() }

    /// Starts a host and waits for its greeting.
    ///
    /// The program is what the environment variable `ESCROW_HOST_PATH` names, else `escrow` in `PATH`.
    ///
    /// - Parameters:
    ///   - app: who asks, for example `org.example.notes`; the individual's decisions are kept under this name.
    ///   - home: the escrow home; nil leaves that to the host.
    /// - Throws: `EscrowError` (`E1008` when no host starts), `CancellationError`.
    public static func connect(app: String, home: String? = nil) async throws -> Escrow {
        try await connect(app: app, home: home, program: nil)
    }

    /// The same with a program that the environment does not name: it is one for all tests that run at once.
    package static func connect(app: String, home: String? = nil, program: String?) async throws -> Escrow {
        let connection = HostConnection(try HostProcess.start(home: home, program: program))
        do {
            guard case .greeting(let version) = try await connection.greeting() else {
                throw EscrowError(.noHost)
            }
            return Escrow(app: app, connection: connection, hostVersion: version)
        } catch {
            connection.hangUp()
            throw error
        }
    }

    /// Runs a plugin over what a query yields, and decodes its result.
    ///
    /// A record decodes as its members say, a text as a `String`, and a table as an array of records, one a row,
    /// keyed by the names of its columns.
    ///
    /// - Parameters:
    ///   - sql: access(), one `SELECT`; nil takes the plugin's own query.
    ///   - compute: the plugin's id, or its last label where that is unique.
    ///   - bindings: values for the `:name` parameters of the query.
    ///   - arguments: values for the parameters that the plugin declares.
    ///   - server: where it computes, by the individual's own name for a server; nil leaves it to the individual.
    ///   - type: what to decode; usually inferred.
    /// - Throws: `EscrowError`, `DecodingError` when the result is not such a value, `CancellationError`.
    public func run<Result: Decodable & Sendable>(
        _ sql: String? = nil, compute: String, bindings: [String: Value] = [:],
        arguments: [String: Value] = [:], server: String? = nil,
        as type: Result.Type = Result.self
    ) async throws -> Result {
        try await run(
            sql, compute: compute, bindings: bindings, arguments: arguments, place: nil, server: server)
    }

    /// The same, with what the app says of a service that is told the individual's place.
    func run<Result: Decodable & Sendable>(
        _ sql: String?, compute: String, bindings: [String: Value] = [:], arguments: [String: Value],
        place: PlaceWish?, server: String? = nil, as type: Result.Type = Result.self
    ) async throws -> Result {
        var body = body(sql, compute, bindings, arguments)
        body.place = place
        body.server = server
        guard case .value(let value, let columns) = try await result(of: body) else {
            throw EscrowError(AppWireError(.wrongShape, member: "value"))
        }
        let records = columns.map { Self.records(value, columns: $0) } ?? value
        return try JSONDecoder().decode(type, from: Data(JSONWriter.line(records)))
    }

    /// Runs a plugin whose result is bytes, and gives them with their media type.
    ///
    /// - Parameters: those of ``run(_:compute:bindings:arguments:as:)``.
    /// - Throws: `EscrowError` (`E1003` when the result is not bytes), `CancellationError`.
    public func runBytes(
        _ sql: String? = nil, compute: String, bindings: [String: Value] = [:],
        arguments: [String: Value] = [:]
    ) async throws -> (bytes: [UInt8], mediaType: String) {
        let body = body(sql, compute, bindings, arguments)
        guard case .bytes(let bytes, let mediaType) = try await result(of: body) else {
            throw EscrowError(AppWireError(.wrongShape, member: "bytes"))
        }
        return (bytes, mediaType)
    }

    /// Tells what the individual decided about such a run. Nobody is asked, and nothing is read.
    ///
    /// - Parameters: those of ``run(_:compute:bindings:arguments:as:)``.
    /// - Throws: `EscrowError`, `CancellationError`.
    public func status(
        _ sql: String? = nil, compute: String, bindings: [String: Value] = [:],
        arguments: [String: Value] = [:]
    ) async throws -> Status {
        let body = body(sql, compute, bindings, arguments)
        let answer = try await connection.ask { .status(id: $0, body) }
        guard case .status(let status) = answer else { throw EscrowError(.hostEnded) }
        return Status(status)
    }

    /// Tells what the individual decided about such a run, first as it stands, then each time that it changes: a decision
    /// that was made, limited, taken back, or is over. Nobody is asked.
    ///
    ///     for try await status in escrow.statusChanges(compute: "phone-check") { show(status) }
    ///
    /// - Parameters: those of ``run(_:compute:bindings:arguments:as:)``.
    /// - Returns: statuses, no two alike in a row; ends with `EscrowError` when the host does. Newer ones replace what was
    ///   not read yet.
    public func statusChanges(
        _ sql: String? = nil, compute: String, bindings: [String: Value] = [:],
        arguments: [String: Value] = [:]
    ) -> AsyncThrowingStream<Status, any Error> {
        let source = connection.watch(body(sql, compute, bindings, arguments))
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    for try await status in source { continuation.yield(Status(status)) }
                    continuation.finish()
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Ends the host and waits until it is gone. Open requests end with `E1009`.
    public func close() async { await connection.close() }

    private func result(of body: RunBody) async throws -> AppResult {
        let answer = try await connection.ask { .run(id: $0, body) }
        guard case .result(let result) = answer else { throw EscrowError(.hostEnded) }
        return result
    }

    private func body(
        _ sql: String?, _ compute: String, _ bindings: [String: Value], _ arguments: [String: Value]
    ) -> RunBody {
        func named(_ values: [String: Value]) -> [RunBody.Named] {
            values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
        return RunBody(
            app: app, sql: sql, bindings: named(bindings), compute: compute, arguments: named(arguments))
    }

    private static func records(_ rows: JSONValue, columns: [String]) -> JSONValue {
        .array(
            (rows.array ?? []).map { row in
                .object(zip(columns, row.array ?? []).map { (name: $0, value: $1) })
            })
    }
}

extension Escrow.Status {
    fileprivate init(_ status: ConsentStatus) {
        self =
            switch status {
            case .notDetermined: .notDetermined
            case .authorized: .authorized
            case .denied: .denied
            case .restricted: .restricted
            }
    }
}
