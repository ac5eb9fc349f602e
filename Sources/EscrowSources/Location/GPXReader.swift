internal import CExpat
internal import EscrowTabular
internal import Glibc

/// Reads GPX 1.0 and 1.1 as a stream, with expat.
///
/// A document type is refused, and with it every entity: GPX needs none, and "billion laughs" does. expat holds one
/// token at a time, so a token without end is cut off.
final class GPXReader: PointReader {
    /// The deepest nesting of elements.
    static let depthLimit = 64
    /// The longest text kept of one element.
    static let textLimit = 4_096
    /// The most bytes that expat may hold without finding the end of a token.
    static let tokenLimit: Int64 = 1 << 20
    private static let blockSize = 64 << 10

    private let file: Descriptor
    private let size: Int64
    private let parser: XML_Parser
    private let state: GPXState
    private var position: Int64 = 0
    private var atEnd = false
    private let onProblem: (FileProblem) -> Void

    init?(_ file: consuming Descriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        guard let parser = XML_ParserCreate(nil) else { return nil }
        self.file = file
        self.size = size
        self.parser = parser
        self.onProblem = onProblem
        state = GPXState(parser)
        XML_SetUserData(parser, Unmanaged.passUnretained(state).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let data, let name, let attributes else { return }
                Unmanaged<GPXState>.fromOpaque(data).takeUnretainedValue().start(name, attributes)
            },
            { data, name in
                guard let data, let name else { return }
                Unmanaged<GPXState>.fromOpaque(data).takeUnretainedValue().end(name)
            })
        XML_SetCharacterDataHandler(parser) { data, text, count in
            guard let data, let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(max(0, count)))
            Unmanaged<GPXState>.fromOpaque(data).takeUnretainedValue().characters(bytes)
        }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            guard let data else { return }
            Unmanaged<GPXState>.fromOpaque(data).takeUnretainedValue().refuse("it declares a document type")
        }
    }

    deinit { XML_ParserFree(parser) }

    func next() -> LocationPoint? {
        while true {
            // A point that ended stops the parser, so at most one waits here.
            if let point = state.takePoint() { return point }
            var status = XML_ParsingStatus()
            XML_GetParsingStatus(parser, &status)
            if status.parsing == XML_SUSPENDED {
                if !check(XML_ResumeParser(parser)) { return nil }
                continue
            }
            guard !atEnd else {
                if state.invalidPoints > 0 {
                    onProblem(
                        FileProblem("\(state.invalidPoints) points without a valid place", partial: true))
                    state.invalidPoints = 0
                }
                if !state.sawGPX { onProblem(FileProblem("it is XML, but not GPX")) }
                state.sawGPX = true
                return nil
            }
            if !feed() { return nil }
        }
    }

    /// Reads one block into expat's own buffer.
    private func feed() -> Bool {
        let wanted = Int(min(Int64(Self.blockSize), size - position))
        guard let buffer = XML_GetBuffer(parser, Int32(Self.blockSize)) else {
            onProblem(FileProblem("the machine is out of memory"))
            return false
        }
        var count = 0
        while wanted > 0 {
            count = pread(file.raw, buffer, wanted, off_t(position))
            if count >= 0 || errno != EINTR { break }
        }
        guard count >= 0 else {
            onProblem(.unreadable(errno: errno))
            return false
        }
        position += Int64(count)
        atEnd = count == 0
        guard check(XML_ParseBuffer(parser, Int32(count), atEnd ? 1 : 0)) else { return false }
        if position - Int64(XML_GetCurrentByteIndex(parser)) > Self.tokenLimit + Int64(Self.blockSize), !atEnd
        {
            onProblem(
                FileProblem(
                    "one tag or text is longer than \(Self.tokenLimit) bytes", line: line, partial: true))
            return false
        }
        return true
    }

    private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    private func check(_ status: XML_Status) -> Bool {
        guard status == XML_STATUS_ERROR else { return true }
        let reason: String
        if let refusal = state.refusal {
            reason = refusal
        } else {
            reason =
                XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "not well-formed"
        }
        onProblem(FileProblem("not readable as GPX from here on: \(reason)", line: line, partial: true))
        return false
    }
}
