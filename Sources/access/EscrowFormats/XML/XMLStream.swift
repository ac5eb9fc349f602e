internal import CExpat
package import EscrowSourceFiles
internal import Glibc

/// Receives the events of an ``XMLStream`` in the order of the file.
///
/// Names come as they stand, with their prefix. What the pointers point to is gone after the call.
package protocol XMLHandler: AnyObject {
    /// An element begins.
    func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, in stream: XMLStream)
    /// Text, or a piece of one.
    func characters(_ bytes: UnsafeRawBufferPointer)
    /// An element ends.
    func end(_ name: UnsafePointer<CChar>, in stream: XMLStream)
}

/// Names and values by turns, with a null at the end.
package typealias XMLAttributes = UnsafeMutablePointer<UnsafePointer<CChar>?>

/// XML read as a stream, with expat, in memory that does not depend on the file's size.
///
/// A document type is refused or passed over, and with it every entity: no format read here needs one, and "billion laughs"
/// does. expat holds one token at a time, so a token without end is cut off; so is nesting without end.
package final class XMLStream {
    /// The deepest nesting of elements.
    package static let depthLimit = 64
    /// The most bytes that expat may hold without finding the end of a token.
    static let tokenLimit: Int64 = 1 << 20
    private static let blockSize = 64 << 10

    /// How a run came to its end.
    package enum Outcome {
        /// The handler asked for a pause.
        case paused
        /// The file has been read.
        case ended
        /// The file cannot be read further, which was told.
        case failed
    }

    /// Where the bytes come from.
    private enum Source {
        case file(SharedDescriptor)
        case memory(ArraySlice<UInt8>)
    }

    private let source: Source
    private let size: Int64
    private let parser: XML_Parser
    private let handler: any XMLHandler
    private let format: String
    private let onProblem: (FileProblem) -> Void
    private var position: Int64 = 0
    private var atEnd = false
    private var refusal: String?
    /// Where a document type is passed over.
    private let documentType: Range<Int64>?
    private let mends: Bool
    /// The number of open elements, the one that begins or ends included.
    package private(set) var depth = 0

    /// - Parameters:
    ///   - format: the name of what the file should be, for messages.
    ///   - mends: whether a document type is passed over (``DocumentType``), and control characters, which are no XML, are
    ///     read as spaces, for a format whose own program writes them.
    package convenience init?(
        _ file: SharedDescriptor, size: Int64, format: String, handler: any XMLHandler, mends: Bool = false,
        onProblem: @escaping (FileProblem) -> Void
    ) {
        self.init(
            .file(file), size, format: format, handler: handler, mends: mends,
            documentType: mends ? DocumentType.range(in: file, size: size) : nil, onProblem: onProblem)
    }

    /// The same for bytes in memory.
    package convenience init?(
        _ bytes: ArraySlice<UInt8>, format: String, handler: any XMLHandler,
        onProblem: @escaping (FileProblem) -> Void
    ) {
        self.init(
            .memory(bytes), Int64(bytes.count), format: format, handler: handler, mends: false,
            documentType: nil, onProblem: onProblem)
    }

    private init?(
        _ source: Source, _ size: Int64, format: String, handler: any XMLHandler, mends: Bool,
        documentType: Range<Int64>?, onProblem: @escaping (FileProblem) -> Void
    ) {
        guard let parser = XML_ParserCreate(nil) else { return nil }
        self.source = source
        self.size = size
        self.format = format
        self.parser = parser
        self.handler = handler
        self.onProblem = onProblem
        self.mends = mends
        self.documentType = documentType
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let data, let name, let attributes else { return }
                Unmanaged<XMLStream>.fromOpaque(data).takeUnretainedValue().start(name, attributes)
            },
            { data, name in
                guard let data, let name else { return }
                let stream = Unmanaged<XMLStream>.fromOpaque(data).takeUnretainedValue()
                stream.handler.end(name, in: stream)
                stream.depth -= 1
            })
        XML_SetCharacterDataHandler(parser) { data, text, count in
            guard let data, let text else { return }
            let bytes = UnsafeRawBufferPointer(start: text, count: Int(max(0, count)))
            Unmanaged<XMLStream>.fromOpaque(data).takeUnretainedValue().handler.characters(bytes)
        }
        XML_SetStartDoctypeDeclHandler(parser) { data, _, _, _, _ in
            guard let data else { return }
            Unmanaged<XMLStream>.fromOpaque(data).takeUnretainedValue().refuse("it declares a document type")
        }
    }

    deinit { XML_ParserFree(parser) }

    /// Reads on, until the handler asks for a pause or there is no more.
    package func run() -> Outcome {
        while true {
            var status = XML_ParsingStatus()
            XML_GetParsingStatus(parser, &status)
            if status.parsing == XML_SUSPENDED {
                guard check(XML_ResumeParser(parser)) else { return .failed }
            } else {
                guard !atEnd else { return refusal == nil ? .ended : .failed }
                guard refusal == nil, feed() else { return .failed }
            }
            XML_GetParsingStatus(parser, &status)
            if status.parsing == XML_SUSPENDED { return .paused }
        }
    }

    /// For the handler, in ``XMLHandler/end(_:in:)``: makes ``run()`` return before the next event.
    package func pause() { XML_StopParser(parser, 1) }

    /// For the handler: ends the reading.
    package func refuse(_ reason: String) {
        refusal = refusal ?? reason
        XML_StopParser(parser, 0)
    }

    /// The offset of the current event in the file.
    package var offset: Int64 { Int64(XML_GetCurrentByteIndex(parser)) }

    private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

    private func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
        depth += 1
        guard depth <= Self.depthLimit else {
            return refuse("elements lie more than \(Self.depthLimit) deep")
        }
        handler.start(name, attributes, in: self)
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
            switch source {
            case .file(let file): count = pread(file.raw, buffer, wanted, off_t(position))
            case .memory(let bytes):
                count = wanted
                let start = bytes.startIndex + Int(position)
                UnsafeMutableRawBufferPointer(start: buffer, count: wanted)
                    .copyBytes(from: bytes[start..<start + wanted])
            }
            if count >= 0 || errno != EINTR { break }
        }
        guard count >= 0 else {
            onProblem(.unreadable(errno: errno))
            return false
        }
        if mends { mend(UnsafeMutableRawBufferPointer(start: buffer, count: count)) }
        position += Int64(count)
        atEnd = count == 0
        guard check(XML_ParseBuffer(parser, Int32(count), atEnd ? 1 : 0)) else { return false }
        if position - offset > Self.tokenLimit + Int64(Self.blockSize), !atEnd {
            onProblem(
                FileProblem(
                    "one tag or text is longer than \(Self.tokenLimit) bytes", line: line, partial: true))
            return false
        }
        return true
    }

    /// Puts spaces where expat is to see nothing; offsets and line numbers stay what they are.
    private func mend(_ block: UnsafeMutableRawBufferPointer) {
        for index in block.indices where block[index] < 0x20 {
            let byte = block[index]
            if byte != 0x09, byte != 0x0A, byte != 0x0D { block[index] = 0x20 }
        }
        guard let documentType else { return }
        let hidden = documentType.clamped(to: position..<position + Int64(block.count))
        for offset in hidden where block[Int(offset - position)] != 0x0A {
            block[Int(offset - position)] = 0x20
        }
    }

    private func check(_ status: XML_Status) -> Bool {
        guard status == XML_STATUS_ERROR else { return true }
        let reason =
            refusal ?? XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
            ?? "not well-formed"
        // After a refusal expat reports an error each time; it is told once.
        refusal = reason
        onProblem(
            FileProblem("not readable as \(format) from here on: \(reason)", line: line, partial: true))
        return false
    }
}

/// What handlers do with names, attributes and texts.
package enum XMLText {
    /// What follows the prefix of a name.
    package static func localName(_ name: UnsafePointer<CChar>) -> UnsafePointer<CChar> {
        strrchr(name, Int32(UInt8(ascii: ":"))).map { UnsafePointer($0) + 1 } ?? name
    }

    /// Whether a name is this one.
    package static func equal(_ name: UnsafePointer<CChar>, _ text: StaticString) -> Bool {
        text.utf8Start.withMemoryRebound(to: CChar.self, capacity: text.utf8CodeUnitCount + 1) {
            strcmp(name, $0) == 0
        }
    }

    /// The bytes of an attribute's value.
    package static func bytes(_ value: UnsafePointer<CChar>) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// A number, as XML schema writes decimals.
    package static func number(_ text: ArraySlice<UInt8>) -> Double? { DecimalNumber.read(text.trimmed) }
}
