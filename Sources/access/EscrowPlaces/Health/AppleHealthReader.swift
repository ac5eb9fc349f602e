internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTableKit

/// The elements of Apple Health's export that make the rows of one table.
protocol AppleElements: XMLHandler {
    /// The row at hand while the stream runs.
    var row: RowBuilder? { get set }
}

extension AppleElements {
    /// Ends the record. A row that is ruled out need not leave the parser, unless the scan has taken long.
    func passOn(_ row: RowBuilder, _ stream: XMLStream) {
        if row.isRuledOut, !row.isDue { row.restart() } else { stream.pause() }
    }
}

/// Reads `export.xml` of Apple Health as a stream; a file of several gigabytes takes no more memory than a small one.
final class AppleHealthReader: RowReader {
    private let stream: XMLStream
    private let elements: any AppleElements

    init?(
        _ file: SharedDescriptor, size: Int64, elements: any AppleElements,
        onProblem: @escaping (FileProblem) -> Void
    ) {
        guard
            let stream = XMLStream(
                file, size: size, format: "Apple Health's export", handler: elements, mends: true,
                onProblem: onProblem)
        else { return nil }
        self.stream = stream
        self.elements = elements
    }

    func next(_ row: RowBuilder) -> Bool {
        elements.row = row
        defer { elements.row = nil }
        if case .paused = stream.run() { return true }
        return false
    }
}

/// What both tables take from attributes.
enum AppleAttributes {
    /// The longest text that is taken of one attribute.
    static let textLimit = 4_096

    /// The bytes of an attribute; nil if it is absent, empty, or too long to be one of ours.
    static func text(_ value: UnsafePointer<CChar>?) -> ArraySlice<UInt8>? {
        guard let value, value.pointee != 0 else { return nil }
        let bytes = XMLText.bytes(value)
        return bytes.count <= textLimit ? bytes[...] : nil
    }

    static func number(_ value: UnsafePointer<CChar>?) -> Double? {
        text(value).flatMap { XMLText.number($0) }
    }

    /// A number times what its unit is of ours; nil for a unit that is not known.
    static func number(
        _ value: UnsafePointer<CChar>?, unit: UnsafePointer<CChar>?, in factors: [String: Double]
    ) -> Double? {
        guard let number = number(value), let unit, let factor = factors[String(cString: unit)] else {
            return nil
        }
        return number * factor
    }
}
