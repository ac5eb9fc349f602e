internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTableKit

/// Reads the device's own keys from lines of CSV, whose first line names the columns:
/// `keyData,rollingStartNumber,rollingPeriod,transmissionRiskLevel,daysSinceOnsetOfSymptoms`.
///
/// No value needs quotes. The first column is the key in 32 hexadecimal digits; the others may be missing or in another
/// order, and unknown ones are passed over.
final class KeyLinesReader: RowReader {
    static let firstColumn = "keyData"

    private var lines: BlockReader
    private let onProblem: (FileProblem) -> Void
    private var columns: [WritableKeyPath<ExposureKey, Int64?>?]?
    private var invalid = 0

    init(_ file: consuming Descriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        lines = BlockReader(file, limit: size)
        self.onProblem = onProblem
    }

    func next(_ row: RowBuilder) -> Bool {
        while let line = lines.next() {
            // A line that does not fit in a block holds no key.
            guard line.endsLine, !line.continuesLine else {
                invalid += line.endsLine ? 1 : 0
                continue
            }
            let text = lines.buffer[line.range].trimmed
            let cells = text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            guard let columns else {
                self.columns = cells.dropFirst().map(Self.column)
                continue
            }
            guard !text.isEmpty else { continue }
            guard let data = ExposureKey.bytes(hexadecimal: cells[0].trimmed) else {
                invalid += 1
                continue
            }
            var key = ExposureKey(data: data, rollingPeriod: 144)
            for (column, cell) in zip(columns, cells.dropFirst()) {
                guard let column else { continue }
                key[keyPath: column] = DecimalNumber.read(cell.trimmed).flatMap { Int64(exactly: $0) }
            }
            row.place = line.offset
            key.set(row, origin: "device")
            return true
        }
        if let code = lines.failure { onProblem(.unreadable(errno: code)) }
        if invalid > 0 { onProblem(.invalidKeys(invalid)) }
        invalid = 0
        return false
    }

    private static func column(_ name: ArraySlice<UInt8>) -> WritableKeyPath<ExposureKey, Int64?>? {
        switch String(decoding: name.trimmed, as: UTF8.self) {
        case "rollingStartNumber": \.rollingStartNumber
        case "rollingPeriod": \.rollingPeriod
        case "transmissionRiskLevel": \.transmissionRiskLevel
        case "daysSinceOnsetOfSymptoms": \.daysSinceOnset
        default: nil
        }
    }
}
