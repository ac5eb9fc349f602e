import EscrowJSON
import EscrowTabular
import EscrowWire

/// The plugin's side of the protocol: writes an ask, reads its answer, one at a time.
///
/// Lines and raw bytes come through the one buffer, or a line read too far would swallow the bytes after it.
package final class HostConnection {
    /// The columns of the rows.
    let schema: Schema
    /// The parameters of the run.
    let parameters: [(name: String, value: JSONValue)]
    /// The rows that one ask can bring.
    let rowsPerAsk: Int
    /// What ended the stream of rows early; nothing is asked after it.
    private(set) var failure: PluginError?

    private let channel: any HostChannel
    private let buffer: UnsafeMutableRawBufferPointer
    private var unread: Range<Int> = 0..<0
    private var reader: ArrowStreamReader
    private var waiting: [Batch] = []
    private var isLastRowHere = false
    private var lastProgress = -1.0

    /// Reads the host's first line.
    package init(_ channel: any HostChannel) throws {
        self.channel = channel
        buffer = .allocate(byteCount: 1 << 16, alignment: 16)
        let line: [UInt8]
        do {
            line = try Self.line(from: channel, buffer, &unread)
            let hello = try JSONParser.parse(line, limits: .init(bytes: 1 << 24)).value
            guard hello["escrow"]?.integer == 1, let columns = hello["columns"]?.array else {
                throw PluginError(.disconnected, "the host's first line is not that of protocol 1")
            }
            var fields: [Field] = []
            for column in columns {
                guard let name = column["name"]?.string,
                    let type = column["type"]?.string.flatMap(ColumnType.init(rawValue:))
                else {
                    throw PluginError(.disconnected, "the host's first line names a column of unknown type")
                }
                fields.append(Field(name, type: type))
            }
            schema = try Schema(fields)
            parameters = hello["params"]?.members ?? []
            rowsPerAsk = hello["limits"]?["rowsPerAsk"]?.integer.map { Int(clamping: max(1, $0)) } ?? 8_192
        } catch {
            buffer.deallocate()
            throw error
        }
        reader = ArrowStreamReader(
            requiring: schema,
            limits: ArrowLimits(
                bodyBytes: 1 << 30, messages: .max, rows: .max, batchBytes: 1 << 31, totalBytes: .max))
    }

    deinit { buffer.deallocate() }

    /// The next batch; nil after the last, and when the connection fails, which ``failure`` then says.
    func nextBatch() -> Batch? {
        guard failure == nil else { return nil }
        do {
            while waiting.isEmpty, !isLastRowHere {
                let answer = try ask([("ask", "rows"), ("max", .integer(Int64(rowsPerAsk)))])
                guard let header = answer["batch"], let count = header["bytes"]?.integer,
                    let more = header["more"]?.bool
                else { throw PluginError(.disconnected, "the host's answer is no batch") }
                waiting = try reader.feed(try bytes(Int(clamping: count)))
                isLastRowHere = !more
            }
            return waiting.isEmpty ? nil : waiting.removeFirst()
        } catch let error as PluginError {
            failure = error
        } catch {
            failure = PluginError(.disconnected, "the host's rows are not an Arrow stream: \(error)")
        }
        return nil
    }

    /// Asks, and reads the line that answers.
    func ask(_ members: [(name: String, value: JSONValue)]) throws(PluginError) -> JSONValue {
        if let failure { throw failure }
        try send(line: .object(members))
        let line = try Self.line(from: channel, buffer, &unread)
        guard let answer = try? JSONParser.parse(line, limits: .init(bytes: 1 << 24)).value else {
            throw PluginError(.disconnected, "the host's answer is not JSON")
        }
        guard let error = answer["error"] else { return answer }
        let code = error["code"]?.string ?? "unknown"
        guard code != "cancelled" else {
            let cancelled = PluginError(.cancelled, "the host cancelled the run")
            failure = cancelled
            throw cancelled
        }
        throw Self.hostError(error)
    }

    /// What the host answered with instead of what was asked for.
    static func hostError(_ error: JSONValue) -> PluginError {
        let code = error["code"]?.string ?? "unknown"
        return PluginError(.hostError, "the host answered \(code): \(error["message"]?.string ?? "")")
    }

    /// Reads exactly so many raw bytes.
    func bytes(_ count: Int) throws(PluginError) -> [UInt8] {
        guard count >= 0 else { throw PluginError(.disconnected, "the host announced an impossible size") }
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            let early = min(unread.count, count)
            let raw = UnsafeMutableRawBufferPointer(target)
            raw.copyBytes(from: UnsafeRawBufferPointer(rebasing: buffer[unread.prefix(early)]))
            unread = unread.dropFirst(early)
            filled = early
            while filled < count {
                let got = channel.read(into: UnsafeMutableRawBufferPointer(rebasing: raw[filled...]))
                guard got > 0 else {
                    failed = true
                    return
                }
                filled += got
            }
        }
        guard !failed else { throw PluginError(.disconnected, "the host closed the connection") }
        return bytes
    }

    /// Reads exactly so many raw bytes, and gives them as they come.
    func pieces(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Void) throws(PluginError) {
        guard count >= 0 else { throw PluginError(.disconnected, "the host announced an impossible size") }
        let early = min(unread.count, count)
        if early > 0 { body(UnsafeRawBufferPointer(rebasing: buffer[unread.prefix(early)])) }
        unread = unread.dropFirst(early)
        var left = count - early
        guard left > 0 else { return }
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(left, 1 << 16), alignment: 16)
        defer { piece.deallocate() }
        while left > 0 {
            let got = channel.read(
                into: UnsafeMutableRawBufferPointer(rebasing: piece.prefix(min(left, piece.count))))
            guard got > 0 else { throw PluginError(.disconnected, "the host closed the connection") }
            body(UnsafeRawBufferPointer(rebasing: piece.prefix(got)))
            left -= got
        }
    }

    /// Tells how far the work is; less than a hundredth more than last time is not worth a line.
    func progress(_ share: Double, note: String?) {
        let share = min(max(share.isNaN ? 0 : share, 0), 1)
        guard failure == nil, note != nil || share >= lastProgress + 0.01 || share < lastProgress else {
            return
        }
        lastProgress = share
        let note = note.map { [(name: "note", value: JSONValue.string(Self.cut($0)))] } ?? []
        try? send(line: .object([("progress", .real(share))] + note))
    }

    /// Adds a line to the log.
    func log(_ level: LogLevel, _ text: String) {
        guard failure == nil else { return }
        try? send(
            line: ["log": ["level": .string(level.rawValue), "text": .string(Self.cut(text))]])
    }

    /// Sends what the plugin came to.
    func send(_ outcome: consuming PluginOutcome) throws {
        for piece in try outcome.encoded() { try send(piece) }
    }

    private func send(line: JSONValue) throws(PluginError) { try send(JSONWriter.line(line) + [0x0A]) }

    private func send(_ bytes: [UInt8]) throws(PluginError) {
        guard bytes.withUnsafeBytes({ channel.write($0) }) else {
            throw PluginError(.disconnected, "the host closed the connection")
        }
    }

    /// A text that fits into a tell of 4 KiB, even if each byte of it needs an escape.
    private static func cut(_ text: String) -> String {
        guard text.utf8.count > 600 else { return text }
        return String(decoding: text.utf8.prefix(600), as: UTF8.self) + "…"
    }

    private static func line(
        from channel: any HostChannel, _ buffer: UnsafeMutableRawBufferPointer, _ unread: inout Range<Int>
    ) throws(PluginError) -> [UInt8] {
        var line: [UInt8] = []
        while true {
            if let end = buffer[unread].firstIndex(of: 0x0A) {
                line.append(contentsOf: buffer[unread.lowerBound..<end])
                unread = end + 1..<unread.upperBound
                return line
            }
            line.append(contentsOf: buffer[unread])
            unread = 0..<channel.read(into: buffer)
            guard !unread.isEmpty else {
                throw PluginError(.disconnected, "the host closed the connection")
            }
        }
    }
}
