import EscrowJSON
public import EscrowTabular
public import EscrowWire

/// One run, as the plugin sees it: rows, parameters, assets, and ways to say something.
///
/// The first ask that fails because the host is gone or cancels ends the rows; the result is then discarded.
public struct Run: ~Copyable {
    private let connection: HostConnection

    package init(_ connection: HostConnection) { self.connection = connection }

    /// The columns of the rows, in order.
    public var columns: [Field] { connection.schema.fields }

    /// The rows, one after the other, as the host reads them: memory stays small however many there are. They can be
    /// walked once; a second walk goes on where the first stopped.
    public var rows: Rows { Rows(connection) }

    /// The rows in batches of some thousands, column by column: faster where every value counts.
    public var batches: Batches { Batches(connection) }

    /// A parameter that is a whole number.
    public func integer(parameter name: String) throws(PluginError) -> Int {
        guard let value = try parameter(name).integer else { throw wrongType(name, "a whole number") }
        return Int(value)
    }

    /// A parameter that is a number.
    public func real(parameter name: String) throws(PluginError) -> Double {
        guard let value = try parameter(name).real else { throw wrongType(name, "a number") }
        return value
    }

    /// A parameter that is text.
    public func text(parameter name: String) throws(PluginError) -> String {
        guard let value = try parameter(name).string else { throw wrongType(name, "text") }
        return value
    }

    /// A parameter that is true or false.
    public func boolean(parameter name: String) throws(PluginError) -> Bool {
        guard let value = try parameter(name).bool else { throw wrongType(name, "true or false") }
        return value
    }

    /// The bytes behind an asset's handle, which must come from a row of this run: `run.asset(row.text("asset"))`.
    public func asset(_ handle: String) throws(PluginError) -> Asset {
        let answer = try connection.ask([("ask", "asset"), ("id", .string(handle))])
        guard let header = answer["asset"], let count = header["bytes"]?.integer,
            let mediaType = header["mediaType"]?.string
        else { throw PluginError(.disconnected, "the host's answer is no asset") }
        return Asset(bytes: try connection.bytes(Int(clamping: count)), mediaType: mediaType)
    }

    /// Gives the bytes behind an asset's handle piece by piece, so that a video of gigabytes takes no more memory than one.
    ///
    /// - Parameter body: gets each piece, which is valid within the call alone. Where it throws, the rest is passed over, and
    ///   the error is thrown on.
    /// - Returns: what the whole is.
    @discardableResult
    public func asset(
        _ handle: String, inPieces body: (_ piece: UnsafeRawBufferPointer) throws -> Void
    ) throws -> AssetHeader {
        let answer = try connection.ask([("ask", "asset"), ("id", .string(handle))])
        guard let header = answer["asset"], let count = header["bytes"]?.integer,
            let mediaType = header["mediaType"]?.string
        else { throw PluginError(.disconnected, "the host's answer is no asset") }
        var failure: (any Error)?
        try connection.pieces(Int(clamping: count)) { piece in
            guard failure == nil else { return }
            do { try body(piece) } catch { failure = error }
        }
        if let failure { throw failure }
        return AssetHeader(byteCount: Int(clamping: count), mediaType: mediaType)
    }

    /// Has the host send a request that the manifest declares, with these fields.
    public func fetch(_ endpoint: String, _ fields: [String: Value] = [:]) throws -> Response {
        try response(try connection.ask([("ask", "fetch")] + Request(endpoint, fields).members()))
    }

    /// Has the host send all requests of the run in one go, where the manifest says `together`: once a run. Gives how each
    /// ended, in this order.
    public func fetchTogether(_ requests: [Request]) throws -> [Swift.Result<Response, PluginError>] {
        let asks = try requests.map { JSONValue.object(try $0.members()) }
        let answer = try connection.ask([("ask", "fetch"), ("together", .array(asks))])
        guard let ends = answer["answers"]?.array, ends.count == requests.count else {
            throw PluginError(.disconnected, "the host's answer is no list of responses")
        }
        return try ends.map { end in
            if let error = end["error"] { return .failure(HostConnection.hostError(error)) }
            return .success(try response(end))
        }
    }

    private func response(_ head: JSONValue) throws(PluginError) -> Response {
        guard let status = head["status"]?.integer, let count = head["bytes"]?.integer else {
            throw PluginError(.disconnected, "the host's answer is no response")
        }
        return Response(
            status: Int(clamping: status), body: try connection.bytes(Int(clamping: count)),
            mediaType: head["mediaType"]?.string ?? "")
    }

    /// Tells the person how far the work is, from 0 to 1.
    public func progress(_ share: Double, note: String? = nil) { connection.progress(share, note: note) }

    /// Adds a line to the log, which stays on the person's machine.
    public func log(_ text: String, level: LogLevel = .info) { connection.log(level, text) }

    private func parameter(_ name: String) throws(PluginError) -> JSONValue {
        guard let parameter = connection.parameters.first(where: { $0.name == name }) else {
            throw PluginError(.noSuchParameter, "the run has no parameter \"\(name)\"")
        }
        return parameter.value
    }

    private func wrongType(_ name: String, _ expected: String) -> PluginError {
        PluginError(.wrongType, "the parameter \"\(name)\" is not \(expected)")
    }
}

/// A photo, or another file of the person's, as its handle was asked for.
public struct Asset: Sendable {
    /// The bytes of the file.
    public let bytes: [UInt8]
    /// What they are, for example `image/jpeg`.
    public let mediaType: String
}

/// What an asset is that came in pieces.
public struct AssetHeader: Sendable {
    /// Its length in bytes.
    public let byteCount: Int
    /// What it is, for example `video/mp4`.
    public let mediaType: String
}

/// A request that the manifest declares, with its fields.
public struct Request: Sendable {
    /// The name of the endpoint.
    public let endpoint: String
    /// What the plugin fills in.
    public let fields: [String: Value]

    /// Names it.
    public init(_ endpoint: String, _ fields: [String: Value] = [:]) {
        self.endpoint = endpoint
        self.fields = fields
    }

    fileprivate func members() throws -> [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = []
        for name in fields.keys.sorted() { members.append((name, try (fields[name] ?? .null).json())) }
        return [("to", .string(endpoint)), ("fields", .object(members))]
    }
}

/// What came back for a request that the host sent.
public struct Response: Sendable {
    /// The HTTP status.
    public let status: Int
    /// The body.
    public let body: [UInt8]
    /// The body's media type.
    public let mediaType: String
}
