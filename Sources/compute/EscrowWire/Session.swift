public import EscrowJSON
public import EscrowTabular

/// The host's side of one run of a plugin: bytes in, events out, no input or output of its own.
///
///     var session = Session(run: "r-1", schema: schema, resultKind: .record, limits: .init(resultBytes: 256))
///     write(session.start())
///     for event in try session.receive(bytes) { … answer … }
///     try session.endOfOutput()
///
/// Whatever the plugin writes is hostile: the first broken rule throws, and the session must not be used further.
/// To call `answer` while no ask is open stops the program: that is a mistake of the host, not of the plugin.
public struct Session {
    public internal(set) var counts = SessionCounts()
    /// Whether an ask waits for its answer.
    public var isAnswerDue: Bool { if case .awaiting = phase { true } else { false } }
    /// The line of the plugin's output that is being read, from 1.
    public private(set) var line = 1

    let run: String
    let schema: Schema
    let parameters: [(name: String, value: JSONValue)]
    let features: Set<WireFeature>
    let resultKind: ResultKind
    let limits: SessionLimits
    let encoder: RowEncoder
    var writer: ArrowStreamWriter
    var phase = Phase.idle
    var form: RowsForm?
    var pending: PendingRows?
    var isLastRowSent = false
    var isCancelled = false
    private var buffer: [UInt8] = []

    enum Phase {
        case idle
        /// The host's answer to this ask; not one byte from the plugin.
        case awaiting(Ask)
        /// Raw bytes that the result announced.
        case payload(Payload, expected: Int)
        case done
    }

    enum Ask {
        case rows(max: Int, form: RowsForm)
        case asset, fetch
        case assets(Int)
        case fetchTogether(Int)
    }

    enum Payload {
        case stream(rows: Int)
        case bytes(mediaType: String)
        /// What a request is to carry.
        case made(RequestAsk)
    }

    /// Begins a run. `schema` describes the rows (Ds); `parameters` are the plugin's, in the order in which they are sent;
    /// `features` lists what the plugin may ask for.
    public init(
        run: String, schema: Schema, parameters: [(name: String, value: JSONValue)] = [],
        features: Set<WireFeature> = [.rows, .asset], resultKind: ResultKind, limits: SessionLimits
    ) {
        self.run = run
        self.schema = schema
        self.parameters = parameters
        self.features = features
        self.resultKind = resultKind
        self.limits = limits
        encoder = RowEncoder(schema)
        writer = ArrowStreamWriter(schema: schema)
    }

