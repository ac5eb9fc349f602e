internal import CQREncode

/// A QR code, by libqrencode.
public struct Picture: Sendable, Equatable {
    public let width: Int
    /// Whether each point is dark, a row after the other.
    public let points: [Bool]

    /// Nil for a text that is too long for one.
    public init?(of text: String) {
        let bytes = Array(text.utf8)
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_L) else { return nil }
        defer { QRcode_free(code) }
        width = Int(code.pointee.width)
        let data = UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        points = data.map { $0 & 1 == 1 }
    }

    /// Two rows of points in each line, dark on light whatever the terminal's colours are, with the margin that readers need.
    public var lines: [String] {
        let margin = 4
        func isDark(_ row: Int, _ column: Int) -> Bool {
            (0..<width).contains(row) && (0..<width).contains(column) && points[row * width + column]
        }
        return stride(from: -margin, to: width + margin, by: 2).map { row in
            let line = (-margin..<width + margin).map { column -> Character in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): " "
                case (true, false): "▄"
                case (false, true): "▀"
                case (false, false): "█"
                }
            }
            return "\u{1B}[97;40m" + String(line) + "\u{1B}[0m"
        }
    }
}
