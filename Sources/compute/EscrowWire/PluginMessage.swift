import EscrowJSON

/// One line from a plugin, read in a closed world: whatever the protocol does not name is refused.
enum PluginMessage {
    case rows(max: Int, form: RowsForm)
    case asset(id: String)
    case assets([String])
    case fetch(RequestAsk)
    case fetchTogether([RequestAsk])
    case hello(sdk: String)
    case progress(Double, note: String?)
    case log(LogLevel, String)
    case refusal(RefusalCode, message: String)
    case result(JSONNode)

    /// Whether the host answers it.
    var isAsk: Bool {
        switch self {
        case .rows, .asset, .assets, .fetch, .fetchTogether: true
        case .hello, .progress, .log, .refusal, .result: false
        }
    }

    /// Whether it is a remark in passing.
    var isTell: Bool {
        switch self {
        case .hello, .progress, .log: true
        case .rows, .asset, .assets, .fetch, .fetchTogether, .refusal, .result: false
        }
    }

    /// Whether raw bytes follow the line before it is answered.
    var announcesBytes: Bool {
        if case .fetch(let request) = self { request.announced != nil } else { false }
    }

    /// The most bytes of a short text such as an asset's handle or an endpoint's name.
    private static let shortText = 256
    /// The most assets of one ask: the host has them all open before it answers.
    private static let mostAssets = 64
    /// The most bytes that a plugin may have sent of its own making: they are held whole.
    private static let mostMade = 16 << 20

    /// Reads a line.
    init(line bytes: some Sequence<UInt8>, number: Int, limits: SessionLimits) throws(WireError) {
        let node: JSONNode
        do {
            // A value takes far more memory than its text: the number of values is capped besides the bytes.
            node = try JSONParser.parse(
                bytes,
                limits: JSONParser.Limits(depth: 16, bytes: limits.resultLineBytes, values: 1_000_000))
        } catch {
            throw WireError(.notAMessage, line: number, "not one JSON object: \(error.impersonalMessage)")
        }
        guard case .object = node.content else {
            throw WireError(.notAMessage, line: number, "not a JSON object, but another JSON value")
        }
        do {
            self = try Self.read(node, number: number)
        } catch let error as JSONError {
            throw WireError(.unknownMessage, line: number, "not a message: \(error.impersonalMessage)")
        } catch let error as WireError {
            throw error
        } catch {
            throw WireError(.unknownMessage, line: number, "not a message")
        }
    }

    private static func read(_ node: JSONNode, number: Int) throws -> PluginMessage {
        var object = try JSONObjectReader(node)
        let message: PluginMessage
        if let ask = object.optional("ask") {
            message = try Self.ask(try ask.requireString(), &object, number: number)
        } else if let result = object.optional("result") {
            message = .result(result)
        } else if let refusal = object.optional("refuse") {
            var inner = try JSONObjectReader(refusal)
            let name = try inner.required("code").requireString()
            guard let code = RefusalCode(rawValue: name) else {
                throw WireError(
                    .unknownMessage, line: number, "a refusal with a code that is not in the list")
            }
            message = .refusal(code, message: try inner.required("message").requireString())
            try inner.finish()
        } else if let progress = object.optional("progress") {
            let share = try progress.requireReal()
            guard (0...1).contains(share) else {
                throw WireError(.unknownMessage, line: number, "progress outside 0 to 1")
            }
            message = .progress(share, note: try object.optional("note")?.requireString())
        } else if let log = object.optional("log") {
            var inner = try JSONObjectReader(log)
            let name = try inner.required("level").requireString()
            guard let level = LogLevel(rawValue: name) else {
                throw WireError(.unknownMessage, line: number, "a log level that is not in the list")
            }
            message = .log(level, try inner.required("text").requireString())
            try inner.finish()
        } else if let hello = object.optional("hello") {
            var inner = try JSONObjectReader(hello)
            message = .hello(sdk: try short(inner.required("sdk"), number: number))
            try inner.finish()
            guard number == 1 else {
                throw WireError(.unknownMessage, line: number, "hello is for the first line only")
            }
        } else {
            throw WireError(
                .unknownMessage, line: number,
                "a JSON object that is none of ask, progress, log, hello, result, refuse")
        }
        try object.finish()
        return message
    }