    /// Takes bytes from the plugin's stdout, in pieces of any size, and says what they mean. An ask comes last.
    public mutating func receive(_ bytes: some Collection<UInt8>) throws(WireError) -> [SessionEvent] {
        var events: [SessionEvent] = []
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            switch phase {
            case .done:
                throw WireError(.afterEnd, line: line, "bytes after the result or the refusal")
            case .awaiting:
                // The plugin may write nothing between its ask and the answer, however fast it is.
                throw WireError(.outOfTurn, line: line, "bytes between an ask and its answer")
            case .payload(let payload, let expected):
                // The buffer grows as bytes arrive. The announced size is only the plugin's word: no memory is taken for it.
                let piece = rest.prefix(expected - buffer.count)
                buffer.append(contentsOf: piece)
                rest = rest.dropFirst(piece.count)
                if buffer.count == expected { events.append(finish(payload)) }
            case .idle:
                guard let end = rest.firstIndex(of: 0x0A) else {
                    buffer.append(contentsOf: rest)
                    try checkLength()
                    return events
                }
                buffer.append(contentsOf: rest[..<end])
                rest = rest[(end + 1)...]
                try checkLength()
                let text = buffer
                buffer.removeAll(keepingCapacity: true)
                let message = try PluginMessage(line: text, number: line, limits: limits)
                if message.isAsk, !message.announcesBytes, !rest.isEmpty {
                    throw WireError(.outOfTurn, line: line, "bytes between an ask and its answer")
                }
                if let event = try handle(message, bytes: text.count) { events.append(event) }
                line += 1
            }
        }
        return events
    }

    /// Notes that the plugin closed its stdout.
    public mutating func endOfOutput() throws(WireError) {
        switch phase {
        case .done: return
        case .payload:
            throw WireError(
                .noResult, line: line, "the output ended within the bytes that its result announced")
        case .idle, .awaiting:
            let sentence =
                buffer.isEmpty
                ? "the output ended without a result or a refusal" : "the output ended within a line"
            throw WireError(.noResult, line: line, sentence)
        }
    }

    /// Every line is short, but one that begins as a result does may be as long as the manifest allows.
    private func checkLength() throws(WireError) {
        guard buffer.count > limits.lineBytes else { return }
        guard buffer.starts(with: "{\"result\":".utf8) else {
            throw WireError(.tooLong, line: line, "a line longer than \(limits.lineBytes) bytes")
        }
        guard buffer.count <= limits.resultLineBytes else {
            throw WireError(
                .resultTooLarge, line: line, "a result longer than the declared \(limits.resultBytes) bytes")
        }
    }

    private mutating func handle(_ message: PluginMessage, bytes: Int) throws(WireError) -> SessionEvent? {
        if message.isTell {
            guard bytes <= limits.tellBytes else {
                throw WireError(.tooLong, line: line, "a remark longer than \(limits.tellBytes) bytes")
            }
            counts.tells += 1
            guard counts.tells <= limits.tells else {
                counts.droppedTells += 1
                return nil
            }
        }
        if message.isAsk {
            counts.asks += 1
            if isCancelled, !message.announcesBytes {
                return .send(Self.errorLine(code: "cancelled", message: "the run was cancelled"))
            }
        }
        switch message {
        case .hello(let sdk): return .hello(sdk: sdk)
        case .progress(let share, let note): return .progress(share, note: note)
        case .log(let level, let text): return .log(level, text)
        case .refusal(let code, let text):
            phase = .done
            return .refusal(code, message: text)
        case .result(let node): return try result(node)
        case .rows(let max, let form): return try rows(max: max, form: form)
        case .asset(let id):
            try offer(.asset)
            phase = .awaiting(.asset)
            return .asset(id: id)
        case .assets(let ids):
            try offer(.asset)
            phase = .awaiting(.assets(ids.count))
            return .assets(ids)
        case .fetch(let request):
            try offer(.fetch)
            if let announced = request.announced {
                phase = .payload(.made(request), expected: announced.bytes)
                return announced.bytes == 0 ? finish(.made(request)) : nil
            }
            phase = .awaiting(.fetch)
            return .fetch(request)
        case .fetchTogether(let requests):
            try offer(.fetch)
            phase = .awaiting(.fetchTogether(requests.count))
            return .fetchTogether(requests)
        }
    }

    private func offer(_ feature: WireFeature) throws(WireError) {
        guard features.contains(feature) else {
            throw WireError(
                .notOffered, line: line, "an ask for \(feature.rawValue), which this run does not offer")
        }
    }

    private mutating func rows(max: Int, form: RowsForm) throws(WireError) -> SessionEvent {
        try offer(.rows)
        guard self.form == nil || self.form == form else {
            throw WireError(.badRowsAsk, line: line, "rows asked for in another form than before")
        }
        guard !isLastRowSent else {
            throw WireError(.badRowsAsk, line: line, "rows asked for after the last row")
        }
        self.form = form
        let max = min(max, limits.rowsPerAsk)
        if pending != nil { return .send(rowsLine(max: max)) }
        phase = .awaiting(.rows(max: max, form: form))
        return .rows(max: max, form: form)
    }

    private mutating func result(_ node: JSONNode) throws(WireError) -> SessionEvent? {
        let reading = try ResultReader(kind: resultKind, limits: limits, line: line).read(node)
        switch reading {
        case .complete(let payload):
            phase = .done
            return .result(payload)
        case .announced(let payload, let count):
            phase = .payload(payload, expected: count)
            return count == 0 ? finish(payload) : nil
        }
    }

    private mutating func finish(_ payload: Payload) -> SessionEvent {
        let bytes = buffer
        buffer = []
        if case .made(var request) = payload {
            guard !isCancelled else {
                phase = .idle
                return .send(Self.errorLine(code: "cancelled", message: "the run was cancelled"))
            }
            phase = .awaiting(.fetch)
            request.made = bytes
            return .fetch(request)
        }
        phase = .done
        switch payload {
        case .made: preconditionFailure("handled above")
        case .stream(let rows): return .result(.stream(bytes, rows: rows))
        case .bytes(let mediaType): return .result(.bytes(bytes, mediaType: mediaType))
        }
    }
}
