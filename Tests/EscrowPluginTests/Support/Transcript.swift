import EscrowJSON
import EscrowTabular
import EscrowWire

/// One file of Tests/Vectors/protocol: a header, and what went over the two pipes.
struct Transcript {
    /// What one side wrote, or that it closed its pipe.
    enum Step {
        case host([UInt8], line: Int)
        case plugin([UInt8])
        case hostEnd, pluginEnd
    }

    let name: String
    private(set) var header: [(name: String, value: String)] = []
    private(set) var steps: [Step] = []

    init(_ path: String) throws {
        name = String(path.split(separator: "/").last ?? "")
        var isHeader = true
        let text = String(decoding: try bytes(of: path), as: UTF8.self)
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if isHeader {
                isHeader = !line.isEmpty
                guard isHeader, !line.hasPrefix("#") else { continue }
                let space = line.firstIndex(of: " ") ?? line.endIndex
                header.append((String(line[..<space]), String(line[space...].dropFirst())))
            } else if !line.isEmpty {
                try steps.append(Self.step(line, index + 1))
            }
        }
    }

    private static func step(_ line: Substring, _ number: Int) throws -> Step {
        let space = line.firstIndex(of: " ") ?? line.endIndex
        let text = Array(line[space...].dropFirst().utf8)
        switch line[..<space] {
        case ">": return .host(text + [0x0A], line: number)
        case "<": return .plugin(text + [0x0A])
        case "<raw": return .plugin(text)
        case ">b64", "<b64":
            guard let raw = Base64.decode(text) else {
                throw PluginCase.Malformed(what: "base64, line \(number)")
            }
            return line.hasPrefix(">") ? .host(raw, line: number) : .plugin(raw)
        case "<repeat":
            let parts = String(decoding: text, as: UTF8.self).split(separator: " ")
            return .plugin(Array(String(repeating: String(parts[1]), count: Int(parts[0]) ?? 0).utf8))
        case ">eof": return .hostEnd
        case "<eof": return .pluginEnd
        default: throw PluginCase.Malformed(what: "line \(number)")
        }
    }

    /// The value of a header, or nil.
    subscript(_ name: String) -> String? { header.first { $0.name == name }?.value }

    /// Words of a header.
    func words(_ name: String) -> [String] { (self[name] ?? "").split(separator: " ").map(String.init) }

    /// Everything that one side wrote.
    var hostBytes: [UInt8] { steps.flatMap { if case .host(let bytes, _) = $0 { bytes } else { [UInt8]() } } }
    var pluginBytes: [UInt8] {
        steps.flatMap { if case .plugin(let bytes) = $0 { bytes } else { [UInt8]() } }
    }

    /// The columns of Ds.
    func schema() throws -> Schema {
        try Schema(
            words("columns").map { word in
                let parts = word.split(separator: ":")
                return Field(String(parts[0]), type: ColumnType(rawValue: String(parts[1])) ?? .text)
            })
    }

    /// The rows that the host has.
    func rows() throws -> [[JSONValue]] {
        guard let text = self["rows"] else { return [] }
        return try JSONParser.parse(text.utf8.map { $0 }).value.array?.map { $0.array ?? [] } ?? []
    }

    /// The session that the header describes.
    func session() throws -> Session {
        let features = self["features"] == nil ? ["rows", "asset"] : words("features")
        return Session(
            run: "r-1", schema: try schema(),
            parameters: try self["params"].map { try JSONParser.parse($0).value.members ?? [] } ?? [],
            features: Set(features.compactMap(WireFeature.init(rawValue:))),
            resultKind: self["kind"].flatMap(ResultKind.init(rawValue:)) ?? .record,
            limits: SessionLimits(
                resultBytes: self["resultBytes"].flatMap { Int($0) } ?? 256,
                rowsPerAsk: self["rowsPerAsk"].flatMap { Int($0) } ?? 8_192))
    }
}