    private static func ask(_ name: String, _ object: inout JSONObjectReader, number: Int) throws
        -> PluginMessage
    {
        switch name {
        case "rows":
            let max = try object.required("max").requireInteger()
            guard max >= 1, max <= Int32.max else {
                throw WireError(.badRowsAsk, line: number, "rows asked for in an impossible number")
            }
            guard let form = object.optional("rows") else { return .rows(max: Int(max), form: .arrow) }
            guard let form = RowsForm(rawValue: try form.requireString()) else {
                throw WireError(
                    .badRowsAsk, line: number, "rows asked for in a form other than arrow and json")
            }
            return .rows(max: Int(max), form: form)
        case "asset":
            guard let node = object.optional("ids") else {
                return .asset(id: try short(object.required("id"), number: number))
            }
            let ids = try node.requireArray().map { try short($0, number: number) }
            guard 1...mostAssets ~= ids.count else {
                throw WireError(
                    .unknownMessage, line: number, "an ask for none, or more than \(mostAssets), assets")
            }
            return .assets(ids)
        case "fetch":
            guard let together = object.optional("together") else {
                return .fetch(try request(&object, number: number))
            }
            let requests = try together.requireArray().map { node in
                var object = try JSONObjectReader(node)
                let request = try request(&object, number: number)
                guard request.asset == nil, request.announced == nil else {
                    throw WireError(.unknownMessage, line: number, "a file in an ask for requests together")
                }
                try object.finish()
                return request
            }
            guard !requests.isEmpty else {
                throw WireError(.unknownMessage, line: number, "an ask for requests together that has none")
            }
            return .fetchTogether(requests)
        default:
            throw WireError(
                .unknownMessage, line: number, "an ask for something other than rows, asset, fetch")
        }
    }

    private static func request(_ object: inout JSONObjectReader, number: Int) throws -> RequestAsk {
        let endpoint = try short(object.required("to"), number: number)
        let fields = try object.required("fields")
        for member in try fields.requireMembers() {
            switch member.value.content {
            case .null, .object:
                throw WireError(
                    .unknownMessage, line: number, "a field to send that is no string, number or boolean")
            case .array(let items):
                guard items.allSatisfy(\.isScalar) else {
                    throw WireError(
                        .unknownMessage, line: number,
                        "a list to send of other than strings, numbers, booleans")
                }
            case .bool, .integer, .real, .string: break
            }
        }
        let asset = try object.optional("asset").map { try short($0, number: number) }
        var part: Range<Int>?
        if let node = object.optional("part") {
            let ends = try node.requireArray().map { try $0.requireInteger() }
            guard asset != nil, ends.count == 2, ends[0] >= 0, ends[1] >= 1,
                ends[0] <= Int64(Int32.max) << 16,
                ends[1] <= Int64(Int32.max) << 16
            else {
                throw WireError(.unknownMessage, line: number, "a part of a file that is none")
            }
            part = Int(ends[0])..<Int(ends[0] + ends[1])
        }
        var announced: (bytes: Int, mediaType: String)?
        if let node = object.optional("bytes") {
            let count = try node.requireInteger()
            guard asset == nil, count >= 0, count <= Int64(mostMade) else {
                throw WireError(
                    .tooLong, line: number, "more than \(mostMade) bytes to send, or beside a file")
            }
            announced = (Int(count), try short(object.required("mediaType"), number: number))
        }
        return RequestAsk(
            endpoint: endpoint, fields: fields, asset: asset, part: part, announced: announced)
    }

    private static func short(_ node: JSONNode, number: Int) throws -> String {
        let text = try node.requireString()
        guard text.utf8.count <= shortText else {
            throw WireError(.tooLong, line: number, "a name longer than \(shortText) bytes")
        }
        return text
    }
}

extension JSONNode {
    fileprivate var isScalar: Bool {
        switch content {
        case .bool, .integer, .real, .string: true
        case .null, .array, .object: false
        }
    }
}
