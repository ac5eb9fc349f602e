internal import EscrowFormats
internal import EscrowJSON
internal import EscrowSourceFiles
internal import EscrowTableKit

/// Reads the device's own keys as an app sends them to a key server: `{"temporaryExposureKeys": [{"key": …}]}`.
///
/// The members are those of the request of Google's open key server; others are passed over.
final class KeyListReader: RowReader {
    private var tokens: JSONTokenizer
    private let onProblem: (FileProblem) -> Void
    private var isOpen = false
    private var hasList = false
    private var hasEnded = false
    private var invalid = 0

    init(_ file: SharedDescriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        tokens = JSONTokenizer(file, size: size)
        self.onProblem = onProblem
    }

    func next(_ row: RowBuilder) -> Bool {
        guard !hasEnded else { return false }
        do throws(JSONTokenizer.Failure) {
            while isOpen ? true : try open() {
                let token = try tokens.next()
                switch token {
                case .endArray: isOpen = false
                case .beginObject:
                    row.place = tokens.offset
                    let key = try key()
                    if key.isValid {
                        key.set(row, origin: "device")
                        return true
                    }
                    invalid += 1
                default:
                    try tokens.skip(token)
                    invalid += 1
                }
            }
            if !hasList { onProblem(FileProblem("it has no list temporaryExposureKeys")) }
        } catch {
            onProblem(error.problem(line: tokens.line))
        }
        if invalid > 0 { onProblem(.invalidKeys(invalid)) }
        hasEnded = true
        return false
    }

    /// Goes to the list; false at the end of the file.
    private func open() throws(JSONTokenizer.Failure) -> Bool {
        while true {
            let token = try tokens.next()
            if token == .end { return false }
            guard token == .name else { continue }
            let isList = tokens.text.elementsEqual("temporaryExposureKeys".utf8)
            let value = try tokens.next()
            if isList, value == .beginArray {
                isOpen = true
                hasList = true
                return true
            }
            try tokens.skip(value)
        }
    }

    private func key() throws(JSONTokenizer.Failure) -> ExposureKey {
        var key = ExposureKey()
        key.rollingPeriod = 144
        try tokens.scalars { name, value in
            switch name {
            case "key": key.data = value.isNumber ? [] : Base64.decode(value.text) ?? []
            case "rollingStartNumber": key.rollingStartNumber = Self.integer(value)
            case "rollingPeriod": key.rollingPeriod = Self.integer(value)
            case "transmissionRisk", "transmissionRiskLevel": key.transmissionRiskLevel = Self.integer(value)
            case "daysSinceOnsetOfSymptoms": key.daysSinceOnset = Self.integer(value)
            default: break
            }
        }
        return key
    }

    private static func integer(_ value: HistoryValue) -> Int64? {
        value.isNumber ? value.number.flatMap { Int64(exactly: $0) } : nil
    }
}
