internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTableKit

/// Reads `export.bin` of a key server: 16 bytes of header, then a `TemporaryExposureKeyExport`.
///
/// The format is that of the "Exposure Key export file format and verification" of Apple and Google. The signature beside the
/// file, `export.sig`, says that a health authority published it; whoever downloaded it has checked that.
final class KeyExportReader: RowReader {
    static let signature = "EK Export v1    "
    /// The longest message of one key. Real ones have 30 bytes or so.
    private static let keyLimit: Int64 = 1_024

    private var message: ProtobufReader
    private let onProblem: (FileProblem) -> Void
    private var region: [UInt8]?
    private var invalid = 0

    init(_ file: SharedDescriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        message = ProtobufReader(file, size: size, from: Int64(Self.signature.utf8.count))
        self.onProblem = onProblem
    }

    func next(_ row: RowBuilder) -> Bool {
        do throws(ProtobufReader.Failure) {
            while true {
                let offset = message.offset
                guard let (number, value) = try message.next() else { break }
                guard case .bytes(let length) = value else { continue }
                switch number {
                case 3 where length <= Self.keyLimit: region = try message.take(length)
                case 7, 8:
                    guard length <= Self.keyLimit else {
                        message.skip(length)
                        invalid += 1
                        continue
                    }
                    guard let key = Self.key(try message.take(length)), key.isValid else {
                        invalid += 1
                        continue
                    }
                    row.place = offset
                    key.set(row, origin: "server", isRevised: number == 8, region: region)
                    return true
                default: message.skip(length)
                }
            }
        } catch {
            let reason =
                switch error {
                case .malformed: "not readable as an export of keys from byte \(message.offset) on"
                case .truncated: "the file ends in the middle"
                case .unreadable(let code): FileProblem.unreadable(errno: code).reason
                }
            onProblem(FileProblem(reason, partial: true))
        }
        if invalid > 0 { onProblem(.invalidKeys(invalid)) }
        invalid = 0
        return false
    }

    /// A `TemporaryExposureKey`; nil if it is not well-formed.
    private static func key(_ bytes: [UInt8]) -> ExposureKey? {
        var message = ProtobufReader(bytes)
        var key = ExposureKey()
        key.rollingPeriod = 144
        do throws(ProtobufReader.Failure) {
            while let (number, value) = try message.next() {
                switch (number, value) {
                case (1, .bytes(let length)): key.data = try message.take(length)
                case (_, .bytes(let length)): message.skip(length)
                // An int32 is written as the 64 bits of the same number.
                case (2, .varint(let number)): key.transmissionRiskLevel = Int64(bitPattern: number)
                case (3, .varint(let number)): key.rollingStartNumber = Int64(bitPattern: number)
                case (4, .varint(let number)): key.rollingPeriod = Int64(bitPattern: number)
                case (5, .varint(let number)): key.reportType = Int64(bitPattern: number)
                // Zigzag, as a sint32 is.
                case (6, .varint(let number)):
                    key.daysSinceOnset = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
                default: break
                }
            }
        } catch {
            return nil
        }
        return key
    }
}
