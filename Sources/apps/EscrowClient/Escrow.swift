import EscrowAppWire
public import EscrowJSON
import EscrowServiceCall
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
/// The work is done by the individual's service, or, where none runs, by a process of its own, `escrow host --stdio`; this library
/// never opens the escrow home. Requests may run at the same time, from any task. Cancelling the task that waits for a request
/// withdraws it.
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

    /// Who does the work.
    private enum Way {
        case host(HostConnection)
        case service(ServiceConnection)
    }

    private let app: String?
    private let way: Way
    /// The version of the host, for example `0.1.0`.
    public let hostVersion: String

    private init(app: String?, way: Way, hostVersion: String) {
        self.app = app
        self.way = way
        self.hostVersion = hostVersion
    }

    deinit { if case .host(let connection) = way { connection.hangUp() } }

    /// Reaches the individual's service, or starts a host where none runs.
    ///
    /// The service is at `ESCROW_SOCKET` (`escrow app run` sets it), else at `escrow/service.sock` in `XDG_RUNTIME_DIR`. Where
    /// none answers there, or a home or a program (`ESCROW_HOST_PATH`, else `escrow` in `PATH`) is named, a host is started.
    ///
    /// - Parameters:
    ///   - app: who asks, for example `org.example.notes`; the individual's decisions are kept under this name.
    ///   - home: the escrow home; nil leaves that to the host.
    /// - Throws: `EscrowError` (`E1008` when no host starts, `E1251` when none of this user answers at `ESCROW_SOCKET`),
    ///   `CancellationError`.
    public static func connect(app: String, home: String? = nil) async throws -> Escrow {
        func value(_ name: String) -> String? {
            ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        if home == nil, let socket = value("ESCROW_SOCKET") {
            return try await connect(app: app, socket: socket)
        }
        if home == nil, value("ESCROW_HOST_PATH") == nil, let runtime = value("XDG_RUNTIME_DIR") {
            do { return try await connect(app: app, socket: runtime + "/escrow/service.sock") } catch let
                error as EscrowError where error.isUnanswered
            {}
        }
        return try await connect(app: app, home: home, program: nil)
    }

    /// Reaches a service.
    ///
    /// - Parameters:
    ///   - app: who asks; nil where the service knows that otherwise: by its socket, its Flatpak, its token.
    ///   - socket: the path of the service's socket.
    ///   - token: what `escrow app add` gave out for this app.
    /// - Throws: `EscrowError` (`E1251` when nobody answers, or another user's process would), `CancellationError`.
    public static func connect(
        app: String? = nil, socket: String, token: String? = nil
    ) async throws -> Escrow {
        let service = ServiceConnection(socket: socket, token: token)
        return Escrow(app: app, way: .service(service), hostVersion: try await service.version())
    }

    /// The same with a program that the environment does not name: it is one for all tests that run at once.
    package static func connect(app: String, home: String? = nil, program: String?) async throws -> Escrow {
        let connection = HostConnection(try HostProcess.start(home: home, program: program))
        do {
            guard case .greeting(let version) = try await connection.greeting() else {
                throw EscrowError(.noHost)
            }
            return Escrow(app: app, way: .host(connection), hostVersion: version)
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
    ///   - server: where it computes, by the individual's own name for a server; `auto` leaves it to the escrow, and nil, or
    ///     `device`, is the individual's own device.
    ///   - says: why, in at most two sentences; the individual reads it as the app's word.
    ///   - wait: for how many seconds the service may ask the individual, at most 300; a host process asks nobody.
    ///   - type: what to decode; usually inferred.
    /// - Throws: `EscrowError`, `DecodingError` when the result is not such a value, `CancellationError`.
    public func run<Result: Decodable & Sendable>(
        _ sql: String? = nil, compute: String, bindings: [String: Value] = [:],
        arguments: [String: Value] = [:], server: String? = nil, says: String? = nil, wait: Int = 0,
        as type: Result.Type = Result.self
    ) async throws -> Result {
        try await run(
            sql, compute: compute, bindings: bindings, arguments: arguments, place: nil, server: server,
            says: says, wait: wait)
    }

    /// The same, with what the app says of a service that is told the individual's place.
    func run<Result: Decodable & Sendable>(
        _ sql: String?, compute: String, bindings: [String: Value] = [:], arguments: [String: Value],
        place: PlaceWish?, server: String? = nil, says: String? = nil, wait: Int = 0,
        as type: Result.Type = Result.self
    ) async throws -> Result {
        var body = body(sql, compute, bindings, arguments)
        body.place = place
        body.server = server
        body.says = says
        return try Self.decoded(try await result(of: body, wait: wait), as: type)
    }

    private static func decoded<Result: Decodable>(_ result: AppResult, as type: Result.Type) throws -> Result
    {
        guard case .value(let value, let columns) = result else {
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
        switch way {
        case .service(let service): return Status(try await service.status(body))
        case .host(let connection):
            let answer = try await connection.ask { .status(id: $0, body) }
            guard case .status(let status) = answer else { throw EscrowError(.hostEnded) }
            return Status(status)
        }
    }

    /// Tells the dataflow that such a run would be: what it would read, compute, return and send. Nothing is started.
    ///
    /// - Parameters: those of ``run(_:compute:bindings:arguments:as:)``.
    /// - Throws: `EscrowError` (`E1251` where there is no service: a host process does not tell), `CancellationError`.
    public func explain(
        _ sql: String? = nil, compute: String, bindings: [String: Value] = [:],
        arguments: [String: Value] = [:]
    ) async throws -> DataflowExplanation {
        try await look(
            "POST", "/v1/explanations", body(sql, compute, bindings, arguments), as: DataflowExplanation.self)
    }

    /// The tables that queries may name. Throws as ``explain(_:compute:bindings:arguments:)`` does.
    public func schema() async throws -> [TableDescription] {
        struct Document: Decodable { let tables: [TableDescription] }
        return try await look("GET", "/v1/schema", nil, as: Document.self).tables
    }

    /// The plugins that are installed. Throws as ``explain(_:compute:bindings:arguments:)`` does.
    public func plugins() async throws -> [PluginDescription] {
        struct Document: Decodable { let plugins: [PluginDescription] }
        return try await look("GET", "/v1/plugins", nil, as: Document.self).plugins
    }

    private func look<Document: Decodable>(
        _ method: String, _ path: String, _ body: RunBody?, as type: Document.Type
    ) async throws -> Document {
        guard case .service(let service) = way else { throw EscrowError(HostFailure.noService) }
        return try JSONDecoder().decode(type, from: Data(try await service.document(method, path, body)))
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
        let body = body(sql, compute, bindings, arguments)
        let source =
            switch way {
            case .host(let connection): connection.watch(body)
            case .service(let service): service.watch(body)
            }
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

    /// Runs a plugin at each update of where this machine is, and decodes what comes back.
    func updates<Response: Decodable & Sendable>(
        of place: PlaceWish, _ mode: FollowMode, compute: String, arguments: [String: Value],
        as type: Response.Type
    ) -> AsyncThrowingStream<Response, any Error> {
        var body = body(nil, compute, [:], arguments)
        body.place = place
        let source =
            switch way {
            case .host(let connection): connection.follow(body, mode)
            case .service(let service): service.follow(body, mode)
            }
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(HostConnection.mostUnread)) {
            continuation in
            // It keeps the host for as long as somebody listens.
            let task = Task { [self] in
                do {
                    for try await result in source {
                        continuation.yield(try Self.decoded(result, as: type))
                    }
                    continuation.finish()
                } catch { continuation.finish(throwing: error) }
                withExtendedLifetime(self) {}
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Ends the host and waits until it is gone. Open requests end with `E1009`. The service stays.
    public func close() async { if case .host(let connection) = way { await connection.close() } }

    private func result(of body: RunBody, wait: Int = 0) async throws -> AppResult {
        switch way {
        case .service(let service): return try await service.run(body, wait: wait)
        case .host(let connection):
            let answer = try await connection.ask { .run(id: $0, body) }
            guard case .result(let result) = answer else { throw EscrowError(.hostEnded) }
            return result
        }
    }

    private func body(
        _ sql: String?, _ compute: String, _ bindings: [String: Value], _ arguments: [String: Value]
    ) -> RunBody {
        func named(_ values: [String: Value]) -> [RunBody.Named] {
            values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
        return RunBody(
            app: app ?? RunBody.nameless, sql: sql, bindings: named(bindings), compute: compute,
            arguments: named(arguments))
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
