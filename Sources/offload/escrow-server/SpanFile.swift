import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc
import Synchronization
import Tracing

/// A tracer that writes each span as a line of OTLP's JSON, which an OpenTelemetry collector reads (its receiver `otlpjsonfile`).
///
/// What a span holds is what the log holds: plugins, closed words, counts and times. A device's own trace is never joined: it would
/// tell who asks.
final class SpanFile: Tracer, Sendable {
    private let descriptor: Int32
    private let writing = Mutex(())

    /// Appends to a file of the owner's alone.
    init(_ path: String) throws(Diagnostic) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(path, "cannot be written", errno) }
    }

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> FileSpan {
        let parent = context()
        var own = parent
        let id = SpanID(
            trace: parent.spanID?.trace ?? SpanID.random(16), span: SpanID.random(8),
            parent: parent.spanID?.span)
        own.spanID = id
        return FileSpan(
            operationName, own, id, kind, start: instant().nanosecondsSinceEpoch, to: self)
    }

    func forceFlush() {}

    func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {}

    func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {}

    fileprivate func write(_ span: JSONValue) {
        let document: JSONValue = [
            "resourceSpans": [
                [
                    "resource": [
                        "attributes": [
                            ["key": "service.name", "value": ["stringValue": "escrow-server"]]
                        ]
                    ],
                    "scopeSpans": [["scope": ["name": "escrow-server"], "spans": .array([span])]],
                ]
            ]
        ]
        let line = JSONWriter.line(document) + [0x0A]
        writing.withLock { _ in
            _ = line.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        }
    }
}

/// A span that is written when it ends.
final class FileSpan: Span {
    let context: InstrumentationContext
    private let id: SpanID
    private let kind: SpanKind
    private let start: UInt64
    private let file: SpanFile
    private let state: Mutex<State>

    private struct State {
        var name: String
        var attributes = SpanAttributes()
        var isError = false
        var isOver = false
    }

    fileprivate init(
        _ name: String, _ context: InstrumentationContext, _ id: SpanID, _ kind: SpanKind, start: UInt64,
        to file: SpanFile
    ) {
        self.context = context
        self.id = id
        self.kind = kind
        self.start = start
        self.file = file
        state = Mutex(State(name: name))
    }

    var operationName: String {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    var attributes: SpanAttributes {
        get { state.withLock { $0.attributes } }
        set { state.withLock { $0.attributes = newValue } }
    }

    var isRecording: Bool { state.withLock { !$0.isOver } }

    func setStatus(_ status: SpanStatus) { state.withLock { $0.isError = status.code == .error } }
    func addEvent(_ event: SpanEvent) {}
    func addLink(_ link: SpanLink) {}

    /// That it failed, never how: an error's words could hold anything.
    func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        state.withLock { $0.isError = true }
    }

    func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        let last: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            state.isOver = true
            return state
        }
        guard let last else { return }
        var attributes: [JSONValue] = []
        last.attributes.forEach { name, value in
            switch value {
            case .int64(let number):
                attributes.append(["key": .string(name), "value": ["intValue": .string("\(number)")]])
            case .string(let text):
                attributes.append(["key": .string(name), "value": ["stringValue": .string(text)]])
            // Nothing here is given any other.
            default: break
            }
        }
        file.write([
            "traceId": .string(id.trace), "spanId": .string(id.span),
            "parentSpanId": .string(id.parent ?? ""), "name": .string(last.name),
            "kind": .integer(kind == .server ? 2 : 1), "startTimeUnixNano": .string("\(start)"),
            "endTimeUnixNano": .string("\(end)"), "attributes": .array(attributes),
            "status": last.isError ? ["code": 2] : ["code": 1],
        ])
    }
}

/// Which span of which trace, as W3C Trace Context spells them.
private struct SpanID: Sendable {
    var trace: String
    var span: String
    var parent: String?

    static func random(_ count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in
            let byte = UInt8.random(in: 0...255, using: &generator)
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}

private enum SpanIDKey: InstrumentationContextKey {
    typealias Value = SpanID
}

extension InstrumentationContext {
    fileprivate var spanID: SpanID? {
        get { self[SpanIDKey.self] }
        set { self[SpanIDKey.self] = newValue }
    }
}
